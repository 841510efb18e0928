//! Hostile files: small ones that claim gigabytes or unpack to them, nest deeply, have endless lines, or never end. The
//! program has an address space of a gigabyte and must end with a clear error before it runs out of memory.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::serving::Server;
use crate::tiny::{Folder, folder_with_recipe, train};

/// The address space in KiB: more than the program needs for honest files, less than hostile ones claim.
const MEMORY: u32 = 1 << 20;

/// A length that fits in no memory.
const HUGE: u64 = 1 << 40;

/// The program with little memory.
fn confined(folder: &Path, arguments: &[&str]) -> Command {
    confined_to(MEMORY, folder, arguments)
}

fn confined_to(memory: u32, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {memory} && exec \"$0\" \"$@\"")]).arg(env!("CARGO_BIN_EXE_hexzero"));
    // Each thread's heap reserves 64 MiB.
    command.args(arguments).current_dir(folder).env("MALLOC_ARENA_MAX", "2").env("RUST_BACKTRACE", "1");
    command
}

/// Runs it with this on its standard input; returns whether it succeeded, and what it said.
fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> (bool, String) {
    let mut command = confined(folder, arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code().is_some(), "{arguments:?} is killed: {said}");
    assert!(!said.contains("panicked") && !said.contains("memory allocation"), "{arguments:?}: {said}");
    (output.status.success(), said)
}

/// Runs it and expects an error that says this.
fn refused(folder: &Path, arguments: &[&str], words: &str) {
    let (succeeded, said) = run(folder, arguments, b"");
    assert!(!succeeded && said.contains("error: ") && said.contains(words), "{arguments:?}: {said}");
    assert!(said.len() < 2000, "{arguments:?}: an error of {} bytes", said.len());
}

/// A file of holes, longer than any memory.
fn holes(path: &Path) {
    File::create(path).unwrap().set_len(HUGE).unwrap();
}

/// A safetensors file with this header.
fn safetensors(header: &str) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat()
}

/// A shard whose checksum fits, with so many games in a payload that unpacks to `length` bytes: that number and zeros.
fn shard(games: u32, length: u64) -> Vec<u8> {
    let payload = zstd(&[&[252][..], &games.to_le_bytes()].concat(), length);
    let mut bytes = b"HXZGAMES\x02\x00\x06cachex".to_vec();
    bytes.extend(games.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&[&bytes[..], &payload].concat()).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// A zstd frame of these bytes and zeros, by the format's description: a block as it is, and blocks that say one byte
/// and how often it is repeated.
fn zstd(start: &[u8], length: u64) -> Vec<u8> {
    const BLOCK: u64 = 1 << 17;
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
    bytes.extend(length.to_le_bytes());
    bytes.extend(&((start.len() as u32) << 3).to_le_bytes()[..3]);
    bytes.extend(start);
    let mut left = length - start.len() as u64;
    while left > 0 {
        let size = left.min(BLOCK);
        left -= size;
        let head = (size as u32) << 3 | 1 << 1 | u32::from(left == 0);
        bytes.extend(&head.to_le_bytes()[..3]);
        bytes.push(0);
    }
    bytes
}

#[test]
fn checkpoints_and_states() {
    let at = &*Folder::empty();
    let deep = "[".repeat(100_000);
    let model = |metadata: &str, tensors: &str| {
        let metadata = serde_json::to_string(metadata).unwrap();
        safetensors(&format!("{{\"__metadata__\":{{\"hexzero\":{metadata}}}{tensors}}}"))
    };
    let endless = u64::MAX.to_le_bytes().to_vec();
    let nearly = [&(99_000_000_u64).to_le_bytes()[..], b"{"].concat();
    let wide = r#"{"format_version":1,"game":"cachex","architecture":{"blocks":40,"channels":512},"view":{"version":1,
        "cell_inputs":9007199254740992,"global_inputs":9007199254740992,"policy_planes":9007199254740992,
        "global_actions":9007199254740992,"reply":true},"step":0,"games":0,"positions":0}"#;
    let tensor =
        r#","stem.weight":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,18446744073709551615]}"#;
    for (name, bytes, words) in [
        ("endless", endless, "damaged"),
        ("nearly", nearly, "damaged"),
        ("deep-header", safetensors(&deep), "damaged"),
        ("deep-text", model(&deep, ""), "recursion limit"),
        ("wide", model(wide, ""), "damaged"),
        ("tensor", model("{\"format_version\":1}", tensor), "damaged"),
    ] {
        fs::write(at.join(name), bytes).unwrap();
        refused(at, &["inspect", name], words);
        refused(at, &["gtp", "--model", name], "checkpoint");
    }
    fs::write(at.join("state"), safetensors(&format!("{{\"__metadata__\":{{\"hexzero-run\":\"{deep}\"}}}}"))).unwrap();
    refused(at, &["inspect", "state"], "error: state: invalid type");
    holes(&at.join("holes"));
    refused(at, &["inspect", "holes"], "longer than");
    refused(at, &["gtp", "--model", "holes"], "longer than");
    // The largest checkpoint that is accepted does not fit in memory.
    refused(at, &["gtp", "--model", "/dev/zero"], "checkpoint /dev/zero: ");
}

#[test]
fn shards() {
    let at = &*Folder::empty();
    let mut lengths = b"HXZGAMES\x02\x00\x06cachex".to_vec();
    lengths.extend([0xff; 24]);
    for (name, bytes, words) in [
        ("lengths", lengths, "its header says"),
        ("games", shard(u32::MAX, 60), "4294967295 games in a payload of 60 bytes"),
        // More than any shard has, as many as the largest has, and as few as one of this length may have, each of which
        // takes eight times its bytes in memory.
        ("largest", shard(1, 1 << 33), "1 games in a payload of 8589934592 bytes"),
        ("large", shard(1, 1 << 28), "1 games in a payload of 268435456 bytes"),
        ("small", shard(11_000_000, 66_000_005), "bytes of memory, too much for so small a file"),
    ] {
        assert!(bytes.len() < 1 << 19, "{name} is small");
        fs::write(at.join(name), bytes).unwrap();
        refused(at, &["inspect", name], words);
    }
}

#[test]
fn run_files() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --run a --games 6 --workers 1").success();
    let ladder = ["tournament", "ladder", "a", "--size", "3", "--games", "2", "--visits", "1"];
    let resume = ["train", "--no-matches", "--resume", "--run", "a", "--games", "12"];
    holes(&at.join("a/journal"));
    refused(at, &resume, "longer than");
    fs::remove_file(at.join("a/journal")).unwrap();
    let state = fs::read(at.join("a/state.safetensors")).unwrap();
    holes(&at.join("a/state.safetensors"));
    refused(at, &resume, "longer than");
    fs::write(at.join("a/state.safetensors"), state).unwrap();

    // Endless lines, and files of a terabyte, for everything that reads them.
    let metrics = fs::read(at.join("a/metrics.jsonl")).unwrap();
    let line = "line 2 is longer than 1048576 bytes, the most for a line of such a file";
    for (name, words) in
        [("metrics.jsonl", line), ("ladder.jsonl", "longer than 268435456 bytes, the most for such a file")]
    {
        let path = at.join("a").join(name);
        fs::write(&path, &metrics).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(HUGE).unwrap();
        for report in [&["report", "a"][..], &["report", "a", "a", "--output", "b.html"]] {
            let (succeeded, said) = run(at, report, b"");
            let words = "longer than 268435456 bytes, the most for such a file";
            assert!(succeeded && said.contains(&format!("warning: a/{name}: {words}")), "{said}");
        }
        if name == "metrics.jsonl" {
            refused(at, &resume, &format!("a/{name}: {words}; set the file aside"));
            assert!(run(at, &["inspect", "a"], b"").0);
        } else {
            refused(at, &ladder, &format!("a/{name}: {words}"));
        }
        fs::write(&path, &metrics).unwrap();
    }
    // A single line as long as the file may be.
    let long = |name: &str| File::create(at.join("a").join(name)).unwrap().set_len(1 << 28).unwrap();
    long("ladder.jsonl");
    refused(at, &ladder, "a/ladder.jsonl: line 1 is longer than");
    long("metrics.jsonl");
    let (succeeded, said) = run(at, &["report", "a"], b"");
    assert!(succeeded && said.contains("a/metrics.jsonl: line 1 is longer than"), "{said}");
    // Without the file the run goes on.
    fs::remove_file(at.join("a/metrics.jsonl")).unwrap();
    assert!(run(at, &resume, b"").0);
}

#[test]
fn run_files_on_a_server() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --run a --games 6 --workers 1").success();
    holes(&at.join("a/metrics.jsonl"));
    holes(&at.join("a/ladder.jsonl"));
    let server = Server::run(confined(at, &["serve", "--port", "0", "--run", "a"]));
    let (status, _, page) = server.get("/api/run/history");
    assert!(
        status == 200 && page.contains("metrics.jsonl: longer than") && page.contains("ladder.jsonl: longer than"),
        "{page}"
    );
}

#[test]
fn recipes_openings_and_puzzles() {
    let at = &*Folder::empty();
    let deep = "[".repeat(100_000);
    fs::write(at.join("deep"), format!("a = {deep}")).unwrap();
    fs::write(at.join("long"), "a".repeat(2_000_000)).unwrap();
    fs::write(at.join("json"), format!("{{\"version\":1,\"maps\":{deep}")).unwrap();
    fs::write(at.join("puzzles"), format!("{{\"version\":1,\"game\":\"hex\",\"puzzles\":{deep}")).unwrap();
    let size = r#"{"version":1,"game":"hex","puzzles":[{"id":"a","size":18446744073709551615,"moves":[],"to_move":"red","solution":"a1","reply":[],"grade":1,"proved":true}]}"#;
    fs::write(at.join("size"), size).unwrap();
    holes(&at.join("holes"));
    for recipe in ["deep", "long", "holes", "/dev/zero"] {
        refused(at, &["train", "--recipe", recipe, "--run", "a", "--games", "1"], recipe);
    }
    for maps in ["json", "holes", "/dev/zero"] {
        let words = ["study", "openings", "--game", "hex", "--size", "2", "--visits", "1", "--into", maps];
        refused(at, &words, if maps == "json" { "not a file of opening maps" } else { "longer than" });
    }
    for (puzzles, words) in [
        ("puzzles", "not a file of puzzles"),
        ("size", "18446744073709551615"),
        ("holes", "longer than"),
        ("/dev/zero", "longer than"),
    ] {
        refused(at, &["study", "puzzles", "--check", puzzles], words);
    }
}

/// A pipe with a name of its own, to which nobody writes, is refused rather than waited for.
#[test]
fn named_pipes() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --run a --games 6 --workers 1").success();
    let pipe = |path: &str| assert!(Command::new("mkfifo").arg(at.join(path)).status().unwrap().success());
    pipe("pipe");
    pipe("pipe.toml");
    let words = "it is a named pipe; give a file";
    for arguments in [
        &["train", "--recipe", "pipe.toml", "--run", "b", "--games", "6"][..],
        &["train", "--from", "pipe", "--run", "b", "--games", "6"],
        &["inspect", "pipe"],
        &["gtp", "--model", "pipe"],
        &["arena", "pipe", "random", "--games", "2"],
        &["study", "openings", "--game", "hex", "--size", "2", "--visits", "1", "--into", "pipe"],
        &["study", "puzzles", "--check", "pipe"],
        &["experiment", "pipe.toml"],
        &["replay", "pipe"],
        &["review", "pipe"],
        &["analyze", "--file", "pipe"],
    ] {
        refused(at, arguments, words);
    }
    for name in ["recipe.toml", "state.safetensors", "metrics.jsonl", "journal"] {
        let path = at.join("a").join(name);
        let whole = fs::read(&path);
        let _ = fs::remove_file(&path);
        pipe(&format!("a/{name}"));
        let words = if name == "recipe.toml" { "a holds no run" } else { words };
        refused(at, &["train", "--no-matches", "--resume", "--run", "a", "--games", "12"], words);
        fs::remove_file(&path).unwrap();
        whole.into_iter().for_each(|bytes| fs::write(&path, bytes).unwrap());
    }
    pipe("a/ladder.jsonl");
    refused(at, &["tournament", "ladder", "a", "--games", "0"], words);
    let (succeeded, said) = run(at, &["gtp"], b"loadsgf pipe\nquit\n");
    assert!(succeeded && said.contains(words), "{said}");
    // What another program sends is read.
    let puzzles = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles/y.json")).unwrap();
    let (_, said) = run(at, &["study", "puzzles", "--check", "/dev/stdin"], &puzzles[..puzzles.len() / 2]);
    assert!(said.contains("not a file of puzzles"), "{said}");
    let (succeeded, said) = run(at, &["replay", "/dev/stdin"], b"(;GM[11]SZ[3];B[a1];W[b2])");
    assert!(succeeded, "{said}");
}

#[test]
fn games() {
    let at = &*Folder::empty();
    let line = |moves: &str| format!("{{\"game\":\"hex\",\"size\":5,\"moves\":{moves}}}\n");
    let deep = 100_000;
    let variations = format!("(;GM[11]SZ[5]{}{})", "(;B[a1]".repeat(deep), ")".repeat(deep));
    let files = [
        ("parentheses", "(".repeat(deep), "in the middle"),
        ("many-parentheses", "(".repeat(1_000_000), "more than 262144 moves"),
        ("variations", variations, "a1"),
        ("many", format!("(;GM[11]SZ[5]{})", ";B[a1]".repeat(260_000)), "a1"),
        ("too-many", format!("(;GM[11]SZ[5]{})", ";B[a1]".repeat(2_000_000)), "more than 262144 moves"),
        ("marks", format!("(;GM[11]SZ[5]LB{})", "[a1:x]".repeat(2_000_000)), "more than 262144 moves"),
        ("games", "(;GM[11]SZ[2:2];B[z9])".repeat(700_000), "z9"),
        ("long", format!("(;GM[11]SZ[5]C[{}])", "a".repeat(20_000_000)), "is not read"),
        ("deep", line(&"[".repeat(100_000)), "not a game in JSON"),
        ("line", line(&format!("[\"{}\"]", "a".repeat(3_000_000))), "a line of more than"),
        ("size", line("[]").replace('5', "18446744073709551615"), "boards of size"),
        ("link", "https://hexworld.org/board/#18446744073709551615c1,a1\n".to_owned(), "boards of size"),
    ];
    for (name, text, words) in files {
        fs::write(at.join(name), text).unwrap();
        let (succeeded, said) = run(at, &["replay", name], b"");
        assert!(!succeeded && said.contains(words), "{name}: {}", &said[..said.len().min(1000)]);
    }
    let (succeeded, said) = run(at, &["replay", "/dev/zero"], b"");
    assert!(!succeeded && said.contains("a line of more than"), "{said}");
}

/// One game after another, in a quarter of the memory of the others: all of them at once take 700 MB.
#[test]
fn long_file_of_games_is_read_game_by_game() {
    let folder = &*Folder::empty();
    let game = "(;GM[11]SZ[3];B[a1];W[b2])";
    fs::write(folder.join("long.sgf"), game.repeat(600_000) + "(;GM[11]SZ[").unwrap();
    let output = confined_to(MEMORY / 4, folder, &["replay", "long.sgf"]).output().unwrap();
    assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), 600_000);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: game 600001, character 15600012: it ends in the middle of a game"), "{said}");
}

#[test]
fn lines_of_gtp_and_queries() {
    let at = &*Folder::empty();
    fs::write(at.join("deep.sgf"), "(".repeat(1_000_000)).unwrap();
    let mut input = "x".repeat(50_000_000).into_bytes();
    let lines = "\nboardsize 18446744073709551615\nboardsize -1\ntime_settings 1e300 1e300 4294967295\nloadsgf deep.sgf\n\
                 loadsgf /dev/zero\nquit\n";
    input.extend(lines.bytes());
    let (succeeded, said) = run(at, &["gtp", "--visits", "1"], &input);
    assert!(succeeded && said.contains("line too long") && said.contains("is not read"), "{said}");
    assert_eq!(said.matches("\n\n").count(), 7, "{said}");
    let deep = format!("{{\"id\":{}\n", "[".repeat(60_000));
    let huge = "{\"id\":\"a\",\"size\":18446744073709551615,\"maxVisits\":1}\n{\"id\":\"b\",\"moves\":[],\"analyzeTurns\":[18446744073709551615]}\n";
    let input = [&b"x".repeat(50_000_000)[..], b"\n", deep.as_bytes(), huge.as_bytes()].concat();
    let (_, said) = run(at, &["analyze", "--batch", "--visits", "1"], &input);
    assert_eq!(said.matches("\"error\":").count(), 4, "{said}");
}

#[test]
fn messages_to_the_server() {
    let folder = &*Folder::empty();
    let server = Server::run(confined(folder, &["serve", "--port", "0"]));
    let mut client = server.connect();
    client.say(&"[".repeat(60_000));
    assert!(client.hear()["error"].is_string());
    client.say(&format!("{{\"id\":1,\"do\":\"states\",\"game\":\"hex\",\"size\":{},\"moves\":[]}}", u64::MAX));
    assert!(client.hear()["error"].is_string());
    // A frame that claims to go on for ever.
    client.socket.get_mut().write_all(b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0x").unwrap();
    client.close_code();
    let post = |body: &[u8], more: &str| {
        let head = server.head("POST /api/games?to=jsonl") + more + "\r\n";
        server.exchange(&[head.as_bytes(), body].concat())
    };
    let long = |body: &str| post(body.as_bytes(), &format!("Content-Length: {}\r\n", body.len()));
    for (length, refusal) in [(1 << 60, 413), (17 << 20, 413), (u64::MAX, 431)] {
        assert_eq!(post(b"x", &format!("Content-Length: {length}\r\n")).0, refusal, "{length}");
    }
    let chunks = [&b"1100000\r\n"[..], &[b'x'; 17 << 20]].concat();
    assert!([0, 413].contains(&post(&chunks, "Transfer-Encoding: chunked\r\n").0));
    for body in ["(".repeat(900_000), "[".repeat(900_000), "(;GM[11]SZ[2:2];B[z9])".repeat(40_000)] {
        let (status, _, answer) = long(&body);
        assert!(status == 200 && answer.contains("\"error\":") && answer.len() < 2000, "{status} {answer}");
    }
    let (status, ..) = server.get(&format!("/{}", "x".repeat(10_000_000)));
    assert!([0, 414, 431].contains(&status), "{status}");
    assert!(server.connect().answer(crate::serving::request("move", 3, ""))["move"].is_string());
}
