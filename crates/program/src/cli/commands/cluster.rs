//! `hexzero cluster`: status and administration of the broker of a run.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Subcommand;

use super::worker::WorkerArgs;

use crate::cli::options::BrokerArgs;
use crate::counted;
use crate::error::CliError;
use hexzero_cluster::{Broker, ClusterStatus, CoordinatorStatus, Traffic, unban, worker_name};
use hexzero_system::{plain_line, text_output};

/// Play for a run on many machines, and show its workers.
#[derive(Debug, Subcommand)]
pub enum ClusterCommand {
    Worker(WorkerArgs),
    /// Print the run, its workers, games a second, and pending work.
    Status {
        #[command(flatten)]
        broker: BrokerArgs,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Serve the status for Prometheus, at every path of an address.
    Metrics {
        #[command(flatten)]
        broker: BrokerArgs,
        /// Listen at this address
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9464")]
        listen: SocketAddr,
    },
    /// Let a banned worker play again.
    Unban {
        /// The worker's name, as 'hexzero cluster status' lists it
        #[arg(value_name = "WORKER")]
        worker: String,
        #[command(flatten)]
        broker: BrokerArgs,
    },
}

/// Timeout of a connection.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);
/// Limit of a request's head, in bytes.
const MAX_HEAD: usize = 8192;

impl ClusterCommand {
    /// Carries out the action.
    pub fn run(self) -> Result<(), CliError> {
        match self {
            Self::Worker(args) => args.run(),
            Self::Status { broker, json } => print_status(&broker, json),
            Self::Metrics { broker, listen } => serve_metrics(&broker, listen),
            Self::Unban { worker, broker } => lift_ban(&worker, &broker),
        }
    }
}

fn print_status(broker: &BrokerArgs, json: bool) -> Result<(), CliError> {
    let broker = broker.connect("hexzero cluster status")?;
    let status = ClusterStatus::read(&broker)?;
    if !json {
        return Ok(text_output().write_all(table(&status).as_bytes())?);
    }
    let text = serde_json::to_string_pretty(&status).expect("texts and numbers are JSON");
    Ok(writeln!(io::stdout(), "{text}")?)
}

/// Returns the beginning of `text`, in one line, as reports of workers are not trusted.
fn plain(text: &str) -> String {
    plain_line(text).chars().take(80).collect()
}

fn table(status: &ClusterStatus) -> String {
    let mut lines = Vec::new();
    match &status.coordinator {
        None => lines.push("no run has used this broker yet".to_owned()),
        Some(coordinator) => {
            let CoordinatorStatus { run, host, version, phase, missing, games_per_second, traffic } = coordinator;
            let Traffic { acknowledged, used, doubled, stale, refused, repeated, bytes } = traffic;
            let phase = if status.active { plain(phase) } else { "resting".to_owned() };
            lines.push(format!(
                "run {}: {phase}, coordinated by {} (hexzero {})",
                plain(run),
                plain(host),
                plain(version)
            ));
            lines.push(format!("games: {missing} missing in this iteration, {games_per_second:.1} a second"));
            lines.push(format!(
                "since its start: {acknowledged} acknowledged, {used} used, {doubled} doubled, {stale} stale, {repeated} \
                 played again; {refused} messages refused; {:.1} MB",
                *bytes as f64 / 1e6
            ));
        }
    }
    lines.push(format!(
        "pending: {} ranges of games to play, {} messages with games to check",
        status.ranges_out, status.messages_waiting
    ));
    lines.push(String::new());
    lines.push(format!(
        "{:<32} {:<10} {:<14} {:>7} {:>10} {:>9}",
        "worker", "version", "evaluation", "threads", "games", "games/s"
    ));
    for worker in &status.workers {
        lines.push(format!(
            "{:<32} {:<10} {:<14} {:>7} {:>10} {:>9.1}",
            plain(&worker.name),
            plain(&worker.version),
            plain(&worker.evaluation),
            worker.threads,
            worker.games,
            worker.games_per_second
        ));
    }
    let threads = status.workers.iter().fold(0, |sum: usize, worker| sum.saturating_add(worker.threads));
    lines.push(format!(
        "{}, {}, {:.1} games a second",
        counted(status.workers.len(), "worker", "workers"),
        counted(threads, "thread", "threads"),
        // The sum of no numbers is -0.
        status.workers.iter().map(|worker| worker.games_per_second).sum::<f64>() + 0.0
    ));
    for (worker, reason) in &status.refused {
        lines.push(format!("refused: {}: {}", plain(worker), plain(reason)));
    }
    lines.join("\n") + "\n"
}

fn lift_ban(worker: &str, broker: &BrokerArgs) -> Result<(), CliError> {
    let worker = worker_name(Some(worker)).map_err(CliError::Request)?;
    let broker = broker.connect("hexzero cluster unban")?;
    if !unban(&broker, &worker)? {
        let hint = "'hexzero cluster status' lists the workers that are";
        return Err(CliError::Request(format!("worker {worker} is not refused; {hint}")));
    }
    Ok(writeln!(text_output(), "worker {worker} may play again")?)
}

fn serve_metrics(broker: &BrokerArgs, listen: SocketAddr) -> Result<(), CliError> {
    let broker = broker.connect("hexzero cluster metrics")?;
    let listener = TcpListener::bind(listen).map_err(|error| {
        CliError::Request(format!("cannot listen on {listen}: {error}; choose another with --listen"))
    })?;
    writeln!(io::stdout(), "figures for Prometheus at http://{}/metrics; Ctrl-C ends", listener.local_addr()?)?;
    for stream in listener.incoming() {
        match stream {
            // A client that disconnects must not end the server.
            Ok(stream) => drop(answer(&broker, stream)),
            // Errors such as too many open files are temporary.
            Err(_) => sleep(PAUSE),
        }
    }
    Ok(())
}

/// Answers one request with the present status, and closes the connection.
fn answer(broker: &Broker, mut stream: TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(TIMEOUT))?;
    // The answer does not depend on the request. Its head is read and ignored, with a time limit, so that a slow
    // client does not block others.
    let (began, mut head, mut part) = (Instant::now(), Vec::new(), [0; 1024]);
    while head.len() < MAX_HEAD && !head.ends_with(b"\r\n\r\n") && !head.ends_with(b"\n\n") {
        let left = TIMEOUT.checked_sub(began.elapsed()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        match stream.read(&mut part)? {
            0 => break,
            bytes => head.extend(&part[..bytes]),
        }
    }
    let (code, text) = match ClusterStatus::read(broker) {
        Ok(status) => ("200 OK", status.to_prometheus()),
        Err(error) => ("503 Service Unavailable", format!("{error}\n")),
    };
    let length = text.len();
    let head = format!("HTTP/1.1 {code}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {length}\r\n");
    stream.write_all(format!("{head}Connection: close\r\n\r\n{text}").as_bytes())
}
