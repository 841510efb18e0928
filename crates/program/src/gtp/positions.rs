//! The commands that set up positions and games, as a whole or not at all.

use std::fmt::Display;
use std::path::Path;

use hexzero_engine::legal_action;
use hexzero_games::{Arrangement, ArrangementError, Game, InvalidMove, Position, Seat};
use hexzero_replay::{RecordedGame, SgfGame};
use hexzero_system::files::open;
use hexzero_system::texts::without_error_numbers;
use hexzero_system::warning;

use super::protocol::{Answer, done};
use super::session::GtpSession;
use super::words::{not_in_turn, not_playable, seat};

/// A move as written, and its player if given.
type Written<'a> = (Option<Seat>, &'a str);

impl GtpSession {
    /// Loads a file's first game; with a number, only the moves before the one with that number.
    pub(super) fn load_sgf(&mut self, arguments: &str) -> Answer {
        let (path, number) = file_and_number(arguments)?;
        let before = match number.map(str::parse::<usize>) {
            None => usize::MAX,
            Some(Ok(number)) if number > 0 => number - 1,
            Some(_) => return Err("move number not a positive integer".to_owned()),
        };
        let games = open(Path::new(path)).and_then(SgfGame::read_from);
        let found = games.map_err(not_loaded)?.next().ok_or("cannot load file: it holds no game")?;
        let found = found.map_err(not_loaded)?;
        let game = self.engine.game();
        if !found.is_of(game) {
            return Err(not_loaded(format_args!("it is not a game of {}", game.name())));
        }
        let recorded = RecordedGame::try_from(found).map_err(not_loaded)?;
        recorded.warnings().iter().for_each(|odd| warning(format_args!("{path}: {odd}")));
        let (start, moves) = recorded.moves(game).map_err(not_loaded)?;
        self.restart(start.size())?;
        // The seat of the next move says whose turn it is.
        let next = moves.get(before).map(|&(seat, _)| seat).or(recorded.next());
        self.engine.set_up_from(&start, moves.into_iter().take(before)).map_err(not_loaded)?;
        if let Some(seat) = next {
            self.engine.hand_turn_to(seat);
        }
        done()
    }

    /// Places stones on an empty board: a colour and a vertex for each. Where stones alone make no position, plays
    /// them.
    pub(super) fn set_position(&mut self, arguments: &[String]) -> Answer {
        let game = self.engine.game();
        if game.arranges() {
            return self.arrange(Arrangement::default(), &by_seat(game, arguments)?);
        }
        let empty = game.start(self.engine.position().size()).map_err(|error| error.to_string())?;
        self.play_all(empty, &by_seat(game, arguments)?, true)
    }

    /// Adds stones to the present position. Where stones alone make no position, plays them.
    pub(super) fn add_stones(&mut self, arguments: &[String]) -> Answer {
        let game = self.engine.game();
        if !game.arranges() {
            return self.play_sequence(arguments);
        }
        self.arrange(Arrangement::of(self.engine.position()), &by_seat(game, arguments)?)
    }

    /// Begins a game with stones, and those added to them. The opponent of the last one that was added is to move.
    fn arrange(&mut self, mut arrangement: Arrangement, stones: &[Written]) -> Answer {
        for &(seat, place) in stones {
            let seat = seat.unwrap_or(Seat::First);
            arrangement.add(seat, place);
            arrangement.to_move = seat.opponent();
        }
        let arranged = self.arranged(&arrangement)?;
        self.restart(arranged.size())?;
        self.engine.begin_from(arranged);
        done()
    }

    pub(super) fn arranged(&self, arrangement: &Arrangement) -> Result<Position, String> {
        let position = self.engine.position();
        position.game().arrange(position.size(), arrangement).map_err(|error| match error {
            ArrangementError::Place(error) => format!("invalid vertex: {error}"),
            other => format!("illegal position: {other}"),
        })
    }

    /// Plays moves from the present position on, with the players named.
    pub(super) fn play_sequence(&mut self, arguments: &[String]) -> Answer {
        self.play_all(self.engine.position().clone(), &by_seat(self.engine.game(), arguments)?, false)
    }

    /// Plays moves without colours from the present position.
    pub(super) fn play_game(&mut self, arguments: &[String]) -> Answer {
        let moves: Vec<Written> = arguments.iter().map(|text| (None, text.as_str())).collect();
        self.play_all(self.engine.position().clone(), &moves, false)
    }

    pub(super) fn set_player(&mut self, arguments: &[String]) -> Answer {
        self.hand_turn_to(seat(self.engine.game(), arguments)?)?;
        done()
    }

    /// Plays moves one after another from the start or the present position; or none, if one of them cannot be played.
    fn play_all(&mut self, mut position: Position, moves: &[Written], anew: bool) -> Answer {
        let mut actions = Vec::with_capacity(moves.len());
        for &(seat, text) in moves {
            if position.outcome().is_some() {
                return Err(not_playable(InvalidMove::GameOver));
            }
            let to_move = position.to_move();
            let seat = seat.unwrap_or(to_move);
            if seat != to_move && !position.hand_turn_to(seat) {
                return Err(not_in_turn(position.game(), to_move));
            }
            let action = legal_action(&position, text).map_err(not_playable)?;
            position.play(action);
            actions.push((seat, action));
        }
        if anew {
            self.restart(position.size())?;
        }
        for (seat, action) in actions {
            self.engine.hand_turn_to(seat);
            self.engine.play(action).map_err(not_playable)?;
        }
        done()
    }
}

/// Returns the error of a game that cannot be loaded.
fn not_loaded(error: impl Display) -> String {
    format!("cannot load file: {}", without_error_numbers(&error.to_string()))
}

/// Splits the name of a file, quoted or not, from the number that may follow it. Without quotes, a number at the end
/// that belongs to the name of an existing file is part of that name.
fn file_and_number(text: &str) -> Result<(&str, Option<&str>), String> {
    let quoted = ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.split_once(quote));
    let (path, number) = match quoted {
        Some((path, number)) if !Path::new(text).exists() => (path, number.trim()),
        _ if Path::new(text).exists() => (text, ""),
        _ => match text.rsplit_once(' ') {
            Some((path, number)) if number.parse::<f64>().is_ok() => (path.trim_end(), number),
            _ => (text, ""),
        },
    };
    if path.is_empty() {
        return Err("cannot load file: give its name".to_owned());
    }
    Ok((path, Some(number).filter(|number| !number.is_empty())))
}

/// Returns the pairs of a colour and a vertex.
fn by_seat(game: Game, arguments: &[String]) -> Result<Vec<Written<'_>>, String> {
    let written = arguments.chunks(2).map(|pair| {
        let seat = seat(game, pair)?;
        let text = pair.get(1).ok_or("invalid vertex: none was given after the last colour")?;
        Ok((Some(seat), text.as_str()))
    });
    written.collect()
}
