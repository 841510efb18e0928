//! The trait that a game implements: its rules and its network inputs.

use std::fmt::Debug;

use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Board, Shape};

use super::action::{Action, Pick};
use super::change::ChangeLog;
use super::ends::EndSolver;
use super::errors::InvalidMove;
use super::info::GameInfo;
use super::path_costs::PathCosts;
use super::piece::Piece;
use super::score::Score;
use super::seat::{Outcome, Seat};
use super::solution::Solver;
use super::transform::Transform;

/// The random generator of games. One type, so that the loops of playouts are compiled for it.
pub type GameRng = Xoshiro256PlusPlus;

/// The rules of a game for two players, as a position with its history. The rest of the program uses
/// [`super::Position`], which wraps any implementation of this trait.
///
/// Everything the network sees is in the **mover's frame**: the board turned so that the player to move always plays
/// in the same direction, own pieces first.
///
/// A turn of several parts is several plies by the same player: [`Rules::to_move`] names the player of each.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// The description of the game.
    const INFO: GameInfo;
    /// The solver of the small boards, if any: [`Solver::exhaustive`] for a game with [`Rules::key`].
    const SOLVER: Option<Solver> = None;

    /// Returns the board of a size: by default a rhombus.
    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::Rhombus { side: size })
    }
    /// The start of a game on a board whose size is one of [`GameInfo::boards`].
    fn new(size: usize) -> Self;

    /// Returns the position with these stones, by place, without history; none, the default, if stones alone do not make a
    /// position.
    fn arranged(_size: usize, _stones: &[Option<Seat>], _to_move: Seat) -> Option<Self> {
        None
    }

    /// The seat to move. Not defined once the game is over.
    fn to_move(&self) -> Seat;
    /// The number of plies played.
    fn turns(&self) -> usize;
    /// Returns the most plies that a game on a board of this size can have. Nothing enforces it: [`Rules::outcome`] has to end the
    /// game by then. The default is that of a game whose every move fills a cell, except global actions that are possible
    /// once: set another one if stones leave the board.
    fn turn_limit(size: usize) -> usize {
        Self::board(size).topology().cells() + Self::INFO.view.global_actions
    }
    /// Returns how the game ended; none if it is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// Checks that `action`, which may be any number, may be played now.
    ///
    /// # Errors
    /// The reason why it may not.
    fn check(&self, action: Action) -> Result<(), InvalidMove>;
    /// Writes all legal actions to `actions` (emptied first), in ascending order. None once the game is over.
    fn legal_actions(&self, actions: &mut Vec<Action>);
    /// Plays a legal action and reports its changes of the board.
    ///
    /// # Panics
    /// May panic if the action is not legal; see [`Rules::check`].
    fn play(&mut self, action: Action, changes: &mut impl ChangeLog);
    /// Returns an action that wins at once, if there is one, without further search; a game in which that is not
    /// cheap may leave it to the search.
    fn winning_action(&self) -> Option<Action> {
        None
    }
    /// The cells of the chain that has won, in games about joining sides; none if no chain has.
    fn winning_chain(&self) -> Vec<usize> {
        Vec::new()
    }
    /// Gives the turn to `seat` out of order, to set up a position piece by piece. Returns false, without changes, if the
    /// rules do not allow such a position.
    fn hand_turn_to(&mut self, _seat: Seat) -> bool {
        false
    }
    /// Draws a legal action uniformly; none once the game is over.
    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        actions.choose(rng).copied()
    }

    /// Returns the piece on a place of the board's layout.
    fn piece(&self, place: usize) -> Option<Piece>;
    /// Returns the owner of a network cell, a target of the network's forecasts. The default is the owner of the
    /// piece on the place of the same number.
    fn owner(&self, cell: usize) -> Option<Seat> {
        self.piece(cell).and_then(|piece| piece.owner)
    }

    /// Returns the action that `text` names, legal or not. The default reads the names of the board's places and those
    /// of the global actions.
    ///
    /// # Errors
    /// If the text names no place of the board and no global action.
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        parse_placement::<Self>(board, text)
    }
    /// The name of an action, as [`Rules::parse_action`] reads it. A number that is no action of the board gets a name that no
    /// game reads.
    fn action_name(&self, board: &Board, action: Action) -> String {
        match place_or_global::<Self>(board, action) {
            Some(PlaceOrGlobal::Global(number)) => Self::INFO.actions[number].word.to_owned(),
            Some(PlaceOrGlobal::Place(place)) => board.label(place).to_owned(),
            None => format!("#{}", action.0),
        }
    }
    /// Returns the picks that make an action, none for a number that is no action of the board. The default is the place
    /// played on, or the button of a global action.
    fn picks(&self, board: &Board, action: Action) -> Vec<Pick> {
        match place_or_global::<Self>(board, action) {
            Some(PlaceOrGlobal::Global(number)) => vec![Pick::Button(number as u8)],
            Some(PlaceOrGlobal::Place(place)) => vec![Pick::Place(place as u16)],
            None => Vec::new(),
        }
    }

    /// Returns the costs of a seat's paths from side to side, in games about joining two sides.
    fn path_costs(&self, _seat: Seat) -> Option<PathCosts> {
        None
    }

    /// Evaluates an unfinished position for the player to move, for players without a network: points, well within
    /// ±100,000, antisymmetric between the players. None for a game evaluated by [`Rules::path_costs`].
    fn heuristic(&self) -> Option<i32> {
        None
    }

    /// Returns a solver of the ends that may follow from this position; none if the game has none, or while they are too far
    /// away.
    fn ends(&self) -> Option<Box<dyn EndSolver>> {
        None
    }

    /// Returns the score so far in games decided by counting; none in all others.
    fn score(&self) -> Option<Score> {
        None
    }

    /// Returns the key of the position without its history: two positions with the same key have the same legal actions
    /// and the same future. Used by exact solvers; none if the board is too large for it.
    fn key(&self) -> Option<u128> {
        None
    }
    /// Clears the history, for repetitions and turn limits: positions are solved without history.
    fn forget_history(&mut self) {}
    /// Returns whether positions have occurred so often that the game may end by repetition although from now on none occurs
    /// twice with the same player to move.
    fn history_counts(&self) -> bool {
        false
    }

    /// Writes the network's inputs: `cells` is `[cells × cell inputs]`, a cell's planes beside each other, in the
    /// mover's frame, and `globals` is `[global inputs]`. Both are overwritten entirely.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
    /// The transforms into the frames of the players to move.
    fn frames(size: usize) -> Vec<Transform> {
        vec![Transform::identity(Self::board(size).topology().cells(), &Self::INFO.view)]
    }
    /// Returns the index in [`Rules::frames`] of the mover's frame.
    fn frame(&self) -> usize {
        0
    }
    /// The group of transforms of the mover's frame that keep every rule and the mover's direction, the identity first.
    fn symmetries(size: usize) -> Vec<Transform> {
        vec![Transform::identity(Self::board(size).topology().cells(), &Self::INFO.view)]
    }
}

/// Converts an action in a game whose actions are the board's places and global ones.
enum PlaceOrGlobal {
    Place(usize),
    Global(usize),
}

/// None for a number that is neither: an edge that no cell owns, or one beyond all actions.
fn place_or_global<R: Rules>(board: &Board, action: Action) -> Option<PlaceOrGlobal> {
    let cells = board.topology().cells();
    match action.index().checked_sub(R::INFO.view.policy_planes * cells) {
        Some(global) => (global < R::INFO.actions.len()).then_some(PlaceOrGlobal::Global(global)),
        None => board.place_of_slot(action.index() / cells, action.index() % cells).map(PlaceOrGlobal::Place),
    }
}

/// Returns the action that `text` names in a game whose actions are the board's places and global ones.
///
/// # Errors
/// If the text names neither.
pub fn parse_placement<R: Rules>(board: &Board, text: &str) -> Result<Action, InvalidMove> {
    let word = text.to_ascii_lowercase();
    let named =
        R::INFO.actions.iter().position(|action| action.word == word || action.aliases.contains(&word.as_str()));
    let index = match named {
        Some(global) => R::INFO.view.policy_planes * board.topology().cells() + global,
        None => {
            let place = board.parse(text).map_err(|source| InvalidMove::unreadable(source, R::INFO.action_words()))?;
            let refused = || InvalidMove::Refused { reason: format!("'{text}' is not a place to play on") };
            let slot = board.places()[place].slot.ok_or_else(refused)?;
            usize::from(slot.plane) * board.topology().cells() + usize::from(slot.cell)
        }
    };
    Ok(Action(index as u16))
}
