//! Type-erased rules.

use std::any::Any;
use std::fmt::Debug;

use rand::Rng;

use hexzero_board::Board;

use crate::{Action, Change, EndgameSolver, GameRng, InvalidMove, Outcome, PathCosts, Pick, Piece, Rules, Score, Seat};

/// Defines [`AnyRules`] and implements it for every [`Rules`], with these methods of the rules as they are.
macro_rules! any_rules {
    ($(fn $name:ident(&$this:ident $(, $argument:ident: $of:ty)*) $(-> $result:ty)?;)*) => {
        /// The type-erased rules of a position, implemented for every [`Rules`], so that the engine is
        /// compiled only once.
        pub(super) trait AnyRules: Debug + Send + Sync {
            fn as_any(&self) -> &dyn Any;
            fn boxed(&self) -> Box<dyn AnyRules>;
            /// Copies another position into this one's memory. Returns false if the other is of another
            /// game.
            fn copy_from(&mut self, other: &dyn AnyRules) -> bool;
            fn play(&mut self, action: Action);
            fn play_noting(&mut self, action: Action, changes: &mut Vec<Change>);
            fn playout(&mut self, rng: &mut GameRng, legal: &mut Vec<Action>) -> Outcome;
            fn hand_turn_to(&mut self, seat: Seat) -> bool;
            fn forget_history(&mut self);
            $(fn $name(&$this $(, $argument: $of)*) $(-> $result)?;)*
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

            fn play(&mut self, action: Action) {
                R::play(self, action, &mut ());
            }

            fn play_noting(&mut self, action: Action, changes: &mut Vec<Change>) {
                R::play(self, action, changes);
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

            fn hand_turn_to(&mut self, seat: Seat) -> bool {
                R::hand_turn_to(self, seat)
            }

            fn forget_history(&mut self) {
                R::forget_history(self);
            }

            $(fn $name(&$this $(, $argument: $of)*) $(-> $result)? {
                R::$name($this $(, $argument)*)
            })*
        }
    };
}

any_rules! {
    fn to_move(&self) -> Seat;
    fn turns(&self) -> usize;
    fn outcome(&self) -> Option<Outcome>;
    fn check(&self, action: Action) -> Result<(), InvalidMove>;
    fn legal_actions(&self, actions: &mut Vec<Action>);
    fn winning_action(&self) -> Option<Action>;
    fn winning_chain(&self) -> Vec<usize>;
    fn random_action(&self, rng: &mut GameRng) -> Option<Action>;
    fn piece(&self, place: usize) -> Option<Piece>;
    fn owner(&self, cell: usize) -> Option<Seat>;
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove>;
    fn action_name(&self, board: &Board, action: Action) -> String;
    fn picks(&self, board: &Board, action: Action) -> Vec<Pick>;
    fn path_costs(&self, seat: Seat) -> Option<PathCosts>;
    fn heuristic(&self) -> Option<i32>;
    fn ends(&self) -> Option<Box<dyn EndgameSolver>>;
    fn score(&self) -> Option<Score>;
    fn key(&self) -> Option<u128>;
    fn history_counts(&self) -> bool;
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
    fn frame(&self) -> usize;
}
