//! Imnyss: stones of two colours without owners, as in Chameleon, but the opponent names the colour
//! to place, and connecting both pairs of sides at once loses.
//!
//! Cameron Browne, 2003.

mod info;

use rand::Rng;

use crate::shared::rhombus_chains::{RhombusStones, joins_sides_of};
use crate::shared::two_colours::{COLOURS, encode, prospects, symmetries};
use crate::{
    Action, Change, ChangeLog, GameInfo, GameRng, InvalidMove, Outcome, Rules, Seat, Solver, State, Transform, flag,
    rules_by_fields,
};

const MAX_SIZE: usize = 13;

/// The next part of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nominate a colour for the very first stone, which the same player places.
    First,
    /// Nominate a colour for the opponent's stone.
    Nominate,
    /// Place a stone of this colour.
    Place(u8),
}

/// A position of Imnyss.
#[derive(Debug, Clone)]
pub struct Imnyss {
    to_move: Seat,
    turns: u16,
    phase: Phase,
    outcome: Option<Outcome>,
    stones: RhombusStones<{ MAX_SIZE * MAX_SIZE }>,
}

impl Imnyss {
    /// Returns the action that nominates a colour.
    fn nomination(&self, colour: usize) -> Action {
        Action((self.stones.cells() + colour) as u16)
    }

    /// Returns the winner when a chain touches these sides: the opponent of the mover if the chain
    /// connects both pairs.
    fn winner(&self, sides: u8) -> Option<Seat> {
        [self.to_move.opponent(), self.to_move].into_iter().find(|&seat| joins_sides_of(seat, sides))
    }
}

impl Rules for Imnyss {
    const INFO: GameInfo = info::INFO;
    const SOLVER: Option<Solver> = Some(Solver::exhaustive_to::<Self, 3>(3..=4));

    fn new(size: usize) -> Self {
        Self { to_move: Seat::First, turns: 0, phase: Phase::First, outcome: None, stones: RhombusStones::new(size) }
    }

    rules_by_fields!(to_move, hand_turn_to, turns, outcome, frame, colours, winning_chain, frames);

    /// Each stone comes with a nomination.
    fn turn_limit(size: usize) -> usize {
        2 * size * size
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (index, cells) = (action.index(), self.stones.cells());
        if index >= cells + COLOURS.len() {
            return Err(InvalidMove::NoSuchAction { index, actions: cells + COLOURS.len() });
        }
        let refused = |reason: String| Err(InvalidMove::refused(reason));
        match self.phase {
            Phase::Place(colour) if index >= cells => {
                refused(format!("place an {}: it has been nominated", COLOURS[usize::from(colour)]))
            }
            Phase::Place(_) => self.stones.check_empty(index),
            Phase::First if index < cells => refused("choose the colour of the first stone: 'n:x' or 'n:o'".to_owned()),
            Phase::Nominate if index < cells => {
                refused("nominate the colour of your opponent's stone: 'n:x' or 'n:o'".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        match self.phase {
            Phase::Place(_) => actions.extend(self.stones.empty_cells().map(|cell| Action(cell as u16))),
            Phase::First | Phase::Nominate => actions.extend([self.nomination(0), self.nomination(1)]),
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        Some(match self.phase {
            Phase::Place(_) => Action(self.stones.random_empty_cell(rng) as u16),
            Phase::First | Phase::Nominate => self.nomination(usize::from(rng.random::<bool>())),
        })
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        match self.phase {
            Phase::Place(colour) => {
                changes.note(Change::Placed(action.0));
                let sides = self.stones.place(action.index(), colour);
                self.outcome = self.winner(sides).map(Outcome::connection);
                self.phase = Phase::Nominate;
            }
            Phase::First | Phase::Nominate => {
                if self.phase == Phase::Nominate {
                    self.to_move = self.to_move.opponent();
                }
                self.phase = Phase::Place((action.index() - self.stones.cells()) as u8);
            }
        }
        self.turns += 1;
    }

    fn winning_action(&self) -> Option<Action> {
        let Phase::Place(colour) = self.phase else { return None };
        // Before the n-th stone, 2n - 1 plies have been played.
        if self.turns() + 1 < 2 * self.stones.side() {
            return None;
        }
        let wins = |&cell: &usize| self.winner(self.stones.sides_with(cell, colour)) == Some(self.to_move);
        self.stones.empty_cells().find(wins).map(|cell| Action(cell as u16))
    }

    /// Paths in the nominated colour count twice.
    fn heuristic(&self) -> Option<i32> {
        let weight = |colour: u8| if self.phase == Phase::Place(colour) { 2 } else { 1 };
        Some(prospects(&self.stones, self.to_move, [weight(0), weight(1)]))
    }

    fn state(&self) -> Option<State> {
        let colour = if let Phase::Place(colour) = self.phase { Some(colour) } else { None };
        let state = self.stones.state(self.to_move, false)?.with_flags(&[self.phase == Phase::First]);
        Some(state.with_colour(colour))
    }

    /// Planes: [`crate::shared::two_colours::CELL_INPUTS`]. Globals: x is nominated, o is
    /// nominated, the mover is to nominate, the mover is to nominate for the very first stone; size
    /// / 13.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        encode(&self.stones, self.to_move, cells);
        let is = |phase| flag(self.phase == phase);
        globals.copy_from_slice(&[
            is(Phase::Place(0)),
            is(Phase::Place(1)),
            is(Phase::Nominate),
            is(Phase::First),
            self.stones.side() as f32 / MAX_SIZE as f32,
        ]);
    }

    /// Returns the half turn and the exchange of the colours, nominations included.
    fn symmetries(size: usize) -> Vec<Transform> {
        let count = size * size;
        let exchanged = |transform: Transform| {
            let cells = transform.cells.clone();
            let to = |action: usize| if action < count { cells.apply(action) } else { 2 * count + 1 - action };
            transform.with_actions(to).with_globals(|input| if input < 2 { 1 - input } else { input })
        };
        symmetries(size, &Self::INFO.view, exchanged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::position::after;

    fn winner(moves: &str) -> Option<Seat> {
        let position = after(Game::new::<Imnyss>(), 3, moves);
        position.outcome().and_then(|outcome| outcome.winner)
    }

    #[test]
    fn joining_both_pairs_of_sides_loses() {
        assert_eq!(winner("n:x a1 n:x a2 n:x"), None);
        assert_eq!(winner("n:x a1 n:x a2 n:x a3"), Some(Seat::First));
        assert_eq!(winner("n:x b1 n:x a3 n:x c2 n:x b2"), Some(Seat::First), "horz joins all four sides");
        assert_eq!(winner("n:x b1 n:x a3 n:x c2 n:o c3 n:x b2"), Some(Seat::Second), "vert does");
    }

    #[test]
    fn joining_all_sides_is_no_winning_move() {
        let mut game = Imnyss::new(3);
        // x on b1, a3 and c2; Vert is to place an x.
        for (stone, colour) in [(1, 0), (6, 0), (5, 0), (8, 1)] {
            game.phase = Phase::Place(colour);
            game.play(Action(stone), &mut ());
            game.play(game.nomination(0), &mut ());
        }
        assert_eq!((game.to_move(), game.winning_action()), (Seat::First, Some(Action(3))), "a2, not b2");
    }

    #[test]
    fn score_counts_the_nominated_colour() {
        let mut game = Imnyss::new(5);
        let play = |game: &mut Imnyss, actions: &[u16]| actions.iter().for_each(|&at| game.play(Action(at), &mut ()));
        // x on c3 and c2, and Horz is to place.
        play(&mut game, &[25, 12, 25, 7]);
        let mut other = game.clone();
        play(&mut game, &[25]);
        play(&mut other, &[26]);
        let (x, o) = (game.heuristic().unwrap(), other.heuristic().unwrap());
        assert!(game.to_move() == Seat::First && x > o && o > 0, "{x} and {o} for vert");
        assert!(game.hand_turn_to(Seat::Second));
        assert_eq!(game.heuristic(), Some(-x));
    }
}
