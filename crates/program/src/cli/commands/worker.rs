//! `hexzero cluster worker`: plays games for a run on another machine.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use parking_lot::Mutex;

use crate::cli::options::{BrokerArgs, DeviceArgs, worker_count};
use crate::cli::support::interrupted;
use crate::counted;
use crate::error::CliError;
use hexzero_cluster::{WorkerNews, WorkerSettings, work, worker_name};
use hexzero_nn::Backend;
use hexzero_system::text_output;

const EXAMPLES: &str = "\
Examples:
  hexzero cluster worker --cluster nats://learner:4222   play for the run at that broker
  hexzero cluster worker --cluster tls://broker --credentials worker.creds --threads 8

The run is started with 'hexzero train --cluster ADDRESS'; workers may come and go at any time.
Ctrl-C stops cleanly: unfinished games are dealt out to others.";

/// Interval of progress lines.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(60);

/// Play games for a training run on another machine.
///
/// The worker takes ranges of games and the present network from a NATS broker and sends the games
/// back. It needs no files and keeps none.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WorkerArgs {
    #[command(flatten)]
    broker: BrokerArgs,
    /// Play this many games at once (default: one a core; on a device twice a batch)
    #[arg(long, value_name = "T", value_parser = worker_count())]
    threads: Option<u32>,
    /// The worker's name in lists (default: the machine and the process)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    device: DeviceArgs,
}

impl WorkerArgs {
    /// Works until the user stops it.
    pub fn run(self) -> Result<(), CliError> {
        let name = worker_name(self.name.as_deref()).map_err(CliError::Request)?;
        let backend = self.device.backend()?;
        let usual = match &backend {
            Backend::Cpu(_) => std::thread::available_parallelism().map_or(1, usize::from),
            Backend::Device(device) => device.games(),
        };
        let settings =
            WorkerSettings { name, threads: self.threads.map_or(usual, |threads| threads as usize), backend };
        let stop = interrupted();
        let broker = self.broker.connect(&format!("hexzero worker {}", settings.name))?;
        broker.on_connection_change(print_line);
        print_line(&format!(
            "worker {}: {} at a time; Ctrl-C stops cleanly",
            settings.name,
            counted(settings.threads, "game", "games")
        ));
        let printed = Mutex::new(Instant::now());
        let on_news = |news: &WorkerNews| match news {
            WorkerNews::Waiting(problem) => print_line(&format!("waiting for a run to begin ({problem})")),
            WorkerNews::Run(Some(run)) => print_line(&format!("playing for the run {run}")),
            WorkerNews::Run(None) => print_line("the run rests; waiting"),
            WorkerNews::Progress(status) => {
                let mut printed = printed.lock();
                if printed.elapsed() >= PROGRESS_INTERVAL {
                    print_line(&format!(
                        "{}, {:.1} a second",
                        counted(status.games, "game", "games"),
                        status.games_per_second
                    ));
                    *printed = Instant::now();
                }
            }
        };
        let games = work(&broker, &settings, stop, &on_news)?;
        print_line(&format!("stopped after {}", counted(games, "game", "games")));
        Ok(())
    }
}

fn print_line(text: &str) {
    // A closed pipe must not end the worker.
    let _ = writeln!(text_output(), "{text}");
}
