//! The commands of a game: its board, its moves, its result.

use crate::games::{Action, Game, Position, InvalidMove, Seat};
use crate::interfaces::engine::Engine;

use super::commands::done;
use super::protocol::Answer;
use super::session::GtpSession;

impl GtpSession {
    /// Begins a new game with full clocks.
    pub(super) fn restart(&mut self, size: usize) -> Answer {
        self.engine.restart(size).map_err(|error| format!("unacceptable size: {error}"))?;
        if let Some(clock) = &mut self.clock {
            clock.restart(clock.control());
        }
        self.has_moved = false;
        done()
    }

    /// One number, or two equal ones: clients of Hex always send width and height.
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

    pub(super) fn play(&mut self, arguments: &[String]) -> Answer {
        self.as_player(arguments, |session| {
            let text = arguments.get(1).ok_or("invalid vertex: none was given")?;
            let action = session.engine.legal_action(text).map_err(|error| not_playable(&error))?;
            session.engine.play(action).map_err(|error| not_playable(&error))?;
            done()
        })
    }

    pub(super) fn gen_move(&mut self, arguments: &[String]) -> Answer {
        self.as_player(arguments, |session| {
            let action = session.choose(true)?;
            let name = session.engine.game().foreign_action_name(action);
            session.engine.play(action).map_err(|error| error.to_string())?;
            session.has_moved = true;
            Ok(name)
        })
    }

    /// The move that would be played.
    pub(super) fn reg_gen_move(&mut self, arguments: &[String]) -> Answer {
        self.as_player(arguments, |session| {
            let action = session.choose(false)?;
            Ok(session.engine.game().foreign_action_name(action))
        })
    }

    /// The engine's move in the present position. `counts`: whether the player's clock runs.
    fn choose(&mut self, counts: bool) -> Result<Action, String> {
        self.think(counts).ok_or_else(|| InvalidMove::GameOver.to_string())
    }

    /// Does something as the player named first. If it is not his turn, it is made so for the time being,
    /// and for good if he moves: clients set up positions stone by stone, in any order. In games in which
    /// that has no meaning, anything but the player to move is a misunderstanding that had better come to
    /// light.
    fn as_player(&mut self, arguments: &[String], what: impl FnOnce(&mut Self) -> Answer) -> Answer {
        let player = player(arguments)?;
        let game = self.engine.game();
        let (to_move, turns) = (game.to_move(), game.turns());
        self.hand_turn(player)?;
        let answer = what(self);
        if self.engine.game().turns() == turns {
            self.engine.hand_turn_to(to_move);
        }
        answer
    }

    /// Makes it a player's turn, if the game goes on and allows that.
    pub(super) fn hand_turn(&mut self, player: Seat) -> Result<(), String> {
        if self.engine.game().outcome().is_some() {
            return Err(not_playable(&InvalidMove::GameOver));
        }
        let to_move = self.engine.game().to_move();
        self.engine.hand_turn_to(player).then_some(()).ok_or_else(|| not_in_turn(to_move))
    }

    /// For the player to move, or for the one who is named.
    pub(super) fn all_legal_moves(&mut self, arguments: &[String]) -> Answer {
        let list = |session: &mut Self| {
            let mut actions = Vec::new();
            let game = session.engine.game();
            game.legal_actions(&mut actions);
            let names: Vec<String> = actions.iter().map(|&action| game.foreign_action_name(action)).collect();
            Ok(names.join(" "))
        };
        let is_over = self.engine.game().outcome().is_some();
        if arguments.is_empty() || is_over { list(self) } else { self.as_player(arguments, list) }
    }

    /// `B+` if black, the first player, has won, `W+` if white has, `0` for a draw.
    pub(super) fn final_score(&self) -> Answer {
        let outcome = self.engine.game().outcome().ok_or("cannot score: the game is not over")?;
        Ok(match outcome.winner {
            Some(Seat::First) => "B+",
            Some(Seat::Second) => "W+",
            None => "0",
        }
        .to_owned())
    }

    pub(super) fn show_board(&self) -> String {
        let game = self.engine.game();
        let state = match game.outcome() {
            Some(outcome) => Engine::ending(outcome),
            None => format!("{} to move, turn {}", Engine::name_of(game.to_move()), game.turns() + 1),
        };
        format!("{state}\n{}", self.engine.board())
    }
}

/// What is said of a move that cannot be played.
pub(super) fn not_playable(error: &InvalidMove) -> String {
    match error {
        InvalidMove::Unreadable { .. } => format!("invalid vertex: {error}"),
        _ => format!("illegal move: {error}"),
    }
}

/// What is said of a player who is not to move where that matters.
pub(super) fn not_in_turn(to_move: Seat) -> String {
    let mover = Engine::name_of(to_move);
    format!("illegal move: it is {mover}'s turn, and a position of {} needs all its moves", G::NAME)
}

/// The player whose colour stands first: by the game's own names, or black for the first and white
/// for the second as everywhere in the protocol, so that `b` is not blue.
pub(super) fn player(arguments: &[String]) -> Result<Seat, String> {
    let [first, second] = G::PLAYER_NAMES;
    let word = arguments.first().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    match word.as_str() {
        "black" | "b" => Ok(Seat::First),
        "white" | "w" => Ok(Seat::Second),
        word if word == first => Ok(Seat::First),
        word if word == second => Ok(Seat::Second),
        _ => Err(format!("invalid colour: write {first} (or black, b) or {second} (or white, w)")),
    }
}
