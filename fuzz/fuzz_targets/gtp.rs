//! A conversation in GTP: every command has one reply, in the protocol's form.
#![no_main]

use hexzero::engine::Engine;
use hexzero::engine::model::LoadedModel;
use hexzero::games::all_games;
use hexzero::interfaces::gtp::{GtpSession, Thinking};
use hexzero::search::{Level, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&which, rest)) = input.split_first() else { return };
    let games = all_games();
    let game = games[which as usize % games.len()];
    let size = *game.boards.sizes.start();
    let engine = Engine::new(game, size, LoadedModel::uniform()).expect("the smallest board");
    let limits = Limits::visits(3);
    let thinking = Thinking { without_clock: limits, with_clock: limits, ponder: false, level: Level::FULL, seed: 0 };
    let mut session = GtpSession::new(engine, thinking);
    for line in rest.split(|&byte| byte == b'\n').take(200) {
        let line = String::from_utf8_lossy(line);
        // This command reads files of this machine.
        if line.contains("loadsgf") {
            continue;
        }
        let Some(reply) = session.answer(&line) else { continue };
        // Pictures for GoGui come before the reply.
        let is_reply = reply.text.starts_with(['=', '?']) || reply.text.starts_with("gogui-gfx:");
        assert!(is_reply, "{line}: {}", reply.text);
        assert!(reply.text.ends_with("\n\n"), "{line}: {}", reply.text);
        if reply.quit {
            break;
        }
    }
});
