//! The registered games, and their rules with the type erased.

use std::any::Any;
use std::fmt::Debug;
use std::sync::{LazyLock, PoisonError, RwLock};

use rand::Rng;

use crate::{
    Action, Change, EndgameSolver, GameRng, InvalidMove, Outcome, PathCosts, Pick, Piece, Rules, Score, Seat, State,
};
use hexzero_board::Board;

use super::game::Game;

/// All registered games, in listing order; the first is the default.
static GAMES: LazyLock<RwLock<Vec<Game>>> = LazyLock::new(|| RwLock::new(BUILT_IN.clone()));

/// The games of this crate, each made once, as a game is never freed.
static BUILT_IN: LazyLock<Vec<Game>> = LazyLock::new(|| {
    vec![
        Game::new::<super::cachex::Cachex>(),
        Game::new::<super::hex::Hex>(),
        Game::new::<super::hex::HexWithoutSwap>(),
        Game::new::<super::y::Y>(),
        Game::new::<super::y::YWithSwap>(),
        Game::new::<super::tack::Tack>(),
        Game::new::<super::tack::TackWithSwap>(),
        Game::new::<super::fan::Fan>(),
        Game::new::<super::fan::FanWithSwap>(),
        Game::new::<super::link::Link>(),
        Game::new::<super::link::LinkWithSwap>(),
        Game::new::<super::vex::Vex>(),
        Game::new::<super::chameleon::Chameleon>(),
        Game::new::<super::imnyss::Imnyss>(),
        Game::new::<super::dozer::Dozer>(),
        Game::new::<super::dozer::DozerWithoutSwap>(),
        Game::new::<super::twelve_star::TwelveStar>(),
        Game::new::<super::three_connection::ThreeConnection>(),
        Game::new::<super::quickwin::Quickwin>(),
        Game::new::<super::gale::Gale>(),
        Game::new::<super::hexifence::HexiFence>(),
        Game::new::<super::infexion::Infexion>(),
        Game::new::<super::infexion::InfexionBySpecification>(),
    ]
});

/// An error: no game has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'; known are: {}", game_names().join(", "))]
pub struct UnknownGame {
    /// The name.
    pub name: String,
}

/// Lists all games; the first is the default.
pub fn all_games() -> Vec<Game> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Lists the names of all games.
pub fn game_names() -> Vec<&'static str> {
    all_games().into_iter().map(Game::name).collect()
}

/// Returns the default game.
pub fn default_game() -> Game {
    all_games()[0]
}

/// Returns the game with this name.
///
/// # Errors
/// If there is no such game.
pub fn game_named(name: &str) -> Result<Game, UnknownGame> {
    let found = all_games().into_iter().find(|game| game.name() == name);
    found.ok_or_else(|| UnknownGame { name: name.to_owned() })
}

/// Returns whether a game belongs to this crate, rather than being registered by another.
pub fn is_built_in(game: Game) -> bool {
    BUILT_IN.contains(&game)
}

/// Registers a game of another crate for every command. Replaces a game with the same name.
pub fn register(game: Game) {
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    games.retain(|known| known.name() != game.name());
    games.push(game);
}

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
            fn check(&self, action: Action) -> Result<(), InvalidMove>;
            fn legal_actions(&self, actions: &mut Vec<Action>);
            fn winning_action(&self) -> Option<Action>;
            fn random_action(&self, rng: &mut GameRng) -> Option<Action>;
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
                debug_assert_eq!(AnyRules::check(self, action), Ok(()));
                R::play(self, action, &mut ());
            }

            fn play_noting(&mut self, action: Action, changes: &mut Vec<Change>) {
                debug_assert_eq!(AnyRules::check(self, action), Ok(()));
                R::play(self, action, changes);
            }

            fn playout(&mut self, rng: &mut GameRng, legal: &mut Vec<Action>) -> Outcome {
                loop {
                    if let Some(outcome) = R::outcome(self) {
                        return outcome;
                    }
                    AnyRules::legal_actions(self, legal);
                    R::play(self, legal[rng.random_range(0..legal.len())], &mut ());
                }
            }

            fn check(&self, action: Action) -> Result<(), InvalidMove> {
                if R::outcome(self).is_some() { Err(InvalidMove::GameOver) } else { R::check(self, action) }
            }

            fn legal_actions(&self, actions: &mut Vec<Action>) {
                actions.clear();
                if R::outcome(self).is_none() {
                    R::legal_actions(self, actions);
                }
            }

            fn winning_action(&self) -> Option<Action> {
                if R::outcome(self).is_some() { None } else { R::winning_action(self) }
            }

            fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
                if R::outcome(self).is_some() { None } else { R::random_action(self, rng) }
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
    fn winning_chain(&self) -> Vec<usize>;
    fn piece(&self, place: usize) -> Option<Piece>;
    fn owner(&self, cell: usize) -> Option<Seat>;
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove>;
    fn action_name(&self, board: &Board, action: Action) -> String;
    fn picks(&self, board: &Board, action: Action) -> Vec<Pick>;
    fn path_costs(&self, seat: Seat) -> Option<PathCosts>;
    fn heuristic(&self) -> Option<i32>;
    fn endgame_solver(&self) -> Option<Box<dyn EndgameSolver>>;
    fn score(&self) -> Option<Score>;
    fn state(&self) -> Option<State>;
    fn history_counts(&self) -> bool;
    fn repeats_within(&self, plies: usize) -> bool;
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
    fn frame(&self) -> usize;
}
