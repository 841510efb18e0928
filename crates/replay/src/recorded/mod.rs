//! Recorded games independent of the file format: the tree of moves, replayed by the rules; games as text for messages.

mod faults;
mod finding;
mod recorded_game;
mod replaying;
mod settled;
mod tree_walk;
mod writing;

use std::collections::{BTreeMap, HashSet};

use hexzero_games::{Game, Outcome, Position, Seat};
use hexzero_system::texts::cut;

pub(crate) use faults::game_of_sgf;
pub use faults::{Entry, GameFault, InterchangeError};
pub use finding::Finding;
pub use recorded_game::RecordedGame;
pub(crate) use recorded_game::{Analysis, Comments, Labels};
pub use replaying::{ReplayOptions, ReplaySummary};
pub(crate) use tree_walk::SWAP_SIDES;
pub use writing::GameForm;

/// The result of a drawn game.
const DRAW: &str = "draw";

/// Maximum length in characters of text quoted from a file in a message.
const MAX_QUOTE_LENGTH: usize = 60;

/// Returns the name of a result: the winner's, or `draw`.
pub fn result_name(game: Game, outcome: Outcome) -> &'static str {
    outcome.winner.map_or(DRAW, |winner| game.seat_name(winner))
}

/// Returns the board as one character for each place, in their order: `.` for an empty one,
/// otherwise the character of its piece, such as the first letter of its owner's name (`R` for
/// red). If the piece has a number, such as the power of a stack, the number follows.
pub fn position_text(position: &Position) -> String {
    (0..position.board().places().len()).map(|place| position.glyph(place)).collect()
}

/// Returns the text, cut if it is very long, with control characters escaped so that a terminal
/// does not obey them.
pub(crate) fn quoted(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    cut(text, MAX_QUOTE_LENGTH).chars().map(shown).collect()
}

/// Texts written on places of the board, keyed by the places' names.
pub type Marks = BTreeMap<String, String>;

/// Positions and the moves to them, beginning with the start. The first move after a position is
/// its main continuation.
///
/// Stored as one list rather than nested nodes, because deeply nested files must not overflow the
/// stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MoveTree {
    nodes: Vec<MoveNode>,
}

/// A position of a [`MoveTree`] and the move that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct MoveNode {
    /// The player of the move, if the file states it.
    pub mover: Option<Seat>,
    /// The move as written; empty at the start.
    pub name: String,
    /// The comment on the position.
    pub comment: String,
    /// The texts written on the board.
    pub marks: Marks,
    /// What a search found.
    pub finding: Option<Finding>,
    /// The numbers of the positions that follow.
    pub next: Vec<usize>,
}

impl Default for MoveTree {
    fn default() -> Self {
        Self { nodes: vec![MoveNode::default()] }
    }
}

impl MoveTree {
    /// The number of the position before the first move.
    pub(crate) const START: usize = 0;

    /// Adds a move after a position and returns its number.
    pub(crate) fn add(&mut self, after: usize, mover: Option<Seat>, name: impl Into<String>) -> usize {
        let number = self.nodes.len();
        self.nodes[after].next.push(number);
        self.nodes.push(MoveNode { mover, name: name.into(), ..MoveNode::default() });
        number
    }

    /// Adds to a position a comment, on a line of its own, texts on the board, and what a search found, unless
    /// something is known already.
    pub(crate) fn note(&mut self, at: usize, comment: &str, marks: Marks, finding: Option<Finding>) {
        let node = &mut self.nodes[at];
        if !node.comment.is_empty() && !comment.is_empty() {
            node.comment.push('\n');
        }
        node.comment.push_str(comment);
        node.marks.extend(marks);
        node.finding = node.finding.take().or(finding);
    }

    /// Removes the positions of a path from the start. What follows the last of them then follows
    /// the start, which keeps their comments, and the marks and the search result of the last one.
    pub(crate) fn begin_after(&mut self, path: &[usize]) {
        for &at in path {
            let node = std::mem::take(&mut self.nodes[at]);
            let start = &mut self.nodes[Self::START];
            (start.next, start.marks, start.finding) = (node.next, node.marks, node.finding);
            self.note(Self::START, &node.comment, Marks::new(), None);
        }
    }

    pub(crate) fn node(&self, number: usize) -> &MoveNode {
        &self.nodes[number]
    }

    /// Returns the player of the first move, or the first player if its variations disagree.
    /// Returns `None` if there is no move, or the move does not state its player.
    pub(crate) fn begins_with(&self) -> Option<Seat> {
        let mut movers = self.nodes[Self::START].next.iter().map(|&at| self.nodes[at].mover);
        let first = movers.next()?;
        if movers.all(|mover| mover == first) { first } else { Some(Seat::First) }
    }

    /// Removes everything after a position, and returns the number of moves removed.
    fn cut(&mut self, at: usize) -> usize {
        let mut waiting = std::mem::take(&mut self.nodes[at].next);
        let mut count = 0;
        while let Some(at) = waiting.pop() {
            count += 1;
            waiting.extend_from_slice(&self.nodes[at].next);
        }
        count
    }

    /// Removes moves, each given by the position before it and its own number, with everything
    /// after them.
    fn prune(&mut self, moves: &[(usize, usize)]) {
        let out: HashSet<usize> = moves.iter().map(|&(_, at)| at).collect();
        let before: HashSet<usize> = moves.iter().map(|&(before, _)| before).collect();
        for at in before {
            self.nodes[at].next.retain(|next| !out.contains(next));
        }
    }

    /// Removes the moves after a position for which `out` is true; their continuations then follow
    /// that position. Returns the numbers of the moves removed.
    fn splice(&mut self, after: usize, out: impl Fn(&Self, usize) -> bool) -> Vec<usize> {
        let (mut kept, mut taken) = (Vec::new(), Vec::new());
        for at in std::mem::take(&mut self.nodes[after].next) {
            if !out(self, at) {
                kept.push(at);
                continue;
            }
            let node = std::mem::take(&mut self.nodes[at]);
            kept.extend(node.next);
            self.note(after, &node.comment, node.marks, node.finding);
            taken.push(at);
        }
        self.nodes[after].next = kept;
        taken
    }

    /// Returns the move with this name after a position, if there is one.
    fn child(&self, after: usize, name: &str) -> Option<usize> {
        self.nodes[after].next.iter().copied().find(|&child| self.nodes[child].name == name)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all positions for modification.
    pub(crate) fn nodes_mut(&mut self) -> &mut [MoveNode] {
        &mut self.nodes
    }

    /// Returns the numbers of the positions after the start along the main line.
    pub(crate) fn main_line(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(Self::START), |&at| self.nodes[at].next.first().copied()).skip(1)
    }

    /// Returns the numbers of the positions after the start along the main line, up to `end`; none if that is the start.
    pub(crate) fn line_to(&self, end: usize) -> Vec<usize> {
        let mut line: Vec<usize> = self.main_line().collect();
        line.truncate(line.iter().position(|&at| at == end).map_or(0, |index| index + 1));
        line
    }
}
