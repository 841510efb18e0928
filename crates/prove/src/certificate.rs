//! Certificates: proofs that an independent checker can follow.
//!
//! A certificate is a list of claims, one a line. A claim is about stones `A` of the winner and cells `E`: the winner
//! joins its sides with `A` by cells of `E` alone, though all other cells are the loser's. Sets are hexadecimal, cell
//! `row · size + column`, lines numbered from 0:
//!
//! | line | claim |
//! |---|---|
//! | `m A E key ref` | with the winner to move, by a stone on `key` |
//! | `r A E ref …` | with the loser to move: no cell is in all `E` of the claims referred to |
//! | `f A E fills ref` | as claim `ref`, once dead cells `c` and captured pairs `c+d` are filled in |
//! | `v A E expression` | with the loser to move, by a virtual connection of the sides |
//!
//! An expression joins two ends: `=` if they are of one chain, `&b(X)(Y)` by way of stone `b`, and `|[k(X)(Y)…]` by
//! semi connections with keys `k`.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::hex::{Analysis, Analyst, Cells, Derivation, Geometry, Step, Stones, bit, fill, members};
use crate::search::{Answer, Prover, Reason, Verdict};

/// The orientation of a frame on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct View {
    is_turned: bool,
    is_transposed: bool,
}

/// A claim that has been written.
#[derive(Debug, Clone, Copy)]
struct Claim {
    line: usize,
    /// The cells it needs, on the board.
    carrier: Cells,
}

/// Writes the claims of a proof.
struct Writer<'a, 'b> {
    board: Geometry,
    prover: &'a mut Prover<'b>,
    analyst: Analyst,
    lines: Vec<String>,
    known: FxHashMap<(Stones, View), Claim>,
}

impl Prover<'_> {
    /// Proves who wins and returns a certificate, or `None` if a limit ends the search. `first_moves` says whether the
    /// side to move is Black, which joins rows 1 and n. Positions of Y have no certificates.
    pub fn certificate(&mut self, stones: Stones, first_moves: bool) -> Option<String> {
        if self.board().is_y() {
            return None;
        }
        let (board, all) = (self.board().clone(), self.board().board());
        self.prove(stones)?;
        let view = View { is_turned: false, is_transposed: !first_moves };
        let analyst = self.recording_analyst();
        let mut writer = Writer { board, prover: self, analyst, lines: Vec::new(), known: FxHashMap::default() };
        let (verdict, _) = writer.filled(stones, all, view)?;
        let board = &writer.board;
        let seat = |is_first| if is_first { "first" } else { "second" };
        let (to_move, winner) = (seat(first_moves), seat(verdict.wins == first_moves));
        let (first, second) = if first_moves { (stones.own, stones.opponent) } else { (stones.opponent, stones.own) };
        let [first, second] = [first, second].map(|set| names(board, view.apply(board, set)));
        let size = board.size();
        let mut text = format!("hexzero certificate 1\ngame hex-noswap\nsize {size}\nfirst{first}\nsecond{second}\n");
        let _ = writeln!(text, "to_move {to_move}\nwinner {winner}");
        for line in writer.lines {
            text += &line;
            text.push('\n');
        }
        Some(text)
    }

    /// Returns the key of the connection that wins a position for its mover.
    pub(crate) fn key(&self, stones: Stones) -> Option<usize> {
        let mut analyst = self.recording_analyst();
        let Analysis::Won(carrier) = analyst.analyse(self.board(), stones) else { return None };
        let connections = analyst.connections();
        match connections.derived(connections.derivation(carrier, false)?) {
            Derivation::And { middle, .. } => Some(connections.end(*middle)),
            _ => None,
        }
    }

    fn recording_analyst(&self) -> Analyst {
        Analyst::new(self.options().knowledge).recording()
    }
}

/// Returns the names of cells, each after a blank.
fn names(board: &Geometry, cells: Cells) -> String {
    let (letter, number) = (|cell| (b'a' + (cell % board.size()) as u8) as char, |cell| cell / board.size() + 1);
    members(cells).fold(String::new(), |text, cell| format!("{text} {}{}", letter(cell), number(cell)))
}

impl View {
    fn apply(self, board: &Geometry, set: Cells) -> Cells {
        let set = if self.is_turned { board.turned(set) } else { set };
        if self.is_transposed { board.transposed(set) } else { set }
    }

    fn cell(self, board: &Geometry, cell: usize) -> usize {
        // Sides lie beyond the board.
        if cell >= board.cells() { cell } else { self.apply(board, bit(cell)).trailing_zeros() as usize }
    }
}

impl Writer<'_, '_> {
    fn line(&mut self, text: String, carrier: Cells) -> Claim {
        self.lines.push(text);
        Claim { line: self.lines.len() - 1, carrier }
    }

    /// Writes the claim of a position that has to be filled in near some cells.
    fn filled(&mut self, stones: Stones, near: Cells, view: View) -> Option<(Verdict, Claim)> {
        let board = &self.board;
        let mut steps = Vec::new();
        let mut filled = stones;
        if self.prover.options().knowledge.inferior {
            fill(board, &mut filled, near, |step| steps.push(step));
        }
        let (canonical, is_turned) = filled.canonical(board);
        let inner = View { is_turned: view.is_turned != is_turned, ..view };
        let (verdict, claim) = self.position(canonical, inner)?;
        let board = &self.board;
        let winners = |stones: Stones| if verdict.wins { stones.own } else { stones.opponent };
        let (mut fills, mut pairs) = (Vec::new(), 0);
        let name = |cell: u8| view.cell(board, cell.into()).to_string();
        for step in steps {
            match step {
                Step::Dead(cell) if verdict.wins => fills.push(name(cell)),
                Step::Own(pair) | Step::Opponent(pair) if matches!(step, Step::Own(_)) == verdict.wins => {
                    fills.push(pair.map(name).join("+"));
                    pairs |= bit(pair[0].into()) | bit(pair[1].into());
                }
                _ => {}
            }
        }
        if fills.is_empty() {
            return Some((verdict, claim));
        }
        let carrier = claim.carrier | view.apply(board, pairs);
        let own = view.apply(board, winners(stones));
        let text = format!("f {own:x} {carrier:x} {} {}", fills.join(","), claim.line);
        Some((verdict, self.line(text, carrier)))
    }

    /// Writes the claim of a position of the table.
    fn position(&mut self, stones: Stones, view: View) -> Option<(Verdict, Claim)> {
        // The table may have forgotten it.
        self.prover.settle(stones)?;
        let (verdict, reason) = self.prover.solved(stones)?;
        let reason = reason.clone();
        if let Some(&claim) = self.known.get(&(stones, view)) {
            return Some((verdict, claim));
        }
        let own = view.apply(&self.board, if verdict.wins { stones.own } else { stones.opponent });
        let claim = match reason {
            Reason::Known => self.known_result(stones, view, own)?,
            Reason::Move(cell) => {
                let (_, claim) = self.after(stones, cell, view)?;
                let key = view.cell(&self.board, cell.into());
                let carrier = claim.carrier | bit(key);
                self.line(format!("m {own:x} {carrier:x} {key} {}", claim.line), carrier)
            }
            Reason::Answers(answers) => self.answers(stones, &answers, view, own)?,
        };
        self.known.insert((stones, view), claim);
        Some((verdict, claim))
    }

    /// Writes the claim of the position after a move.
    fn after(&mut self, stones: Stones, cell: u8, view: View) -> Option<(Verdict, Claim)> {
        let near = self.prover.near(cell);
        let view = View { is_transposed: !view.is_transposed, ..view };
        self.filled(stones.after(&self.board, cell.into()), near, view)
    }

    /// Writes that the opponent wins by answers to all moves.
    fn answers(&mut self, stones: Stones, answers: &[Answer], view: View, own: Cells) -> Option<Claim> {
        let mut claims = Vec::new();
        for answer in answers {
            claims.push(match answer.cell {
                Some(cell) => self.after(stones, cell, view)?.1,
                None => self.threat(stones, answer.carrier, view, own)?,
            });
        }
        // A position that was proven anew may need other cells.
        if claims.iter().fold(Cells::MAX, |common, claim| common & claim.carrier) != 0 {
            return None;
        }
        let carrier = claims.iter().fold(0, |union, claim| union | claim.carrier);
        let refs = claims.iter().fold(String::new(), |text, claim| format!("{text} {}", claim.line));
        Some(self.line(format!("r {own:x} {carrier:x}{refs}"), carrier))
    }

    /// Writes a result that is known without a search.
    fn known_result(&mut self, stones: Stones, view: View, own: Cells) -> Option<Claim> {
        if stones.winner(&self.board).is_some() {
            return Some(self.line(format!("v {own:x} 0 ="), 0));
        }
        match self.analyst.analyse(&self.board, stones) {
            Analysis::Won(carrier) => {
                let is_full = self.analyst.connections().derivation(carrier, false).is_none();
                self.connection(carrier, is_full, view, own)
            }
            Analysis::Lost(carrier) => {
                let view = View { is_transposed: !view.is_transposed, ..view };
                self.connection(self.board.transposed(carrier), true, view, own)
            }
            _ => None,
        }
    }

    /// Writes a threat of the opponent.
    fn threat(&mut self, stones: Stones, carrier: Cells, view: View, own: Cells) -> Option<Claim> {
        // The opponent's connections are those found last.
        self.analyst.analyse(&self.board, stones);
        let view = View { is_transposed: !view.is_transposed, ..view };
        self.connection(self.board.transposed(carrier), false, view, own)
    }

    /// Writes a connection between the sides that the analyst found last; `view` is that of its owner.
    fn connection(&mut self, carrier: Cells, is_full: bool, view: View, own: Cells) -> Option<Claim> {
        let connections = self.analyst.connections();
        let number = connections.derivation(carrier, is_full)?;
        let cells = view.apply(&self.board, carrier);
        // Expressions begin at the near side of the board.
        let ends = if view.is_turned { [1, 0] } else { [0, 1] };
        let mut text = String::new();
        if is_full {
            self.express(number, ends, view, &mut text);
            return Some(self.line(format!("v {own:x} {cells:x} {text}"), cells));
        }
        let &Derivation::And { from, middle, parts } = connections.derived(number) else { return None };
        let key = view.cell(&self.board, connections.end(middle));
        let _ = write!(text, "&{key}");
        self.express_parts(from, middle, parts, ends, view, &mut text);
        let (with, rest) = (own | bit(key), cells & !bit(key));
        let claim = self.line(format!("v {with:x} {rest:x} {text}"), rest);
        Some(self.line(format!("m {own:x} {cells:x} {key} {}", claim.line), cells))
    }

    /// Writes how two ends are joined.
    fn express(&self, number: u32, ends: [usize; 2], view: View, text: &mut String) {
        let connections = self.analyst.connections();
        let cell = |end: usize| view.cell(&self.board, connections.end(end));
        match connections.derived(number) {
            Derivation::Neighbours => text.push('='),
            &Derivation::And { from, middle, parts } => {
                let _ = write!(text, "&{}", cell(middle));
                self.express_parts(from, middle, parts, ends, view, text);
            }
            Derivation::Or(semi) => {
                text.push_str("|[");
                for &number in semi {
                    if let &Derivation::And { from, middle, parts } = connections.derived(number) {
                        let _ = write!(text, "{}", cell(middle));
                        self.express_parts(from, middle, parts, ends, view, text);
                    }
                }
                text.push(']');
            }
        }
    }

    /// Writes both parts of a connection, from its first end on.
    fn express_parts(
        &self,
        from: usize,
        middle: usize,
        parts: [u32; 2],
        ends: [usize; 2],
        view: View,
        text: &mut String,
    ) {
        let [first, second] = if ends[0] == from { parts } else { [parts[1], parts[0]] };
        for (part, ends) in [(first, [ends[0], middle]), (second, [middle, ends[1]])] {
            text.push('(');
            self.express(part, ends, view, text);
            text.push(')');
        }
    }
}
