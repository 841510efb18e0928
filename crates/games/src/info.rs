//! The description of a game: everything the rest of the program knows about it besides its rules.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::{EndReason, Piece};

/// The description of a game, from which interfaces, files and statistics take their words and
/// numbers.
///
/// [`GameInfo::new`] takes what every game has; each optional field is set by the method of the
/// same name:
///
/// ```
/// use hexzero::games::{Boards, Ending, GameInfo, SeatInfo};
///
/// const INFO: GameInfo = GameInfo::new(
///     "y",
///     "Y",
///     "connect all three sides of a triangle",
///     Boards::sides(3..=15, 8),
///     [
///         SeatInfo::new("black", "connects all three sides", "Connect all three sides."),
///         SeatInfo::new("white", "connects all three sides", "Connect all three sides."),
///     ],
/// )
/// .endings(&[Ending::connection("the three sides are connected")])
/// .inputs(&["own", "enemy", "empty"], &["size/15"]);
/// assert_eq!((INFO.network, INFO.view.cell_inputs, INFO.view.policy_planes), ("y", 3, 1));
/// ```
#[derive(Debug, Clone)]
pub struct GameInfo {
    /// The game's name in files and on the command line.
    pub id: &'static str,
    /// The game's name in running text.
    pub title: &'static str,
    /// A summary in one sentence.
    pub summary: &'static str,
    /// The id of the game whose networks play this one: another game's for a variant with the same
    /// [`GameInfo::view`].
    pub network: &'static str,
    /// The boards of the game.
    pub boards: Boards,
    /// The two seats, in the order in which they move.
    pub seats: [SeatInfo; 2],
    /// The global actions, in the order of their numbers.
    pub actions: &'static [GlobalAction],
    /// True if the swap among the actions is never legal. It is listed only because the game shares its networks with
    /// a variant that has it.
    pub bars_swap: bool,
    /// The choices of a second pick at a place; see [`super::Pick::Choice`].
    pub choices: &'static [Choice],
    /// The kinds of moves that begin with a sign, as `m:` does.
    pub signs: &'static [MoveSign],
    /// The words for the six directions in moves, in the order of [`hexzero_board::STEPS`]; empty
    /// in a game without directions.
    pub directions: &'static [&'static str],
    /// The ways in which the game can end.
    pub endings: &'static [Ending],
    /// The game's counts in statistics.
    pub counts: &'static [Count],
    /// The inputs and outputs of a network for the game.
    pub view: NetworkView,
    /// The names of the cells' input planes in exported networks.
    pub cell_inputs: &'static [&'static str],
    /// The names of the global inputs.
    pub global_inputs: &'static [&'static str],
    /// How many of the last global inputs are new in this version, if it differs from the previous one in nothing else.
    pub added_globals: usize,
    /// The typical number of plies of a game on a board with this many cells.
    pub usual_plies: fn(usize) -> usize,
    /// Whether each player's moves lead to the same position in any order, as in games that only place stones. A swap
    /// and the move before it must keep their places.
    pub order_is_free: bool,
    /// The game's number in the Smart Game Format (`GM`), if it has one.
    pub sgf: Option<u32>,
    /// The temperatures at which the three lowest playing levels draw moves from the network's
    /// policy on the default board, from the weakest level.
    pub weak_levels: [f64; 3],
    /// The lesson: the rules in a few pictures.
    pub lesson: &'static [LessonPart],
}

/// The boards of a game.
#[derive(Debug, Clone)]
pub struct Boards {
    /// The sizes that the rules allow.
    pub sizes: RangeInclusive<usize>,
    /// The default size.
    pub default: usize,
    /// The meaning of the size, such as "cells on a side".
    pub meaning: &'static str,
}

/// The name and goal of a seat.
#[derive(Debug, Clone, Serialize)]
pub struct SeatInfo {
    /// The name of the seat, in lower case, such as "red". Its initial stands for the seat's pieces in text.
    pub name: &'static str,
    /// The goal of the seat, following its name: "connects the first and last row".
    pub goal: &'static str,
    /// The goal as a request: "Connect the two red sides."
    pub task: &'static str,
}

/// A global action, which belongs to no cell.
#[derive(Debug, Clone, Serialize)]
pub struct GlobalAction {
    /// The action's name in move notation.
    pub word: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// The action's name in the protocols and file formats of other programs.
    pub foreign: &'static str,
    /// The kind of action.
    pub kind: ActionKind,
    /// The text of the action's button.
    pub label: &'static str,
    /// The text that offers the action to the player who may play it.
    #[serde(skip)]
    pub offer: &'static str,
    /// The effect of the action, following the name of the seat that played it: "swaps: the stone
    /// changes colour and place".
    #[serde(skip)]
    pub done: &'static str,
    /// The effect of the action, addressed to the opponent, who moves next.
    #[serde(skip)]
    pub suffered: &'static str,
}

/// The kinds of global actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// The second player takes over the first player's stone.
    Swap,
    /// Nothing is played, or a turn of several parts ends.
    Pass,
    /// A choice off the board, such as a colour.
    Choose,
}

/// A choice by a second pick at a place, such as a colour.
#[derive(Debug, Clone, Serialize)]
pub struct Choice {
    /// The choice's name in files and protocols.
    pub word: &'static str,
    /// The text of the choice's button.
    pub label: &'static str,
}

/// A kind of moves whose names begin with a sign and a colon.
#[derive(Debug, Clone, Serialize)]
pub struct MoveSign {
    /// The sign.
    pub sign: &'static str,
    /// The verb of the move, before the name of a place: "spread from".
    pub words: &'static str,
}

/// A way in which a game ends.
#[derive(Debug, Clone, Serialize)]
pub struct Ending {
    /// The number of the ending in stored games.
    #[serde(skip)]
    pub reason: EndReason,
    /// The ending's name in files and statistics.
    pub key: &'static str,
    /// The text of the ending, following "red wins: " or "draw: ".
    pub words: &'static str,
}

/// A count in statistics of games.
#[derive(Debug, Clone)]
pub struct Count {
    /// The count's name in files.
    pub key: &'static str,
    /// The count's title in a table, such as "stones captured"; reports add "a game".
    pub title: &'static str,
    /// Which changes are counted.
    pub what: Counted,
}

/// Kinds of counted changes; those of global actions are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Pieces removed from the board.
    Removed,
    /// Pieces moved from one place to another.
    Moved,
    /// Pieces that changed their owner, kind or number.
    Recoloured,
}

/// The inputs and outputs of a network for a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkView {
    /// The version of the inputs, raised whenever the meaning of a plane or a global input changes.
    pub version: u32,
    /// Number of input planes over the cells.
    pub cell_inputs: usize,
    /// Number of inputs for the whole position, at least one.
    pub global_inputs: usize,
    /// Number of actions per cell.
    pub policy_planes: usize,
    /// Number of global actions.
    pub global_actions: usize,
}

/// One part of a game's lesson: a rule with pictures.
#[derive(Debug, Clone)]
pub struct LessonPart {
    /// The title of the part.
    pub title: &'static str,
    /// The rule.
    pub text: &'static str,
    /// Examples of the rule.
    pub pictures: &'static [Picture],
}

/// A position in a lesson. Places are given by name, separated by spaces.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The size of the board.
    pub size: usize,
    /// Pieces and the places they stand on.
    pub pieces: &'static [(&'static str, Piece)],
    /// Places whose pieces have just been captured.
    pub taken: &'static str,
    /// Places to highlight.
    pub marked: &'static str,
    /// Places to connect by a line.
    pub chain: &'static str,
    /// A description of the picture for screen readers.
    pub label: &'static str,
    /// The caption.
    pub caption: &'static str,
}

impl Picture {
    /// Returns a picture of an empty board of this size, to be filled in.
    pub const fn empty(size: usize) -> Self {
        Self { size, pieces: &[], taken: "", marked: "", chain: "", label: "", caption: "" }
    }
}

impl Boards {
    /// Describes boards of these sizes.
    pub const fn new(sizes: RangeInclusive<usize>, default: usize, meaning: &'static str) -> Self {
        Self { sizes, default, meaning }
    }

    /// Describes boards with this many cells on a side.
    pub const fn sides(sizes: RangeInclusive<usize>, default: usize) -> Self {
        Self::new(sizes, default, "cells on a side")
    }
}

impl SeatInfo {
    /// Describes a seat by its name, its goal and its task.
    pub const fn new(name: &'static str, goal: &'static str, task: &'static str) -> Self {
        Self { name, goal, task }
    }
}

impl MoveSign {
    /// Describes a sign by its words.
    pub const fn new(sign: &'static str, words: &'static str) -> Self {
        Self { sign, words }
    }
}

impl Ending {
    /// The ending by a chain that connects its owner's two sides.
    pub const CONNECTION: Self = Self::connection("the two sides are connected");

    /// Describes the ending [`EndReason::CONNECTION`] in a game's own words.
    pub const fn connection(words: &'static str) -> Self {
        Self::new(EndReason::CONNECTION, "connection", words)
    }

    /// Describes an ending by its reason, its name in files and its words.
    pub const fn new(reason: EndReason, key: &'static str, words: &'static str) -> Self {
        Self { reason, key, words }
    }
}

impl GameInfo {
    /// Describes a game with a network of its own and one action a cell.
    pub const fn new(
        id: &'static str,
        title: &'static str,
        summary: &'static str,
        boards: Boards,
        seats: [SeatInfo; 2],
    ) -> Self {
        let view = NetworkView { version: 1, cell_inputs: 0, global_inputs: 0, policy_planes: 1, global_actions: 0 };
        Self {
            id,
            title,
            summary,
            network: id,
            boards,
            seats,
            actions: &[],
            bars_swap: false,
            choices: &[],
            signs: &[],
            directions: &[],
            endings: &[],
            counts: &[],
            view,
            cell_inputs: &[],
            global_inputs: &[],
            added_globals: 0,
            usual_plies: |cells| cells,
            order_is_free: false,
            sgf: None,
            weak_levels: [2.8, 1.8, 1.15],
            lesson: &[],
        }
    }

    /// Describes a variant under another name, which uses the networks of this game.
    pub const fn variant(self, id: &'static str, title: &'static str, summary: &'static str) -> Self {
        Self { id, title, summary, ..self }
    }

    /// Sets the global actions.
    pub const fn actions(mut self, actions: &'static [GlobalAction]) -> Self {
        self.view.global_actions = actions.len();
        Self { actions, ..self }
    }

    /// Declares that the swap among the actions is never played.
    pub const fn without_swap(self) -> Self {
        Self { bars_swap: true, ..self }
    }

    /// Sets the choices of a second pick at a place.
    pub const fn choices(self, choices: &'static [Choice]) -> Self {
        Self { choices, ..self }
    }

    /// Sets the signs that moves begin with, and the words for the directions in them.
    pub const fn notation(self, signs: &'static [MoveSign], directions: &'static [&'static str]) -> Self {
        Self { signs, directions, ..self }
    }

    /// Sets the ways in which the game can end.
    pub const fn endings(self, endings: &'static [Ending]) -> Self {
        Self { endings, ..self }
    }

    /// Sets the counts in statistics.
    pub const fn counts(self, counts: &'static [Count]) -> Self {
        Self { counts, ..self }
    }

    /// Sets the names of the network's inputs, one for each plane over the cells and each global input.
    pub const fn inputs(mut self, cells: &'static [&'static str], globals: &'static [&'static str]) -> Self {
        self.view.cell_inputs = cells.len();
        self.view.global_inputs = globals.len();
        Self { cell_inputs: cells, global_inputs: globals, ..self }
    }

    /// Sets the number of actions per cell.
    pub const fn policy_planes(mut self, planes: usize) -> Self {
        self.view.policy_planes = planes;
        self
    }

    /// Sets the version of the network's inputs, to be raised whenever the meaning of an input
    /// changes.
    pub const fn view_version(mut self, version: u32) -> Self {
        self.view.version = version;
        self
    }

    /// Raises the version of the network's inputs, to which this many global inputs have been appended. Networks of the
    /// previous version can still play.
    pub const fn with_added_globals(mut self, added_globals: usize) -> Self {
        self.view.version += 1;
        Self { added_globals, ..self }
    }

    /// Returns the inputs and outputs of networks of the previous version, if they can still play although they lack
    /// the added inputs.
    pub fn view_before(&self) -> Option<NetworkView> {
        let (version, global_inputs) = (self.view.version - 1, self.view.global_inputs - self.added_globals);
        (self.added_globals > 0).then(|| NetworkView { version, global_inputs, ..self.view.clone() })
    }

    /// Declares that the order of moves does not matter; see [`GameInfo::order_is_free`].
    pub const fn with_free_order(self) -> Self {
        Self { order_is_free: true, ..self }
    }

    /// Sets the typical number of plies of a game, as a function of the number of cells.
    pub const fn usual_plies(self, plies: fn(usize) -> usize) -> Self {
        Self { usual_plies: plies, ..self }
    }

    /// Sets the game's number in the Smart Game Format.
    pub const fn sgf(self, number: u32) -> Self {
        Self { sgf: Some(number), ..self }
    }

    /// Sets the temperatures of the three lowest playing levels, which `models/calibrate-levels`
    /// finds on the default board.
    pub const fn weak_levels(self, temperatures: [f64; 3]) -> Self {
        Self { weak_levels: temperatures, ..self }
    }

    /// Sets the lesson.
    pub const fn lesson(self, lesson: &'static [LessonPart]) -> Self {
        Self { lesson, ..self }
    }

    /// Returns the ending with this reason.
    pub fn ending(&self, reason: EndReason) -> Option<&'static Ending> {
        self.endings.iter().chain([&RESIGNATION]).find(|ending| ending.reason == reason)
    }

    /// Returns the name of an ending in files and statistics.
    pub fn ending_key(&self, reason: EndReason) -> &'static str {
        self.ending(reason).map_or("unknown", |ending| ending.key)
    }

    /// Returns the ending with this name in files and statistics.
    pub fn ending_named(&self, key: &str) -> Option<EndReason> {
        self.endings.iter().chain([&RESIGNATION]).find(|ending| ending.key == key).map(|ending| ending.reason)
    }

    /// Returns the words of all global actions.
    pub fn action_words(&self) -> Vec<&'static str> {
        self.actions.iter().map(|action| action.word).collect()
    }

    /// Returns whether a swap may ever be played: a game may list one only because its networks are another game's.
    pub fn has_swap(&self) -> bool {
        !self.bars_swap && self.actions.iter().any(|action| action.kind == ActionKind::Swap)
    }

    /// Returns the words of the global actions that the rules ever allow.
    pub fn played_words(&self) -> Vec<&'static str> {
        let is_played = |action: &&GlobalAction| action.kind != ActionKind::Swap || !self.bars_swap;
        self.actions.iter().filter(is_played).map(|action| action.word).collect()
    }
}

/// The ending that every game has.
static RESIGNATION: Ending =
    Ending { reason: EndReason::RESIGNATION, key: "resignation", words: "its opponent has resigned" };
