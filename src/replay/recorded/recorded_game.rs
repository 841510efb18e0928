//! A game as some file holds it, and the forms that it can be written in again.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::games::{Arrangement, EndReason, Game, Position, Seat, SeatNumber, all_games, game_named};
use crate::replay::formats::hexworld::{self, HexWorldGame};
use crate::replay::formats::{InterchangeGame, LONGEST_LINE, SgfGame, SgfText, Variation};

use super::faults::GameFault;
use super::move_tree::MoveTree;
use super::replaying::Played;
use super::settled::Ending;
use super::text::{quoted, result_name};
use super::tree_walk::{Names, renamed, step};
use super::warnings::GameWarning;

/// The size of a board of Hex where a file in SGF does not state it: the format's own default.
const HEX_SIZE: usize = 11;

/// The texts that people add to a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// The title.
    pub name: String,
    /// The players' names, the first player first.
    pub players: [String; 2],
    /// The date.
    pub date: String,
}

/// A game as some file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The game's name.
    game: String,
    pub(super) size: usize,
    /// The position at the start, if it is not the empty board.
    pub(super) setup: Option<Arrangement>,
    /// The number of stones at the start of the tree that the file sets up, without a word on who moves then.
    set_up: usize,
    /// The moves by name, each with whose it is if the file says that.
    pub(super) tree: MoveTree,
    /// The position on the main line in which the game ended.
    pub(super) end: usize,
    /// The position to be shown, if the file says one.
    pub(super) shown: Option<usize>,
    /// The player to move at the end, if the file says that.
    next: Option<Seat>,
    pub(super) result: Stated,
    pub(super) on_time: bool,
    labels: Labels,
    pub(super) warnings: Vec<GameWarning>,
}

/// The result of a game as a file states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stated {
    Nothing,
    /// The result that the moves must lead to.
    Exactly(String),
    /// The winner, because the other resigned or ran out of time.
    WinnerByResignation(Seat),
    /// The name of the player who resigned, and the result if it is stated too.
    Resigned {
        by: String,
        result: Option<String>,
    },
}

/// A form in which games are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameForm {
    /// A line of JSON; see [`InterchangeGame`].
    JsonLine,
    /// SGF.
    Sgf,
    /// An address of HexWorld, for games of Hex.
    HexWorld,
    /// The page's own, as JSON: a tree of `[move, [continuations], comment, marks]`; docs/web.md describes it.
    Tree,
}

impl TryFrom<InterchangeGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: InterchangeGame) -> Result<Self, GameFault> {
        let mut tree = MoveTree::default();
        let InterchangeGame { moves, comments, marks, variations, .. } = game;
        let line = Variation { ply: 0, moves, comments, marks, variations };
        let positions = grow(&mut tree, MoveTree::START, line)?;
        let end = positions[positions.len() - 1];
        let result = match (game.resigned, game.result) {
            (Some(by), result) => Stated::Resigned { by, result },
            (None, Some(result)) => Stated::Exactly(result),
            (None, None) => Stated::Nothing,
        };
        let seats = game_named(&quoted(&game.game)).map(|game| Seat::BOTH.map(|seat| game.seat_name(seat)));
        let players = seats.map(|seats| seats.map(|seat| game.players.get(seat).cloned().unwrap_or_default()));
        let labels = Labels { name: game.name, players: players.unwrap_or_default(), date: game.date };
        let shown = game.shown.and_then(|ply| positions.get(ply).copied());
        let InterchangeGame { game, size, setup, on_time, .. } = game;
        let warnings = Vec::new();
        Ok(Self { game, size, setup, set_up: 0, tree, end, shown, next: None, result, on_time, labels, warnings })
    }
}

/// Adds a line and its variations after a position; returns the numbers of that position and of those of the line.
fn grow(tree: &mut MoveTree, after: usize, line: Variation) -> Result<Vec<usize>, GameFault> {
    let mut positions = vec![after];
    for name in line.moves {
        let before = positions[positions.len() - 1];
        positions.push(tree.add(before, None, name));
    }
    let at = |ply: usize| {
        let found = ply.checked_sub(line.ply).and_then(|index| positions.get(index));
        found.copied().ok_or(GameFault::NoSuchPly { ply })
    };
    for (ply, comment) in line.comments {
        tree.say(at(ply)?, &comment);
    }
    for (ply, marks) in line.marks {
        tree.mark(at(ply)?, marks);
    }
    for variation in line.variations {
        grow(tree, at(variation.ply)?, variation)?;
    }
    Ok(positions)
}

impl TryFrom<SgfGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: SgfGame) -> Result<Self, GameFault> {
        let by_number = || all_games().into_iter().find(|known| known.sgf.is_some() && known.sgf == game.game);
        let name = match &game.name {
            Some(name) => name.clone(),
            None => by_number().ok_or(GameFault::UnknownSgfGame { found: game.game })?.name().to_owned(),
        };
        let mut game = game;
        let known = game_named(&quoted(&name));
        if game.size == 0 {
            let is_hex = known.as_ref().is_ok_and(|known| known.sgf == Some(hexworld::HEXWORLD_SGF));
            game.size = if is_hex { HEX_SIZE } else { return Err(GameFault::NoSize) };
        }
        let setup = if known.is_ok_and(Game::arranges) { game.take_setup() } else { None };
        let end = game.end.or(game.tree.main_line().last()).unwrap_or(MoveTree::START);
        let ending = Ending { winner: game.winner, resigned: game.resigned, has_reason: game.has_reason };
        let SgfGame { size, set_up, tree, on_time, labels, warnings, .. } = game;
        let (shown, next, result) = (None, None, Stated::Nothing);
        let game = Self { game: name, size, setup, set_up, tree, end, shown, next, result, on_time, labels, warnings };
        Ok(game.settled(ending))
    }
}

impl TryFrom<HexWorldGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: HexWorldGame) -> Result<Self, GameFault> {
        let known = all_games().into_iter().find(|known| known.sgf == Some(hexworld::HEXWORLD_SGF));
        let name = known.ok_or(GameFault::UnknownSgfGame { found: Some(hexworld::HEXWORLD_SGF) })?.name().to_owned();
        let tree = MoveTree::from(&game);
        let end = tree.main_line().last().unwrap_or(MoveTree::START);
        let shown = if game.shown == 0 { Some(MoveTree::START) } else { tree.main_line().nth(game.shown - 1) };
        let (size, next, labels) = (game.size, game.next(), Labels::default());
        let begins = tree.begins_with() == Some(Seat::Second);
        let setup = begins.then(|| Arrangement { to_move: SeatNumber::Second, ..Arrangement::default() });
        let ending = Ending { resigned: game.loser, ..Ending::default() };
        let (result, on_time, warnings) = (Stated::Nothing, false, Vec::new());
        let game =
            Self { game: name, size, setup, set_up: 0, tree, end, shown, next, result, on_time, labels, warnings };
        Ok(game.settled(ending))
    }
}

impl RecordedGame {
    /// Returns the game.
    ///
    /// # Errors
    /// If there is no game of that name.
    pub fn game(&self) -> Result<Game, GameFault> {
        // No name is so long that cutting it could make another game's name of it.
        Ok(game_named(&quoted(&self.game))?)
    }

    /// Returns what was odd in the game: what was left out, and how contradictions were read.
    pub fn warnings(&self) -> &[GameWarning] {
        &self.warnings
    }

    /// Plays the game again, variations too, and writes it in another form.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`], or if the form cannot hold the game.
    pub fn rewritten(&self, form: GameForm) -> Result<String, GameFault> {
        let game = self.game()?;
        let Played { position, outcome, .. } = self.play(game, |_| (), |_| ())?;
        let size = position.size();
        let gave_up = outcome.filter(|outcome| outcome.reason == EndReason::RESIGNATION);
        let loser = gave_up.and_then(|outcome| Some(outcome.winner?.opponent()));
        let names = if form == GameForm::Sgf { Names::Foreign } else { Names::Own };
        let marked = [self.end, self.shown.unwrap_or(self.end)];
        let (tree, [end, shown]) = match renamed(&self.tree, marked, &self.start(game)?, names) {
            Err(GameFault::SetUp) => {
                return self.begun_in_turn(game).ok_or(GameFault::SetUp)?.rewritten(form);
            }
            renamed => renamed?,
        };
        if form != GameForm::Sgf && self.ends_out_of_turn(&position) {
            return self.begun_in_turn(game).ok_or(GameFault::SetUp)?.rewritten(form);
        }
        let setup = self.setup.as_ref();
        if form == GameForm::Sgf {
            let how = match loser {
                Some(_) if self.on_time => "T",
                Some(_) => "R",
                None => "",
            };
            let result = outcome.map(|outcome| (outcome.winner, how));
            // Read again, a game in which White begins has the empty board as its start, with White to move.
            let white_begins = Arrangement { to_move: Seat::Second.into(), ..Arrangement::default() };
            let is_begun_by_white = game.arranges() && tree.begins_with() == Some(Seat::Second);
            let setup = setup.or(is_begun_by_white.then_some(&white_begins));
            return Ok(SgfText { game, size, setup, tree: &tree, end, result, labels: &self.labels }.write());
        }
        let line = line_of(&tree, MoveTree::START, 0, end);
        let shown = self.shown.and_then(|_| ply_of(&tree, shown)).filter(|&ply| ply != line.moves.len());
        let players = Seat::BOTH.into_iter().zip(&self.labels.players).filter(|(_, name)| !name.is_empty());
        let line = InterchangeGame {
            game: game.name().to_owned(),
            size,
            setup: setup.cloned(),
            moves: line.moves,
            result: outcome.filter(|_| loser.is_none()).map(|outcome| result_name(game, outcome).to_owned()),
            resigned: loser.map(|loser| game.seat_name(loser).to_owned()),
            on_time: self.on_time && loser.is_some(),
            name: self.labels.name.clone(),
            players: players.map(|(seat, name)| (game.seat_name(seat).to_owned(), name.clone())).collect(),
            date: self.labels.date.clone(),
            shown,
            comments: line.comments,
            marks: line.marks,
            variations: line.variations,
        };
        match form {
            GameForm::HexWorld => hexworld::write(game, &line, loser),
            GameForm::Tree => Ok(self.as_tree(&tree, &line)),
            _ => {
                let text = line.to_line();
                // A record must be readable.
                let is_readable =
                    (text.len() as u64) < LONGEST_LINE && InterchangeGame::from_line(text.as_bytes()).is_ok();
                if is_readable { Ok(text) } else { Err(GameFault::NoLine { most: LONGEST_LINE }) }
            }
        }
    }
}

impl RecordedGame {
    /// Formats the game in the page's form.
    fn as_tree(&self, tree: &MoveTree, line: &InterchangeGame) -> String {
        #[derive(Serialize)]
        struct Tree<'a> {
            game: &'a str,
            size: usize,
            stones: &'a Option<Arrangement>,
            tree: Nested<'a>,
            plies: usize,
            current: Option<&'a [String]>,
            result: &'a Option<String>,
            resigned: &'a Option<String>,
            on_time: bool,
            name: &'a str,
            players: &'a BTreeMap<String, String>,
            date: &'a str,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            warnings: Vec<String>,
        }
        let tree = Tree {
            game: &line.game,
            size: line.size,
            stones: &line.setup,
            tree: Nested(tree, MoveTree::START),
            plies: line.moves.len(),
            current: line.shown.map(|ply| &line.moves[..ply.min(line.moves.len())]),
            result: &line.result,
            resigned: &line.resigned,
            on_time: line.on_time,
            name: &line.name,
            players: &line.players,
            date: &line.date,
            warnings: self.warnings.iter().map(GameWarning::to_string).collect(),
        };
        serde_json::to_string(&tree).expect("texts and numbers are JSON")
    }

    /// Returns whether the player to move at the end is not the one whose turn it would be.
    fn ends_out_of_turn(&self, end: &Position) -> bool {
        self.next.is_some_and(|next| end.outcome().is_none() && next != end.to_move())
    }

    /// Returns the game as it goes on from the first position after which all moves are made in turn, which it then begins with:
    /// for stones that were set up, and passes. None if there is no such position, or a variation leaves the game before it.
    fn begun_in_turn(&self, game: Game) -> Option<Self> {
        let has_stones = |setup: &Arrangement| !setup.first.is_empty() || !setup.second.is_empty();
        if self.setup.as_ref().is_some_and(has_stones) || !game.arranges() {
            return None;
        }
        let line: Vec<usize> = self.tree.main_line().collect();
        let mut position = self.start(game).ok()?;
        // Before each move, and after the last.
        let mut positions = vec![position.clone()];
        let mut first = self.set_up;
        for (number, &at) in line.iter().enumerate() {
            let node = self.tree.node(at);
            let step = step(&mut position, number + 1, node.mover, &node.name).ok()?;
            if !step.in_turn {
                first = first.max(number);
            }
            positions.push(position.clone());
        }
        let is_passed_on = self.ends_out_of_turn(&position);
        if is_passed_on {
            first = line.len();
        }
        let path = &line[..first];
        let has_variations = std::iter::once(&MoveTree::START).chain(&path[..first.saturating_sub(1)]);
        if (first == 0 && !is_passed_on) || has_variations.into_iter().any(|&at| self.tree.node(at).next.len() > 1) {
            return None;
        }
        let mut setup = Arrangement::of(&positions[first]);
        let stated = line.get(first).map_or(self.next, |&at| self.tree.node(at).mover);
        if let Some(mover) = stated {
            setup.to_move = mover.into();
        }
        let mut begun = Self { setup: Some(setup), set_up: 0, next: None, ..self.clone() };
        begun.tree.begin_after(path);
        let moved = |at: usize| if path.contains(&at) { MoveTree::START } else { at };
        (begun.end, begun.shown) = (moved(self.end), self.shown.map(moved));
        Some(begun)
    }
}

/// Returns how many moves of the main line lead to a position; none if it is not on the main line.
fn ply_of(tree: &MoveTree, node: usize) -> Option<usize> {
    std::iter::once(MoveTree::START).chain(tree.main_line()).position(|at| at == node)
}

/// Returns the line from a position after `ply` moves up to `end`, with its comments and variations.
fn line_of(tree: &MoveTree, first: usize, ply: usize, end: usize) -> Variation {
    let mut line = Variation { ply, ..Variation::default() };
    let mut at = first;
    loop {
        let node = tree.node(at);
        if at != MoveTree::START {
            line.moves.push(node.name.clone());
        }
        let here = ply + line.moves.len();
        if !node.comment.is_empty() {
            line.comments.insert(here, node.comment.clone());
        }
        if !node.marks.is_empty() {
            line.marks.insert(here, node.marks.clone());
        }
        let goes_on = at != end;
        let beside = node.next.iter().skip(usize::from(goes_on));
        line.variations.extend(beside.map(|&other| line_of(tree, other, here, usize::MAX)));
        match node.next.first() {
            Some(&next) if goes_on => at = next,
            _ => return line,
        }
    }
}

/// A position and all that follows, in JSON as `[move, [continuations], comment, marks]`.
struct Nested<'a>(&'a MoveTree, usize);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, at) = *self;
        let node = tree.node(at);
        let name = (at != MoveTree::START).then_some(node.name.as_str());
        let next: Vec<Nested> = node.next.iter().map(|&next| Nested(tree, next)).collect();
        match (node.comment.is_empty(), node.marks.is_empty()) {
            (true, true) => (name, next).serialize(serializer),
            (false, true) => (name, next, &node.comment).serialize(serializer),
            (_, false) => (name, next, &node.comment, &node.marks).serialize(serializer),
        }
    }
}

/// Comments by the number of moves before them.
pub(in crate::replay) type Comments = BTreeMap<usize, String>;
