//! Files of every kind with flipped bytes. The program must not take one with a checksum for the file that was written.
//! Some hundred files of each kind are damaged; `cargo test -- --ignored ten_thousand --nocapture` damages ten thousand
//! and prints a table.

use std::fs;
use std::path::Path;

use hexzero::engine::openings::OpeningMaps;
use hexzero::engine::puzzles::PuzzleFile;
use hexzero::ladder;
use hexzero::network::Checkpoint;
use hexzero::replay::{GameRecord, Journal, JournalOwner, ReplayOptions, Shard, replays};
use hexzero::training::{Metrics, Recipe, RecipeDifference, RunFolder, TrainingState};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::hexzero;
use crate::games::cachex;
use crate::tiny::{folder_with_recipe, train};

/// What became of damaged files of a kind.
#[derive(Default)]
struct Counts {
    refused: usize,
    /// Read, with other contents or fewer.
    other: usize,
    /// Read as if nothing had happened.
    same: usize,
}

/// The result of reading a damaged file: none if it is refused, else whether its contents are those that were written.
type Reading = Option<bool>;

/// Flips bits of one byte of the undamaged file, this many times.
fn flip(bytes: &[u8], times: usize, read: impl Fn(&[u8]) -> Reading) -> Counts {
    assert_eq!(read(bytes), Some(true), "the file itself");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut counts = Counts::default();
    let mut damaged = bytes.to_vec();
    for _ in 0..times {
        let at = rng.random_range(0..bytes.len());
        damaged[at] ^= rng.random_range(1..=255_u8);
        match read(&damaged) {
            None => counts.refused += 1,
            Some(false) => counts.other += 1,
            Some(true) => counts.same += 1,
        }
        damaged[at] = bytes[at];
    }
    counts
}

/// As [`flip`], where contents are what `parse` makes of the file.
fn flip_parsed<T: PartialEq>(bytes: &[u8], times: usize, parse: impl Fn(&[u8]) -> Option<T>) -> Counts {
    let whole = parse(bytes).unwrap();
    flip(bytes, times, |bytes| Some(parse(bytes)? == whole))
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The games of a file of games, replayed; none if one is refused.
fn replayed(bytes: &[u8]) -> Option<Vec<String>> {
    let options = ReplayOptions { states: true, legal: false };
    replays(bytes, options).map(|summary| Some(summary.ok()?.to_line())).collect()
}

/// A kind of file, whether it has a checksum, and what became of the damaged ones.
type Damaged = (&'static str, bool, Counts);

/// Damages files of every kind.
fn damage(folder: &Path, times: usize) -> Vec<Damaged> {
    train(folder, "--recipe tiny.toml --run a --games 12 --workers 1").success();
    let run = RunFolder::open(&folder.join("a")).unwrap();
    let read = |path: &Path| fs::read(path).unwrap();
    let mut all = Vec::new();

    let bytes = read(&run.latest_checkpoint().unwrap());
    all.push(("checkpoint", true, flip_parsed(&bytes, times, |bytes| Checkpoint::from_bytes(bytes, "a").ok())));

    let parse = |bytes: &[u8]| {
        let state = TrainingState::from_bytes(bytes).ok()?;
        Some((state.counters, state.tensors, state.metrics))
    };
    all.push(("state", true, flip_parsed(&read(&run.state()), times, parse)));

    let bytes = read(&run.shard(0));
    all.push(("shard", true, flip_parsed(&bytes, times, |bytes| Shard::from_bytes(bytes).ok())));

    let games = Shard::from_bytes(&bytes).unwrap().records;
    all.push(("journal", true, damage_journal(&folder.join("journal"), &games, times)));

    #[cfg(feature = "cluster")]
    {
        use hexzero::cluster::{PlayedRange, Provenance, decode, encode};
        let provenance =
            Provenance { worker: "w".to_owned(), evaluation: "avx2 f32".to_owned(), seconds: 1.5, cache_hits: None };
        let range = PlayedRange { job: "0123".to_owned(), provenance, games: (0..).zip(games.clone()).collect() };
        let bytes = encode(&range).unwrap();
        let reading = |bytes: &[u8]| Some(decode::<PlayedRange>(bytes).ok()? == range);
        all.push(("message of a cluster", true, flip(&bytes, times, reading)));
    }

    let bytes = read(&run.metrics());
    let whole = Metrics::read(&run);
    let reading = |bytes: &[u8]| {
        fs::write(run.metrics(), bytes).unwrap();
        let read = Metrics::read(&run);
        read.problems.is_empty().then(|| read == whole)
    };
    all.push(("metrics", true, flip(&bytes, times, reading)));

    hexzero(folder, &["tournament", "ladder", "a", "--size", "3", "--games", "8", "--visits", "2"]).success();
    let parse = |bytes: &[u8]| {
        fs::write(run.ladder(), bytes).unwrap();
        ladder::read(&run).ok()
    };
    all.push(("ladder", true, flip_parsed(&read(&run.ladder()), times, parse)));

    // It is compared with the one in the state, as good as a checksum.
    let bytes = read(&run.recipe());
    let parse = |bytes: &[u8]| Recipe::parse(cachex(), text(bytes)?, "damaged").ok();
    let whole = parse(&bytes).unwrap();
    let reading = |bytes: &[u8]| {
        let read = parse(bytes)?;
        whole.differences(&read).iter().all(RecipeDifference::is_free).then(|| read == whole)
    };
    all.push(("recipe of a run", true, flip(&bytes, times, reading)));

    all.extend(damage_other_files(times));
    all
}

/// Damages the journal of these games at a path.
fn damage_journal(path: &Path, games: &[GameRecord], times: usize) -> Counts {
    let owner = JournalOwner { iteration: 3, recipe_hash: "0123abcd".to_owned() };
    let mut journal = Journal::open(path, &owner).unwrap().journal;
    (0..).zip(games).for_each(|(number, game)| journal.add_all(&[(number, game)], number as f64).unwrap());
    flip(&fs::read(path).unwrap(), times, |bytes| {
        fs::write(path, bytes).unwrap();
        let left = Journal::open(path, &owner).ok()?.games;
        assert!(left.iter().all(|(number, game)| *game == games[*number as usize]), "a damaged game");
        Some(left.len() == games.len())
    })
}

/// Damages files that belong to no run.
fn damage_other_files(times: usize) -> Vec<Damaged> {
    let shipped = |path: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let mut all = Vec::new();
    let bytes = shipped("models/hex.openings.json");
    all.push(("opening maps", true, flip_parsed(&bytes, times, |bytes| OpeningMaps::parse(text(bytes)?).ok())));

    let bytes = shipped("puzzles/y.json");
    all.push(("puzzles", false, flip_parsed(&bytes, times, |bytes| PuzzleFile::parse(text(bytes)?).ok())));

    let lines = br#"{"game":"cachex","size":5,"moves":["d2","swap","c4"]}
{"game":"y","size":5,"moves":["a1","b2"],"players":["Ann","Bob"]}
"#;
    let sgf = b"(;FF[4]GM[11]SZ[5]C[a game];B[a1];W[b2];B[c3](;W[d4])(;W[e5]))";
    for (kind, bytes) in [("games as JSON lines", &lines[..]), ("games as SGF", &sgf[..])] {
        all.push((kind, false, flip_parsed(bytes, times, replayed)));
    }
    all
}

fn check(times: usize) {
    let folder = &*folder_with_recipe();
    println!("{:22} {:>7} {:>7} {:>11} {:>11}  checksum", "file", "flips", "refused", "other games", "as if whole");
    for (kind, has_checksum, Counts { refused, other, same }) in damage(folder, times) {
        let sum = if has_checksum { "yes" } else { "no" };
        println!("{kind:22} {times:>7} {refused:>7} {other:>11} {same:>11}  {sum}");
        // White space of a text may be other white space.
        let is_text = ["metrics", "ladder", "opening maps", "recipe of a run"].contains(&kind);
        assert!(
            !has_checksum || is_text || same == 0,
            "{kind}: {same} of {times} damaged files are taken for whole ones"
        );
        // From its first damaged entry on a journal ends, and a ladder without the end of its last line: games are
        // played again. What limits a run may be changed at any time.
        let may_differ = ["journal", "ladder", "recipe of a run"].contains(&kind);
        assert!(!has_checksum || may_differ || other == 0, "{kind}: {other} of {times} damaged files are read");
    }
}

/// A file that has lost the name of its checksum is not one that never had any.
#[test]
fn checksum_name_is_protected_too() {
    let mut bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("models/gale.safetensors")).unwrap();
    let name = bytes.windows(8).position(|window| window == b"checksum").unwrap();
    for at in name..name + 8 {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            assert!(Checkpoint::from_bytes(&bytes, "damaged").is_err(), "bit {bit} of byte {at}");
            bytes[at] ^= 1 << bit;
        }
    }
    assert!(Checkpoint::from_bytes(&bytes, "whole").is_ok());
}

#[test]
fn damaged_files_are_refused() {
    check(300);
}

#[test]
#[ignore = "takes some minutes"]
fn ten_thousand_flips_of_every_kind_of_file() {
    check(10_000);
}
