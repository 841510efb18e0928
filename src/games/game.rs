//! What a game is to the rest of the program.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use crate::board::{Topology, cell_name, draw_rhombus, parse_cell};

use super::errors::{InvalidMove, SizeError};
use super::ground::Ground;

/// One of the two players; the first one moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Player {
    /// Moves first (Red in Cachex, Black in Hex).
    First,
    /// Moves second (Blue in Cachex, White in Hex).
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
    /// What ended it.
    pub reason: EndReason,
}

/// What ended a game: a rule, or a player who gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// A chain joined its player's sides.
    Connection,
    /// A position occurred too often.
    Repetition,
    /// The turn limit was reached.
    Turns,
    /// A player gave up. No game says so of itself: its last position is one like others.
    Resignation,
}

/// What a network must know to be built for a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkView {
    /// Raised whenever the meaning of a plane or a global input changes.
    pub version: u32,
    /// Input planes over the cells.
    pub cell_inputs: usize,
    /// Inputs that belong to the whole position, at least one.
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
    /// The game whose networks play this one: another one's for a variant with the same [`Game::VIEW`].
    const NETWORK: &'static str = Self::NAME;
    /// The board sizes the rules allow.
    const SIZES: RangeInclusive<usize>;
    /// What the players are called, first and second.
    const PLAYER_NAMES: [&'static str; 2];
    /// The word of each global action.
    const GLOBAL_ACTION_NAMES: &'static [&'static str];
    /// The same in the protocols and file formats of other programs, where they say it differently.
    const FOREIGN_ACTION_NAMES: &'static [&'static str] = Self::GLOBAL_ACTION_NAMES;
    /// The game's number in the Smart Game Format (`GM`), if it has one.
    const SGF_GAME: Option<u32> = None;
    /// What a network must know to be built for this game.
    const VIEW: NetworkView;
    /// What the input planes of the cells are called where networks are used elsewhere; none if they have no names.
    const CELL_INPUT_NAMES: &'static [&'static str] = &[];
    /// The same for the inputs that belong to the whole position.
    const GLOBAL_INPUT_NAMES: &'static [&'static str] = &[];
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
    /// The number of plies after which the game is over at the latest. As it stands here it is that of a
    /// game whose every move fills a cell, but for global actions that are possible once.
    fn turn_limit(&self) -> usize {
        self.topology().cells() + Self::VIEW.global_actions
    }
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
    /// An action that wins at once, if there is one. Found without looking ahead further; a game in
    /// which that is not cheap may leave it to the search.
    fn winning_action(&self) -> Option<Action> {
        None
    }
    /// The cells of the chain that has won, in games about joining sides; none if no chain has.
    fn winning_chain(&self) -> Vec<usize> {
        Vec::new()
    }
    /// Makes it a player's turn out of order, so that a position can be set up stone by stone. False,
    /// and nothing has changed, if the rules give such a position no meaning.
    fn hand_turn_to(&mut self, _player: Player) -> bool {
        false
    }

    /// Whose stone stands on a cell.
    fn stone(&self, cell: usize) -> Option<Player>;
    /// The character that stands for what is on a cell, a dot for nothing: the first letter of its
    /// owner's name unless the game has stones that belong to nobody, or of several kinds.
    fn symbol(&self, cell: usize) -> char {
        let initial = |player: Player| Self::PLAYER_NAMES[player.index()].as_bytes()[0].to_ascii_uppercase() as char;
        self.stone(cell).map_or('.', initial)
    }
    /// The name of a cell.
    fn cell_name(&self, cell: usize) -> String {
        cell_name(self.size(), cell)
    }
    /// The board as text, with a character for each cell and perhaps one cell marked. A rhombus unless the game
    /// says otherwise.
    fn draw(&self, glyph: &dyn Fn(usize) -> char, marked: Option<usize>) -> String {
        draw_rhombus(self.size(), glyph, marked)
    }
    /// The board with its stones as text, perhaps with one cell marked.
    fn drawing(&self, marked: Option<usize>) -> String {
        self.draw(&|cell| self.symbol(cell), marked)
    }
    /// The action that `text` names, legal or not: on a rhombus with one policy plane a cell, or the
    /// word of a global action.
    ///
    /// # Errors
    /// If the text names no cell of the board and no global action.
    fn parse_action(&self, text: &str) -> Result<Action, InvalidMove> {
        let word = text.to_ascii_lowercase();
        let named = |names: &[&str]| names.iter().position(|name| *name == word);
        let index = match named(Self::GLOBAL_ACTION_NAMES).or_else(|| named(Self::FOREIGN_ACTION_NAMES)) {
            Some(global) => Self::VIEW.policy_planes * self.topology().cells() + global,
            None => parse_cell(self.size(), text)
                .map_err(|source| InvalidMove::Unreadable { source, words: Self::GLOBAL_ACTION_NAMES })?,
        };
        Ok(Action(index as u16))
    }
    /// The name of an action, as [`Game::parse_action`] reads it.
    fn action_name(&self, action: Action) -> String {
        match self.global_action(action) {
            Some(global) => Self::GLOBAL_ACTION_NAMES[global].to_owned(),
            None => self.cell_name(action.index()),
        }
    }

    /// The name of an action in the protocols and file formats of other programs.
    fn foreign_action_name(&self, action: Action) -> String {
        match self.global_action(action) {
            Some(global) => Self::FOREIGN_ACTION_NAMES[global].to_owned(),
            None => self.action_name(action),
        }
    }

    /// The board as a player's paths from side to side see it, in games about joining two sides.
    fn ground(&self, _player: Player) -> Option<Ground> {
        None
    }

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

    /// Which global action this is, or none if it is one on a cell.
    fn global_action(&self, action: Action) -> Option<usize> {
        action.index().checked_sub(Self::VIEW.policy_planes * self.topology().cells())
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
