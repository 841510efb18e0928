//! A server besieged in several ways at once still answers honest clients, and gives its memory back.
//! `tests/endurance/besiege.py` does the same with a thousand clients.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::process::wait_for_some;
use crate::serving::{self, Client, Server, request, with};

/// How much more memory than when idle the server may keep at the end, in kB.
const MAX_KEPT: u64 = 50_000;

/// Returns a field of the server's memory status, in kB.
pub fn memory(server: &Server, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The memory that a server takes at present, in kB, and its open files.
pub fn taken(server: &Server) -> (u64, usize) {
    // The allocator looks after its memory when it is asked for some.
    assert_eq!(server.get("/api/about").0, 200);
    (memory(server, "VmRSS:"), fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count())
}

#[test]
fn hostile_clients_leave_honest_ones_answered() {
    let server = Server::start(&["--sessions", "100"]);
    let mut honest = server.connect();
    assert!(honest.answer(request("move", 5, ""))["move"].is_string());
    let (idle, files) = taken(&server);

    // From other addresses than that of the honest client.
    let mut crowd: Vec<Client> = (0..60).map(|number| server.connect_from([127, 0, number, 9])).collect();
    for client in &mut crowd {
        // A flood of searches, of which the last one goes on; no answer is read.
        let analysis = with(with(request("analyze", 15, ""), "seconds", 60), "id", 1).to_string();
        (0..50).for_each(|_| client.say(&analysis));
    }
    let halves: Vec<TcpStream> = (0..400_u32)
        .map(|number| {
            let mut stream = server.stream_from([127, 1, (number / 250) as u8, (number % 250) as u8]);
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.").unwrap();
            stream
        })
        .collect();
    for host in ["evil.example", "127.0.0.1.evil.example"] {
        assert_eq!(server.get_as(host, "/api/about").0, 403);
    }
    let long = server.head("POST /api/games?to=jsonl") + "Content-Length: 99999999999\r\n\r\nx";
    assert_eq!(server.exchange(long.as_bytes()).0, 413);
    assert!(honest.answer(request("move", 5, ""))["move"].is_string());
    assert_eq!(server.get("/").0, 200);

    drop((crowd, halves));
    let (left, open) = wait_for_some(&format!("as little as {idle} kB and {files} files"), || {
        Some(taken(&server)).filter(|&(left, open)| left < idle + MAX_KEPT && open <= files + 2)
    });
    println!("{idle} kB and {files} files before, {left} kB and {open} files after");
    assert!(honest.answer(request("move", 5, ""))["move"].is_string());
}

/// Posts a file from an address; returns the connection, whose answer is not read yet.
fn post(server: &Server, address: [u8; 4], form: &str, length: usize, body: &[u8]) -> TcpStream {
    let head = server.head(&format!("POST /api/games?to={form}"));
    let mut stream = server.stream_from(address);
    // It may be refused before it is read to its end.
    let _ = stream.write_all(format!("{head}Content-Length: {length}\r\n\r\n").as_bytes());
    let _ = stream.write_all(body);
    stream
}

/// The status and the body of the answer, and whether it says when to try again.
fn answer(stream: TcpStream) -> (u16, String, bool) {
    let (status, head, body) = Server::exchange_over(stream, b"");
    (status, body, head.to_lowercase().contains("retry-after: "))
}

const SMALL: &[u8] = b"(;GM[11]SZ[5];B[a1];W[b2])";

/// Games of 300 moves on 19x19 that nobody wins.
fn games(bytes: usize) -> Vec<u8> {
    let cell = |number: usize| format!("{}{}", char::from(b'a' + (number % 18) as u8), number / 18 % 18 + 1);
    let moves: String = (0..300).map(|number| format!(";{}[{}]", ["B", "W"][number % 2], cell(number * 7))).collect();
    let game = format!("(;GM[11]SZ[19]{moves})\n");
    game.repeat(bytes / game.len()).into_bytes()
}

#[test]
fn announced_bodies_keep_nobody_out() {
    let server = Server::start(&[]);
    let silent: Vec<TcpStream> =
        (0..60).map(|number| post(&server, [127, 0, number, 1], "tree", 16 << 20, b"(;")).collect();
    let mut own: Vec<TcpStream> = (0..8).map(|_| post(&server, [127, 0, 0, 1], "tree", 16 << 20, b"(;")).collect();
    for address in [[127, 0, 0, 1], [127, 9, 9, 9]] {
        let (status, body, _) = answer(post(&server, address, "tree", SMALL.len(), SMALL));
        assert!(status == 200 && body.starts_with("{\"games\":["), "{status} {body}");
    }
    // A client that sends nothing more is told so.
    let (status, body, _) = answer(own.remove(0));
    assert!(status == 408 && body.contains("no more of the file"), "{status} {body}");
    drop((silent, own));
}

#[test]
fn small_file_is_answered_beside_large_ones() {
    let server = Server::start(&[]);
    let large = games(15 << 20);
    let posts: Vec<TcpStream> = (0..4).map(|_| post(&server, [127, 0, 0, 1], "tree", large.len(), &large)).collect();
    for (number, address) in [[127, 0, 0, 1], [127, 9, 9, 9]].into_iter().cycle().take(20).enumerate() {
        let (status, body, _) = answer(post(&server, address, "tree", SMALL.len(), SMALL));
        assert!(status == 200 && body.contains("\"b2\""), "{number}: {status} {body}");
    }
    // All of the large ones are still being converted.
    for post in &posts {
        post.set_nonblocking(true).unwrap();
        assert!(post.peek(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock));
        post.set_nonblocking(false).unwrap();
    }
    // Each gets an answer, whatever becomes of its file.
    for post in posts {
        let (status, body, retry) = answer(post);
        assert!(status == 200 || status == 413 || status == 503 && retry, "{status} {body}");
    }
}

#[test]
fn departed_clients_cost_no_more_work() {
    let server = Server::start(&[]);
    let spent = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", server.id())).unwrap();
        let fields: Vec<u64> = stat.split(' ').skip(13).take(2).map(|ticks| ticks.parse().unwrap()).collect();
        fields[0] + fields[1]
    };
    let large = games(15 << 20);
    drop((0..8).map(|_| post(&server, [127, 0, 0, 1], "tree", large.len(), &large)).collect::<Vec<TcpStream>>());
    let start = Instant::now();
    let mut before = spent();
    loop {
        thread::sleep(Duration::from_millis(500));
        let now = spent();
        if now <= before + 1 {
            break;
        }
        assert!(start.elapsed() < serving::PATIENCE, "the server goes on with what nobody waits for");
        before = now;
    }
    // A file of this size takes many times as long, and there are eight.
    assert!(before < 1000, "{before} ticks");
}

#[test]
fn unread_answers_give_way() {
    let server = Server::start(&[]);
    let file = [SMALL, b"\n"].concat().repeat((4 << 20) / (SMALL.len() + 1));
    // Each takes some ten megabytes with its answer.
    let unread: Vec<TcpStream> =
        (0..14).map(|number| post(&server, [127, 0, 0, number % 3], "jsonl", file.len(), &file)).collect();
    for _ in 0..3 {
        let (status, body, _) = answer(post(&server, [127, 9, 9, 9], "jsonl", file.len(), &file));
        assert!(status == 200, "{status} {}", &body[..body.len().min(200)]);
    }
    drop(unread);
    assert_eq!(answer(post(&server, [127, 0, 0, 1], "tree", SMALL.len(), SMALL)).0, 200);
}
