//! What a game says of itself: all that the rest of the program knows of it beside its rules.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::piece::Piece;
use super::seat::EndReason;

/// What a game says of itself. Interfaces, files and statistics take their words and numbers from here.
#[derive(Debug, Clone)]
pub struct GameInfo {
    /// The game's name in files and on the command line.
    pub id: &'static str,
    /// Its name in running text.
    pub title: &'static str,
    /// What it is about, in one sentence.
    pub summary: &'static str,
    /// The id of the game whose networks play this one: another's for a variant with the same [`GameInfo::view`].
    pub network: &'static str,
    /// The boards that it is played on.
    pub boards: Boards,
    /// The two seats, the first to move first.
    pub seats: [SeatInfo; 2],
    /// The actions that belong to no cell, in the order of their numbers.
    pub actions: &'static [GlobalAction],
    /// What a second pick at a place can choose; see [`super::Pick::Choice`].
    pub choices: &'static [Choice],
    /// How the game can end.
    pub endings: &'static [Ending],
    /// What is counted in statistics of games.
    pub counts: &'static [Count],
    /// What a network must know to be built for the game.
    pub view: NetworkView,
    /// What the input planes of the cells are called where networks are used elsewhere.
    pub cell_inputs: &'static [&'static str],
    /// The same for the inputs that belong to the whole position.
    pub global_inputs: &'static [&'static str],
    /// The plies of most games on a board with this many cells.
    pub usual_plies: fn(usize) -> usize,
    /// The game's number in the Smart Game Format (`GM`), if it has one.
    pub sgf: Option<u32>,
    /// How to play, in a few pictures.
    pub lesson: &'static [LessonPart],
}

/// The boards of a game.
#[derive(Debug, Clone)]
pub struct Boards {
    /// The sizes that the rules allow.
    pub sizes: RangeInclusive<usize>,
    /// The size that is offered first.
    pub default: usize,
    /// What the size counts, such as "cells on a side".
    pub meaning: &'static str,
}

/// What one of the two seats is called, and what it has to do.
#[derive(Debug, Clone)]
pub struct SeatInfo {
    /// The name of the seat, in lower case, such as "red". Its initial stands for the seat's pieces in text.
    pub name: &'static str,
    /// What it has to do to win, after its name: "joins row 1 to the last row".
    pub goal: &'static str,
    /// The same as a request: "Join the two red sides."
    pub task: &'static str,
}

/// An action that belongs to no cell.
#[derive(Debug, Clone)]
pub struct GlobalAction {
    /// Its name in the notation of moves.
    pub word: &'static str,
    /// Other names that are read for it.
    pub aliases: &'static [&'static str],
    /// Its name in the protocols and file formats of other programs.
    pub foreign: &'static str,
    /// What kind of action it is.
    pub kind: ActionKind,
    /// The text of its button.
    pub label: &'static str,
    /// What it would do, said to the player who may play it.
    pub offer: &'static str,
    /// What it did, after the name of the seat that played it: "swaps: the stone changes colour and place".
    pub done: &'static str,
    /// What it did, said to the other player, whose turn it is now.
    pub suffered: &'static str,
}

/// The kinds of actions that belong to no cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// The second player takes over the first one's stone.
    Swap,
    /// Nothing is played, or a turn of several parts ends.
    Pass,
    /// Something is chosen that belongs to no cell, such as a colour.
    Choose,
}

/// Something that a second pick at a place chooses, such as a colour.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Its name in files and protocols.
    pub word: &'static str,
    /// The text of its button.
    pub label: &'static str,
}

/// A way in which a game ends.
#[derive(Debug, Clone)]
pub struct Ending {
    /// Its number in stored games.
    pub reason: EndReason,
    /// Its name in files and statistics.
    pub key: &'static str,
    /// It in words, after "red wins: " or "draw: ".
    pub words: &'static str,
}

/// Something that is counted in statistics of games.
#[derive(Debug, Clone)]
pub struct Count {
    /// Its name in files.
    pub key: &'static str,
    /// Its title in a table, such as "captures a game".
    pub title: &'static str,
    /// Which changes count.
    pub what: Counted,
}

/// Changes that are counted, those of global actions left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Pieces taken off the board.
    Removed,
    /// Pieces that went from one place to another.
    Moved,
    /// Pieces that changed their owner, kind or number.
    Recoloured,
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

/// A part of a game's lesson: a rule and pictures of it.
#[derive(Debug, Clone)]
pub struct LessonPart {
    /// What it is about.
    pub title: &'static str,
    /// The rule.
    pub text: &'static str,
    /// Examples.
    pub pictures: &'static [Picture],
}

/// A position in a lesson. Places are given by their names, several with spaces between them.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The size of the board.
    pub size: usize,
    /// Pieces and the places they are on.
    pub pieces: &'static [(&'static str, Piece)],
    /// Places whose pieces have just been taken.
    pub taken: &'static str,
    /// Places to look at.
    pub marked: &'static str,
    /// Places to be joined by a line.
    pub chain: &'static str,
    /// What the picture shows, for a reader who cannot see it.
    pub label: &'static str,
    /// What is written below.
    pub caption: &'static str,
}

impl Picture {
    /// Returns a picture of an empty board of this size, to be filled in.
    pub const fn empty(size: usize) -> Self {
        Self { size, pieces: &[], taken: "", marked: "", chain: "", label: "", caption: "" }
    }
}

impl GameInfo {
    /// What ended a game.
    pub fn ending(&self, reason: EndReason) -> Option<&'static Ending> {
        let all = self.endings.iter().chain(std::iter::once(&RESIGNATION));
        all.into_iter().find(|ending| ending.reason == reason)
    }

    /// The name of an ending in files and statistics.
    pub fn ending_key(&self, reason: EndReason) -> &'static str {
        self.ending(reason).map_or("unknown", |ending| ending.key)
    }

    /// The ending with this name in files and statistics.
    pub fn ending_named(&self, key: &str) -> Option<EndReason> {
        let all = self.endings.iter().chain(std::iter::once(&RESIGNATION));
        all.into_iter().find(|ending| ending.key == key).map(|ending| ending.reason)
    }

    /// The words of all global actions.
    pub fn action_words(&self) -> Vec<&'static str> {
        self.actions.iter().map(|action| action.word).collect()
    }
}

/// The ending that every game has.
static RESIGNATION: Ending =
    Ending { reason: EndReason::RESIGNATION, key: "resignation", words: "its opponent has resigned" };
