//! What `hexzero serve` answers to requests that it refuses.

use super::{cases, compare};
use crate::serving::Server;

/// Messages over a WebSocket, paths, and files, each with the answer.
#[test]
fn requests() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let mut said = String::new();
    for line in cases("requests") {
        let answer = if line.starts_with('{') {
            client.answer(serde_json::from_str(&line).unwrap())["error"].as_str().unwrap().to_owned()
        } else if line.starts_with("GET ") || line.starts_with("POST ") {
            let (line, body) = line.split_once(" <").unwrap_or((&line, ""));
            let (head, body) = (server.head(line), body.trim_start());
            let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
            let (status, _, body) = server.exchange(request.as_bytes());
            format!("{status} {}", body.trim_end())
        } else {
            continue;
        };
        said += &format!("{line}\n| {answer}\n");
    }
    compare("requests", &said);
}
