//! `hexzero serve` as a process, and clients that talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

use super::process::wait_for_some;

/// Nothing in these tests takes so long unless it hangs.
pub const PATIENCE: Duration = Duration::from_secs(100);

/// A server that ends with the test. It must not have panicked.
pub struct Server {
    child: Child,
    pub port: u16,
}

impl Server {
    /// Starts one on a free port of this machine.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_of(env!("CARGO_BIN_EXE_hexzero").as_ref(), arguments)
    }

    /// Starts the server of another program with hexzero's commands.
    pub fn start_of(program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0"]).args(arguments);
        Self::run(command)
    }

    /// Starts a command that prints its address.
    pub fn run(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let Some(address) = lines.find(|line| line.starts_with("http://")) else {
            let output = child.wait_with_output().unwrap();
            panic!("no address: {}", String::from_utf8_lossy(&output.stderr))
        };
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        Self { child, port }
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Opens a WebSocket.
    pub fn connect(&self) -> Client {
        self.try_connect(&[]).unwrap()
    }

    /// Opens a WebSocket from another address of this machine.
    pub fn connect_from(&self, address: [u8; 4]) -> Client {
        self.try_connect_over(self.stream_from(address), &[]).unwrap()
    }

    /// Opens a WebSocket with further headers. Returns the status if it is refused.
    pub fn try_connect(&self, headers: &[(&str, &str)]) -> Result<Client, u16> {
        self.try_connect_over(TcpStream::connect(("127.0.0.1", self.port)).unwrap(), headers)
    }

    /// A connection from an address of this machine.
    pub fn stream_from(&self, address: [u8; 4]) -> TcpStream {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((address, 0)).into()).unwrap();
        socket.connect(&SocketAddr::from(([127, 0, 0, 1], self.port)).into()).unwrap();
        socket.into()
    }

    fn try_connect_over(&self, stream: TcpStream, headers: &[(&str, &str)]) -> Result<Client, u16> {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = tungstenite::http::Request::builder()
            .uri(format!("ws://127.0.0.1:{}/api/play", self.port))
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", tungstenite::handshake::client::generate_key());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request = request.header("Host", format!("127.0.0.1:{}", self.port));
        }
        for &(name, value) in headers {
            request = request.header(name, value);
        }
        match tungstenite::client(request.body(()).unwrap(), stream) {
            Ok((socket, _)) => Ok(Client { socket, last_id: 0 }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The beginning of a request, after whose answer the connection ends. Further headers may follow.
    pub fn head(&self, line: &str) -> String {
        format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.port)
    }

    /// Sends these bytes, and returns the status, the head and the body of the answer.
    pub fn exchange(&self, request: &[u8]) -> (u16, String, String) {
        Self::exchange_over(TcpStream::connect(("127.0.0.1", self.port)).unwrap(), request)
    }

    /// Does the same over an existing connection.
    pub fn exchange_over(mut stream: TcpStream, request: &[u8]) -> (u16, String, String) {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may be refused before it is read to its end.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, head.to_owned(), body.to_owned())
    }

    /// Asks for a path.
    pub fn get(&self, path: &str) -> (u16, String, String) {
        self.get_as(&format!("127.0.0.1:{}", self.port), path)
    }

    /// Asks for a path by another name of the server.
    pub fn get_as(&self, host: &str, path: &str) -> (u16, String, String) {
        self.exchange(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())
    }

    /// Asks for a path whose answer is JSON.
    pub fn get_json(&self, path: &str) -> Value {
        let (status, head, body) = self.get(path);
        assert!(status == 200 && head.contains("content-type: application/json"), "{path}: {head}\n{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Ends the server as Ctrl-C does. Returns its exit code and standard error.
    pub fn interrupt(mut self) -> (Option<i32>, String) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let start = Instant::now();
        let status = wait_for_some("the end of the server", || self.child.try_wait().unwrap());
        println!("the server ended after {:?}", start.elapsed());
        (status.code(), self.said())
    }

    fn said(&mut self) -> String {
        let mut said = String::new();
        self.child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let said = self.said();
        if !std::thread::panicking() {
            assert!(!said.contains("panicked"), "{said}");
        }
    }
}

/// One client.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    last_id: u64,
}

impl Client {
    /// Sends a text as it is.
    pub fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Sends a request with a new number, and returns the number.
    pub fn ask(&mut self, mut request: Value) -> u64 {
        self.last_id += 1;
        request["id"] = self.last_id.into();
        self.say(&request.to_string());
        self.last_id
    }

    /// The next answer.
    pub fn hear(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other}"),
            }
        }
    }

    /// The last answer of an analysis.
    pub fn hear_done(&mut self) -> Value {
        loop {
            let answer = self.hear();
            if answer["analysis"]["done"] == true {
                return answer;
            }
            assert!(answer["analysis"].is_object(), "{answer}");
        }
    }

    /// The answer to a request that has one.
    pub fn answer(&mut self, request: Value) -> Value {
        let id = self.ask(request);
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The code with which the server closes the connection, whatever comes before.
    pub fn close_code(&mut self) -> Option<CloseCode> {
        let start = Instant::now();
        loop {
            match self.socket.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code),
                Ok(_) => assert!(start.elapsed() < PATIENCE, "the connection stays open"),
                Err(_) => return None,
            }
        }
    }
}

/// A request about a position of Cachex.
pub fn request(what: &str, size: usize, moves: &str) -> Value {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    json!({"do": what, "game": "cachex", "size": size, "moves": moves})
}

/// Returns a request with one more field.
pub fn with(mut request: Value, name: &str, value: impl Into<Value>) -> Value {
    request[name] = value.into();
    request
}
