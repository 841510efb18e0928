//! A web host of plain files, as anybody has one, that can go away and can have damaged files.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// The headers that let threads share memory.
const ISOLATION: &str = "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";

/// Serves the files below a folder until it is dropped.
pub struct PlainFiles {
    pub port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    folder: PathBuf,
    /// Contents in place of those of files, by paths.
    instead: Mutex<HashMap<String, Vec<u8>>>,
    /// Whether connections are closed without an answer.
    is_away: AtomicBool,
    /// Whether answers have the headers that let threads share memory.
    isolates: AtomicBool,
    bytes: AtomicUsize,
}

impl PlainFiles {
    pub fn of(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            instead: Mutex::default(),
            is_away: AtomicBool::new(false),
            isolates: AtomicBool::new(false),
            bytes: AtomicUsize::new(0),
        });
        let all = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&all);
                thread::spawn(move || shared.answer(stream));
            }
        });
        Self { port, shared }
    }

    /// Gives these bytes in place of a file.
    pub fn replace(&self, path: &str, bytes: &[u8]) {
        self.shared.instead.lock().unwrap().insert(path.to_owned(), bytes.to_owned());
    }

    /// Answers nothing any more.
    pub fn go_away(&self) {
        self.shared.is_away.store(true, Ordering::SeqCst);
    }

    /// Sends the headers that let threads share memory from now on.
    pub fn isolate(&self) {
        self.shared.isolates.store(true, Ordering::SeqCst);
    }

    /// The bytes of all files that were sent.
    pub fn sent(&self) -> usize {
        self.shared.bytes.load(Ordering::SeqCst)
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream) {
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
        let Some(first) = lines.next() else { return };
        let _ = lines.find(String::is_empty);
        if self.is_away.load(Ordering::SeqCst) {
            return;
        }
        let path = first.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap().trim_start_matches('/').to_owned();
        let path = if path.is_empty() || path.ends_with('/') { path + "index.html" } else { path };
        let instead = self.instead.lock().unwrap().get(&path).cloned();
        let found = instead.or_else(|| fs::read(self.folder.join(&path)).ok());
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html",
            Some("js") => "text/javascript",
            Some("css") => "text/css",
            Some("svg") => "image/svg+xml",
            Some("json") => "application/json",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        };
        let status = if found.is_some() { "200 OK" } else { "404 Not Found" };
        let bytes = found.unwrap_or_default();
        self.bytes.fetch_add(bytes.len(), Ordering::SeqCst);
        let isolation = if self.isolates.load(Ordering::SeqCst) { ISOLATION } else { "" };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{isolation}Connection: close\r\n\r\n",
            bytes.len()
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
    }
}
