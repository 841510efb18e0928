//! What a game is to the rest of the program.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use crate::board::{Topology, VertexError};

/// One of the two players; the first one moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Player {
    /// Moves first (Red in Cachex).
    First,
    /// Moves second (Blue in Cachex).
    Second,
}

impl Player {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other player.
    #[inline]
    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 1 for the first player, -1 for the second: turns a value to the first player into one to this.
    #[inline]
    pub fn sign(self) -> f32 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A move as a number: policy plane × cells + cell, and after those the global actions (the swap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Action(pub u16);

impl Action {
    /// The action's number, for indexing.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// Who won; none after a draw.
    pub winner: Option<Player>,
    /// Which rule ended it.
    pub reason: EndReason,
}

/// Which rule ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// A chain joined its player's sides.
    Connection,
    /// A position occurred too often.
    Repetition,
    /// The turn limit was reached.
    Turns,
}

/// A game cannot be played on a board of the size asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} is played on boards of size {} to {}, not {size}", accepted.start(), accepted.end())]
pub struct SizeError {
    /// The game's name.
    pub game: &'static str,
    /// What was asked for.
    pub size: usize,
    /// What is possible.
    pub accepted: RangeInclusive<usize>,
}

/// Why a list of stones is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The board cannot have this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Too few or too many cells.
    #[error("a board of size {size} has {expected} cells, not {found}")]
    CellCount {
        /// The board's size.
        size: usize,
        /// How many cells it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
}

/// Why a move cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMove {
    /// The text is no move.
    #[error("{0}, or 'swap' where the rules allow it")]
    Unreadable(#[from] VertexError),
    /// The number is no action of this game on this board.
    #[error("there is no action number {index}; this board has {actions} actions")]
    NoSuchAction {
        /// The action's number.
        index: usize,
        /// How many there are.
        actions: usize,
    },
    /// There is a stone already.
    #[error("{cell} is occupied; choose an empty cell")]
    Occupied {
        /// The cell's name.
        cell: String,
    },
    /// The exact centre as the first move.
    #[error("{cell} is the centre, which the first move may not take; choose any other cell")]
    ForbiddenCentre {
        /// The cell's name.
        cell: String,
    },
    /// A swap at any time but the second turn.
    #[error("a swap is only possible as the second move of the game; this is move {turn}")]
    SwapNotNow {
        /// The turn to be played, from 1.
        turn: usize,
    },
    /// The game has ended.
    #[error("the game is over; no move can follow")]
    GameOver,
}

/// What a network must know to be built for a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkView {
    /// Raised whenever the meaning of a plane or a global input changes.
    pub version: u32,
    /// Input planes over the cells.
    pub cell_inputs: usize,
    /// Inputs that belong to the whole position.
    pub global_inputs: usize,
    /// Actions per cell.
    pub policy_planes: usize,
    /// Actions that belong to no cell.
    pub global_actions: usize,
}

/// The rules of a game for two players, as a position with its history.
///
/// Everything the network sees is in the **mover's frame**: the board turned so that the player to
/// move always plays in the same direction, own stones first. [`Game::in_movers_frame`] maps cells
/// between the two; it is its own inverse.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The game's name in files and on the command line.
    const NAME: &'static str;
    /// The board sizes the rules allow.
    const SIZES: RangeInclusive<usize>;
    /// What the players are called, first and second.
    const PLAYER_NAMES: [&'static str; 2];
    /// The word of each global action.
    const GLOBAL_ACTION_NAMES: &'static [&'static str];
    /// What a network must know to be built for this game.
    const VIEW: NetworkView;
    /// The number of symmetries that keep every rule and the mover's direction, the identity
    /// (number 0) counted. All are their own inverses.
    const SYMMETRIES: usize;

    /// The start of a game.
    ///
    /// # Errors
    /// If `size` is not in [`Game::SIZES`].
    fn new(size: usize) -> Result<Self, SizeError>;

    /// The board's size.
    fn size(&self) -> usize;
    /// The board's cells and their neighbours.
    fn topology(&self) -> &'static Topology;
    /// Whose move it is. Not defined once the game is over.
    fn to_move(&self) -> Player;
    /// The number of plies played.
    fn turns(&self) -> usize;
    /// How the game ended, or none while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether `action` may be played now, and if not, why.
    ///
    /// # Errors
    /// The reason why it may not.
    fn check(&self, action: Action) -> Result<(), InvalidMove>;
    /// Puts all legal actions into `actions` (emptied first), in ascending order. None once the
    /// game is over.
    fn legal_actions(&self, actions: &mut Vec<Action>);
    /// Plays a legal action.
    ///
    /// # Panics
    /// May panic if the action is not legal; see [`Game::check`].
    fn play(&mut self, action: Action);
    /// An action that wins at once, if there is one. Found without looking ahead further.
    fn winning_action(&self) -> Option<Action>;

    /// Whose stone stands on a cell.
    fn stone(&self, cell: usize) -> Option<Player>;
    /// The action that `text` names, legal or not.
    ///
    /// # Errors
    /// If the text names no cell of the board and no global action.
    fn parse_action(&self, text: &str) -> Result<Action, InvalidMove>;
    /// The name of an action.
    fn action_name(&self, action: Action) -> String;

    /// Writes what the network sees: `cells` is `[cells × cell_inputs]`, a cell's planes beside
    /// each other, and `globals` is `[global_inputs]`. Both are overwritten entirely.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
    /// Where a cell lies in the mover's frame; its own inverse.
    fn in_movers_frame(&self, cell: usize) -> usize;
    /// Where a symmetry takes a cell.
    fn symmetric(&self, symmetry: usize, cell: usize) -> usize;
    /// Which input plane a symmetry turns a plane into, where planes tell directions apart.
    fn symmetric_input(&self, _symmetry: usize, plane: usize) -> usize {
        plane
    }

    /// The number of actions, legal or not.
    fn actions(&self) -> usize {
        Self::VIEW.policy_planes * self.topology().cells() + Self::VIEW.global_actions
    }

    /// A legal action, each as likely as the others, or none once the game is over.
    fn random_action<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Action> {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        actions.choose(rng).copied()
    }

    /// Where the network finds an action's logit: cells in the mover's frame, then through a
    /// symmetry (0 for none). Global actions stay where they are.
    fn network_action(&self, action: Action, symmetry: usize) -> usize {
        let cells = self.topology().cells();
        if action.index() >= Self::VIEW.policy_planes * cells {
            return action.index();
        }
        // Without a division where there is only one plane.
        let plane = if Self::VIEW.policy_planes == 1 { 0 } else { action.index() / cells };
        let cell = action.index() - plane * cells;
        plane * cells + self.symmetric(symmetry, self.in_movers_frame(cell))
    }

    /// The value of an outcome to a player: 1 for a win, 0 for a draw, -1 for a loss.
    fn value_for(outcome: Outcome, player: Player) -> f32 {
        match outcome.winner {
            None => 0.0,
            Some(winner) if winner == player => 1.0,
            Some(_) => -1.0,
        }
    }
}

/// Reads a move, checks it and plays it.
///
/// # Errors
/// If the text is no move, or the move is not legal; the game is then as it was.
pub fn play_named<G: Game>(game: &mut G, text: &str) -> Result<Action, InvalidMove> {
    let action = game.parse_action(text)?;
    game.check(action)?;
    game.play(action);
    Ok(action)
}
