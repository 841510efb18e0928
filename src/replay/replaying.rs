//! Recorded games played again by the rules, whichever game it is.

use serde::{Deserialize, Serialize};

use crate::games::{Action, EndReason, Game, Outcome, Position, Seat, all_games, game_named};

use super::faults::{GameFault, NotResigned};
use super::json_game::InterchangeGame;
use super::sgf::{SWAP_SIDES, SgfGame, write_sgf};
use super::text::{position_text, quoted, result_name};

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

impl TryFrom<SgfGame> for RecordedGame {
    type Error = GameFault;

    fn try_from(game: SgfGame) -> Result<Self, GameFault> {
        let known = all_games().into_iter().find(|known| known.sgf.is_some() && known.sgf == game.game);
        let known = known.ok_or(GameFault::UnknownSgfGame { found: game.game })?;
        let moves = game.steps.into_iter().map(|(player, text)| (Some(player), text)).collect();
        let result = match game.winner {
            Some(winner) if game.resigned => Stated::WinnerByResignation(winner),
            Some(winner) => Stated::Winner(winner),
            None => Stated::Nothing,
        };
        Ok(Self { game: known.name().to_owned(), size: game.size, moves, result })
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
    /// The name of what ended the game (see [`crate::games::GameInfo::ending_key`]); none if it is not over.
    pub reason: Option<String>,
    /// The board after each move (see [`position_text`]), if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
    /// The number of legal actions before each move, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<usize>>,
    /// Who made each move, 0 for the player who moves first and 1 for the other, if legal actions were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movers: Option<Vec<u8>>,
}

/// What a summary holds beside the end of the game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// The board after each move: [`ReplaySummary::states`].
    pub states: bool,
    /// The number of legal actions before each move, and whose it is: [`ReplaySummary::legal`] and
    /// [`ReplaySummary::movers`].
    pub legal: bool,
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

impl RecordedGame {
    /// The game.
    ///
    /// # Errors
    /// If there is no game of that name.
    pub fn game(&self) -> Result<Game, GameFault> {
        // No name is so long that cutting it could make another game's name of it.
        Ok(game_named(&quoted(&self.game))?)
    }

    /// Plays the game again.
    ///
    /// # Errors
    /// If the game or its board's size is not known, a move cannot be played, or the stated result is not the
    /// one that the moves lead to.
    pub fn replay(&self, options: ReplayOptions) -> Result<ReplaySummary, GameFault> {
        let game = self.game()?;
        let mut states = options.states.then(Vec::new);
        let mut legal = options.legal.then(Vec::new);
        let mut actions = Vec::new();
        let count_legal = |position: &Position| {
            if let Some(legal) = &mut legal {
                position.legal_actions(&mut actions);
                legal.push(actions.len());
            }
        };
        let keep_state = |position: &Position| {
            if let Some(states) = &mut states {
                states.push(position_text(position));
            }
        };
        let Played { position, outcome, moves, .. } = self.play(game, count_legal, keep_state)?;
        Ok(ReplaySummary {
            game: game.name().to_owned(),
            size: position.size(),
            turns: moves.len(),
            result: outcome.map(|outcome| result_name(game, outcome).to_owned()),
            reason: outcome.map(|outcome| game.ending_key(outcome.reason).to_owned()),
            states,
            movers: options.legal.then(|| moves.iter().map(|(mover, _)| mover.index() as u8).collect()),
            legal,
        })
    }

    /// Plays the game again and writes it in another form.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`], or if the form cannot hold the game.
    pub fn rewritten(&self, form: GameForm) -> Result<String, GameFault> {
        let game = self.game()?;
        let Played { position, outcome, moves, in_turn } = self.play(game, |_| (), |_| ())?;
        match form {
            GameForm::JsonLine if !in_turn => Err(GameFault::SetUp),
            GameForm::JsonLine => {
                let actions: Vec<Action> = moves.iter().map(|&(_, action)| action).collect();
                let by_resignation = outcome.filter(|outcome| outcome.reason == EndReason::RESIGNATION);
                let loser = by_resignation.and_then(|outcome| Some(outcome.winner?.opponent()));
                let resigned = loser.map(|loser| game.seat_name(loser).to_owned());
                Ok(InterchangeGame { resigned, ..InterchangeGame::new(&position, &actions) }.to_line())
            }
            GameForm::Sgf => write_sgf(&position, outcome, &moves).ok_or(GameFault::NoSgf { game: game.name() }),
        }
    }

    /// Plays the game again by the rules of `game`, which may be a variant of the one that it is recorded as, and gives
    /// the size of its board, and its moves with whose each is.
    ///
    /// # Errors
    /// As [`RecordedGame::replay`].
    pub fn moves(&self, game: Game) -> Result<(usize, Vec<(Seat, Action)>), GameFault> {
        Ok((self.size, self.play(game, |_| (), |_| ())?.moves))
    }

    /// Plays the moves by the rules of `game`. Calls `before` with the position before each move, and `after` with the
    /// one after it.
    fn play(
        &self,
        game: Game,
        mut before: impl FnMut(&Position),
        mut after: impl FnMut(&Position),
    ) -> Result<Played, GameFault> {
        let mut position = game.start(self.size)?;
        let (mut moves, mut in_turn) = (Vec::new(), true);
        for (index, (stated, text)) in self.moves.iter().enumerate() {
            let (number, mover) = (index + 1, position.to_move());
            if let Some(stated) = stated.filter(|&stated| stated != mover && position.outcome().is_none()) {
                in_turn = false;
                if !position.hand_turn_to(stated) {
                    return Err(GameFault::OutOfTurn { number, wanted: game.seat_name(mover) });
                }
            }
            // No move is so long that cutting it could make another move of it.
            let text = quoted(text);
            let mover = position.to_move();
            before(&position);
            let keeps_colours = stated.is_some() && text == SWAP_SIDES;
            let swap = position.on().swap().filter(|_| keeps_colours);
            let played = match swap {
                Some(swap) => position.check(swap).map(|()| position.play(swap)).map(|()| swap),
                None => position.play_named(&text),
            };
            if played.is_ok() && swap.is_some() {
                in_turn = false;
                if !position.hand_turn_to(mover) {
                    return Err(GameFault::OutOfTurn { number, wanted: game.seat_name(mover.opponent()) });
                }
            }
            moves.push((mover, played.map_err(|reason| GameFault::Move { number, text, reason })?));
            after(&position);
        }
        let on_board = position.outcome();
        let by_resignation = match &self.result {
            Stated::WinnerByResignation(winner) if on_board.is_none() => Some(*winner),
            Stated::Resigned { by, .. } => Some(resigning(game, by, on_board, moves.len())?.opponent()),
            _ => None,
        };
        let reason = EndReason::RESIGNATION;
        let outcome = on_board.or(by_resignation.map(|winner| Outcome { winner: Some(winner), reason }));
        let found = outcome.map(|outcome| result_name(game, outcome));
        let stated = match &self.result {
            Stated::Exactly(stated) | Stated::Resigned { result: Some(stated), .. } if found != Some(stated) => {
                Some(stated.as_str())
            }
            Stated::Winner(winner) | Stated::WinnerByResignation(winner)
                if outcome.is_some_and(|outcome| outcome.winner != Some(*winner)) =>
            {
                Some(game.seat_name(*winner))
            }
            _ => None,
        };
        match stated {
            Some(stated) => Err(GameFault::Result { stated: quoted(stated), moves: moves.len(), found }),
            None => Ok(Played { position, outcome, moves, in_turn }),
        }
    }
}

/// The player with the name of who is said to have given up, if the game goes on after these moves.
fn resigning(game: Game, name: &str, on_board: Option<Outcome>, moves: usize) -> Result<Seat, GameFault> {
    let named = Seat::BOTH.into_iter().find(|&seat| game.seat_name(seat) == name);
    let fault = |found| GameFault::Resignation { stated: quoted(name), found };
    match (named, on_board) {
        (None, _) => Err(fault(NotResigned::Players(Seat::BOTH.map(|seat| game.seat_name(seat))))),
        (Some(_), Some(_)) => Err(fault(NotResigned::Over { moves })),
        (Some(player), None) => Ok(player),
    }
}

/// A game that has been played again.
struct Played {
    /// The position after the last move.
    position: Position,
    /// How it ended, on the board or because a player gave up.
    outcome: Option<Outcome>,
    moves: Vec<(Seat, Action)>,
    in_turn: bool,
}
