//! An analysis resumes when its position comes back.

use hexzero::interfaces::protocol::TabSession;
use serde_json::{Value, json};

/// Analyses the position after these moves up to this many visits. Returns the visits at the end.
fn analyze(session: &mut TabSession, moves: &[&str], visits: u64) -> u64 {
    let mut last = Value::Null;
    let mut take = |answer: String| {
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer.get("error"), None, "{answer}");
        last = answer.get("analysis").cloned().unwrap_or(last.take());
    };
    let request =
        json!({ "id": 1, "do": "analyze", "game": "hex", "size": 7, "moves": moves, "seconds": 60, "lines": 1 });
    session.receive(&request.to_string(), &mut take);
    let found = |last: &Value| last["visits"].as_u64().unwrap_or(0);
    for _ in 0..100_000 {
        let mut seen = 0;
        session.turn(&mut |answer| {
            let answer: Value = serde_json::from_str(&answer).unwrap();
            seen = found(&answer["analysis"]);
        });
        if seen >= visits {
            break;
        }
    }
    session.receive(r#"{ "id": 2, "do": "stop" }"#, &mut take);
    found(&last)
}

#[test]
fn going_back_and_forth_keeps_what_was_searched() {
    let mut session = TabSession::new(1, 256 << 20);
    session.load_model("hex", "hex", &std::fs::read("models/hex.safetensors").unwrap()).unwrap();
    let positions: [&[&str]; 4] = [&[], &["a1"], &["a1", "d4"], &["b2"]];
    let visits = positions.map(|moves| analyze(&mut session, moves, 300));
    for (moves, before) in positions.into_iter().zip(visits).rev() {
        assert!(before >= 300);
        // Stopped at once: all but one turn of this is from before.
        assert!(analyze(&mut session, moves, 0) >= before, "{moves:?}");
    }
}
