//! The commands of a game: its board, its moves, its result.

use crate::games::{Action, EndReason, InvalidMove, Outcome, Seat};

use super::analysis::{AnalysisRequest, AnalysisUnderWay, Form};
use super::protocol::{Answer, done};
use super::session::GtpSession;
use super::words::{not_in_turn, not_playable, seat};

impl GtpSession {
    /// Begins a new game with full clocks.
    pub(super) fn restart(&mut self, size: usize) -> Answer {
        self.engine.restart(size).map_err(|error| format!("unacceptable size: {error}"))?;
        if let Some(clock) = &mut self.clock {
            clock.restart(clock.control());
        }
        self.has_moved = false;
        self.resigned = None;
        done()
    }

    /// Parses one number, or two equal ones: Hex clients always send width and height.
    pub(super) fn board_size(&mut self, arguments: &[String]) -> Answer {
        let number = |text: &String| text.parse::<usize>().map_err(|_| "boardsize not an integer".to_owned());
        let width = number(arguments.first().ok_or("boardsize not an integer")?)?;
        if let Some(height) = arguments.get(1)
            && number(height)? != width
        {
            return Err("unacceptable size: width and height must be equal".to_owned());
        }
        self.restart(width)
    }

    /// Plays a move, or ends the game if it is `resign`, also out of turn.
    pub(super) fn play(&mut self, arguments: &[String]) -> Answer {
        if arguments.get(1).is_some_and(|text| text.eq_ignore_ascii_case("resign")) {
            let seat = seat(self.engine.game(), arguments)?;
            if self.engine.position().outcome().is_some() {
                return Err(not_playable(&InvalidMove::GameOver));
            }
            self.resigned = Some(seat);
            return done();
        }
        self.as_seat(arguments, |session| {
            let text = arguments.get(1).ok_or("invalid vertex: none was given")?;
            let action = session.engine.legal_action(text).map_err(|error| not_playable(&error))?;
            session.engine.play(action).map_err(|error| not_playable(&error))?;
            done()
        })
    }

    /// Takes back the last move, or a resignation.
    pub(super) fn undo(&mut self) -> Answer {
        if self.resigned.take().is_some() {
            return done();
        }
        self.engine.undo().map(|_| String::new()).ok_or("cannot undo".to_owned())
    }

    /// Returns the outcome on the board, or by resignation.
    fn outcome(&self) -> Option<Outcome> {
        let by_resignation = |seat: Seat| Outcome { winner: Some(seat.opponent()), reason: EndReason::RESIGNATION };
        self.engine.position().outcome().or(self.resigned.map(by_resignation))
    }

    pub(super) fn gen_move(&mut self, arguments: &[String]) -> Answer {
        self.as_seat(arguments, |session| {
            let action = session.choose(true)?;
            let name = session.engine.position().foreign_action_name(action);
            session.engine.play(action).map_err(|error| error.to_string())?;
            session.has_moved = true;
            Ok(name)
        })
    }

    /// Chooses a move without playing it.
    pub(super) fn reg_gen_move(&mut self, arguments: &[String]) -> Answer {
        self.as_seat(arguments, |session| {
            let action = session.choose(false)?;
            Ok(session.engine.position().foreign_action_name(action))
        })
    }

    /// Chooses the engine's move; the player's clock runs if `counts`.
    fn choose(&mut self, counts: bool) -> Result<Action, String> {
        self.think(counts).ok_or_else(|| InvalidMove::GameOver.to_string())
    }

    /// Acts as the seat named first. If it is not its turn, makes it so temporarily, and permanently if it moves:
    /// clients set up positions stone by stone, in any order. Fails in games that do not allow it.
    fn as_seat(&mut self, arguments: &[String], what: impl FnOnce(&mut Self) -> Answer) -> Answer {
        let seat = seat(self.engine.game(), arguments)?;
        let position = self.engine.position();
        let (to_move, turns) = (position.to_move(), position.turns());
        self.give_turn(seat)?;
        let answer = what(self);
        if self.engine.position().turns() == turns && self.engine.position().outcome().is_none() {
            // It could be given before.
            let _ = self.give_turn(to_move);
        }
        answer
    }

    /// Makes it a seat's turn, if the game is not over and its rules allow that.
    pub(super) fn hand_turn(&mut self, seat: Seat) -> Result<(), String> {
        if self.engine.position().outcome().is_some() {
            return Err(not_playable(&InvalidMove::GameOver));
        }
        let to_move = self.engine.position().to_move();
        self.engine.hand_turn_to(seat).then_some(()).ok_or_else(|| not_in_turn(self.engine.game(), to_move))
    }

    /// Lists the legal moves of the player to move, or of the one named.
    pub(super) fn all_legal_moves(&mut self, arguments: &[String]) -> Answer {
        let list = |session: &mut Self| {
            let mut actions = Vec::new();
            let position = session.engine.position();
            position.legal_actions(&mut actions);
            let names: Vec<String> = actions.iter().map(|&action| position.foreign_action_name(action)).collect();
            Ok(names.join(" "))
        };
        if self.resigned.is_some() {
            return done();
        }
        let is_over = self.engine.position().outcome().is_some();
        if arguments.is_empty() || is_over { list(self) } else { self.as_seat(arguments, list) }
    }

    /// Returns `B+` if black has won, `W+` if white has, `0` for a draw.
    pub(super) fn final_score(&self) -> Answer {
        let outcome = self.outcome().ok_or("cannot score: the game is not over")?;
        let colour = outcome.winner.map(|winner| self.engine.position().game().protocol_colour(winner));
        Ok(colour.map_or_else(|| "0".to_owned(), |colour| format!("{}+", colour[..1].to_uppercase())))
    }

    pub(super) fn show_board(&self) -> String {
        let (engine, position) = (&self.engine, self.engine.position());
        let state = match self.outcome() {
            Some(outcome) => engine.ending(outcome),
            None => format!("{} to move, turn {}", engine.seat_name(position.to_move()), position.turns() + 1),
        };
        format!("{state}\n{}", engine.board())
    }

    /// Begins an analysis, for the player to move or for the one named.
    pub(super) fn analyze(&mut self, form: Form, arguments: &[String]) -> Answer {
        let request = AnalysisRequest::parse(self.engine.game(), form, arguments)?;
        let to_move = self.engine.position().to_move();
        self.hand_turn(request.seat.unwrap_or(to_move))?;
        self.analysis = Some(AnalysisUnderWay::new(request, to_move));
        done()
    }
}
