//! `hexzero serve`: every request, and all that a client should not do.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use hexzero::games::game_names;
use hexzero::replay::Shard;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::protocol::frame::coding::CloseCode;

#[cfg(target_os = "linux")]
use crate::besieged::{memory, taken};
use crate::games::cachex;
use crate::output::each;
use crate::process::{wait_for_some, wait_until};
use crate::runs::damage_metrics;
use crate::serving::{self, Client, Server, request, with};
use crate::{common, tiny};

#[test]
fn page_and_list_of_games_are_served() {
    let server = Server::start(&[]);
    let (status, head, body) = server.get("/");
    assert!(status == 200 && body.starts_with("<!doctype html>"), "{head}\n{body}");
    for header in ["content-type: text/html", "content-security-policy: default-src 'none'", "nosniff"] {
        assert!(head.contains(header), "{head}");
    }
    let about = server.get_json("/api/about");
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    let first = &about["games"][0];
    assert_eq!((&first["id"], &first["title"]), (&json!("cachex"), &json!("Cachex")));
    assert_eq!(first["boards"], json!({"least": 3, "most": 15, "default": 7, "meaning": "cells on a side"}));
    assert_eq!(
        first["seats"][1],
        json!({"name": "blue", "goal": "connects the first and last column", "task": "Connect the two blue sides."})
    );
    let swap = &first["actions"][0];
    assert_eq!((&swap["word"], &swap["kind"]), (&json!("swap"), &json!("swap")));
    for text in ["label", "offer", "done", "suffered"] {
        assert!(swap[text].as_str().is_some_and(|text| !text.is_empty()), "{text}: {swap}");
    }
    assert_eq!((&first["endings"][0]["key"], &first["choices"]), (&json!("connection"), &json!([])));
    assert_eq!((&first["model"], &first["learnt"]), (&json!("the network 'shipped'"), &json!(15)));
    // The red stones of the picture of a capture are at c1 and b3, and those that are gone were at b2 and c2.
    let picture = &first["lesson"][1]["pictures"][1];
    assert_eq!(picture["pieces"], json!([{"place": 2, "owner": 0}, {"place": 9, "owner": 0}]));
    assert_eq!((&picture["size"], &picture["taken"]), (&json!(4), &json!([5, 6])));
    assert_eq!(each(&about["games"], "id"), game_names());
    assert_eq!(about["levels"].as_array().unwrap().len(), 8);
    assert_eq!(
        (&about["effort"], &about["most_seconds"], &about["run"]),
        (&json!({"seconds": 1.0}), &json!(60), &Value::Null)
    );
}

#[test]
fn layouts_opening_maps_and_puzzles_are_served() {
    let server = Server::start(&[]);
    let layout = server.get_json("/api/layout?game=cachex&size=5");
    let places = layout["places"].as_array().unwrap();
    assert_eq!((places.len(), &places[7]["label"], &places[7]["kind"]), (25, &json!("c2"), &json!("cell")));
    assert_eq!(places[7]["arrows"]["directions"], json!([11, 12, 8, 3, 2, 6]));

    let map = server.get_json("/api/openings?game=hex&size=5");
    let openings = map["openings"].as_array().unwrap();
    assert_eq!(openings.len(), 25, "all first moves, not one of those that are the same");
    let of = |name: &str| openings.iter().find(|opening| opening["move"] == name).unwrap();
    assert_eq!((&of("a1")["kept"], &of("a1")["swapped"]), (&of("e5")["kept"], &of("e5")["swapped"]));
    assert_eq!(of("a1")["replies"]["b1"], of("e5")["replies"]["d5"]);

    let about = server.get_json("/api/about");
    let mut with_puzzles = 0;
    for game in about["games"].as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let path = format!("/puzzles/{id}.json");
        if game["puzzles"] == true {
            let file = server.get_json(&path);
            assert!(file["game"] == id && !file["puzzles"].as_array().unwrap().is_empty(), "{id}");
            with_puzzles += 1;
        } else {
            assert_eq!(server.get(&path).0, 404, "{id}");
        }
    }
    assert!(with_puzzles >= 3);
    for path in ["/puzzles/chess.json", "/puzzles/hex", "/puzzles/../models/hex.json"] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
}

#[test]
fn set_up_positions_are_played() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let setup = json!({"first": ["a1", "b2"], "second": ["c3"], "to_move": "second"});
    let ask = |client: &mut Client, what: Value| {
        let mut request = json!({"game": "hex", "size": 5, "setup": setup, "moves": []});
        request.as_object_mut().unwrap().extend(what.as_object().unwrap().clone());
        let id = client.ask(request);
        loop {
            let answer = client.hear();
            assert_eq!(answer["id"], id, "{answer}");
            if answer["reviewing"].is_null() {
                return answer;
            }
        }
    };
    let states = ask(&mut client, json!({"do": "states", "moves": ["d4"], "from": 0}));
    let (start, after) = (&states["states"][0], &states["states"][1]);
    assert_eq!((&start["to_move"], &start["pieces"][6]["owner"]), (&json!("white"), &json!(0)));
    assert_eq!(start["legal"].as_array().unwrap().len(), 22, "no swap");
    assert_eq!((&after["to_move"], &after["player"]), (&json!("black"), &json!("white")));
    // The engine was at the empty board, and takes the position from the request.
    client.answer(json!({"do": "move", "game": "hex", "size": 5, "moves": [], "visits": 9}));
    let moved = ask(&mut client, json!({"do": "move", "visits": 20}));
    assert_eq!(moved["state"]["player"], "white", "{moved}");
    let review = ask(&mut client, json!({"do": "review", "moves": ["d4", "e1"], "visits": 9}));
    assert_eq!(review["review"]["moves"][0]["player"], "white", "{review}");
}

/// Starts the program with this command for its browser.
fn start_with_browser(browser: &str, arguments: &[&str]) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
    command.env("BROWSER", browser).args(arguments);
    Server::run(command)
}

#[cfg(unix)]
#[test]
fn page_opens_in_the_named_browser() {
    use std::os::unix::fs::PermissionsExt;

    let folder = &*tiny::Folder::empty();
    let (browser, seen) = (folder.join("browser"), folder.join("seen"));
    fs::write(&browser, format!("#!/bin/sh\necho \"$@\" > '{}.part'; mv '{0}.part' '{0}'\n", seen.display())).unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let command = format!("{} --new-window", browser.display());
    let server = start_with_browser(&command, &["serve", "--port", "0", "--open", "--host", "0.0.0.0"]);
    wait_until("a browser", || seen.exists());
    let said = fs::read_to_string(&seen).unwrap();
    assert_eq!(said, format!("--new-window http://127.0.0.1:{}\n", server.port));
    drop(server);
    let server = start_with_browser("/no/such/browser", &["serve", "--port", "0", "--open"]);
    assert_eq!(server.get("/").0, 200, "the server is there all the same");
    let (code, said) = server.interrupt();
    assert!(code == Some(0) && said.starts_with("cannot open a browser: "), "{code:?}: {said}");
}

#[test]
fn wrong_paths_methods_and_requests_are_refused() {
    let server = Server::start(&[]);
    let paths = "/nothing /assets/nothing.js /assets/../Cargo.toml /assets/%2e%2e%2findex.html /run /api/run \
                 /api/run/history /api/run/opinion?step=1 /api/run/games";
    for path in paths.split(' ') {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    let status = |line: &str, headers: &str| server.exchange((server.head(line) + headers + "\r\n").as_bytes()).0;
    for method in ["POST", "PUT", "DELETE", "BREW"] {
        assert_eq!(status(&format!("{method} /"), ""), 405, "{method}");
        assert_eq!(status(&format!("{method} /api/about"), ""), 405, "{method}");
    }
    // No upgrade, or half of one.
    for headers in ["", "Upgrade: websocket\r\n", "Upgrade: h2c\r\nSec-WebSocket-Version: 13\r\n"] {
        let status = status("GET /api/play", headers);
        assert!((400..500).contains(&status), "{headers}: {status}");
    }
    let long = "x".repeat(1 << 20);
    for garbage in [
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "\u{0}\u{1}\u{2}\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        &format!("GET /{long} HTTP/1.1\r\n\r\n"),
        &format!("GET / HTTP/1.1\r\nX: {long}\r\n\r\n"),
    ] {
        let (status, head, _) = server.exchange(garbage.as_bytes());
        // What is not HTTP at all may be met with silence.
        assert!(status == 0 || (400..500).contains(&status), "{head}");
    }
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn cross_origin_requests_are_refused() {
    let server = Server::start(&[]);
    let own = format!("http://127.0.0.1:{}", server.port);
    assert!(server.try_connect(&[("Origin", &own)]).is_ok());
    for origin in ["http://evil.example", "http://127.0.0.1:1", "null", "https://localhost.evil.example"] {
        assert_eq!(server.try_connect(&[("Origin", origin)]).err(), Some(403), "{origin}");
    }
    // The name of another site that resolves to this machine.
    let evil = [("Host", "evil.example"), ("Origin", "http://evil.example")];
    assert_eq!(server.try_connect(&evil).err(), Some(403));
    assert_eq!(server.get_as("evil.example", "/api/about").0, 403);
}

/// Requests that a proxy or a browser might read in two ways are refused, on every path and with every method.
#[test]
fn ambiguous_hosts_are_refused() {
    let server = Server::start(&[]);
    let port = server.port;
    let own = format!("127.0.0.1:{port}");
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let status = |line: &str, headers: &str| {
        // The connection may stay open.
        let mut stream = server.stream_from([127, 0, 0, 1]);
        stream.set_read_timeout(Some(serving::PATIENCE)).unwrap();
        stream.write_all(format!("{line}\r\n{headers}\r\n").as_bytes()).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap_or_else(|error| panic!("{line} {headers}: {error}"));
        String::from_utf8_lossy(&head[9..]).parse::<u16>().unwrap()
    };
    for (path, more) in [("/", "Connection: close\r\n"), ("/api/play", upgrade)] {
        let get = format!("GET {path} HTTP/1.1");
        for hosts in [
            format!("Host: {own}\r\nHost: evil.example\r\n"),
            format!("Host: evil.example\r\nHost: {own}\r\n"),
            format!("Host: {own}\r\nHost: {own}\r\n"),
            format!("Host: {own}\r\nhOST: evil.example\r\n"),
            format!("Host: {own}, evil.example\r\n"),
            format!("Host: {own}\r\n evil.example\r\n"),
            format!("Host : evil.example\r\nHost: {own}\r\n"),
            "Host: evil.example\r\n".to_owned(),
            "Host: localhost.\r\n".to_owned(),
            "Host: localhost:\r\nHost:\r\n".to_owned(),
            "Host:\r\n".to_owned(),
            "Host: localhost:99999999\r\n".to_owned(),
            "Host: localhost:80:80\r\n".to_owned(),
            format!("Host: evil.example@{own}\r\n"),
            format!("Host: {own}\r\nOrigin: http://{own}\r\nOrigin: http://evil.example\r\n"),
            String::new(),
        ] {
            let status = status(&get, &(hosts.clone() + more));
            assert!([400, 403].contains(&status), "{path} {hosts}: {status}");
        }
        for target in ["http://evil.example", "http://evil.example:8765", "https://localhost", "http://127.0.0.1:1"] {
            let (line, host) = (format!("GET {target}{path} HTTP/1.1"), format!("Host: {own}\r\n"));
            assert_eq!(status(&line, &(host + more)), 400, "{line}");
        }
        let evil = status(&format!("GET http://evil.example{path} HTTP/1.1"), &format!("Host: evil.example\r\n{more}"));
        assert_eq!(evil, 403);
        let user = status(&format!("GET http://evil.example@{own}{path} HTTP/1.1"), &format!("Host: {own}\r\n{more}"));
        assert_eq!(user, 400);
        let proxied = status(&format!("GET http://{own}{path} HTTP/1.1"), &format!("Host: {own}\r\n{more}"));
        assert_eq!(proxied, if path == "/" { 200 } else { 101 });
    }
    assert_eq!(status("GET / HTTP/1.0", ""), 400);
    assert_eq!(status("GET / HTTP/1.0", &format!("Host: {own}\r\n")), 200);
    let post = format!("Host: {own}\r\nHost: evil.example\r\nContent-Length: 2\r\nConnection: close\r\n");
    assert_eq!(status("POST /api/games?to=tree HTTP/1.1", &post), 400);
    assert_eq!(status(&format!("CONNECT {own} HTTP/1.1"), &format!("Host: {own}\r\nConnection: close\r\n")), 404);
}

/// A public server accepts addresses and the names that it was given, and refuses all other names.
#[test]
fn public_server_accepts_only_its_own_names() {
    let server = Server::start(&["--host", "0.0.0.0", "--allow-host", "board.example"]);
    let status = |host: &str| {
        let (status, _, body) = server.get_as(host, "/api/about");
        assert!(status == 200 || body.contains("--allow-host NAME"), "{body}");
        status
    };
    assert_eq!(["192.0.2.1:8765", "Board.Example:80", "evil.example"].map(status), [200, 200, 403]);
    let headers = [("Host", "evil.example"), ("Origin", "http://evil.example")];
    assert_eq!(server.try_connect(&headers).err(), Some(403));
}

/// Unfinished requests of one address do not keep other addresses out, nor that one for long.
#[cfg(target_os = "linux")]
#[test]
fn half_requests_of_one_address_keep_nobody_out() {
    use std::io::ErrorKind;

    let server = Server::start(&["--host", "0.0.0.0"]);
    let half = || {
        let mut stream = server.stream_from([127, 0, 0, 1]);
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.").unwrap();
        stream
    };
    let start = Instant::now();
    let mut crowd: Vec<TcpStream> = (0..256).map(|_| half()).collect();
    let request = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    for address in [[127, 0, 0, 2], [127, 0, 0, 1]] {
        assert_eq!(Server::exchange_over(server.stream_from(address), request).0, 200, "{address:?}");
    }
    // They need not wait until the half requests time out after ten seconds. A slow machine proves nothing.
    let last = crowd.last_mut().unwrap();
    last.set_nonblocking(true).unwrap();
    let is_open = last.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    assert!(is_open || start.elapsed() > Duration::from_secs(9));
    drop(crowd);
}

#[cfg(target_os = "linux")]
#[test]
fn crowded_address_gives_its_oldest_to_others() {
    let server = Server::start(&["--host", "0.0.0.0", "--sessions", "3"]);
    let mut clients: Vec<Client> = (0..3).map(|_| server.connect()).collect();
    assert_eq!(server.try_connect(&[]).err(), Some(503));
    assert!(clients[0].answer(request("states", 5, ""))["states"].is_array());
    let mut other = server.connect_from([127, 0, 0, 2]);
    assert!(other.answer(request("move", 5, ""))["move"].is_string());
    assert_eq!(clients.remove(1).close_code(), Some(CloseCode::Again), "the one that asked nothing for longest");
    for client in &mut clients {
        assert!(client.answer(request("move", 5, ""))["move"].is_string());
    }
}

/// The usual limit is more than a minute.
#[test]
fn silent_clients_are_dropped_and_others_stay() {
    let server = Server::start(&["--sessions", "2", "--silence", "5"]);
    // Its socket is not read until the end, so no ping is answered.
    let mut silent = server.connect();
    let mut patient = server.connect();
    let answering = thread::spawn(move || {
        // Twice as long as the other has: reading a ping answers it.
        for _ in 0..6 {
            while !patient.socket.read().unwrap().is_ping() {}
        }
        patient.socket.flush().unwrap();
        patient
    });
    let _third = connect_in_the_end(&server);
    let mut patient = answering.join().unwrap();
    assert!(patient.answer(request("states", 5, ""))["states"].is_array());
    // It is cut off without a word. One that is idle for a minute is told that others wait for its place.
    assert_eq!(silent.close_code(), None);
}

#[test]
fn states_follow_the_rules() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    // The blue stones b2 and c2 lie between the red ones c1 and b3.
    let moves = ["c1", "b2", "a5", "c2", "b3"];
    let answer = client.answer(with(request("states", 5, &moves.join(" ")), "from", 0));
    let states = answer["states"].as_array().unwrap();
    assert_eq!(states.len(), 6);
    let mut game = cachex().start(5).unwrap();
    for (turn, state) in states.iter().enumerate() {
        if turn > 0 {
            game.play_named(moves[turn - 1]).unwrap();
        }
        let pieces: Vec<Value> = (0..25).map(|place| json!(game.piece(place))).collect();
        assert_eq!(state["pieces"], json!(pieces));
        assert_eq!(state["to_move"], cachex().seat_name(game.to_move()));
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        let legal = legal.iter().map(|&action| json!({"name": game.action_name(action), "picks": game.picks(action)}));
        assert_eq!(state["legal"], legal.collect::<Value>());
        let swap = json!({"name": "swap", "picks": [{"button": 0}]});
        assert_eq!(state["legal"].as_array().unwrap().contains(&swap), turn == 1);
        assert_eq!(state["outcome"], Value::Null);
        assert_eq!(state["move"].as_str(), turn.checked_sub(1).map(|last| moves[last]));
    }
    let told = |state: &Value| (state["player"].clone(), state["changes"].clone());
    assert_eq!(told(&states[0]), (Value::Null, json!([])));
    assert_eq!(told(&states[5]), (json!("red"), json!([{"placed": 11}, {"removed": 6}, {"removed": 7}])));
    // Without a number only the last one.
    let last = client.answer(request("states", 5, "C1 Swap"))["states"].clone();
    assert_eq!(last.as_array().unwrap().len(), 1);
    assert_eq!(told(&last[0]), (json!("blue"), json!([{"moved": [2, 10]}, {"recoloured": 10}])));
    assert_eq!(last[0]["move"], "swap");
    // A game that is over.
    let last = client.answer(request("states", 3, "a1 c1 a2 c2 a3"))["states"][0].clone();
    assert_eq!(
        last["outcome"],
        json!({"winner": "red", "reason": "connection", "text": "red wins: the two sides are connected"})
    );
    assert_eq!((&last["chain"], &last["legal"], &last["to_move"]), (&json!([0, 3, 6]), &json!([]), &Value::Null));
    // Another game on the same connection.
    let hex = json!({"do": "states", "game": "hex-noswap", "size": 2, "moves": ["a1"]});
    assert_eq!(client.answer(hex)["states"][0]["pieces"], json!([{"owner": 0}, null, null, null]));
}

/// Plays on from a position until the game is over, and gives its moves.
fn play_out(client: &mut Client, size: usize, level: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    loop {
        let answer = client.answer(with(request("move", size, &moves.join(" ")), "level", level));
        let state = &answer["state"];
        assert_eq!(state["move"], answer["move"], "{answer}");
        assert!((0.0..=1.0).contains(&answer["win"].as_f64().unwrap()), "{answer}");
        moves.push(answer["move"].as_str().unwrap().to_owned());
        let states = client.answer(request("states", size, &moves.join(" ")));
        assert_eq!(&states["states"][0], state);
        if !state["outcome"].is_null() {
            return moves;
        }
    }
}

#[test]
fn engine_plays_whole_games_on_every_level() {
    let server = Server::start(&["--visits", "20"]);
    let mut client = server.connect();
    for level in ["newcomer", "casual", "advanced", "full"] {
        let moves = play_out(&mut client, 4, level);
        let over = client.answer(request("move", 4, &moves.join(" ")));
        assert_eq!(over["error"], "the game is over; there is nothing to think about");
    }
}

#[test]
fn moves_by_visits_time_and_clock() {
    let server = Server::start(&["--visits", "30"]);
    let mut client = server.connect();
    let ask = || request("move", 7, "d3 swap e5");
    assert_eq!(client.answer(ask())["visits"], 30);
    // The tree is of use again, at the same position and at later ones.
    assert_eq!(client.answer(with(ask(), "visits", 45))["visits"], 45);
    let answer = client.answer(with(ask(), "visits", 10));
    assert_eq!(answer["visits"], 45);
    let later = with(request("move", 7, &format!("d3 swap e5 {}", answer["move"].as_str().unwrap())), "visits", 1);
    assert!(client.answer(later)["visits"].as_u64().unwrap() > 1);
    assert!(client.answer(with(ask(), "seconds", 0.2))["visits"].as_u64().unwrap() > 45);
    let casual = client.answer(with(ask(), "level", "casual"));
    assert_eq!(casual["visits"], 1);
    let by_clock = |left: f64| with(ask(), "clock", json!({"left": left, "increment": 0.0}));
    let seconds = |answer: &Value| answer["seconds"].as_f64().unwrap();
    let (short, long) = (client.answer(by_clock(0.0)), client.answer(by_clock(4.0)));
    assert!(short["visits"].as_u64().unwrap() >= 1, "{short}");
    assert!(seconds(&long) < 4.0, "{long}");
}

#[test]
fn full_strength_is_timed_and_levels_are_not() {
    // Even a busy machine makes more visits in this time than a move had when they were counted.
    let server = Server::start(&["--seconds", "5"]);
    let mut client = server.connect();
    let ask = |level: &str| with(request("move", 9, "b4"), "level", level);
    let full = client.answer(ask("full"));
    assert!(full["visits"].as_u64().unwrap() > 400, "{full}");
    // The level limits the search, however long it may take.
    for level in ["casual", "strong"] {
        let few = client.answer(ask(level))["visits"].clone();
        let mut other = server.connect();
        assert_eq!(other.answer(with(ask(level), "seconds", 30))["visits"], few, "{level}");
    }
    // A move that wins is played at once.
    let certain = client.answer(with(request("move", 5, "c1 b2 a5 c2 b4 d3 b3 e1"), "seconds", 60));
    assert!(certain["seconds"].as_f64().unwrap() < 60.0, "{certain}");
}

#[test]
fn solvable_board_is_analysed_by_exact_values() {
    let proven = |options: &[&str]| {
        let server = Server::start(options);
        let mut client = server.connect();
        client.ask(with(request("analyze", 4, ""), "seconds", 0.05));
        client.hear_done()["analysis"]["proven"]["value"].clone()
    };
    assert_eq!(proven(&["--exact"]), "lost");
    assert_eq!(proven(&[]), Value::Null);
}

#[test]
fn analysis_grows_until_its_time_or_a_stop() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let id = client.ask(with(with(request("analyze", 7, "d3"), "seconds", 0.5), "lines", 3));
    let mut visits = Vec::new();
    loop {
        let answer = client.hear();
        assert_eq!(answer["id"], id);
        let analysis = &answer["analysis"];
        assert_eq!(analysis["lines"].as_array().unwrap().len(), 3);
        assert_eq!(analysis["board"]["first"].as_array().unwrap().len(), 49);
        visits.push(analysis["visits"].as_u64().unwrap());
        if analysis["done"] == true {
            break;
        }
    }
    assert!(visits.len() > 1 && visits.is_sorted(), "{visits:?}");
    // The last analysis comes before the answer to a stop.
    let id = client.ask(with(request("analyze", 7, "d3"), "seconds", 60));
    let stop = client.ask(json!({"do": "stop"}));
    let last = client.hear_done();
    assert!(last["id"] == id && last["analysis"]["visits"].as_u64() >= visits.last().copied(), "{last}");
    assert_eq!(client.hear(), json!({"id": stop, "stopped": true}));
    assert_eq!(client.answer(json!({"do": "stop"}))["stopped"], true);
    // Another request for a search ends it too; positions may be asked for meanwhile.
    let first = client.ask(with(request("analyze", 9, ""), "seconds", 60));
    let states = client.ask(request("states", 9, "a1"));
    let second = client.ask(with(request("analyze", 9, "a1"), "seconds", 0.05));
    let (mut done, mut seen) = (Vec::new(), false);
    while done.len() < 2 {
        let answer = client.hear();
        seen |= answer["id"] == states;
        if answer["analysis"]["done"] == true {
            done.push(answer["id"].as_u64().unwrap());
        }
    }
    assert_eq!((done, seen), (vec![first, second], true));
}

#[test]
fn pending_move_can_be_stopped_but_not_replaced() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let id = client.ask(with(request("move", 9, "a1"), "seconds", 60));
    let refused = client.ask(request("analyze", 9, ""));
    assert_eq!(client.hear(), json!({"id": refused, "error": "a move is being chosen already; 'stop' ends that"}));
    let stop = client.ask(json!({"do": "stop"}));
    let answer = client.hear();
    assert!(answer["id"] == id && answer["move"].is_string(), "{answer}");
    assert_eq!(client.hear(), json!({"id": stop, "stopped": true}));
}

#[test]
fn refused_requests_do_no_harm() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let long = client.answer(request("states", 5, &"é".repeat(10_000)));
    assert!(long["error"].as_str().unwrap().len() < 300, "{long}");
    assert!(client.answer(request("move", 5, "a1"))["move"].is_string());
    client.say("garbage");
    assert_eq!(client.hear()["id"], Value::Null);
    client.socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(client.hear(), json!({"id": null, "error": "requests are text frames, this is a binary one"}));
}

/// Whatever a client sends, it gets an answer to each text, and the server lives.
#[test]
fn garbage_is_answered() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let fields = prop_oneof![
        Just(r#""game":"cachex""#.to_owned()),
        Just(r#""moves":["a1","swap"]"#.to_owned()),
        Just(r#""clock":{"left":0.01,"increment":-0}"#.to_owned()),
        "\"(do|id|size|from|level|visits|seconds|lines|moves)\":(\"(states|move|analyze|stop|full)\"|-?[0-9]{1,20}|[0-9]e-?[0-9]{1,3}|null|\\[\\]|true)",
        "\"\\PC{0,5}\":\\PC{0,5}",
    ];
    let objects = prop::collection::vec(fields, 0..8).prop_map(|fields| format!("{{{}}}", fields.join(",")));
    let texts = prop_oneof![objects, any::<String>()];
    let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
    let mut client = std::cell::RefCell::new(&mut client);
    runner
        .run(&texts, |text| {
            let mut client = client.borrow_mut();
            client.say(&text);
            // This ends a search that was begun by chance; every text is answered before it.
            client.say(r#"{"id":4242424242,"do":"stop"}"#);
            let mut answers = 0;
            while client.hear()["id"] != 4_242_424_242_u64 {
                answers += 1;
            }
            prop_assert!(answers >= 1);
            Ok(())
        })
        .unwrap();
    assert!(client.get_mut().answer(request("move", 3, ""))["move"].is_string());
}

#[test]
fn broken_frames_end_only_their_connection() {
    let server = Server::start(&[]);
    let mut good = server.connect();
    let mut client = server.connect();
    let _ = client.socket.send(Message::text("x".repeat(65 << 10)));
    assert_eq!(client.close_code(), Some(CloseCode::Policy));
    // A frame that is too long to be read.
    let mut client = server.connect();
    let _ = client.socket.send(Message::text("x".repeat(2 << 20)));
    client.close_code();
    // Unmasked, with reserved bits, an unknown opcode, text that is no UTF-8, and the start of a frame without its end.
    let frames: [&[u8]; 5] =
        [b"\x81\x02hi", b"\xf1\x80\0\0\0\0", b"\x8b\x80\0\0\0\0", b"\x81\x82\0\0\0\0\xff\xfe", b"\x81\xff\xff"];
    for frame in frames {
        let mut client = server.connect();
        client.socket.get_mut().write_all(frame).unwrap();
        client.socket.get_mut().shutdown(std::net::Shutdown::Write).unwrap();
        client.close_code();
    }
    // A client that leaves without a word during a search.
    let mut client = server.connect();
    client.ask(with(request("analyze", 9, ""), "seconds", 60));
    client.hear();
    drop(client);
    assert!(good.answer(request("move", 5, ""))["move"].is_string());
}

#[test]
fn connections_are_limited() {
    let server = Server::start(&["--sessions", "3"]);
    let mut clients: Vec<Client> = (0..3).map(|_| server.connect()).collect();
    assert_eq!(server.try_connect(&[]).err(), Some(503));
    assert_eq!(server.get("/").0, 200);
    for client in &mut clients {
        assert!(client.answer(request("move", 5, ""))["move"].is_string());
    }
    let mut leaving = clients.pop().unwrap();
    leaving.socket.close(None).unwrap();
    leaving.close_code();
    // The place is free a moment later.
    let mut client = connect_in_the_end(&server);
    assert!(client.answer(request("move", 5, ""))["move"].is_string());
}

/// A client that never reads its answers, and one that begins a request and does not end it.
#[test]
fn slow_clients_delay_nobody() {
    let server = Server::start(&["--sessions", "2"]);
    let mut slow = server.connect();
    slow.ask(with(with(request("analyze", 15, ""), "seconds", 60), "lines", 225));
    slow.socket.get_ref().set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    // Until the buffers between the two are full.
    let long = with(with(request("states", 15, FIRST_ROW), "from", 0), "id", 9).to_string();
    while slow.socket.send(Message::text(long.as_str())).is_ok() {}
    let mut half = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: 127.").unwrap();
    let mut client = server.connect();
    assert_eq!(server.try_connect(&[]).err(), Some(503));
    for size in [5, 7, 9] {
        let start = Instant::now();
        assert!(client.answer(request("move", size, ""))["move"].is_string());
        assert_eq!(server.get("/").0, 200);
        println!("beside slow clients a move and a page took {:?}", start.elapsed());
    }
    // In the end it loses its place.
    connect_in_the_end(&server);
}

/// Moves after which nobody has won.
const FIRST_ROW: &str = "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1";

/// Connects as soon as there is a place.
fn connect_in_the_end(server: &Server) -> Client {
    wait_for_some("a place", || match server.try_connect(&[]) {
        Ok(client) => Some(client),
        Err(status) => {
            assert_eq!(status, 503);
            None
        }
    })
}

/// The trees of many clients together keep to the bound, however long they think.
#[test]
fn memory_is_shared() {
    let server = Server::start(&["--memory", "8"]);
    let mut clients: Vec<Client> = (0..16).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.ask(with(request("analyze", 15, ""), "seconds", 5));
    }
    // Half a mebibyte each: they prune their trees until their time is up, or end where it has no room for that.
    for client in &mut clients {
        let analysis = client.hear_done()["analysis"].take();
        assert!(["time", "memory"].contains(&analysis["stop_reason"].as_str().unwrap()), "{analysis}");
        assert!(analysis["visits"].as_u64().unwrap() > 0);
    }
}

/// Memory that clients took is given back after they have left.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_given_back() {
    let server = Server::start(&["--memory", "100"]);
    // More if the engine for browsers is built, which the server reads.
    let idle = taken(&server).0;
    let fill = |client: &mut Client| {
        let answer = client.answer(with(request("move", 15, ""), "seconds", 8));
        assert!(answer["move"].is_string(), "{answer}");
    };
    for round in 0..2 {
        let mut clients: Vec<Client> = (0..60).map(|_| connect_in_the_end(&server)).collect();
        thread::scope(|scope| {
            clients.iter_mut().for_each(|client| drop(scope.spawn(|| fill(client))));
        });
        let full = taken(&server);
        drop(clients);
        let left = wait_for_some(&format!("the memory of round {round}, {} kB", full.0), || {
            Some(taken(&server).0).filter(|&left| left < idle + 40_000)
        });
        println!("round {round}: {} kB, then {left} kB", full.0);
    }
}

/// Answers that nobody reads count towards the same memory; when it is short, clients that read none are dropped soon.
#[cfg(target_os = "linux")]
#[test]
fn unread_answers_count_as_memory() {
    let server = Server::start(&["--memory", "4"]);
    // Each of these answers takes half a mebibyte.
    let long = with(with(request("states", 15, FIRST_ROW), "from", 0), "id", 9).to_string();
    let mut clients: Vec<Client> = (0..30).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.socket.get_ref().set_write_timeout(Some(Duration::from_millis(100))).unwrap();
        while client.socket.send(Message::text(long.as_str())).is_ok() {}
    }
    let peak = memory(&server, "VmHWM:");
    assert!(peak < 120_000, "{peak} kB");
    drop(clients);
    let mut client = connect_in_the_end(&server);
    assert!(client.answer(request("move", 5, ""))["move"].is_string());
}

/// The first client may use all of the memory, until another one comes.
#[test]
fn tree_makes_room_for_others() {
    let server = Server::start(&["--memory", "4"]);
    let mut client = server.connect();
    client.answer(with(request("move", 15, ""), "visits", 3000));
    let one_visit = || with(request("move", 15, ""), "visits", 1);
    let kept = client.answer(one_visit())["visits"].as_u64().unwrap();
    assert!(kept > 500, "{kept}");
    let mut other = server.connect();
    assert_eq!(other.answer(one_visit())["visits"], 1);
    assert_eq!(client.answer(one_visit())["visits"], 1);
}

#[test]
fn ctrl_c_closes_the_connections_and_ends() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.ask(with(request("analyze", 9, ""), "seconds", 60));
    client.hear();
    let mut idle = server.connect();
    let half = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let closing = thread::spawn(move || (client.close_code(), idle.close_code()));
    assert_eq!(server.interrupt(), (Some(0), String::new()));
    assert_eq!(closing.join().unwrap(), (Some(CloseCode::Away), Some(CloseCode::Away)));
    drop(half);
}

/// Follows a sample game by its changes, and the same moves by the rules.
fn assert_follows_the_rules(sample: &Value) {
    let size = sample["size"].as_u64().unwrap() as usize;
    let mut game = cachex().start(size).unwrap();
    let mut board = vec![Value::Null; size * size];
    for ply in sample["plies"].as_array().unwrap() {
        assert_eq!(ply["player"].as_u64(), Some(game.to_move().index() as u64), "{ply}");
        game.play_named(ply["name"].as_str().unwrap()).unwrap();
        for change in ply["pieces"].as_array().unwrap() {
            board[change[0].as_u64().unwrap() as usize] = change[1].clone();
        }
        let pieces: Vec<Value> = (0..size * size).map(|place| json!(game.piece(place))).collect();
        assert_eq!(board, pieces, "{ply}");
        assert!(ply["value"].as_f64().is_none_or(|value| (0.0..=1.0).contains(&value)), "{ply}");
    }
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    assert_eq!(sample["result"].as_str(), Some(winner.map_or("draw", |winner| cachex().seat_name(winner))));
}

#[test]
fn run_is_shown_as_it_goes_on() {
    let two =
        tiny::RECIPE.replace("{ size = 3, weight = 1.0 }", "{ size = 3, weight = 2.0 }, { size = 4, weight = 1.0 }");
    let folder = &*tiny::folder_with_own_recipe(&two);
    tiny::train(folder, "--recipe tiny.toml --games 12 --run run --rate 0").success();
    let run = folder.join("run");
    let server = Server::start(&["--run", run.to_str().unwrap()]);
    assert_eq!(server.get_json("/api/about")["run"], "run");
    let before = server.get_json("/api/run");
    assert_eq!((&before["name"], &before["iterations"], &before["games"]), (&json!("run"), &json!(2), &json!(12)));
    assert_eq!(server.get("/run").2, server.get("/learn.html").2, "one page for both");
    let history = server.get_json("/api/run/history");
    assert_eq!((&history["game"], &history["size"], &history["problems"]), (&json!("cachex"), &json!(3), &json!([])));
    let titles = each(&history["charts"], "title");
    for title in ["Loss", "Stones captured a game", "Plies of a game by board"] {
        assert!(titles.contains(&title), "{titles:?}");
    }
    assert_eq!(history["layouts"]["4"]["places"].as_array().map(Vec::len), Some(16));
    assert!(history["calibration"]["positions"].as_u64() > Some(0) && history["ratings"] == json!([]));
    let sizes: Vec<&Value> = history["boards"]["rows"].as_array().unwrap().iter().map(|row| &row[0]).collect();
    assert_eq!(sizes, ["3×3", "4×4"]);
    let games = history["games"].as_array().unwrap();
    assert!(games.len() > 3 && games.iter().any(|game| game["size"] == 4), "{games:?}");
    games.iter().for_each(assert_follows_the_rules);

    tiny::train(folder, "--resume --games 18 --run run --rate 0").success();
    let after = server.get_json("/api/run");
    assert_eq!((&after["iterations"], &after["games"]), (&json!(3), &json!(18)));
    assert!(after["changed"].as_u64() > before["changed"].as_u64());
    let iterations = server.get_json("/api/run/history")["iterations"].as_array().unwrap().clone();
    assert_eq!(iterations.len(), 3);
    let kept = iterations.iter().filter(|one| one["kept"] == true).count();
    assert!(kept >= 1 && iterations[2]["kept"] == true, "{iterations:?}");
    // The page does not tell visitors in which folder the run lies.
    let recipe = fs::read(run.join("recipe.toml")).unwrap();
    fs::write(run.join("recipe.toml"), "game = \"chess\"").unwrap();
    let (code, _, said) = server.get("/api/run/history");
    let outside = folder.to_str().unwrap();
    assert!(code == 500 && said.contains("run/recipe.toml") && !said.contains(outside), "{code}: {said}");
    fs::write(run.join("recipe.toml"), recipe).unwrap();
    // The latest games, as other commands read them.
    let (code, _, games) = server.get("/api/run/games");
    assert_eq!((code, games.lines().count()), (200, 18));
    common::hexzero_with_input(folder, &["replay", "-"], games).success();
}

#[test]
fn networks_of_a_run_are_asked_about_positions() {
    let folder = &*tiny::folder_with_recipe();
    tiny::train(folder, "--recipe tiny.toml --games 6 --run run --rate 0").success();
    let run = folder.join("run");
    let server = Server::start(&["--run", run.to_str().unwrap()]);
    let history = server.get_json("/api/run/history");
    let step = &history["iterations"][0]["step"];
    let opinion = |moves: &str| server.get_json(&format!("/api/run/opinion?step={step}&size=3&moves={moves}"));
    let empty = opinion("");
    let shares = empty["policy"].as_array().unwrap().iter().map(|found| found[2].as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-4 && empty["pieces"] == json!([]), "{empty}");
    let played = opinion("a1%2Cb2");
    assert_eq!(played["pieces"], json!([[0, {"owner": 0}], [4, {"owner": 1}]]));
    assert_eq!((played["policy"].as_array().unwrap().len(), opinion("a1%2Cb2") == played), (7, true));
    for (query, words) in [
        ("step=1".to_owned(), "?step=NUMBER&size=NUMBER"),
        ("step=999&size=3".to_owned(), "the network of step 999 is not kept"),
        (format!("step={step}&size=99"), "99"),
        (format!("step={step}&size=3&moves=a1,a1"), "a1"),
    ] {
        let (code, _, said) = server.get(&format!("/api/run/opinion?{query}"));
        assert!(code == 400 && said.contains(words), "{query}: {code} {said}");
    }
}

#[test]
fn damaged_parts_of_a_run_are_named_and_skipped() {
    let folder = &*tiny::folder_with_recipe();
    tiny::train(folder, "--recipe tiny.toml --games 18 --run run --rate 0").success();
    let run = folder.join("run");
    let shard = run.join("games/000002.games");
    let mut bytes = fs::read(&shard).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&shard, &bytes).unwrap();
    let before = run.join("games/000001.games");
    let mut other_rules = Shard::read(&before).unwrap();
    other_rules.records[..3].iter_mut().for_each(|record| record.turns[1].action = record.turns[0].action);
    other_rules.write(&before).unwrap();
    damage_metrics(&run);
    fs::write(run.join("ladder.jsonl"), "nonsense\n").unwrap();
    let server = Server::start(&["--run", run.to_str().unwrap()]);
    let history = server.get_json("/api/run/history");
    let problems: Vec<&str> =
        history["problems"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    for (problem, start) in problems.iter().zip([
        "run/metrics.jsonl, line 3: ",
        "shard run/games/000002.games: damaged",
        "shard run/games/000001.games: game 0 breaks the rules of cachex, as do 2 more; skipped",
        "run/ladder.jsonl line 1: ",
    ]) {
        assert!(problem.starts_with(start), "{problem}");
    }
    assert_eq!((problems.len(), history["iterations"].as_array().unwrap().len()), (4, 2));
    let games = history["games"].as_array().unwrap();
    assert!(games.len() == 3 && games.iter().all(|game| game["shard"] == "000001"), "{games:?}");
    assert!(fs::read(&shard).unwrap() == bytes, "looking changes nothing");
}

#[test]
fn without_a_command_the_page_is_served_and_opened_on_a_free_port() {
    let folder = &*tiny::Folder::empty();
    let seen = folder.join("seen");
    let browser = format!("sh -c 'echo $0 >> {}'", seen.display());
    // The second finds the port of the first taken.
    let servers = [(); 2].map(|()| start_with_browser(&browser, &[]));
    assert_ne!(servers[0].port, servers[1].port);
    for server in &servers {
        assert_eq!(server.get("/").0, 200);
        let address = format!("http://127.0.0.1:{}\n", server.port);
        wait_until("a browser", || fs::read_to_string(&seen).is_ok_and(|said| said.contains(&address)));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn server_that_may_open_no_files_says_so() {
    let program = assert_cmd::cargo::cargo_bin("hexzero");
    // Without files that this process may have inherited.
    let script = format!("ulimit -n 6; exec 3>&- 4>&- 5>&-; exec '{}' serve --port 0", program.display());
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "error: the server cannot be started: Too many open files\n");
}

#[test]
fn failing_addresses_are_reported_at_once() {
    let server = Server::start(&[]);
    let port = server.port.to_string();
    for (arguments, address) in [
        (["--port", &port, "--host", "127.0.0.1"], format!("127.0.0.1:{port}")),
        (["--port", "0", "--host", "no such host"], "no such host:0".to_owned()),
    ] {
        let told = common::hexzero(".".as_ref(), &[&["serve"], &arguments[..]].concat()).code(1);
        told.stderr(predicates::str::contains(format!("cannot listen on {address}: ")));
    }
}

#[test]
fn games_are_converted_to_other_forms() {
    let server = Server::start(&[]);
    let ask = |form: &str, file: &str| -> (u16, Value) {
        let head = server.head(&format!("POST /api/games{form}"));
        let request = format!("{head}Content-Length: {}\r\n\r\n{file}", file.len());
        let (status, _, body) = server.exchange(request.as_bytes());
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    };
    let sgf = "(;GM[11]SZ[5]PB[Ann];B[a2]C[Why?](;W[swap-pieces])(;W[c3]))";
    let tree = json!([null, [["a2", [["swap", []], ["c3", []]], "Why?"]]]);
    let game = json!({
        "game": "hex", "size": 5, "tree": tree, "plies": 2, "current": null, "result": null, "resigned": null, "stones": null,
        "on_time": false, "name": "", "players": {"black": "Ann"}, "date": "",
    });
    assert_eq!(ask("?to=tree", sgf), (200, json!({"games": [game]})));
    let link = "https://hexworld.org/board/#5,a2:s\n";
    assert_eq!(ask("?to=hexworld", sgf), (200, json!({"text": link})));
    let line = ask("?to=jsonl", link).1["text"].as_str().unwrap().to_owned();
    assert_eq!(line, "{\"game\":\"hex\",\"size\":5,\"moves\":[\"a2\",\"swap\"]}\n");
    // More than any file has.
    assert_eq!(ask("?to=tree", &" ".repeat((16 << 20) + 1)).0, 413);
}
