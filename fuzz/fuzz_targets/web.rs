//! A session of the page: frames of one connection line by line, and queries of HTTP requests, with a uniform evaluator.
#![no_main]

use hexzero::engine::Effort;
use hexzero::engine::model::LoadedModel;
use hexzero::games::all_games;
use hexzero::interfaces::protocol::TabSession;
use libfuzzer_sys::fuzz_target;

/// The number of turns of a search before it is stopped.
const TURNS: usize = 3;

fn session() -> TabSession {
    let mut session = TabSession::new(0, 1 << 16).with_effort(Effort::Visits(3));
    for game in all_games() {
        session.set_model(game, LoadedModel::uniform());
    }
    session
}

fuzz_target!(|input: &[u8]| {
    let mut session = session();
    for line in input.split(|&byte| byte == b'\n').take(50) {
        let text = String::from_utf8_lossy(line);
        if let Some(query) = text.strip_prefix('?') {
            // After a space comes a file of games.
            let (query, file) = query.split_once(' ').unwrap_or((query, ""));
            for path in ["layout", "openings", "games"] {
                session.resource(path, query, file.as_bytes());
            }
            continue;
        }
        let mut answers = Vec::new();
        let mut answer = |frame| answers.push(frame);
        session.receive(&text, &mut answer);
        if (0..TURNS).all(|_| session.turn(&mut answer)) {
            session.receive(r#"{"id":0,"do":"stop"}"#, &mut answer);
        }
        let is_frame = |answer: &String| answer.starts_with("{\"id\":") && !answer.contains('\n');
        assert!(!answers.is_empty() && answers.iter().all(is_frame), "{answers:?}");
    }
});
