//! The WebAssembly modules play as the program does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hexzero::games::{GameRng, all_games};
use hexzero::interfaces::protocol::TabSession;
use hexzero::network::Precision;
use hexzero::network::kernels::Kernel;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::driver::{Browser, DESK};
use crate::plain_files::PlainFiles;

/// The positions, over all games.
const POSITIONS: usize = 1000;

/// How much chances may differ in floats, where sums are rounded in another order. In int8 only relaxed SIMD makes a difference.
const TOLERANCE: f64 = 1e-3;
const RELAXED_TOLERANCE: f64 = 2e-3;

/// The environment variable by which this test asks itself for the program's answers.
const ASKED: &str = "HEXZERO_TEST_ANSWERS";

/// Answers requests in the page. `BASE`, `NAME`, `PRECISION`, `MODELS` and `REQUESTS` come before it.
const ANSWERS: &str = "
    const answers = async () => {
        const { Engine } = await import(`${BASE}hexzero.js`);
        const bytes = async (path) => new Uint8Array(await (await fetch(`${BASE}${path}`)).arrayBuffer());
        let last = null;
        const module = await WebAssembly.compile(await bytes(`${NAME}.wasm`));
        const engine = await Engine.start(module, { onAnswer: (text) => (last = text), seed: 1, precision: PRECISION });
        for (const game of MODELS) engine.loadModel(game, game, await bytes(`models/${game}.safetensors`));
        return REQUESTS.map((request) => {
            engine.receive(JSON.stringify(request));
            while (engine.turn());
            return last;
        });
    };
    answers().then(done, (error) => done([error.message]));";

/// The folder with the modules that `cargo wasm` builds.
fn modules() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_hexzero")).parent().unwrap().parent().unwrap().join("wasm");
    assert!(folder.join("hexzero.wasm").exists(), "these tests need 'cargo wasm'");
    folder
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// The games whose models ship, one for each network.
fn games() -> Vec<&'static str> {
    let has_model = |network: &str| models().join(format!("{network}.safetensors")).exists();
    let games: Vec<_> =
        all_games().into_iter().filter(|game| game.name() == game.network && has_model(game.network)).collect();
    assert_eq!(games.len(), 16);
    games.into_iter().map(|game| game.name()).collect()
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

/// Returns the program's answers, by its kernel of this name or the best.
fn natively(kernel: Option<&str>, visits: u32, precision: Precision) -> Vec<(String, f64)> {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args(["same::prints_the_answers_of_the_program", "--exact", "--ignored", "--nocapture"]);
    program.env(ASKED, format!("{visits} {}", precision.name())).envs(kernel.map(|kernel| ("HEXZERO_KERNEL", kernel)));
    let output = String::from_utf8(program.output().unwrap().stdout).unwrap();
    output.lines().filter_map(|line| line.strip_prefix("answer ")).map(found).collect()
}

#[test]
#[ignore = "a part of another test"]
fn prints_the_answers_of_the_program() {
    let Ok(asked) = std::env::var(ASKED) else { return };
    let (visits, precision) = asked.split_once(' ').unwrap();
    let mut session = TabSession::new(1, 256 << 20).with_precision(precision.parse().unwrap());
    for game in games() {
        let path = models().join(format!("{game}.safetensors"));
        session.load_model(game, game, &fs::read(path).unwrap()).unwrap();
    }
    for request in requests(visits.parse().unwrap()) {
        session.receive(&request.to_string(), &mut |answer| println!("answer {answer}"));
        while session.turn(&mut |answer| println!("answer {answer}")) {}
    }
}

fn in_browser(page: &Browser, (base, name): (&str, &str), visits: u32, precision: Precision) -> Vec<(String, f64)> {
    let given = [json!(base), json!(name), json!(precision.name()), json!(games()), json!(requests(visits))];
    let names = ["BASE", "NAME", "PRECISION", "MODELS", "REQUESTS"];
    let given: String = names.iter().zip(given).map(|(name, value)| format!("const {name} = {value};\n")).collect();
    let answers = page.run_async(&format!("const done = arguments[0];\n{given}{ANSWERS}"));
    answers.as_array().unwrap().iter().map(|answer| found(answer.as_str().unwrap())).collect()
}

#[test]
#[ignore = "needs Chromium and 'cargo wasm'"]
fn modules_play_like_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: PathBuf, name: &str| {
        fs::copy(&from, folder.path().join(name)).unwrap_or_else(|error| panic!("{from:?}: {error}"))
    };
    for name in ["files.js", "hexzero.js", "module.js", "wasi.js"] {
        copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/page/page/engine").join(name), name);
    }
    fs::create_dir(folder.path().join("models")).unwrap();
    for game in games() {
        copy(models().join(format!("{game}.safetensors")), &format!("models/{game}.safetensors"));
    }
    fs::write(folder.path().join("index.html"), "<!doctype html><title>A page</title>").unwrap();
    let host = PlainFiles::of(folder.path());
    let base = format!("http://127.0.0.1:{}/", host.port);
    let page = Browser::open(DESK);
    page.go(&base);
    // Without fused multiply-add the module rounds as plain Rust does, with it as the vectors of x86-64 do.
    let has_fma = Kernel::best() != Kernel::Portable && Kernel::best() != Kernel::Neon;
    // Without a search: a rounding may lead a longer one elsewhere.
    let unsearched = natively(None, 1, Precision::F32);
    for (name, kernel) in [("hexzero", Some("portable")), ("hexzero-relaxed", None)] {
        if kernel.is_none() && !has_fma {
            continue;
        }
        copy(modules().join(format!("{name}.wasm")), &format!("{name}.wasm"));
        let native = natively(kernel, 20, Precision::Int8);
        let tab = in_browser(&page, (&base, name), 20, Precision::Int8);
        assert_eq!((native.len(), tab.len()), (POSITIONS, POSITIONS), "{:?}", tab.first());
        // Relaxed instructions may round in another way from one processor to another, and a search may then go elsewhere.
        let (most_apart, same_moves) =
            if kernel.is_none() { (RELAXED_TOLERANCE, POSITIONS * 99 / 100) } else { (0.0, POSITIONS) };
        let same = native.iter().zip(&tab).filter(|(native, tab)| native.0 == tab.0).count();
        assert!(same >= same_moves, "{name}: {same} of {POSITIONS} moves");
        let apart = native.iter().zip(&tab).filter(|(native, tab)| native != tab).count();
        println!("{name}: {apart} of {POSITIONS} answers differ");
        let answers = native.iter().zip(&tab).zip(requests(20)).filter(|((native, tab), _)| native.0 == tab.0);
        let far: Vec<String> = answers
            .filter(|((native, tab), _)| (native.1 - tab.1).abs() > most_apart)
            .map(|((native, tab), request)| format!("{} against {}: {request}", native.1, tab.1))
            .collect();
        assert!(far.len() <= POSITIONS - same_moves, "{name}: {}", far.join("\n"));

        let tab = in_browser(&page, (&base, name), 1, Precision::F32);
        let same = unsearched.iter().zip(&tab).filter(|(native, tab)| native.0 == tab.0).count();
        assert!(same >= POSITIONS * 99 / 100, "{name}: {same} of {POSITIONS} moves");
        for ((native, tab), request) in unsearched.iter().zip(&tab).zip(&requests(1)) {
            assert!((native.1 - tab.1).abs() <= TOLERANCE, "{name}: {} against {}: {request}", native.1, tab.1);
        }
    }
}
