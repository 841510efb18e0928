//! A server besieged in several ways at once answers who is honest, and gives its memory back. `tests/endurance/besiege.py` does the
//! same with a thousand clients.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::serving::{self, Client, Server, request, with};

/// The most memory above that of the idle server that may be left, in kB.
const MOST_KEPT: u64 = 50_000;

/// The memory that a process takes at present, in kB, and its open files.
fn taken(process: u32) -> (u64, usize) {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let files = fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    (line.trim().trim_end_matches(" kB").parse().unwrap(), files)
}

#[test]
fn honest_clients_are_answered_beside_hostile_ones_which_leave_nothing() {
    let server = Server::start(&["--sessions", "100"]);
    let mut honest = server.connect();
    assert!(honest.answer(request("move", 5, ""))["move"].is_string());
    let (idle, files) = taken(server.id());

    // From other addresses than that of the honest client.
    let mut crowd: Vec<Client> = (0..60)
        .map(|number| server.try_connect_from([127, 0, number, 9]).unwrap_or_else(|code| panic!("{code}")))
        .collect();
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
        let request = format!("GET /api/about HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.exchange(request.as_bytes()).0, 403);
    }
    let post = format!("POST /api/games?to=jsonl HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", server.port);
    let long = format!("{post}Content-Length: 99999999999\r\n\r\nx");
    assert_eq!(server.exchange(long.as_bytes()).0, 413);
    assert!(honest.answer(request("move", 5, ""))["move"].is_string());
    assert_eq!(server.get("/").0, 200);

    drop((crowd, halves));
    let start = Instant::now();
    loop {
        // The allocator looks after its memory when it is asked for some.
        assert_eq!(server.get("/api/about").0, 200);
        let (left, open) = taken(server.id());
        if left < idle + MOST_KEPT && open <= files + 2 {
            break println!("{idle} kB and {files} files before, {left} kB and {open} files after");
        }
        assert!(
            start.elapsed() < serving::PATIENCE,
            "{left} kB and {open} files are left of {idle} kB and {files} before"
        );
        thread::sleep(Duration::from_millis(200));
    }
    assert!(honest.answer(request("move", 5, ""))["move"].is_string());
}
