//! Depth-first proof-number search (Nagai 2002; the 1 + ε trick of Pawlewicz and Lew 2007), with carriers of proofs.
//!
//! The *carrier* of a proof holds the empty cells that the winner needs: all others may be the loser's. A move
//! outside of the carrier of a refutation is refuted by the same replies, so that each refutation shrinks the region
//! in which the loser must play (Hayward, Björnsson, Johanson, Kan, Po and van Rijswijck, *Solving 7×7 Hex*, 2005).

mod expand;
mod file;
mod limits;
mod node;
mod results;
mod table;

pub use self::file::TableError;
pub use self::limits::{Progress, Watch};
pub use self::node::Verdict;
pub(crate) use self::node::{Answer, Reason};

use self::limits::Budget;
use self::node::{INFINITE, Move, Node, Open};
use self::table::{NONE, Table};
use crate::guide::Guide;
use crate::hex::{Analyst, Cells, Geometry, Knowledge, Stones};

/// The share of a position's open moves that are searched at a time, beside the first.
const WIDTH: f32 = 0.4;

/// The settings of a proof search.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// What is known without a search.
    pub knowledge: Knowledge,
    /// The most positions to expand.
    pub max_nodes: u64,
    /// The most bytes of the table. When it is full, the least searched positions are forgotten.
    pub max_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { knowledge: Knowledge::default(), max_nodes: u64::MAX, max_bytes: 2 << 30 }
    }
}

/// Proves positions of one board size. Later calls reuse what is proven.
pub struct Prover<'a> {
    board: Geometry,
    options: Options,
    analyst: Analyst,
    guide: Box<dyn Guide + 'a>,
    table: Table,
    expanded: u64,
    scores: Box<[f32; 128]>,
    budget: Budget<'a>,
}

impl<'a> Prover<'a> {
    /// Creates a prover of the positions of a board, with an empty table.
    pub fn on(board: Geometry, options: Options, guide: Box<dyn Guide + 'a>) -> Self {
        Self {
            board,
            options,
            analyst: Analyst::new(options.knowledge),
            guide,
            table: Table::default(),
            expanded: 0,
            scores: Box::new([0.0; 128]),
            budget: Budget::default(),
        }
    }

    /// Returns the board.
    pub fn board(&self) -> &Geometry {
        &self.board
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the number of positions expanded so far.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Proves who wins, or returns `None` if a limit ends the search.
    pub fn prove(&mut self, stones: Stones) -> Option<Verdict> {
        let filled = self.fill(stones, self.board.board());
        self.settle(filled.stones)?;
        let (verdict, _) = self.solved(filled.stones)?;
        let captured = if verdict.wins { filled.own } else { filled.opponent };
        Some(Verdict { carrier: self.unturned(verdict.carrier, filled.is_turned) | captured, ..verdict })
    }

    /// Solves a position that is filled in and in its canonical form. `None` if a limit ends the search.
    pub(crate) fn settle(&mut self, stones: Stones) -> Option<()> {
        self.budget.begin();
        while self.solved(stones).is_none() {
            let root = self.table.number(stones);
            self.look(root, stones, true);
            self.visit(root, stones, INFINITE, INFINITE);
            if self.budget.is_spent() && !self.make_room() {
                return None;
            }
        }
        Some(())
    }

    /// Expands a position, unless that has been done or the search has to end.
    fn look(&mut self, number: u32, stones: Stones, is_root: bool) {
        if matches!(self.table[number], Node::New) && !self.should_stop() {
            self.expanded += 1;
            self.table[number] = self.expand(stones, is_root);
        }
    }

    /// Searches a position until one of its numbers reaches its threshold.
    fn visit(&mut self, number: u32, stones: Stones, max_phi: u32, max_delta: u32) {
        let before = self.expanded;
        self.look(number, stones, false);
        while let Some(next) = self.update(number, stones) {
            if next.parent[0] >= max_phi || next.parent[1] >= max_delta || self.budget.is_spent() {
                break;
            }
            let child = self.play(stones, next.chosen.cell).stones;
            let node = if next.chosen.node == NONE { self.table.number(child) } else { next.chosen.node };
            let child_phi = max_delta - (next.parent[1] - next.phi);
            let child_delta = max_phi.min((next.second + next.second / 4).saturating_add(1));
            self.visit(node, child, child_phi, child_delta);
            if let Node::Open(open) = &mut self.table[number] {
                open.link(next.chosen.cell, node);
            }
        }
        self.table.add_work(number, self.expanded - before);
    }

    /// Brings a node up to date with its children, and returns the child to search next, if the node is open.
    fn update(&mut self, number: u32, stones: Stones) -> Option<Next> {
        if !matches!(self.table[number], Node::Open(_)) {
            return None;
        }
        let Node::Open(mut open) = std::mem::replace(&mut self.table[number], Node::New) else { return None };
        let (verdict, reason) = loop {
            if open.moves.is_empty() {
                let answers = open.needed_answers();
                let carrier = answers.iter().fold(0, |union, answer| union | answer.carrier);
                break (Verdict { wins: false, carrier }, Reason::Answers(answers));
            }
            match self.scan(&mut open, stones) {
                Scan::Next(next) => {
                    self.table[number] = Node::Open(open);
                    return Some(next);
                }
                Scan::Won(cell, carrier) => break (Verdict { wins: true, carrier }, Reason::Move(cell)),
                Scan::Refuted(cell, carrier) => open.refute(cell, carrier),
            }
        };
        self.table[number] = Node::Solved(verdict, reason);
        None
    }

    /// Looks at the first moves of a node.
    fn scan(&mut self, open: &mut Open, stones: Stones) -> Scan {
        let width = 1 + (open.moves.len() as f32 * WIDTH) as usize;
        let (mut phi, mut delta, mut second) = (INFINITE, 0u32, INFINITE);
        let (mut best, mut best_phi) = (open.moves[0], 0);
        for &chosen in open.moves.iter().take(width) {
            if let Some(&Node::Solved(verdict, _)) = self.table.get(chosen.node) {
                let carrier = self.carrier(stones, chosen.cell, verdict);
                let scan = if verdict.wins { Scan::Refuted } else { Scan::Won };
                return scan(chosen.cell, carrier);
            }
            let [child_phi, child_delta] = self.table.numbers(chosen.node);
            delta = delta.saturating_add(child_phi).min(INFINITE - 1);
            if child_delta < phi {
                second = phi;
                (best, best_phi, phi) = (chosen, child_phi, child_delta);
            } else {
                second = second.min(child_delta);
            }
        }
        (open.phi, open.delta) = (phi, delta);
        Scan::Next(Next { chosen: best, phi: best_phi, second, parent: [phi, delta] })
    }
}

/// The child to search next.
struct Next {
    chosen: Move,
    /// The child's phi.
    phi: u32,
    /// The second least delta of the children.
    second: u32,
    /// Phi and delta of the node.
    parent: [u32; 2],
}

enum Scan {
    Next(Next),
    Won(u8, Cells),
    Refuted(u8, Cells),
}
