//! Recorded games played again by the rules, whichever game it is.

use serde::{Deserialize, Serialize};

use crate::games::{Action, EndReason, ForGame, GAME_NAMES, Game, Position, Outcome, Seat, UnknownGame, with_game};

use super::faults::{Ending, GameFault, quoted};
use super::interchange::InterchangeGame;
use super::sgf::{SgfGame, write_sgf};

/// What a drawn game has for its result.
const DRAW: &str = "draw";

/// A game as some file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The game's name.
    game: String,
    size: usize,
    /// The moves by name, each with whose it is if the file says that.
    moves: Vec<(Option<Seat>, String)>,
    result: Stated,
}

/// What a file says of a game's result.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stated {
    Nothing,
    /// The result that the moves must lead to.
    Exactly(String),
    /// Who has won, for whatever reason.
    Winner(Seat),
    /// Who has won because the other gave up.
    WinnerByResignation(Seat),
    /// The name of who gave up, and the result if it is stated too.
    Resigned {
        by: String,
        result: Option<String>,
    },
}

impl From<InterchangeGame> for RecordedGame {
    fn from(game: InterchangeGame) -> Self {
        let moves = game.moves.into_iter().map(|text| (None, text)).collect();
        let result = match (game.resigned, game.result) {
            (Some(by), result) => Stated::Resigned { by, result },
            (None, Some(result)) => Stated::Exactly(result),
            (None, None) => Stated::Nothing,
        };
        Self { game: game.game, size: game.size, moves, result }
    }
}

/// The number that a game has in SGF.
struct SgfNumber;

impl ForGame for SgfNumber {
    type Output = Option<u32>;

    fn for_game(self) -> Self::Output {
        G::SGF_GAME
    }
}

impl TryFrom<SgfGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: SgfGame) -> Result<Self, GameFault> {
        let number = |name: &str| with_game(name, SgfNumber).ok().flatten();
        let name = GAME_NAMES.iter().find(|name| number(name).is_some() && number(name) == game.game);
        let name = *name.ok_or(GameFault::UnknownSgfGame { found: game.game })?;
        let moves = game.steps.into_iter().map(|(player, text)| (Some(player), text)).collect();
        let result = match game.winner {
            Some(winner) if game.resigned => Stated::WinnerByResignation(winner),
            Some(winner) => Stated::Winner(winner),
            None => Stated::Nothing,
        };
        Ok(Self { game: name.to_owned(), size: game.size, moves, result })
    }
}

/// What came of a game's moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySummary {
    /// The game's name.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The number of moves.
    pub turns: usize,
    /// The winner's name or `draw`; none if the game is not over.
    pub result: Option<String>,
    /// What ended the game; none if it is not over.
    pub reason: Option<EndReason>,
    /// The board after each move (see [`position_text`]), if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
}

impl ReplaySummary {
    /// The summary as a line of JSON, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }
}

/// A form in which games are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameForm {
    /// A line of JSON; see [`InterchangeGame`].
    JsonLine,
    /// SGF, in games that have a number there.
    Sgf,
}

/// The name of a result: the winner's, or `draw`.
pub fn result_name(outcome: Outcome) -> &'static str {
    outcome.winner.map_or(DRAW, |winner| G::PLAYER_NAMES[winner.index()])
}

/// The board as one character a cell, in their order: `.` if it is empty, else what stands for its stone,
/// such as the first letter of its owner's name (`R` and `B` in Cachex).
pub fn position_text(game: &Position) -> String {
    (0..game.topology().cells()).map(|cell| game.symbol(cell)).collect()
}

impl RecordedGame {
    /// The name of the game.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game(&self) -> Result<&'static str, GameFault> {
        let known = GAME_NAMES.iter().copied().find(|name| *name == self.game);
        Ok(known.ok_or_else(|| UnknownGame { name: quoted(&self.game) })?)
    }

    /// Plays the game again. With `with_states` the summary holds the board after each move.
    ///
    /// # Errors
    /// If the game or its board's size is not known, a move cannot be played, or the stated result is not the
    /// one that the moves lead to.
    pub fn replay(&self, with_states: bool) -> Result<ReplaySummary, GameFault> {
        with_game(&quoted(&self.game), Summarise { recorded: self, with_states })?
    }

    /// Plays the game again and writes it in another form.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`], or if the form cannot hold the game.
    pub fn rewritten(&self, form: GameForm) -> Result<String, GameFault> {
        with_game(&quoted(&self.game), Rewrite { recorded: self, form })?
    }

    /// Plays the game again by the rules of this game, and gives the size of its board, and its moves with
    /// whose each is.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`].
    pub fn moves(&self) -> Result<(usize, Vec<(Seat, Action)>), GameFault> {
        Ok((self.size, self.play(|_: &Position| ())?.moves))
    }

    /// Plays the moves, and calls `after` with each position; the last position, and the moves.
    fn play(&self, mut after: impl FnMut(&Position)) -> Result<Played<G>, GameFault> {
        let mut game = G::new(self.size)?;
        let (mut moves, mut in_turn) = (Vec::new(), true);
        for (index, (player, text)) in self.moves.iter().enumerate() {
            let (number, mover) = (index + 1, game.to_move());
            if let Some(player) = player.filter(|&player| player != mover && game.outcome().is_none()) {
                in_turn = false;
                if !game.hand_turn_to(player) {
                    return Err(GameFault::OutOfTurn { number, wanted: G::PLAYER_NAMES[mover.index()] });
                }
            }
            // No move is so long that cutting it could make another move of it.
            let text = quoted(text);
            let mover = game.to_move();
            let played = crate::games::play_named(&mut game, &text);
            moves.push((mover, played.map_err(|reason| GameFault::Move { number, text, reason })?));
            after(&game);
        }
        let on_board = game.outcome();
        let by_resignation = match &self.result {
            Stated::WinnerByResignation(winner) if on_board.is_none() => Some(*winner),
            Stated::Resigned { by, .. } => Some(resigning(by, on_board, moves.len())?.opponent()),
            _ => None,
        };
        let reason = EndReason::RESIGNATION;
        let outcome = on_board.or(by_resignation.map(|winner| Outcome { winner: Some(winner), reason }));
        let found = outcome.map(result_name::<G>);
        let stated = match &self.result {
            Stated::Exactly(stated) | Stated::Resigned { result: Some(stated), .. } if found != Some(stated) => {
                Some(stated.as_str())
            }
            Stated::Winner(winner) | Stated::WinnerByResignation(winner)
                if outcome.is_some_and(|outcome| outcome.winner != Some(*winner)) =>
            {
                Some(G::PLAYER_NAMES[winner.index()])
            }
            _ => None,
        };
        match stated {
            Some(stated) => Err(GameFault::Result { stated: quoted(stated), moves: moves.len(), found }),
            None => Ok(Played { game, outcome, moves, in_turn }),
        }
    }
}

/// The player with the name of who is said to have given up, if the game goes on after these moves.
fn resigning(name: &str, on_board: Option<Outcome>, moves: usize) -> Result<Seat, GameFault> {
    let named = Seat::BOTH.into_iter().find(|player| G::PLAYER_NAMES[player.index()] == name);
    let fault = |found| GameFault::Resignation { stated: quoted(name), found };
    match (named, on_board) {
        (None, _) => Err(fault(Ending::Players(G::PLAYER_NAMES))),
        (Some(_), Some(_)) => Err(fault(Ending::Over { moves })),
        (Some(player), None) => Ok(player),
    }
}

/// A game that has been played again.
struct Played<G> {
    game: Position,
    /// How it ended, on the board or because a player gave up.
    outcome: Option<Outcome>,
    moves: Vec<(Seat, Action)>,
    in_turn: bool,
}

struct Summarise<'a> {
    recorded: &'a RecordedGame,
    with_states: bool,
}

impl ForGame for Summarise<'_> {
    type Output = Result<ReplaySummary, GameFault>;

    fn for_game(self) -> Self::Output {
        let mut states = self.with_states.then(Vec::new);
        let played = self.recorded.play(|game: &Position| {
            if let Some(states) = &mut states {
                states.push(position_text(game));
            }
        })?;
        let outcome = played.outcome;
        Ok(ReplaySummary {
            game: G::NAME.to_owned(),
            size: played.game.size(),
            turns: played.moves.len(),
            result: outcome.map(|outcome| result_name(outcome).to_owned()),
            reason: outcome.map(|outcome| outcome.reason),
            states,
        })
    }
}

struct Rewrite<'a> {
    recorded: &'a RecordedGame,
    form: GameForm,
}

impl ForGame for Rewrite<'_> {
    type Output = Result<String, GameFault>;

    fn for_game(self) -> Self::Output {
        let Played { game, outcome, moves, in_turn } = self.recorded.play(|_: &Position| ())?;
        match self.form {
            GameForm::JsonLine if !in_turn => Err(GameFault::SetUp),
            GameForm::JsonLine => {
                let actions: Vec<Action> = moves.iter().map(|&(_, action)| action).collect();
                let by_resignation = outcome.filter(|outcome| outcome.reason == EndReason::RESIGNATION);
                let loser = by_resignation.and_then(|outcome| Some(outcome.winner?.opponent()));
                let resigned = loser.map(|loser| G::PLAYER_NAMES[loser.index()].to_owned());
                Ok(InterchangeGame { resigned, ..InterchangeGame::new(&game, &actions) }.to_line())
            }
            GameForm::Sgf => write_sgf(&game, outcome, &moves).ok_or(GameFault::NoSgf { game: G::NAME }),
        }
    }
}
