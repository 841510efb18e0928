//! A game read from a file.

use std::collections::BTreeMap;

use crate::formats::hexworld::HexWorldGame;
use crate::formats::{InterchangeGame, SgfGame, Variation, hexworld};
use hexzero_games::{Arrangement, Game, Position, Seat, game_named};

use super::faults::{GameFault, game_of_sgf};
use super::quoted;
use super::settled::Ending;
use super::tree_walk::step;
use super::{Finding, Marks, MoveTree};

/// The default board size of Hex in SGF, used where a file does not state the size.
const HEX_SIZE: usize = 11;

/// Texts that people add to a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Labels {
    /// The title.
    pub name: String,
    /// The players' names, first player first.
    pub players: [String; 2],
    /// The date.
    pub date: String,
}

/// A game read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The game's name.
    game: String,
    pub(super) size: usize,
    /// The starting position, if it is not the empty board.
    pub(super) setup: Option<Arrangement>,
    /// The number of stones at the start of the tree that the file sets up without stating the side
    /// to move.
    set_up: usize,
    /// The moves by name, each with its player if stated.
    pub(super) tree: MoveTree,
    /// The position on the main line in which the game ended.
    pub(super) end: usize,
    /// The position to show, if stated.
    pub(super) shown: Option<usize>,
    /// The side to move at the end, if stated.
    next: Option<Seat>,
    pub(super) result: Stated,
    pub(super) on_time: bool,
    pub(super) labels: Labels,
    pub(super) warnings: Vec<String>,
}

/// The result stated in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stated {
    Nothing,
    /// The result that the moves must lead to.
    Exactly(String),
    /// The winner, because the opponent resigned or ran out of time.
    WinnerByResignation(Seat),
    /// The name of the player who resigned, and the result if that is stated too.
    Resigned {
        by: String,
        result: Option<String>,
    },
}

impl TryFrom<InterchangeGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: InterchangeGame) -> Result<Self, GameFault> {
        let mut tree = MoveTree::default();
        let InterchangeGame { moves, comments, marks, analysis, variations, .. } = game;
        let line = Variation { ply: 0, moves, comments, marks, analysis, variations };
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

/// Adds a line and its variations after a position. Returns the numbers of that position and of the
/// positions of the line.
fn grow(tree: &mut MoveTree, after: usize, line: Variation) -> Result<Vec<usize>, GameFault> {
    let mut positions = vec![after];
    for name in line.moves {
        let before = positions[positions.len() - 1];
        positions.push(tree.add(before, None, name));
    }
    let at = |ply: usize| {
        let found = ply.checked_sub(line.ply).and_then(|index| positions.get(index));
        let missing = || {
            GameFault::other(format_args!("a comment or a variation is for ply {ply}, which its line does not have"))
        };
        found.copied().ok_or_else(missing)
    };
    for (ply, comment) in line.comments {
        tree.note(at(ply)?, &comment, Marks::new(), None);
    }
    for (ply, marks) in line.marks {
        tree.note(at(ply)?, "", marks, None);
    }
    for (ply, finding) in line.analysis {
        tree.note(at(ply)?, "", Marks::new(), Some(finding));
    }
    for variation in line.variations {
        grow(tree, at(variation.ply)?, variation)?;
    }
    Ok(positions)
}

impl TryFrom<SgfGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(mut game: SgfGame) -> Result<Self, GameFault> {
        let name = match &game.name {
            Some(name) => name.clone(),
            None => game_of_sgf(game.game)?.name().to_owned(),
        };
        let known = game_named(&quoted(&name));
        if game.size == 0 {
            let is_hex = known.as_ref().is_ok_and(|known| known.sgf == Some(hexworld::HEXWORLD_SGF));
            if !is_hex {
                let problem = "the board's size is missing; SGF has SZ[11] for a board of 11×11, or give it by --size";
                return Err(GameFault::other(problem));
            }
            game.size = HEX_SIZE;
        }
        let setup = if known.is_ok_and(Game::arranges) { game.take_setup() } else { None };
        let end = game.end.or(game.tree.main_line().last()).unwrap_or(MoveTree::START);
        let ending = Ending { winner: game.winner, resigned: game.resigned, has_reason: game.has_reason };
        let SgfGame { size, set_up, tree, on_time, labels, warnings, .. } = game;
        let (shown, next, result) = (None, game.next, Stated::Nothing);
        let game = Self { game: name, size, setup, set_up, tree, end, shown, next, result, on_time, labels, warnings };
        Ok(game.settled(ending))
    }
}

impl TryFrom<HexWorldGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: HexWorldGame) -> Result<Self, GameFault> {
        let name = game_of_sgf(Some(hexworld::HEXWORLD_SGF))?.name().to_owned();
        let mut tree = MoveTree::default();
        let end = game.moves.iter().fold(MoveTree::START, |at, (mover, name)| tree.add(at, *mover, name.as_str()));
        let shown = if game.shown == 0 { Some(MoveTree::START) } else { tree.main_line().nth(game.shown - 1) };
        let (size, next, labels) = (game.size, game.next(), Labels::default());
        let begins = tree.begins_with() == Some(Seat::Second);
        let setup = begins.then(|| Arrangement { to_move: Seat::Second, ..Arrangement::default() });
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
        // No name is long enough that cutting it could turn it into that of another game.
        game_named(&quoted(&self.game)).map_err(GameFault::other)
    }

    /// Returns the irregularities of the game: what was left out, and how contradictions were
    /// resolved.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the side to move at the end, if the file states it.
    pub fn next(&self) -> Option<Seat> {
        self.next
    }

    /// Returns whether the side to move at the end is not the one whose turn it would be.
    pub(super) fn ends_out_of_turn(&self, end: &Position) -> bool {
        self.next.is_some_and(|next| end.outcome().is_none() && next != end.to_move())
    }

    /// Returns the game from the first position after which all moves are made in turn, with that
    /// position as its start; for set-up stones and passes. Returns `None` if there is no such
    /// position, or a variation branches off before it.
    pub(super) fn begun_in_turn(&self, game: Game) -> Option<Self> {
        let has_stones = |setup: &Arrangement| !setup.first.is_empty() || !setup.second.is_empty();
        if self.setup.as_ref().is_some_and(has_stones) || !game.arranges() {
            return None;
        }
        // What follows the end was not played, and decides nothing.
        let line = self.tree.line_to(self.end);
        let mut position = self.start(game).ok()?;
        // The positions before each move, and after the last.
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
            setup.to_move = mover;
        }
        let mut begun = Self { setup: Some(setup), set_up: 0, next: None, ..self.clone() };
        begun.tree.begin_after(path);
        let moved = |at: usize| if path.contains(&at) { MoveTree::START } else { at };
        (begun.end, begun.shown) = (moved(self.end), self.shown.map(moved));
        Some(begun)
    }
}

/// Comments, keyed by the number of moves before them.
pub(crate) type Comments = BTreeMap<usize, String>;

/// Search results, keyed by the number of moves before them.
pub(crate) type Analysis = BTreeMap<usize, Finding>;
