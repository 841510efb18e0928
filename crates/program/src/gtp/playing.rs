//! The commands of a game: its board, its moves, its result.

use hexzero_engine::legal_action;
use hexzero_games::{Arrangement, EndReason, InvalidMove, Outcome, Position, Seat};

use super::analysis::AnalysisUnderWay;
use super::analysis_request::{AnalysisRequest, Form};
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
        let seat = seat(self.engine.game(), arguments)?;
        let text = arguments.get(1).ok_or("invalid vertex: none was given")?;
        if text.eq_ignore_ascii_case("resign") {
            if self.engine.position().outcome().is_some() {
                return Err(not_playable(InvalidMove::GameOver));
            }
            self.resigned = Some(seat);
            return done();
        }
        let turned = self.turned_to(seat)?;
        let position = turned.as_ref().unwrap_or(self.engine.position());
        let action = legal_action(position, text).map_err(not_playable)?;
        self.hand_turn_to(seat)?;
        self.engine.play(action).map_err(not_playable)?;
        done()
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
        self.hand_turn_to(seat(self.engine.game(), arguments)?)?;
        let chosen = self.think(None, |engine, run| run.finish(engine))?;
        Ok(self.chosen.insert(chosen).name.clone())
    }

    /// Chooses a move without playing it.
    pub(super) fn reg_gen_move(&mut self, arguments: &[String]) -> Answer {
        let turned = self.turned_to(seat(self.engine.game(), arguments)?)?;
        Ok(self.think(turned.map(|position| (position, &[][..])), |engine, run| run.finish(engine))?.name)
    }

    /// Returns the present position with the turn handed to a seat; none if it is its turn already.
    /// Clients set up positions stone by stone, in any order. Games whose rules forbid that still allow it in a
    /// position that was set up, until a move is played in it.
    fn turned_to(&self, seat: Seat) -> Result<Option<Position>, String> {
        let (game, position) = (self.engine.game(), self.engine.position());
        if position.outcome().is_some() {
            return Err(not_playable(InvalidMove::GameOver));
        }
        if position.to_move() == seat {
            return Ok(None);
        }
        let mut turned = position.clone();
        if turned.hand_turn_to(seat) {
            return Ok(Some(turned));
        }
        if !self.engine.played().is_empty() || position.turns() == 0 || !game.arranges() {
            return Err(not_in_turn(game, position.to_move()));
        }
        self.arranged(&Arrangement { to_move: seat, ..Arrangement::of(position) }).map(Some)
    }

    /// Makes it a seat's turn permanently: only for commands that then move.
    pub(super) fn hand_turn_to(&mut self, seat: Seat) -> Result<(), String> {
        if let Some(turned) = self.turned_to(seat)?
            && !self.engine.hand_turn_to(seat)
        {
            self.engine.begin_from(turned);
        }
        Ok(())
    }

    /// Lists the legal moves of the player to move, or of the one named.
    pub(super) fn all_legal_moves(&self, arguments: &[String]) -> Answer {
        let position = self.engine.position();
        if self.outcome().is_some() {
            return done();
        }
        let turned = if arguments.is_empty() { None } else { self.turned_to(seat(position.game(), arguments)?)? };
        let position = turned.as_ref().unwrap_or(position);
        let names = position.legal().into_iter().map(|action| position.foreign_action_name(action));
        Ok(names.collect::<Vec<_>>().join(" "))
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

    /// Begins an analysis for the player to move, or for the one named, after which the engine plays if it `plays`.
    pub(super) fn analyze(&mut self, form: Form, plays: bool, arguments: &[String]) -> Answer {
        let (request, ignored) = AnalysisRequest::parse(self.engine.game(), form, arguments)?;
        let seat = request.seat.unwrap_or(self.engine.position().to_move());
        let other = self.turned_to(seat)?;
        let without = request.without(other.as_ref().unwrap_or(self.engine.position()))?;
        if plays {
            self.hand_turn_to(seat)?;
        }
        ignored.into_iter().for_each(|text| self.warn(text));
        self.analysis = Some(AnalysisUnderWay { request, other, without, plays, id: None });
        done()
    }
}
