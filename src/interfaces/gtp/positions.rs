//! The commands that set up positions and games, as a whole or not at all.

use std::fs::File;

use crate::engine::legal_action;
use crate::games::{Game, InvalidMove, Position, Seat};
use crate::replay::{RecordedGame, SgfFileError, SgfGame};

use super::protocol::{Answer, done};
use super::session::GtpSession;
use super::words::{not_in_turn, not_playable, seat};

/// A move as written, and its player if given.
type Written<'a> = (Option<Seat>, &'a str);

impl GtpSession {
    /// Loads a file's first game; with a number only up to before the move with that number.
    pub(super) fn load_sgf(&mut self, arguments: &[String]) -> Answer {
        let fault = |error: &dyn std::fmt::Display| format!("cannot load file: {error}");
        let path = arguments.first().ok_or("cannot load file: give its name")?;
        let before = match arguments.get(1).map(|text| text.parse::<usize>()) {
            None => usize::MAX,
            Some(Ok(number)) if number > 0 => number - 1,
            Some(_) => return Err("move number not a positive integer".to_owned()),
        };
        let games = File::open(path).map_err(SgfFileError::from).and_then(SgfGame::read_from);
        let found = games.map_err(|error| fault(&error))?.into_iter().next();
        let found = found.ok_or("cannot load file: it holds no game")?;
        let game = self.engine.game();
        if !found.is_of(game) {
            return Err(fault(&format!("it is not a game of {}", game.name())));
        }
        let recorded = RecordedGame::try_from(found).map_err(|error| fault(&error))?;
        let (start, moves) = recorded.moves(game).map_err(|error| fault(&error))?;
        self.restart(start.size())?;
        self.engine.set_up_from(&start, moves.into_iter().take(before)).map_err(|error| fault(&error))?;
        done()
    }

    /// Places stones on an empty board: a colour and a vertex for each.
    pub(super) fn set_position(&mut self, arguments: &[String]) -> Answer {
        let game = self.engine.game();
        let empty = game.start(self.engine.position().size()).map_err(|error| error.to_string())?;
        self.play_all(empty, &by_seat(game, arguments)?, true)
    }

    /// Places stones on the present position.
    pub(super) fn play_sequence(&mut self, arguments: &[String]) -> Answer {
        self.play_all(self.engine.position().clone(), &by_seat(self.engine.game(), arguments)?, false)
    }

    /// Plays moves without colours from the present position.
    pub(super) fn play_game(&mut self, arguments: &[String]) -> Answer {
        let moves: Vec<Written> = arguments.iter().map(|text| (None, text.as_str())).collect();
        self.play_all(self.engine.position().clone(), &moves, false)
    }

    pub(super) fn set_player(&mut self, arguments: &[String]) -> Answer {
        self.hand_turn(seat(self.engine.game(), arguments)?)?;
        done()
    }

    /// Plays moves one after another from the start or the present position; or none, if one of them cannot be
    /// played.
    fn play_all(&mut self, mut position: Position, moves: &[Written], anew: bool) -> Answer {
        let mut actions = Vec::with_capacity(moves.len());
        for &(seat, text) in moves {
            if position.outcome().is_some() {
                return Err(not_playable(&InvalidMove::GameOver));
            }
            let to_move = position.to_move();
            let seat = seat.unwrap_or(to_move);
            if seat != to_move && !position.hand_turn_to(seat) {
                return Err(not_in_turn(position.game(), to_move));
            }
            let action = legal_action(&position, text).map_err(|error| not_playable(&error))?;
            position.play(action);
            actions.push((seat, action));
        }
        if anew {
            self.restart(position.size())?;
        }
        for (seat, action) in actions {
            self.engine.hand_turn_to(seat);
            self.engine.play(action).map_err(|error| not_playable(&error))?;
        }
        done()
    }
}

/// Pairs of a colour and a vertex.
fn by_seat(game: Game, arguments: &[String]) -> Result<Vec<Written<'_>>, String> {
    let written = arguments.chunks(2).map(|pair| {
        let seat = seat(game, pair)?;
        let text = pair.get(1).ok_or("invalid vertex: none was given after the last colour")?;
        Ok((Some(seat), text.as_str()))
    });
    written.collect()
}
