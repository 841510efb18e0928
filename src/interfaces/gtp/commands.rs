//! The commands and what they do.

use std::fs::File;

use crate::games::{Action, Game, InvalidMove, Player};
use crate::interfaces::engine::Engine;
use crate::replay::{RecordedGame, SgfFileError, SgfGame};

use super::analysis::AnalysisRequest;
use super::protocol::Answer;
use super::session::GtpSession;

/// The protocol's word for a command that does not exist.
pub(super) const UNKNOWN: &str = "unknown command";

/// What can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    AllLegalMoves,
    Analyze,
    AnalyzeCommands,
    BoardSize,
    ClearBoard,
    FinalScore,
    GenMove,
    Known,
    List,
    LoadSgf,
    Name,
    OwnTimeLeft,
    Play,
    ProtocolVersion,
    Quit,
    RegGenMove,
    ShowBoard,
    TimeLeft,
    TimeSettings,
    TimeSettingsByKind,
    Undo,
    Version,
}

/// Every command with its name.
const COMMANDS: [(&str, Command); 22] = [
    ("all_legal_moves", Command::AllLegalMoves),
    ("boardsize", Command::BoardSize),
    ("clear_board", Command::ClearBoard),
    ("final_score", Command::FinalScore),
    ("genmove", Command::GenMove),
    ("hexgui-analyze_commands", Command::AnalyzeCommands),
    ("hexzero-analyze", Command::Analyze),
    ("hexzero-time_left", Command::OwnTimeLeft),
    ("kgs-time_settings", Command::TimeSettingsByKind),
    ("known_command", Command::Known),
    ("list_commands", Command::List),
    ("loadsgf", Command::LoadSgf),
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
            Command::Analyze => self.analyze(arguments),
            // Clients ask for them first thing. There are none: what goes on until the next command is not for
            // clients that wait for the end of each reply.
            Command::AnalyzeCommands => done(),
            Command::BoardSize => self.board_size(arguments),
            Command::ClearBoard => {
                self.restart(self.engine.game().size())?;
                done()
            }
            Command::FinalScore => self.final_score(),
            Command::GenMove => self.as_player(arguments, |session| {
                let action = session.choose(true)?;
                let name = session.engine.game().foreign_action_name(action);
                session.engine.play(action).map_err(|error| error.to_string())?;
                session.has_moved = true;
                Ok(name)
            }),
            Command::Known => {
                let name = arguments.first().map_or("", String::as_str);
                Ok(Command::named(name).is_some().to_string())
            }
            Command::List => Ok(COMMANDS.map(|(name, _)| name).join("\n")),
            Command::LoadSgf => self.load_sgf(arguments),
            Command::Name => Ok("hexzero".to_owned()),
            Command::OwnTimeLeft => self.own_time_left(arguments),
            Command::Play => self.play(arguments),
            Command::ProtocolVersion => Ok("2".to_owned()),
            Command::Quit => done(),
            Command::RegGenMove => self.as_player(arguments, |session| {
                let action = session.choose(false)?;
                Ok(session.engine.game().foreign_action_name(action))
            }),
            Command::ShowBoard => Ok(self.show_board()),
            Command::TimeLeft => self.time_left(arguments),
            Command::TimeSettings => self.time_settings(arguments),
            Command::TimeSettingsByKind => self.time_settings_by_kind(arguments),
            Command::Undo => self.engine.undo().map(|_| String::new()).ok_or("cannot undo".to_owned()),
            Command::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        }
    }

    fn restart(&mut self, size: usize) -> Result<(), String> {
        self.engine.restart(size).map_err(|error| format!("unacceptable size: {error}"))?;
        if let Some(clock) = &mut self.clock {
            clock.restart(clock.control());
        }
        self.has_moved = false;
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

    /// A file's first game, with a number only up to before the move with that number.
    fn load_sgf(&mut self, arguments: &[String]) -> Answer {
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
        let (size, moves) = recorded.moves::<G>().map_err(|error| fault(&error))?;
        self.restart(size)?;
        self.engine.set_up(size, moves.into_iter().take(before)).map_err(|error| fault(&error))?;
        done()
    }

    fn play(&mut self, arguments: &[String]) -> Answer {
        self.as_player(arguments, |session| {
            let text = arguments.get(1).ok_or("invalid vertex: none was given")?;
            let action = session.engine.legal_action(text).map_err(|error| match error {
                InvalidMove::Unreadable { .. } => format!("invalid vertex: {error}"),
                _ => format!("illegal move: {error}"),
            })?;
            session.engine.play(action).map_err(|error| format!("illegal move: {error}"))?;
            done()
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
        let player = player::<G>(arguments)?;
        let game = self.engine.game();
        let (to_move, turns) = (game.to_move(), game.turns());
        if game.outcome().is_some() {
            return Err(format!("illegal move: {}", InvalidMove::GameOver));
        }
        self.hand_turn(player)?;
        let answer = what(self);
        if self.engine.game().turns() == turns {
            self.engine.hand_turn_to(to_move);
        }
        answer
    }

    fn hand_turn(&mut self, player: Player) -> Result<(), String> {
        let mover = Engine::<G>::name_of(self.engine.game().to_move());
        let why = || format!("illegal move: it is {mover}'s turn, and a position of {} needs all its moves", G::NAME);
        self.engine.hand_turn_to(player).then_some(()).ok_or_else(why)
    }

    /// Begins an analysis, for the player to move or for the one who is named.
    fn analyze(&mut self, arguments: &[String]) -> Answer {
        let request = AnalysisRequest::parse::<G>(arguments)?;
        if self.engine.game().outcome().is_some() {
            return Err(format!("illegal move: {}", InvalidMove::GameOver));
        }
        let to_move = self.engine.game().to_move();
        self.hand_turn(request.player.unwrap_or(to_move))?;
        self.analysis = Some((request, to_move));
        done()
    }

    /// For the player to move, or for the one who is named.
    fn all_legal_moves(&mut self, arguments: &[String]) -> Answer {
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
}

pub(super) fn done() -> Answer {
    Ok(String::new())
}

/// The player whose colour stands first: by the game's own names, or black for the first and white
/// for the second as everywhere in the protocol, so that `b` is not blue.
pub(super) fn player<G: Game>(arguments: &[String]) -> Result<Player, String> {
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
