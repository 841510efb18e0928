//! The commands and their names.

use crate::games::InvalidMove;

use super::analysis::Form;
use super::protocol::{Answer, done};
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
    Interrupt,
    Known,
    List,
    LoadSgf,
    Name,
    OwnTimeLeft,
    Parameters,
    Play,
    PlayGame,
    PlaySequence,
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
const COMMANDS: [(&str, Command); 34] = [
    ("all_legal_moves", Command::AllLegalMoves),
    ("boardsize", Command::BoardSize),
    ("clear_board", Command::ClearBoard),
    ("cputime", Command::CpuTime),
    ("final_score", Command::FinalScore),
    ("genmove", Command::GenMove),
    ("gogui-analyze_commands", Command::AnalyzeCommands),
    ("gogui-gfx-analyze", Command::Analyze(Form::Graphics)),
    ("gogui-interrupt", Command::Interrupt),
    ("gogui-play_sequence", Command::PlaySequence),
    ("gogui-setup", Command::AddStones),
    ("gogui-setup_player", Command::SetPlayer),
    ("hexgui-analyze_commands", Command::AnalyzeCommands),
    ("hexzero-analyze", Command::Analyze(Form::Shares)),
    ("hexzero-time_left", Command::OwnTimeLeft),
    ("kata-analyze", Command::Analyze(Form::Shares)),
    ("kgs-time_settings", Command::TimeSettingsByKind),
    ("known_command", Command::Known),
    ("list_commands", Command::List),
    ("loadsgf", Command::LoadSgf),
    ("lz-analyze", Command::Analyze(Form::TenThousandths)),
    ("name", Command::Name),
    ("param_game", Command::Parameters),
    ("play", Command::Play),
    ("play-game", Command::PlayGame),
    ("protocol_version", Command::ProtocolVersion),
    ("quit", Command::Quit),
    ("reg_genmove", Command::RegGenMove),
    ("set_position", Command::SetPosition),
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

    /// Returns whether it needs a game that is not over.
    fn goes_on(self) -> bool {
        use Command::{AddStones, Analyze, GenMove, Play, PlayGame, PlaySequence, RegGenMove, SetPlayer};

        matches!(self, AddStones | Analyze(_) | GenMove | Play | PlayGame | PlaySequence | RegGenMove | SetPlayer)
    }
}

impl GtpSession {
    /// Executes a command. Ignores extra arguments, as clients differ.
    pub(super) fn execute(&mut self, command: Command, arguments: &[String]) -> Answer {
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
            // Listed so that clients know that they may send `# interrupt`.
            Command::Interrupt | Command::Quit => done(),
            Command::Known => {
                let name = arguments.first().map_or("", String::as_str);
                Ok(Command::named(name).is_some().to_string())
            }
            Command::List => Ok(COMMANDS.map(|(name, _)| name).join("\n")),
            Command::LoadSgf => self.load_sgf(arguments),
            Command::Name => Ok("hexzero".to_owned()),
            Command::OwnTimeLeft => self.own_time_left(arguments),
            Command::Parameters => self.parameters(arguments),
            Command::Play => self.play(arguments),
            Command::PlayGame => self.play_game(arguments),
            Command::PlaySequence => self.play_sequence(arguments),
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
    fn the_list_is_in_order_and_names_nothing_twice() {
        assert!(COMMANDS.is_sorted_by(|(a, _), (b, _)| a < b));
    }
}
