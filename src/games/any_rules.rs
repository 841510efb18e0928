//! Rules without their type.

use std::any::Any;
use std::fmt::Debug;

use rand::Rng;

use crate::board::Board;

use super::action::{Action, Pick};
use super::change::Change;
use super::ends::EndSolver;
use super::errors::InvalidMove;
use super::path_costs::PathCosts;
use super::piece::Piece;
use super::rules::{GameRng, Rules};
use super::score::Score;
use super::seat::{Outcome, Seat};

/// The rules of a position without their type. Every [`Rules`] has it; it exists so that the engine is compiled once.
pub(super) trait AnyRules: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn boxed(&self) -> Box<dyn AnyRules>;
    /// Copies another position into its own memory; false if the other is of another game.
    fn copy_from(&mut self, other: &dyn AnyRules) -> bool;
    fn to_move(&self) -> Seat;
    fn turns(&self) -> usize;
    fn outcome(&self) -> Option<Outcome>;
    fn check(&self, action: Action) -> Result<(), InvalidMove>;
    fn legal_actions(&self, actions: &mut Vec<Action>);
    fn play(&mut self, action: Action);
    fn play_noting(&mut self, action: Action, changes: &mut Vec<Change>);
    fn winning_action(&self) -> Option<Action>;
    fn winning_chain(&self) -> Vec<usize>;
    fn hand_turn_to(&mut self, seat: Seat) -> bool;
    fn random_action(&self, rng: &mut GameRng) -> Option<Action>;
    fn playout(&mut self, rng: &mut GameRng, legal: &mut Vec<Action>) -> Outcome;
    fn piece(&self, place: usize) -> Option<Piece>;
    fn owner(&self, cell: usize) -> Option<Seat>;
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove>;
    fn action_name(&self, board: &Board, action: Action) -> String;
    fn picks(&self, board: &Board, action: Action) -> Vec<Pick>;
    fn path_costs(&self, seat: Seat) -> Option<PathCosts>;
    fn heuristic(&self) -> Option<i32>;
    fn ends(&self) -> Option<Box<dyn EndSolver>>;
    fn score(&self) -> Option<Score>;
    fn key(&self) -> Option<u128>;
    fn forget_history(&mut self);
    fn history_counts(&self) -> bool;
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
    fn frame(&self) -> usize;
}

impl<R: Rules> AnyRules for R {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed(&self) -> Box<dyn AnyRules> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn AnyRules) -> bool {
        let other = other.as_any().downcast_ref::<R>();
        other.map(|other| self.clone_from(other)).is_some()
    }

    fn to_move(&self) -> Seat {
        R::to_move(self)
    }

    fn turns(&self) -> usize {
        R::turns(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        R::outcome(self)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        R::check(self, action)
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        R::legal_actions(self, actions);
    }

    fn play(&mut self, action: Action) {
        R::play(self, action, &mut ());
    }

    fn play_noting(&mut self, action: Action, changes: &mut Vec<Change>) {
        R::play(self, action, changes);
    }

    fn winning_action(&self) -> Option<Action> {
        R::winning_action(self)
    }

    fn winning_chain(&self) -> Vec<usize> {
        R::winning_chain(self)
    }

    fn hand_turn_to(&mut self, seat: Seat) -> bool {
        R::hand_turn_to(self, seat)
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        R::random_action(self, rng)
    }

    fn playout(&mut self, rng: &mut GameRng, legal: &mut Vec<Action>) -> Outcome {
        loop {
            if let Some(outcome) = R::outcome(self) {
                return outcome;
            }
            R::legal_actions(self, legal);
            R::play(self, legal[rng.random_range(0..legal.len())], &mut ());
        }
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        R::piece(self, place)
    }

    fn owner(&self, cell: usize) -> Option<Seat> {
        R::owner(self, cell)
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        R::parse_action(self, board, text)
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        R::action_name(self, board, action)
    }

    fn picks(&self, board: &Board, action: Action) -> Vec<Pick> {
        R::picks(self, board, action)
    }

    fn path_costs(&self, seat: Seat) -> Option<PathCosts> {
        R::path_costs(self, seat)
    }

    fn heuristic(&self) -> Option<i32> {
        R::heuristic(self)
    }

    fn ends(&self) -> Option<Box<dyn EndSolver>> {
        R::ends(self)
    }

    fn score(&self) -> Option<Score> {
        R::score(self)
    }

    fn key(&self) -> Option<u128> {
        R::key(self)
    }

    fn forget_history(&mut self) {
        R::forget_history(self);
    }

    fn history_counts(&self) -> bool {
        R::history_counts(self)
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        R::encode(self, cells, globals);
    }

    fn frame(&self) -> usize {
        R::frame(self)
    }
}
