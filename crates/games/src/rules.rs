//! The trait that a game implements: its rules and its network inputs.

use std::fmt::Debug;
use std::ops::Range;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_board::{Board, Shape};

use crate::{
    Action, ChangeLog, EndgameSolver, GameInfo, InvalidMove, Outcome, PathCosts, Pick, Piece, Score, Seat, Solver,
    State, Transform,
};

/// The random generator of games. A single type, so that the playout loops are compiled for it.
pub type GameRng = Xoshiro256PlusPlus;

/// The rules of a game for two players, as a position with its history. The rest of the program
/// uses [`super::Position`], which wraps any implementation of this trait.
///
/// Everything the network sees is in the **mover's frame**: the board is transformed so that the
/// side to move always plays in the same direction, and own pieces come first.
///
/// A turn with several parts is several plies by the same player: [`Rules::to_move`] returns the
/// player of each.
///
/// In debug builds, a [`super::Position`] checks every action before playing it. It calls
/// [`Rules::check`], [`Rules::legal_actions`], [`Rules::winning_action`] and [`Rules::random_action`]
/// only while the game is not over.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// The description of the game.
    const INFO: GameInfo;
    /// The solver of small boards, if any: [`Solver::exhaustive`] for a game with [`Rules::state`].
    const SOLVER: Option<Solver> = None;

    /// Returns the board of a size: by default a rhombus.
    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::Rhombus { side: size })
    }
    /// Returns the start of a game on a board whose size is one of [`GameInfo::boards`].
    fn new(size: usize) -> Self;

    /// Returns the position with these stones, by place, without history. The default is `None`,
    /// for games in which stones alone do not make a position.
    fn arranged(_size: usize, _stones: &[Option<Seat>], _to_move: Seat) -> Option<Self> {
        None
    }

    /// Returns the side to move. Undefined once the game is over.
    fn to_move(&self) -> Seat;
    /// Returns the number of plies played.
    fn turns(&self) -> usize;
    /// Returns the most plies that a game on a board of this size can have. Nothing enforces this
    /// limit: [`Rules::outcome`] has to end the game by then. The default suits a game where every
    /// move fills a cell, except global actions that are possible once. Override it if stones leave
    /// the board.
    fn turn_limit(size: usize) -> usize {
        Self::board(size).topology().cells() + Self::INFO.view.global_actions
    }
    /// Returns how the game ended, or `None` if it is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// Checks that `action`, which may be any number, may be played now.
    ///
    /// # Errors
    /// The reason why it may not.
    fn check(&self, action: Action) -> Result<(), InvalidMove>;
    /// Adds all legal actions to `actions`, which is empty, in ascending order.
    fn legal_actions(&self, actions: &mut Vec<Action>);
    /// Plays a legal action and reports the changes it makes to the board.
    ///
    /// # Panics
    /// May panic if the action is not legal; see [`Rules::check`].
    fn play(&mut self, action: Action, changes: &mut impl ChangeLog);
    /// Returns an action that wins at once, if there is one, without searching. A game where
    /// finding one is not cheap may leave that to the search.
    fn winning_action(&self) -> Option<Action> {
        None
    }
    /// Returns the cells of the winning chain, in games about connecting sides; empty if no chain
    /// has won.
    fn winning_chain(&self) -> Vec<usize> {
        Vec::new()
    }
    /// Gives the turn to `seat` out of order, to set up a position piece by piece. If the rules do
    /// not allow such a position, returns false and changes nothing.
    fn hand_turn_to(&mut self, _seat: Seat) -> bool {
        false
    }
    /// Draws a legal action uniformly.
    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        actions.choose(rng).copied()
    }

    /// Returns the piece on a place of the board's layout.
    fn piece(&self, place: usize) -> Option<Piece>;
    /// Returns the owner of a network cell, a target of the network's forecasts. The default is the
    /// owner of the piece on the place with the same number.
    fn owner(&self, cell: usize) -> Option<Seat> {
        self.piece(cell).and_then(|piece| piece.owner)
    }

    /// Parses an action, legal or not. The default parses the names of the board's places and of
    /// the global actions.
    ///
    /// # Errors
    /// If the text names no place of the board and no global action.
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        parse_placement::<Self>(board, text)
    }

    /// Returns the name of an action of the board, legal or not, in the notation of
    /// [`Rules::parse_action`]. It must be the same in every position.
    fn action_name(&self, board: &Board, action: Action) -> String {
        match only_pick::<Self>(board, action) {
            Some(Pick::Button(number)) => Self::INFO.actions[usize::from(number)].word.to_owned(),
            Some(Pick::Place(place)) => board.label(place.into()).to_owned(),
            _ => format!("#{}", action.0),
        }
    }
    /// Returns the picks that make up a legal action. The default is the place played on, or the
    /// button of a global action.
    fn picks(&self, board: &Board, action: Action) -> Vec<Pick> {
        only_pick::<Self>(board, action).into_iter().collect()
    }

    /// Returns the costs of a seat's paths from side to side, in games about connecting two sides.
    fn path_costs(&self, _seat: Seat) -> Option<PathCosts> {
        None
    }

    /// Evaluates an unfinished position for the side to move, for players without a network, in
    /// points well within ±100,000 and antisymmetric between the players. Returns `None` for a game
    /// evaluated by [`Rules::path_costs`].
    fn heuristic(&self) -> Option<i32> {
        None
    }

    /// Returns a solver of the endgames that may follow from this position, or `None` if the game
    /// has no such solver or its endgames are still too far away.
    fn endgame_solver(&self) -> Option<Box<dyn EndgameSolver>> {
        None
    }

    /// Returns the score so far in games decided by counting, or `None` in all others.
    fn score(&self) -> Option<Score> {
        None
    }

    /// Returns the position without its history, for exact solvers and proofs, or `None` if the board is too large.
    fn state(&self) -> Option<State> {
        None
    }
    /// Clears the history that counts for repetitions and turn limits, since positions are solved
    /// without history.
    fn forget_history(&mut self) {}
    /// Returns whether positions have been repeated so often that the game may end by repetition
    /// even if from now on none occurs twice with the same side to move.
    fn history_counts(&self) -> bool {
        false
    }
    /// Returns whether the same position, with the same side to move, stood on the board at most
    /// this many plies ago. Always `false` in games that count no repetitions.
    fn repeats_within(&self, _plies: usize) -> bool {
        false
    }

    /// Writes the network's inputs, overwriting both slices entirely: `cells` is
    /// `[cells × cell inputs]`, the planes of a cell contiguous, in the mover's frame, and
    /// `globals` is `[global inputs]`.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
    /// Returns the transforms into the frame of each player to move.
    fn frames(size: usize) -> Vec<Transform> {
        vec![Transform::identity(Self::board(size).topology().cells(), &Self::INFO.view)]
    }
    /// Returns the index in [`Rules::frames`] of the mover's frame.
    fn frame(&self) -> usize {
        0
    }
    /// Returns the group of transforms of the mover's frame that keep every rule and the mover's
    /// direction, identity first.
    fn symmetries(size: usize) -> Vec<Transform> {
        vec![Transform::identity(Self::board(size).topology().cells(), &Self::INFO.view)]
    }
}

/// Draws numbers from a range until one is a legal action. An unfinished game has one, and rarely only a few.
#[inline]
pub(crate) fn draw_until_legal(rng: &mut GameRng, range: Range<u32>, is_legal: impl Fn(usize) -> bool) -> Action {
    loop {
        let drawn = rng.random_range(range.clone());
        if is_legal(drawn as usize) {
            return Action(drawn as u16);
        }
    }
}

/// Returns a yes or no as an input of the network.
#[inline]
pub(crate) fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Defines these methods of [`Rules`] by fields of the same names; `piece`, `winning_chain`, `action_name` and `picks`
/// need a field `stones`. `colours` defines `piece` and `owner` for stones of two colours. `frame` is for games in which
/// each seat has a frame, `frames` for those on a rhombus. `symmetries` defines `frames` too, for the planes of sets of
/// stones. `links` defines the board, its frames and its symmetries by a function `links` that returns the links of a
/// size.
macro_rules! rules_by_fields {
    ($($method:ident),*) => { $($crate::rules::rules_by_fields! { @$method })* };
    (@to_move) => {
        fn to_move(&self) -> $crate::Seat {
            self.to_move
        }
    };
    (@hand_turn_to) => {
        fn hand_turn_to(&mut self, seat: $crate::Seat) -> bool {
            self.to_move = seat;
            true
        }
    };
    (@turns) => {
        fn turns(&self) -> usize {
            self.turns.into()
        }
    };
    (@outcome) => {
        fn outcome(&self) -> Option<$crate::Outcome> {
            self.outcome
        }
    };
    (@frame) => {
        fn frame(&self) -> usize {
            self.to_move.index()
        }
    };
    (@piece) => {
        fn piece(&self, place: usize) -> Option<$crate::Piece> {
            self.stones.piece(place)
        }
    };
    (@colours) => {
        fn piece(&self, place: usize) -> Option<$crate::Piece> {
            self.stones.kind(place).map(|colour| $crate::shared::two_colours::stone(colour.into()))
        }

        fn owner(&self, cell: usize) -> Option<$crate::Seat> {
            $crate::shared::two_colours::owner(&self.stones, self.outcome, cell)
        }
    };
    (@winning_chain) => {
        fn winning_chain(&self) -> Vec<usize> {
            self.stones.winning_chain(self.outcome)
        }
    };
    (@action_name) => {
        fn action_name(&self, board: &hexzero_board::Board, action: $crate::Action) -> String {
            self.stones.action_name::<Self>(board, action)
        }
    };
    (@picks) => {
        fn picks(&self, _board: &hexzero_board::Board, action: $crate::Action) -> Vec<$crate::Pick> {
            self.stones.picks::<Self>(action)
        }
    };
    (@links) => {
        fn board(size: usize) -> &'static hexzero_board::Board {
            Self::links(size).board()
        }

        fn frames(size: usize) -> Vec<$crate::Transform> {
            Self::links(size).frames(&Self::INFO.view)
        }

        fn symmetries(size: usize) -> Vec<$crate::Transform> {
            Self::links(size).symmetries(&Self::INFO.view)
        }
    };
    (@frames) => {
        fn frames(size: usize) -> Vec<$crate::Transform> {
            $crate::shared::rhombus::frames(size, &Self::INFO.view)
        }
    };
    (@symmetries) => {
        fn frames(size: usize) -> Vec<$crate::Transform> {
            $crate::shared::rhombus_sets::frames(size, &Self::INFO.view)
        }

        fn symmetries(size: usize) -> Vec<$crate::Transform> {
            $crate::shared::rhombus_sets::symmetries(size, &Self::INFO.view)
        }
    };
}
pub(crate) use rules_by_fields;

/// Returns the pick that makes up an action in a game whose actions are the board's places and global ones, or `None`
/// for a number that is neither: an edge that no cell owns, or one beyond all actions.
fn only_pick<R: Rules>(board: &Board, action: Action) -> Option<Pick> {
    let cells = board.topology().cells();
    match action.index().checked_sub(R::INFO.view.policy_planes * cells) {
        Some(global) => (global < R::INFO.actions.len()).then_some(Pick::Button(global as u8)),
        None => {
            let place = board.place_of_slot(action.index() / cells, action.index() % cells)?;
            Some(Pick::Place(place as u16))
        }
    }
}

/// Parses an action in a game whose actions are the board's places and global ones.
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
            let place = board.parse(text).map_err(|source| InvalidMove::unreadable(source, R::INFO.played_words()))?;
            let refused = || InvalidMove::refused(format!("'{text}' is not a place to play on"));
            let slot = board.places()[place].slot.ok_or_else(refused)?;
            usize::from(slot.plane) * board.topology().cells() + usize::from(slot.cell)
        }
    };
    Ok(Action(index as u16))
}
