//! The commands that set up positions and games, as a whole or not at all.

use std::fs::File;

use crate::games::{Game, Position, InvalidMove, Seat};
use crate::interfaces::engine::legal_action;
use crate::replay::{RecordedGame, SgfFileError, SgfGame};

use super::commands::done;
use super::playing::{not_in_turn, not_playable, player};
use super::protocol::Answer;
use super::session::GtpSession;

/// A move as it was written, and who is to make it if that was said too.
type Written<'a> = (Option<Seat>, &'a str);

impl GtpSession {
    /// A file's first game, with a number only up to before the move with that number.
    pub(super) fn load_sgf(&mut self, arguments: &[String]) -> Answer {
        let fault = |error: &dyn std::fmt::Display| format!("cannot load file: {error}");
        let path = arguments.first().ok_or("cannot load file: none was named")?;
        let before = match arguments.get(1).map(|text| text.parse::<usize>()) {
            None => usize::MAX,
            Some(Ok(number)) if number > 0 => number - 1,
            Some(_) => return Err("move number not a positive integer".to_owned()),
        };
        let games = File::open(path).map_err(SgfFileError::from).and_then(SgfGame::read_from);
        let game = games.map_err(|error| fault(&error))?.into_iter().next();
        let game = game.ok_or("cannot load file: it holds no game")?;
        if game.game != G::SGF_GAME {
            return Err(fault(&format!("it is no game of {}", G::NAME)));
        }
        let recorded = RecordedGame::try_from(game).map_err(|error| fault(&error))?;
        let (size, moves) = recorded.moves().map_err(|error| fault(&error))?;
        self.restart(size)?;
        self.engine.set_up(size, moves.into_iter().take(before)).map_err(|error| fault(&error))?;
        done()
    }

    /// Stones on an empty board: a colour and a vertex for each.
    pub(super) fn set_position(&mut self, arguments: &[String]) -> Answer {
        let empty = G::new(self.engine.game().size()).map_err(|error| error.to_string())?;
        self.play_all(empty, &by_player(arguments)?, true)
    }

    /// The same from the present position on.
    pub(super) fn play_sequence(&mut self, arguments: &[String]) -> Answer {
        self.play_all(self.engine.game().clone(), &by_player(arguments)?, false)
    }

    /// Moves without colours, from the present position on.
    pub(super) fn play_game(&mut self, arguments: &[String]) -> Answer {
        let moves: Vec<Written> = arguments.iter().map(|text| (None, text.as_str())).collect();
        self.play_all(self.engine.game().clone(), &moves, false)
    }

    pub(super) fn set_player(&mut self, arguments: &[String]) -> Answer {
        self.hand_turn(player(arguments)?)?;
        done()
    }

    /// Plays moves one after another from a position that is the start or the present one; or none, if one of them
    /// cannot be played.
    fn play_all(&mut self, mut game: Position, moves: &[Written], anew: bool) -> Answer {
        let mut actions = Vec::with_capacity(moves.len());
        for &(player, text) in moves {
            if game.outcome().is_some() {
                return Err(not_playable(&InvalidMove::GameOver));
            }
            let to_move = game.to_move();
            let player = player.unwrap_or(to_move);
            if player != to_move && !game.hand_turn_to(player) {
                return Err(not_in_turn(to_move));
            }
            let action = legal_action(&game, text).map_err(|error| not_playable(&error))?;
            game.play(action);
            actions.push((player, action));
        }
        if anew {
            self.restart(game.size())?;
        }
        for (player, action) in actions {
            self.engine.hand_turn_to(player);
            self.engine.play(action).map_err(|error| not_playable(&error))?;
        }
        done()
    }
}

/// Pairs of a colour and a vertex.
fn by_player(arguments: &[String]) -> Result<Vec<Written<'_>>, String> {
    fn pair(pair: &[String]) -> Result<Written<'_>, String> {
        let player = player(pair)?;
        let text = pair.get(1).ok_or("invalid vertex: none was given after the last colour")?;
        Ok((Some(player), text))
    }
    arguments.chunks(2).map(pair::<G>).collect()
}
