//! Depth-first proof-number search (Nagai 2002; the 1 + ε trick of Pawlewicz and Lew 2007) from the rules alone.
//!
//! Disproof numbers are not added up, because sums would count a position once for every way that leads to it. A node
//! takes the largest instead, plus one for each other move (weak proof-number search; Ueda et al. 2008).
//!
//! The question is always whether one player, the *attacker*, wins within a number of plies. Any other result is the
//! goal of the *defender*. A node's proof number is that of its mover's goal, whichever it is.

use super::GameProver;
use super::table::INFINITE;
use hexzero_games::{Action, Position, Seat};

/// The proof numbers of a goal about which nothing is known.
pub(super) const UNKNOWN: [u32; 2] = [1, 1];

/// A position on the way down, and its open moves.
pub(super) struct Frame {
    pub position: Position,
    legal: Vec<Action>,
    pub open: Vec<Child>,
}

/// A move whose result is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub action: Action,
    key: u128,
    /// Whether the same player moves again.
    again: bool,
    /// Proof and disproof number of the goal of the player who makes the move.
    pub numbers: [u32; 2],
}

/// The question about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub attacker: Seat,
    /// The plies in which the attacker has to win.
    pub plies: u8,
}

impl Frame {
    pub fn new(position: &Position) -> Self {
        Self { position: position.clone(), legal: Vec::new(), open: Vec::new() }
    }
}

impl Child {
    /// Converts proof numbers from the point of view of one mover to the other, and back.
    fn seen(&self, [phi, delta]: [u32; 2]) -> [u32; 2] {
        if self.again { [phi, delta] } else { [delta, phi] }
    }
}

/// The proof numbers of a goal that is reached, or out of reach.
fn solved(reached: bool) -> [u32; 2] {
    if reached { [0, INFINITE] } else { [INFINITE, 0] }
}

impl GameProver<'_> {
    /// Returns the key of a position: its canonical form and whether the attacker is to move.
    pub(super) fn key(&self, position: &Position, question: Question) -> u128 {
        let canonical = position.canonical_key().expect("a board whose positions have states");
        canonical << 1 | u128::from(position.to_move() == question.attacker)
    }

    /// Returns the proof numbers of a position as far as they are known.
    pub(super) fn numbers(&self, key: u128, plies: u8) -> Option<[u32; 2]> {
        let entry = self.table.get(key)?;
        let attacks = key & 1 == 1;
        Some(entry.attacker_wins(plies).map_or(entry.numbers, |wins| solved(wins == attacks)))
    }

    /// Searches the position of a frame until one of its proof numbers reaches its threshold, and returns them.
    pub(super) fn visit(&mut self, depth: usize, key: u128, question: Question, max: [u32; 2]) -> [u32; 2] {
        let before = self.visited;
        let mut numbers = match self.expand(depth, question) {
            Some(reached) => solved(reached),
            None => self.sum(depth).0,
        };
        let inner = Question { plies: question.plies - u8::from(self.is_bounded), ..question };
        while numbers[0] < max[0] && numbers[1] < max[1] && !self.should_stop() {
            let (_, best, second) = self.sum(depth);
            let open = &self.frames[depth].open;
            let (child, others) = (open[best], open.len() as u32 - 1);
            let child_max = [max[0].min((second + second / 8).saturating_add(1)), max[1] - others];
            self.descend(depth, child.action);
            let found = self.visit(depth + 1, child.key, inner, child.seen(child_max));
            let found = child.seen(found);
            match found {
                [0, _] => numbers = solved(true),
                [_, 0] => {
                    self.frames[depth].open.swap_remove(best);
                    let is_lost = self.frames[depth].open.is_empty();
                    numbers = if is_lost { solved(false) } else { self.sum(depth).0 };
                }
                _ => {
                    self.frames[depth].open[best].numbers = found;
                    numbers = self.sum(depth).0;
                }
            }
        }
        self.keep(key, question, numbers, self.visited - before);
        numbers
    }

    /// Remembers the proof numbers of a position.
    fn keep(&mut self, key: u128, question: Question, numbers: [u32; 2], work: u64) {
        let attacks = key & 1 == 1;
        self.table.update(key, work, |entry| match numbers {
            [0, _] | [_, 0] if attacks == (numbers[0] == 0) => entry.wins_from = entry.wins_from.min(question.plies),
            [0, _] | [_, 0] => entry.holds_below = entry.holds_below.max(question.plies + 1),
            _ => entry.numbers = numbers,
        });
    }

    /// Plays a move into the next frame.
    fn descend(&mut self, depth: usize, action: Action) {
        if self.frames.len() == depth + 1 {
            let frame = Frame::new(&self.frames[depth].position);
            self.frames.push(frame);
        }
        let (above, below) = self.frames.split_at_mut(depth + 1);
        let position = &mut below[0].position;
        position.clone_from(&above[depth].position);
        position.play(action);
        position.forget_history();
    }

    /// Lists the open moves of a frame. Returns whether its mover's goal is reached, if that is known at once.
    pub(super) fn expand(&mut self, depth: usize, question: Question) -> Option<bool> {
        self.visited += 1;
        let frame = &mut self.frames[depth];
        let (mut legal, mut open) = (std::mem::take(&mut frame.legal), std::mem::take(&mut frame.open));
        let mut after = self.after.take().unwrap_or_else(|| frame.position.clone());
        let mover = frame.position.to_move();
        frame.position.legal_actions(&mut legal);
        open.clear();
        let mut reached = Some(false);
        for &action in &legal {
            if Some(action) == self.without {
                continue;
            }
            after.clone_from(&self.frames[depth].position);
            after.play(action);
            match self.child(mover, action, &mut after, question) {
                Ok(true) => {
                    (reached, self.reached_by) = (Some(true), Some(action));
                    break;
                }
                Ok(false) => {}
                Err(child) => {
                    reached = None;
                    open.push(child);
                }
            }
        }
        if reached.is_none() {
            self.guess(depth, question, &legal, &mut open);
        }
        // Symmetric moves count once.
        open.sort_unstable_by_key(|child| child.key);
        open.dedup_by_key(|child| child.key);
        self.after = Some(after);
        let frame = &mut self.frames[depth];
        (frame.legal, frame.open) = (legal, open);
        reached
    }

    /// Looks at a move and the position after it. Returns whether the goal of the player who makes it is reached, or a
    /// child if that is open.
    fn child(&mut self, mover: Seat, action: Action, after: &mut Position, question: Question) -> Result<bool, Child> {
        let attacks = mover == question.attacker;
        if let Some(outcome) = after.outcome() {
            self.has_draws |= outcome.winner.is_none();
            return Ok((outcome.winner == Some(question.attacker)) == attacks);
        }
        if self.is_bounded && question.plies == 1 {
            return Ok(!attacks);
        }
        after.forget_history();
        let again = after.to_move() == mover;
        if after.winning_action().is_some_and(|action| Some(action) != self.without) {
            return Ok(again);
        }
        if let Some(end) = self.ends.as_mut().and_then(|ends| ends.solve(after)) {
            self.has_draws |= end.winner.is_none();
            return Ok((end.winner == Some(question.attacker)) == attacks);
        }
        let key = self.key(after, question);
        let mut child = Child { action, key, again, numbers: UNKNOWN };
        child.numbers = child.seen(self.numbers(key, question.plies - u8::from(self.is_bounded)).unwrap_or(UNKNOWN));
        match child.numbers {
            [0, _] => Ok(true),
            [_, 0] => Ok(false),
            _ => Err(child),
        }
    }

    /// Returns the proof numbers of a frame with open moves, the index of its best move, and the second least proof
    /// number of a move.
    fn sum(&self, depth: usize) -> ([u32; 2], usize, u32) {
        let open = &self.frames[depth].open;
        let (mut best, mut phi, mut second, mut delta) = (0, INFINITE, INFINITE, 0);
        for (index, &Child { numbers, .. }) in open.iter().enumerate() {
            delta = delta.max(numbers[1]);
            if numbers[0] < phi {
                (best, phi, second) = (index, numbers[0], phi);
            } else {
                second = second.min(numbers[0]);
            }
        }
        ([phi, (delta + open.len() as u32 - 1).min(INFINITE - 1)], best, second)
    }
}
