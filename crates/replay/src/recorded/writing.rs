//! Writes a recorded game in the formats that it can be exchanged in.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::formats::{InterchangeGame, SgfText, Variation, hexworld};
use hexzero_games::{Arrangement, EndReason, Outcome, Position, Seat};
use hexzero_system::files::MAX_LINE_BYTES;

use super::faults::GameFault;
use super::recorded_game::RecordedGame;
use super::replaying::Played;
use super::result_name;
use super::tree_walk::{Names, renamed};
use super::{MoveNode, MoveTree};

/// A format for writing games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameForm {
    /// A line of JSON; see [`InterchangeGame`].
    JsonLine,
    /// SGF.
    Sgf,
    /// A HexWorld link, for games of Hex.
    HexWorld,
    /// The web page's own JSON format: a tree of `[move, [continuations], comment, marks, finding]`;
    /// docs/web.md describes it.
    Tree,
}

impl RecordedGame {
    /// Replays the game, including variations, and writes it in another format.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`], or if the format cannot represent the main line.
    pub fn rewritten(&self, form: GameForm) -> Result<String, GameFault> {
        Ok(self.rewritten_with_warning(form)?.0)
    }

    /// As [`RecordedGame::rewritten`]; also returns a warning if the format cannot represent some variations, which are
    /// left out.
    ///
    /// # Errors
    /// As [`RecordedGame::rewritten`].
    pub fn rewritten_with_warning(&self, form: GameForm) -> Result<(String, Option<String>), GameFault> {
        let game = self.game()?;
        let Played { position, outcome, .. } = self.play(game, |_| (), |_| ())?;
        let names = if form == GameForm::Sgf { Names::Foreign } else { Names::Own };
        let marked = [self.end, self.shown.unwrap_or(self.end)];
        let start = self.start(game)?;
        // Places as the board names them, whatever the file called them.
        let setup = self.setup.as_ref().map(|_| Arrangement::of(&start));
        let (tree, [end, shown], left_out) = match renamed(&self.tree, marked, &start, names) {
            Err(GameFault::SetUp) => {
                return self.begun_in_turn(game).ok_or(GameFault::SetUp)?.rewritten_with_warning(form);
            }
            renamed => renamed?,
        };
        if form == GameForm::Sgf {
            return Ok((self.as_sgf(setup.as_ref(), &tree, end, &position, outcome), left_out));
        }
        if self.ends_out_of_turn(&position) {
            return self.begun_in_turn(game).ok_or(GameFault::SetUp)?.rewritten_with_warning(form);
        }
        let gave_up = outcome.filter(|outcome| outcome.reason == EndReason::RESIGNATION);
        let loser = gave_up.and_then(|outcome| Some(outcome.winner?.opponent()));
        let line = line_of(&tree, MoveTree::START, 0, end);
        let shown = self.shown.and_then(|_| ply_of(&tree, shown)).filter(|&ply| ply != line.moves.len());
        let players = Seat::BOTH.into_iter().zip(&self.labels.players).filter(|(_, name)| !name.is_empty());
        let line = InterchangeGame {
            game: game.name().to_owned(),
            size: position.size(),
            setup,
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
            analysis: line.analysis,
            variations: line.variations,
        };
        let text = match form {
            GameForm::HexWorld => hexworld::write(game, &line, loser)?,
            GameForm::Tree => self.as_tree(&tree, &line, left_out.as_ref()),
            _ => readable_line(&line)?,
        };
        Ok((text, left_out))
    }

    /// Formats the game as SGF; `last` is its last position.
    fn as_sgf(
        &self,
        setup: Option<&Arrangement>,
        tree: &MoveTree,
        end: usize,
        last: &Position,
        outcome: Option<Outcome>,
    ) -> String {
        let game = last.game();
        let gave_up = outcome.is_some_and(|outcome| outcome.reason == EndReason::RESIGNATION);
        let how = match (gave_up, self.on_time) {
            (true, true) => "T",
            (true, false) => "R",
            (false, _) => "",
        };
        let result = outcome.map(|outcome| (outcome.winner, how));
        // When read back, a game in which White begins has the empty board as its start, with
        // White to move.
        let white_begins = Arrangement { to_move: Seat::Second, ..Arrangement::default() };
        let is_begun_by_white = game.arranges() && tree.begins_with() == Some(Seat::Second);
        let setup = setup.or(is_begun_by_white.then_some(&white_begins));
        let next = self.next().filter(|_| self.ends_out_of_turn(last));
        SgfText { game, size: last.size(), setup, tree, end, next, result, labels: &self.labels }.write()
    }

    /// Formats the game in the web page's format. `left_out` is a warning beside those of the game.
    fn as_tree(&self, tree: &MoveTree, line: &InterchangeGame, left_out: Option<&String>) -> String {
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
            warnings: Vec<&'a String>,
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
            warnings: self.warnings.iter().chain(left_out).collect(),
        };
        serde_json::to_string(&tree).expect("texts and numbers are JSON")
    }
}

/// Formats a game as a line that can be read back.
fn readable_line(line: &InterchangeGame) -> Result<String, GameFault> {
    let text = line.to_line();
    // A line feed comes after it.
    let is_readable = text.len() as u64 + 1 < MAX_LINE_BYTES && InterchangeGame::from_line(text.as_bytes()).is_ok();
    if is_readable {
        return Ok(text);
    }
    let limits = format!("less than {MAX_LINE_BYTES} bytes and some 60 variations inside one another");
    Err(GameFault::Other(format!("it does not fit on a line of JSON, which has {limits}; write SGF")))
}

/// Returns the number of main-line moves that lead to a position, or `None` if it is not on the
/// main line.
fn ply_of(tree: &MoveTree, node: usize) -> Option<usize> {
    std::iter::once(MoveTree::START).chain(tree.main_line()).position(|at| at == node)
}

/// Returns the line from a position after `ply` moves up to `end`, with its comments, search results and variations.
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
        line.analysis.extend(node.finding.clone().map(|finding| (here, finding)));
        let goes_on = at != end;
        let beside = node.next.iter().skip(usize::from(goes_on));
        line.variations.extend(beside.map(|&other| line_of(tree, other, here, usize::MAX)));
        match node.next.first() {
            Some(&next) if goes_on => at = next,
            _ => return line,
        }
    }
}

/// Serialises a position and everything after it, in JSON as
/// `[move, [continuations], comment, marks, finding]`.
struct Nested<'a>(&'a MoveTree, usize);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, at) = *self;
        let node = tree.node(at);
        let name = (at != MoveTree::START).then_some(node.name.as_str());
        let next: Vec<Nested> = node.next.iter().map(|&next| Nested(tree, next)).collect();
        let MoveNode { comment, marks, finding, .. } = node;
        match (comment.is_empty(), marks.is_empty(), finding) {
            (true, true, None) => (name, next).serialize(serializer),
            (false, true, None) => (name, next, comment).serialize(serializer),
            (_, false, None) => (name, next, comment, marks).serialize(serializer),
            (.., Some(finding)) => (name, next, comment, marks, finding).serialize(serializer),
        }
    }
}
