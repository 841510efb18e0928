//! The WebAssembly module plays as the program does: in Node.js, whose WebAssembly is Chromium's.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hexzero::games::{GameRng, all_games};
use hexzero::interfaces::protocol::TabSession;
use hexzero::network::Precision;
use rand::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

/// The positions, over all games.
const POSITIONS: usize = 1000;

/// How far chances may be apart in floats, whose sums are rounded in another order. In int8 they are the same.
const TOLERANCE: f64 = 1e-3;

/// The module as `cargo wasm` builds it.
pub fn module() -> PathBuf {
    let path =
        Path::new(env!("CARGO_BIN_EXE_hexzero")).with_file_name("../wasm32-unknown-unknown/release/hexzero.wasm");
    assert!(path.exists(), "these tests need 'cargo wasm'");
    path
}

/// Returns requests for moves in random positions of all games, with so many visits.
fn requests(visits: u32) -> Vec<Value> {
    let games = all_games();
    let mut rng = GameRng::seed_from_u64(1);
    let one = |number: usize| {
        let game = games[number % games.len()];
        let sizes = game.boards.sizes.clone();
        let size = *game.boards.sizes.start().max(&rng.random_range(sizes).min(game.boards.default));
        loop {
            let mut position = game.start(size).unwrap();
            let mut moves = Vec::new();
            for _ in 0..rng.random_range(2..30) {
                if position.outcome().is_some() {
                    break;
                }
                let Some(action) = position.random_action(&mut rng) else { break };
                moves.push(position.action_name(action));
                position.play(action);
            }
            if position.outcome().is_none() {
                break json!({"id": number, "do": "move", "game": game.name(), "size": size, "moves": moves, "visits": visits});
            }
        }
    };
    (0..POSITIONS).map(one).collect()
}

/// Returns the move and the chances of an answer.
fn found(answer: &str) -> (String, f64) {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let name = answer["move"].as_str().unwrap_or_else(|| panic!("{answer}"));
    (name.to_owned(), answer["win"].as_f64().unwrap() + answer["draw"].as_f64().unwrap() / 2.0)
}

fn natively(requests: &[Value], models: &Map<String, Value>, precision: Precision) -> Vec<(String, f64)> {
    let mut session = TabSession::new(1, 256 << 20).with_precision(precision);
    for (game, path) in models {
        let path = path.as_str().unwrap();
        session.load_model(game, path, &std::fs::read(path).unwrap()).unwrap();
    }
    let mut answers = Vec::new();
    for request in requests {
        session.receive(&request.to_string(), &mut |answer| answers.push(found(&answer)));
        while session.turn(&mut |answer| answers.push(found(&answer))) {}
    }
    answers
}

fn in_webassembly(requests: &[Value], models: &Map<String, Value>, precision: Precision) -> Vec<(String, f64)> {
    let mut node = Command::new("node")
        .args(["--no-warnings", "browser/answers.mjs"])
        .arg(module())
        .arg(precision.name())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test needs Node.js");
    let mut input = node.stdin.take().unwrap();
    let lines = std::iter::once(json!(models)).chain(requests.iter().cloned());
    let text: String = lines.map(|line| line.to_string() + "\n").collect();
    let writing = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = node.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(found).collect()
}

#[test]
#[ignore = "needs Node.js and 'cargo wasm'"]
fn the_module_plays_as_the_program_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let path = |network: &str| folder.join(format!("{network}.safetensors"));
    // One game of each network.
    let models = all_games().into_iter().filter(|game| game.name() == game.network && path(game.network).exists());
    let models: Map<String, Value> = models.map(|game| (game.name().to_owned(), json!(path(game.network)))).collect();
    assert_eq!(models.len(), 16);

    let asked = requests(20);
    let [native, tab] = [natively, in_webassembly].map(|answer| answer(&asked, &models, Precision::Int8));
    assert_eq!(native.len(), POSITIONS);
    for ((native, tab), request) in native.iter().zip(&tab).zip(&asked) {
        assert_eq!(native, tab, "{request}");
    }

    // Without a search: a rounding may lead a longer one elsewhere.
    let asked = requests(1);
    let [native, tab] = [natively, in_webassembly].map(|answer| answer(&asked, &models, Precision::F32));
    let same = native.iter().zip(&tab).filter(|(native, tab)| native.0 == tab.0).count();
    assert!(same >= POSITIONS * 99 / 100, "{same} of {POSITIONS} moves");
    for ((native, tab), request) in native.iter().zip(&tab).zip(&asked) {
        assert!((native.1 - tab.1).abs() <= TOLERANCE, "{} against {}: {request}", native.1, tab.1);
    }
}
