//! The commands and their names.

use hexzero_games::InvalidMove;

use super::analysis_request::Form;
use super::protocol::{Answer, Request, done};
use super::session::GtpSession;
use super::words::not_playable;

/// The protocol's word for a command that does not exist.
pub(super) const UNKNOWN: &str = "unknown command";

/// The commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    AddStones,
    AllLegalMoves,
    Analyze(Form),
    AnalyzeCommands,
    BoardSize,
    ClearBoard,
    CpuTime,
    FinalScore,
    GenMove,
    GenMoveAnalyze(Form),
    Known,
    Komi,
    List,
    ListTimeSettings,
    LoadSgf,
    Name,
    NoEffect,
    OwnTimeLeft,
    Parameters,
    Play,
    PlayGame,
    PlaySequence,
    PrintSgf,
    ProtocolVersion,
    Quit,
    RegGenMove,
    SetPlayer,
    SetPosition,
    ShowBoard,
    TimeLeft,
    TimeSettings,
    TimeSettingsByKind,
    Undo,
    Version,
}

/// Every command with its name.
const COMMANDS: [(&str, Command); 43] = [
    ("all_legal_moves", Command::AllLegalMoves),
    ("boardsize", Command::BoardSize),
    ("clear_board", Command::ClearBoard),
    ("cputime", Command::CpuTime),
    ("final_score", Command::FinalScore),
    ("genmove", Command::GenMove),
    ("gogui-analyze_commands", Command::AnalyzeCommands),
    ("gogui-gfx-analyze", Command::Analyze(Form::Graphics)),
    ("gogui-interrupt", Command::NoEffect),
    ("gogui-play_sequence", Command::PlaySequence),
    ("gogui-setup", Command::AddStones),
    ("gogui-setup_player", Command::SetPlayer),
    ("hexgui-analyze_commands", Command::AnalyzeCommands),
    ("hexzero-analyze", Command::Analyze(Form::Shares)),
    ("hexzero-time_left", Command::OwnTimeLeft),
    ("kata-analyze", Command::Analyze(Form::Shares)),
    ("kata-genmove_analyze", Command::GenMoveAnalyze(Form::Shares)),
    ("kata-list_time_settings", Command::ListTimeSettings),
    ("kata-time_settings", Command::TimeSettingsByKind),
    ("kgs-game_over", Command::NoEffect),
    ("kgs-time_settings", Command::TimeSettingsByKind),
    ("known_command", Command::Known),
    ("komi", Command::Komi),
    ("list_commands", Command::List),
    ("loadsgf", Command::LoadSgf),
    ("lz-analyze", Command::Analyze(Form::TenThousandths)),
    ("lz-genmove_analyze", Command::GenMoveAnalyze(Form::TenThousandths)),
    ("name", Command::Name),
    ("param_game", Command::Parameters),
    ("play", Command::Play),
    ("play-game", Command::PlayGame),
    ("printsgf", Command::PrintSgf),
    ("protocol_version", Command::ProtocolVersion),
    ("quit", Command::Quit),
    ("rectangular_boardsize", Command::BoardSize),
    ("reg_genmove", Command::RegGenMove),
    ("set_position", Command::SetPosition),
    ("showboard", Command::ShowBoard),
    ("stop", Command::NoEffect),
    ("time_left", Command::TimeLeft),
    ("time_settings", Command::TimeSettings),
    ("undo", Command::Undo),
    ("version", Command::Version),
];

impl Command {
    pub fn named(name: &str) -> Option<Self> {
        COMMANDS.iter().find(|(known, _)| *known == name).map(|&(_, command)| command)
    }

    /// Returns whether it needs a game that is not over.
    fn goes_on(self) -> bool {
        use Command::{
            AddStones, Analyze, GenMove, GenMoveAnalyze, Play, PlayGame, PlaySequence, RegGenMove, SetPlayer,
        };
        let searches = matches!(self, Analyze(_) | GenMove | GenMoveAnalyze(_) | RegGenMove);
        searches || matches!(self, AddStones | Play | PlayGame | PlaySequence | SetPlayer)
    }
}

impl GtpSession {
    /// Executes a command. Ignores extra arguments, as clients differ.
    pub(super) fn execute(&mut self, command: Command, request: &Request) -> Answer {
        let arguments = &request.arguments[..];
        if self.resigned.is_some() && command.goes_on() {
            return Err(not_playable(&InvalidMove::GameOver));
        }
        match command {
            Command::AddStones => self.add_stones(arguments),
            Command::AllLegalMoves => self.all_legal_moves(arguments),
            Command::Analyze(form) => self.analyze(form, arguments),
            Command::AnalyzeCommands => Ok(super::front_ends::ANALYZE_COMMANDS.to_owned()),
            Command::BoardSize => self.board_size(arguments),
            Command::ClearBoard => self.restart(self.engine.position().size()),
            Command::CpuTime => super::front_ends::cpu_time(),
            Command::FinalScore => self.final_score(),
            Command::GenMove => self.gen_move(arguments),
            Command::GenMoveAnalyze(form) => self.gen_move_analyze(form, arguments),
            // Any line ends an analysis and the pondering. `gogui-interrupt` is listed so that clients know that they
            // may send `# interrupt`; kgsGtp asks for `kgs-game_over` before it begins another game.
            Command::NoEffect | Command::Quit => done(),
            Command::Known => {
                let name = arguments.first().map_or("", String::as_str);
                Ok(Command::named(name).is_some().to_string())
            }
            // Games without points have no compensation; clients of Go set it in every game.
            Command::Komi => match arguments.first().map(|komi| komi.parse::<f64>()) {
                Some(Ok(_)) => done(),
                _ => Err("komi not a float".to_owned()),
            },
            Command::ListTimeSettings => Ok(super::timing::KINDS.to_owned()),
            Command::List => Ok(COMMANDS.map(|(name, _)| name).join("\n")),
            Command::LoadSgf => self.load_sgf(&request.rest),
            Command::Name => Ok("hexzero".to_owned()),
            Command::OwnTimeLeft => self.own_time_left(arguments),
            Command::Parameters => self.parameters(arguments),
            Command::Play => self.play(arguments),
            Command::PlayGame => self.play_game(arguments),
            Command::PlaySequence => self.play_sequence(arguments),
            Command::PrintSgf => self.print_sgf(arguments),
            Command::ProtocolVersion => Ok("2".to_owned()),
            Command::RegGenMove => self.reg_gen_move(arguments),
            Command::SetPlayer => self.set_player(arguments),
            Command::SetPosition => self.set_position(arguments),
            Command::ShowBoard => Ok(self.show_board()),
            Command::TimeLeft => self.time_left(arguments),
            Command::TimeSettings => self.time_settings(arguments),
            Command::TimeSettingsByKind => self.time_settings_by_kind(arguments),
            Command::Undo => self.undo(),
            Command::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_unique() {
        assert!(COMMANDS.is_sorted_by(|(a, _), (b, _)| a < b));
    }
}
