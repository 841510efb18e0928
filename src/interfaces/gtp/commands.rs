//! The commands and what they do.

use crate::games::{Action, Game, InvalidMove, Player};
use crate::interfaces::engine::Engine;

use super::clock::{Clock, seconds};
use super::protocol::Answer;
use super::session::GtpSession;

/// The protocol's word for a command that does not exist.
pub(super) const UNKNOWN: &str = "unknown command";

/// What can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    AllLegalMoves,
    BoardSize,
    ClearBoard,
    FinalScore,
    GenMove,
    Known,
    List,
    Name,
    Play,
    ProtocolVersion,
    Quit,
    RegGenMove,
    ShowBoard,
    TimeLeft,
    TimeSettings,
    Undo,
    Version,
}

/// Every command with its name.
const COMMANDS: [(&str, Command); 17] = [
    ("all_legal_moves", Command::AllLegalMoves),
    ("boardsize", Command::BoardSize),
    ("clear_board", Command::ClearBoard),
    ("final_score", Command::FinalScore),
    ("genmove", Command::GenMove),
    ("known_command", Command::Known),
    ("list_commands", Command::List),
    ("name", Command::Name),
    ("play", Command::Play),
    ("protocol_version", Command::ProtocolVersion),
    ("quit", Command::Quit),
    ("reg_genmove", Command::RegGenMove),
    ("showboard", Command::ShowBoard),
    ("time_left", Command::TimeLeft),
    ("time_settings", Command::TimeSettings),
    ("undo", Command::Undo),
    ("version", Command::Version),
];

impl Command {
    pub fn named(name: &str) -> Option<Self> {
        COMMANDS.iter().find(|(known, _)| *known == name).map(|&(_, command)| command)
    }
}

impl<G: Game> GtpSession<G> {
    /// Does what a command asks for. Arguments beyond those it takes are ignored, as clients differ.
    pub(super) fn execute(&mut self, command: Command, arguments: &[String]) -> Answer {
        match command {
            Command::AllLegalMoves => self.all_legal_moves(arguments),
            Command::BoardSize => self.board_size(arguments),
            Command::ClearBoard => {
                self.restart(self.engine.game().size())?;
                done()
            }
            Command::FinalScore => self.final_score(),
            Command::GenMove => {
                let action = self.choose(arguments, true)?;
                let played = self.engine.play(action).map_err(|error| error.to_string())?;
                Ok(played.name.clone())
            }
            Command::Known => {
                let name = arguments.first().map_or("", String::as_str);
                Ok(Command::named(name).is_some().to_string())
            }
            Command::List => Ok(COMMANDS.map(|(name, _)| name).join("\n")),
            Command::Name => Ok("hexzero".to_owned()),
            Command::Play => self.play(arguments),
            Command::ProtocolVersion => Ok("2".to_owned()),
            Command::Quit => done(),
            Command::RegGenMove => {
                let action = self.choose(arguments, false)?;
                Ok(self.engine.game().action_name(action))
            }
            Command::ShowBoard => Ok(self.show_board()),
            Command::TimeLeft => self.time_left(arguments),
            Command::TimeSettings => self.time_settings(arguments),
            Command::Undo => self.engine.undo().map(|_| String::new()).ok_or("cannot undo".to_owned()),
            Command::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        }
    }

    fn restart(&mut self, size: usize) -> Result<(), String> {
        self.engine.restart(size).map_err(|error| format!("unacceptable size: {error}"))?;
        if let Some(clock) = &mut self.clock {
            clock.restart();
        }
        Ok(())
    }

    /// One number, or two equal ones: clients of Hex always send width and height.
    fn board_size(&mut self, arguments: &[String]) -> Answer {
        let number = |text: &String| text.parse::<usize>().map_err(|_| "boardsize not an integer".to_owned());
        let width = number(arguments.first().ok_or("boardsize not an integer")?)?;
        if let Some(height) = arguments.get(1)
            && number(height)? != width
        {
            return Err("unacceptable size: width and height must be equal".to_owned());
        }
        self.restart(width)?;
        done()
    }

    fn play(&mut self, arguments: &[String]) -> Answer {
        self.turn_of(arguments)?;
        let text = arguments.get(1).ok_or("invalid vertex: none was given")?;
        let action = self.engine.legal_action(text).map_err(|error| match error {
            InvalidMove::Unreadable { .. } => format!("invalid vertex: {error}"),
            _ => format!("illegal move: {error}"),
        })?;
        self.engine.play(action).map_err(|error| format!("illegal move: {error}"))?;
        done()
    }

    /// The engine's move for the player named first. `counts`: whether his clock runs.
    fn choose(&mut self, arguments: &[String], counts: bool) -> Result<Action, String> {
        self.turn_of(arguments)?;
        self.think(counts).ok_or_else(|| InvalidMove::GameOver.to_string())
    }

    /// Checks that the player named first is the one to move. Sides alternate strictly, so anything
    /// else is a misunderstanding that had better come to light.
    fn turn_of(&self, arguments: &[String]) -> Result<(), String> {
        let player = player::<G>(arguments)?;
        let game = self.engine.game();
        if game.outcome().is_some() {
            return Err(format!("illegal move: {}", InvalidMove::GameOver));
        }
        if player != game.to_move() {
            return Err(format!("illegal move: it is {}'s turn", Engine::<G>::name_of(game.to_move())));
        }
        Ok(())
    }

    /// For the player to move; naming the other one is an error, naming nobody is not.
    fn all_legal_moves(&self, arguments: &[String]) -> Answer {
        if !arguments.is_empty() {
            self.turn_of(arguments)?;
        }
        let mut actions = Vec::new();
        self.engine.game().legal_actions(&mut actions);
        Ok(self.engine.names(&actions).join(" "))
    }

    /// `B+` if black, the first player, has won, `W+` if white has, `0` for a draw.
    fn final_score(&self) -> Answer {
        let outcome = self.engine.game().outcome().ok_or("cannot score: the game is not over")?;
        Ok(match outcome.winner {
            Some(Player::First) => "B+",
            Some(Player::Second) => "W+",
            None => "0",
        }
        .to_owned())
    }

    fn show_board(&self) -> String {
        let game = self.engine.game();
        let state = match game.outcome() {
            Some(outcome) => Engine::<G>::ending(outcome),
            None => format!("{} to move, turn {}", Engine::<G>::name_of(game.to_move()), game.turns() + 1),
        };
        format!("{state}\n{}", self.engine.board())
    }

    fn time_settings(&mut self, arguments: &[String]) -> Answer {
        let [main, period, stones, ..] = arguments else {
            return Err("syntax error: time_settings MAIN_TIME PERIOD_TIME PERIOD_STONES".to_owned());
        };
        self.clock = Clock::new(time(main)?, time(period)?, stones_left(stones)?);
        done()
    }

    fn time_left(&mut self, arguments: &[String]) -> Answer {
        let player = player::<G>(arguments)?;
        let [_, left, stones, ..] = arguments else {
            return Err("syntax error: time_left COLOUR TIME STONES".to_owned());
        };
        let (left, stones) = (time(left)?, stones_left(stones)?);
        // Some referees only ever say what is left, and set no clock.
        let clock = self.clock.take().or_else(|| Clock::new(left, std::time::Duration::ZERO, 0));
        self.clock = clock.map(|mut clock| {
            clock.set(player, left, stones);
            clock
        });
        done()
    }
}

fn done() -> Answer {
    Ok(String::new())
}

/// The player whose colour stands first: by the game's own names, or black for the first and white
/// for the second as everywhere in the protocol, so that `b` is not blue.
fn player<G: Game>(arguments: &[String]) -> Result<Player, String> {
    let [first, second] = G::PLAYER_NAMES;
    let word = arguments.first().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    match word.as_str() {
        "black" | "b" => Ok(Player::First),
        "white" | "w" => Ok(Player::Second),
        word if word == first => Ok(Player::First),
        word if word == second => Ok(Player::Second),
        _ => Err(format!("invalid colour: write {first} (or black, b) or {second} (or white, w)")),
    }
}

fn time(text: &str) -> Result<std::time::Duration, String> {
    seconds(text).ok_or_else(|| "syntax error: time is a number of seconds".to_owned())
}

fn stones_left(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "syntax error: stones is a whole number".to_owned())
}
