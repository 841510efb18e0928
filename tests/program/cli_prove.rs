//! `hexzero prove`: values by search, against published ones and those of `hexzero games solve`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::common::hexzero_line;
use crate::output::{json_stdout, stdout};
#[cfg(unix)]
use crate::process::{Process, wait_until};
use crate::tiny::Folder;

/// The openings that win on a board of this size, as published.
fn published(size: usize) -> BTreeSet<String> {
    let known: Value = serde_json::from_str(include_str!("../data/hex_openings.json")).unwrap();
    serde_json::from_value(known[size.to_string()].clone()).unwrap()
}

fn run(arguments: &str) -> assert_cmd::assert::Assert {
    hexzero_line(Path::new("."), arguments)
}

fn proof(arguments: &str) -> Value {
    json_stdout(&run(&format!("prove --json {arguments}")).success().stderr(""))
}

/// An opening and those that a symmetry makes of it.
fn names(opening: &Value) -> impl Iterator<Item = &str> {
    [&opening["move"]].into_iter().chain(opening["same"].as_array().unwrap()).map(|name| name.as_str().unwrap())
}

#[test]
fn openings_are_worth_what_is_published() {
    for options in
        ["3", "4", "5", "3 --uniform", "4 --uniform", "5 --uniform", "3 --knowledge none", "4 --knowledge inferior"]
    {
        let table = proof(&format!("--openings --size {options}"));
        let size: usize = options[..1].parse().unwrap();
        let openings = || table["openings"].as_array().unwrap().iter();
        let won = openings().filter(|opening| opening["value"] == "won").flat_map(names);
        let won: BTreeSet<String> = won.map(str::to_owned).collect();
        assert_eq!((won, openings().flat_map(names).count()), (published(size), size * size), "{options}");
        assert_eq!((&table["game"], &table["stopped"]), (&json!("hex-noswap"), &Value::Null));
    }
}

#[test]
fn table_as_text() {
    let text = stdout(&run("prove --openings --size 3 --uniform").success().stderr(""));
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str, name: &str, value: &str, end: &str| {
        assert!(line.starts_with(&format!("{name}     {value} ")) && line.ends_with(end), "{text}");
    };
    begins(lines[0], "a1", "lost", "(the same: c3)");
    begins(lines[2], "c1", "won ", "(the same: a3)");
    begins(lines[4], "b2", "won ", " s");
    let board = ["    a b c", " 1  . . W  1", "  2  W W W  2", "   3  W . .  3", "       a b c"];
    assert_eq!(lines[5..10].iter().map(|line| line.trim_end()).collect::<Vec<_>>(), board, "{text}");
    assert!(lines[10].contains(" positions, ") && lines.len() == 11, "{text}");
}

#[test]
fn positions_are_worth_what_the_solver_says() {
    for moves in ["a1", "b2", "b2 c2", "b2 a3", "a1 c3", "b1 a1 c1", "a2 b1 c3 b2"] {
        let position = format!("--size 3 {moves}");
        let solved = json_stdout(&run(&format!("games solve --json --game hex-noswap {position}")).success());
        let found = proof(&position);
        assert_eq!(found["value"], solved["value"], "{position}");
        assert_eq!((&found["to_move"], &found["moves"]), (&solved["to_move"], &solved["moves"]));
        let mut choices = solved["choices"].as_array().unwrap().iter();
        let wins = choices.any(|choice| choice["value"] == "won" && choice["move"] == found["move"]);
        assert_eq!(wins, found["value"] == "won", "{position}: {found}");
    }
    // After a swap the game goes on without one.
    assert_eq!(proof("--game hex --size 4 b1 swap")["value"], proof("--size 4 b1")["value"]);
}

#[test]
fn positions_of_y_are_worth_what_the_solver_says() {
    for uniform in ["", "--uniform"] {
        let table = proof(&format!("--game y --size 4 --openings {uniform}"));
        let solved = json_stdout(&run("games solve --json --game y --size 4").success());
        let mut found = 0;
        for opening in table["openings"].as_array().unwrap() {
            for name in names(opening) {
                let choice =
                    solved["openings"].as_array().unwrap().iter().find(|choice| choice["move"] == name).unwrap();
                assert_eq!(opening["value"], choice["value"], "{name}");
                found += 1;
            }
        }
        assert_eq!(found, 10, "{table}");
    }
    assert_eq!(proof("--game y-swap --size 5 c3 swap")["value"], proof("--game y --size 5 c3")["value"]);
    let text = stdout(&run("prove --game y --size 4 --openings").success());
    assert!(text.contains("(the same: "), "{text}");
}

#[test]
fn proof_as_json_and_text() {
    let found = proof("--size 3 --uniform b1 b2");
    let mut rest = found.as_object().unwrap().clone();
    for part in ["carrier", "positions", "seconds"] {
        assert!(rest.remove(part).is_some(), "{part}: {found}");
    }
    let expected = json!({
        "game": "hex-noswap", "size": 3, "moves": ["b1", "b2"], "to_move": "black", "value": "lost", "move": null,
        "open": [], "stopped": null,
    });
    assert_eq!(Value::from(rest), expected);
    let text = stdout(&run("prove --size 3 --uniform b1 b2").success().stderr(""));
    assert!(text.starts_with("black to move: lost\nwhite needs "), "{text}");
    let marks = text.matches('*').count() - 1;
    assert_eq!(marks, found["carrier"].as_array().unwrap().len(), "{text}");
    let text = stdout(&run("prove --size 2").success().stderr(""));
    assert!(text.starts_with("black to move: won, by "), "{text}");
}

#[test]
fn limits_end_the_search() {
    for (limit, reason) in [("--max-nodes 1", "nodes"), ("--time 0.01", "time")] {
        let position = format!("prove --size 8 --uniform {limit}");
        let end = format!("; allow more with {}\n", limit.split(' ').next().unwrap());
        let said = || contains("error: not proven: ").and(contains(end.clone()));
        run(&position).code(1).stdout(contains("black to move: not proven\n")).stderr(said());
        let found = json_stdout(&run(&format!("{position} --json")).code(1).stderr(said()));
        assert_eq!((&found["value"], &found["stopped"]), (&Value::Null, &json!(reason)), "{found}");
        if reason == "nodes" {
            assert_eq!(found["positions"], 1, "{found}");
            assert!(!found["open"].as_array().unwrap().is_empty(), "{found}");
        }
    }
    let table = json_stdout(&run("prove --size 6 --openings --max-nodes 1 --json").code(1));
    assert_eq!((table["openings"].as_array().unwrap().len(), &table["stopped"]), (18, &json!("nodes")));
}

#[test]
fn searches_go_on_from_their_file() {
    let folder = &*Folder::empty();
    let run = |words: &str| hexzero_line(folder, &format!("prove --size 6 --uniform --json --save table {words}"));
    let table = || fs::read(folder.join("table")).unwrap();
    let whole = proof("--size 6 --uniform a2");
    let nodes = |proof: &Value| proof["positions"].as_u64().unwrap();
    let limit = nodes(&whole) * 2 / 3;
    run(&format!("--max-nodes {limit} a2")).code(1);
    let rest = json_stdout(&run("a2").success());
    let mut expected = whole.clone();
    ["positions", "seconds"].iter().for_each(|&part| expected[part] = rest[part].clone());
    assert_eq!(rest, expected);
    assert!(nodes(&rest) < nodes(&whole) - limit / 2, "{rest} {whole}");
    let proven = table();
    assert_eq!(nodes(&json_stdout(&run("a2").success())), 0);
    assert!(proven == table());
    // Other searches and damaged files are refused, and the file stays.
    let refused = |words: &str, said: &str| {
        let before = table();
        run(words).code(1).stdout("").stderr(contains("cannot go on from table: ").and(contains(said.to_owned())));
        assert!(before == table(), "{words}");
    };
    refused("--knowledge connections a2", "another --knowledge");
    hexzero_line(folder, "prove --size 5 --save table").code(1).stderr(contains("Hex of size 6, not Hex of size 5"));
    for (at, said) in [(0, "not a table"), (18, "checksum"), (proven.len() - 1, "checksum")] {
        let mut damaged = proven.clone();
        damaged[at] ^= 16;
        fs::write(folder.join("table"), damaged).unwrap();
        refused("a2", said);
    }
    for (length, said) in [(18, "cut off"), (proven.len() / 2, "checksum")] {
        fs::write(folder.join("table"), &proven[..length]).unwrap();
        refused("a2", said);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_known() {
    let folder = &*Folder::empty();
    let said = || fs::read_to_string(folder.join("said")).unwrap();
    let mut child = Process::start(folder, "said", "prove --size 7 --openings");
    wait_until("an opening", || said().contains('\n'));
    child.interrupt();
    assert_eq!(child.wait().code(), Some(1));
    assert!(said().starts_with("a1     lost ") && said().contains(" ? ? "), "{}", said());
    let error = fs::read_to_string(folder.join("said.err")).unwrap();
    assert_eq!(error, "error: not proven: interrupted\n");
}

#[test]
fn certificates_name_the_position() {
    let folder = &*Folder::empty();
    let prove = |moves: &str| {
        hexzero_line(folder, &format!("prove --size 4 --certificate proof {moves}")).success();
        fs::read_to_string(folder.join("proof")).unwrap()
    };
    let text = prove("a1 b2 c4");
    let head = "hexzero certificate 1\ngame hex-noswap\nsize 4\nfirst a1 c4\nsecond b2\nto_move second\nwinner ";
    assert!(text.starts_with(head) && text.ends_with('\n'), "{text}");
    assert!(prove("").contains("\nfirst\nsecond\nto_move first\nwinner first\n"));
}

/// Values of small boards of the other games, as the solvers of the games and published sources have them.
#[test]
fn openings_of_other_games() {
    let known = include_str!("../data/family_values.jsonl").lines().map(|line| serde_json::from_str(line).unwrap());
    let known: Vec<Value> = known.collect();
    for (game, size) in
        [("tack", 3), ("fan", 3), ("link", 3), ("chameleon", 3), ("vex", 3), ("gale", 3), ("dozer-noswap", 3)]
    {
        let values = known.iter().find(|known| known["game"] == game && known["size"] == size).unwrap();
        let sign = if game == "vex" { -1 } else { 1 };
        let table = proof(&format!("--game {game} --size {size} --openings"));
        let mut found = 0;
        for opening in table["openings"].as_array().unwrap() {
            for name in names(opening) {
                let value = sign * values["openings"][name].as_i64().unwrap();
                let word = ["lost", "drawn", "won"][(value + 1) as usize];
                assert_eq!(opening["value"], word, "{game} {size} {name}");
                // The known plies leave out the opening.
                let plies = values["plies"][name].as_u64().map(|plies| plies + 1);
                assert_eq!(opening["plies"].as_u64(), plies, "{game} {size} {name}");
                found += 1;
            }
        }
        assert_eq!(found, values["openings"].as_object().unwrap().len(), "{game} {size}");
        assert_eq!(table["stopped"], Value::Null);
    }
}

#[test]
fn network_finds_proofs_of_other_games_sooner() {
    for game in ["tack", "12star"] {
        let [guided, alike] = ["", "--uniform"].map(|how| proof(&format!("--game {game} --size 4 --openings {how}")));
        let values = |table: &Value| -> Vec<Value> {
            table["openings"].as_array().unwrap().iter().map(|opening| opening["value"].clone()).collect()
        };
        assert_eq!(values(&guided), values(&alike), "{game}");
        let positions = [&guided, &alike].map(|table| table["positions"].as_u64().unwrap());
        assert!(positions[0] * 3 < positions[1], "{game}: {positions:?}");
    }
}

#[test]
fn openings_of_cachex_and_their_picture() {
    let known: Value = serde_json::from_str(include_str!("../data/cachex_openings.json")).unwrap();
    let known = known.as_array().unwrap().iter().find(|board| board["size"] == 4).unwrap();
    let folder = &*Folder::empty();
    let command = "prove --game cachex --size 4 --openings --json --svg map.svg";
    let table = json_stdout(&hexzero_line(folder, command).success());
    for opening in table["openings"].as_array().unwrap() {
        let known =
            known["openings"].as_array().unwrap().iter().find(|known| known["cell"] == opening["move"]).unwrap();
        let plies = known["plies"].as_u64().map(|plies| plies + 1);
        assert_eq!((&opening["value"], opening["plies"].as_u64()), (&known["result"], plies), "{opening}");
    }
    assert_eq!(table["openings"].as_array().unwrap().len(), 8, "half a turn makes two of them equal");
    let picture = fs::read_to_string(folder.join("map.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.matches("<title>").count() == 16, "{picture}");
}

#[test]
fn positions_of_other_games_as_text() {
    let text = |arguments: &str| stdout(&run(&format!("prove {arguments}")).success().stderr(""));
    assert!(text("--game tack --size 3").starts_with("black to move: won, by "));
    assert!(text("--game vex --size 3").starts_with("black to move: drawn, by "));
    assert!(text("--game cachex --size 3 b1 a3").starts_with("red to move: "));
    let table = text("--game imnyss --size 3 --openings n:x");
    let board = ["    a b c", " 1  . . .  1", "  2  W W W  2", "   3  . . .  3", "       a b c"];
    let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
    assert_eq!(lines[lines.len() - 6..lines.len() - 1], board, "{table}");
    let table = text("--game cachex --size 3 --openings");
    assert!(table.contains("\nvalues without the swap; the second player would swap a winning move\n"), "{table}");
}

#[test]
fn limits_of_other_games() {
    for (arguments, end) in [
        ("--game chameleon --size 6 --max-nodes 1", "; allow more with --max-nodes\n"),
        ("--game chameleon --size 6 --time 0.01", "; allow more with --time\n"),
        ("--game cachex --size 4 --max-plies 3", "; allow more with --max-plies\n"),
    ] {
        let said = run(&format!("prove {arguments}")).code(1);
        said.stdout(contains(" to move: no")).stderr(contains("error: not proven: ").and(contains(end)));
    }
    // A full table forgets, and the result is the same.
    let table = |memory: &str| {
        let table = proof(&format!("--game tack --size 4 --openings {memory}"));
        let values = table["openings"].as_array().unwrap().iter().map(|opening| opening["value"].clone());
        values.collect::<Vec<_>>()
    };
    assert_eq!(table("--memory 1"), table(""));
}
