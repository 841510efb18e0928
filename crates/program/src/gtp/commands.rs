//! The commands.

use hexzero_games::InvalidMove;

use super::analysis_request::Form;
use super::front_ends::{ANALYZE_COMMANDS, cpu_time};
use super::protocol::{Answer, Request, done};
use super::session::GtpSession;
use super::timing::KINDS;
use super::words::not_playable;

/// The protocol's word for a command that does not exist.
const UNKNOWN: &str = "unknown command";

/// Whether a command is refused after a resignation.
const IN_GAME: bool = true;
const ALWAYS: bool = false;

/// Executes a command. Ignores extra arguments, as clients differ.
type Execute = fn(&mut GtpSession, &Request) -> Answer;

/// The name of every command, whether it is refused after a resignation, and what it does.
const COMMANDS: [(&str, bool, Execute); 43] = [
    ("all_legal_moves", ALWAYS, |gtp, request| gtp.all_legal_moves(&request.arguments)),
    ("boardsize", ALWAYS, |gtp, request| gtp.board_size(&request.arguments)),
    ("clear_board", ALWAYS, |gtp, _| gtp.restart(gtp.engine.position().size())),
    ("cputime", ALWAYS, |_, _| cpu_time()),
    ("final_score", ALWAYS, |gtp, _| gtp.final_score()),
    ("genmove", IN_GAME, |gtp, request| gtp.gen_move(&request.arguments)),
    ("gogui-analyze_commands", ALWAYS, |_, _| Ok(ANALYZE_COMMANDS.to_owned())),
    ("gogui-gfx-analyze", IN_GAME, |gtp, request| gtp.analyze(Form::Graphics, false, &request.arguments)),
    // Any line ends an analysis and the pondering. This one is listed so that clients know that they may send
    // `# interrupt`.
    ("gogui-interrupt", ALWAYS, |_, _| done()),
    ("gogui-play_sequence", IN_GAME, |gtp, request| gtp.play_sequence(&request.arguments)),
    ("gogui-setup", IN_GAME, |gtp, request| gtp.add_stones(&request.arguments)),
    ("gogui-setup_player", IN_GAME, |gtp, request| gtp.set_player(&request.arguments)),
    ("hexgui-analyze_commands", ALWAYS, |_, _| Ok(ANALYZE_COMMANDS.to_owned())),
    ("hexzero-analyze", IN_GAME, |gtp, request| gtp.analyze(Form::Shares, false, &request.arguments)),
    ("hexzero-time_left", ALWAYS, |gtp, request| gtp.own_time_left(&request.arguments)),
    ("kata-analyze", IN_GAME, |gtp, request| gtp.analyze(Form::Shares, false, &request.arguments)),
    ("kata-genmove_analyze", IN_GAME, |gtp, request| gtp.analyze(Form::Shares, true, &request.arguments)),
    ("kata-list_time_settings", ALWAYS, |_, _| Ok(KINDS.to_owned())),
    ("kata-time_settings", ALWAYS, |gtp, request| gtp.time_settings_by_kind(&request.arguments)),
    // kgsGtp asks for this before it begins another game.
    ("kgs-game_over", ALWAYS, |_, _| done()),
    ("kgs-time_settings", ALWAYS, |gtp, request| gtp.time_settings_by_kind(&request.arguments)),
    ("known_command", ALWAYS, |_, request| {
        Ok(request.arguments.first().is_some_and(|name| named(name).is_some()).to_string())
    }),
    // Games without points have no compensation; clients of Go set it in every game.
    ("komi", ALWAYS, |_, request| match request.arguments.first().map(|komi| komi.parse::<f64>()) {
        Some(Ok(_)) => done(),
        _ => Err("komi not a float".to_owned()),
    }),
    ("list_commands", ALWAYS, |_, _| Ok(names())),
    ("loadsgf", ALWAYS, |gtp, request| gtp.load_sgf(&request.rest)),
    ("lz-analyze", IN_GAME, |gtp, request| gtp.analyze(Form::TenThousandths, false, &request.arguments)),
    ("lz-genmove_analyze", IN_GAME, |gtp, request| gtp.analyze(Form::TenThousandths, true, &request.arguments)),
    ("name", ALWAYS, |_, _| Ok("hexzero".to_owned())),
    ("param_game", ALWAYS, |gtp, request| gtp.parameters(&request.arguments)),
    ("play", IN_GAME, |gtp, request| gtp.play(&request.arguments)),
    ("play-game", IN_GAME, |gtp, request| gtp.play_game(&request.arguments)),
    ("printsgf", ALWAYS, |gtp, request| gtp.print_sgf(&request.arguments)),
    ("protocol_version", ALWAYS, |_, _| Ok("2".to_owned())),
    ("quit", ALWAYS, |_, _| done()),
    ("rectangular_boardsize", ALWAYS, |gtp, request| gtp.board_size(&request.arguments)),
    ("reg_genmove", IN_GAME, |gtp, request| gtp.reg_gen_move(&request.arguments)),
    ("set_position", ALWAYS, |gtp, request| gtp.set_position(&request.arguments)),
    ("showboard", ALWAYS, |gtp, _| Ok(gtp.show_board())),
    ("stop", ALWAYS, |_, _| done()),
    ("time_left", ALWAYS, |gtp, request| gtp.time_left(&request.arguments)),
    ("time_settings", ALWAYS, |gtp, request| gtp.time_settings(&request.arguments)),
    ("undo", ALWAYS, |gtp, _| gtp.undo()),
    ("version", ALWAYS, |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
];

fn named(name: &str) -> Option<(&'static str, bool, Execute)> {
    COMMANDS.into_iter().find(|(known, ..)| *known == name)
}

fn names() -> String {
    COMMANDS.map(|(name, ..)| name).join("\n")
}

impl GtpSession {
    /// Executes the command of a request.
    pub(super) fn execute(&mut self, request: &Request) -> Answer {
        let (_, needs_game, execute) = named(&request.name).ok_or(UNKNOWN)?;
        if needs_game && self.resigned.is_some() {
            return Err(not_playable(InvalidMove::GameOver));
        }
        execute(self, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_sorted_and_unique() {
        assert!(COMMANDS.is_sorted_by(|(a, ..), (b, ..)| a < b));
    }
}
