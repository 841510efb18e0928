//! `hexzero serve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

#[cfg(feature = "cluster")]
use crate::cluster::ClusterStatus;
use crate::engine::{DEFAULT_SECONDS, Effort};
use crate::interfaces::error::CliError;
use crate::interfaces::web::{ClusterView, ServeOptions, serve};
use crate::search::Limits;

#[cfg(feature = "cluster")]
use super::broker_access::BrokerAccessArgs;
use super::device::DeviceArgs;
use super::game::GameArg;
use super::interrupt::interrupted;
use super::words::WordsArg;

const EXAMPLES: &str = "\
Examples:
  hexzero serve                         then open http://127.0.0.1:8765 in a browser
  hexzero serve --open                  the same, and open it
  hexzero serve --run runs/mine         watch a training run there too
  hexzero serve --model runs/mine       play against its latest checkpoint
  hexzero serve --host 0.0.0.0          let others in who can reach this machine
  hexzero serve --host 0.0.0.0 --allow-host board.example
                                        let them in by this name, too, not only by its address

The page needs nothing from the internet. Only this machine can open it, unless --host says
otherwise; then anybody who can reach the machine may play. Ctrl-C ends the server.";

/// Open a page in the browser to play against the engine and to analyse games.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArgs {
    /// The port to listen on; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// The address to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Accept this name of the server from browsers, beside its addresses; may be given several times
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// Open the page in the browser that the variable BROWSER names, or in the system's
    #[arg(long)]
    open: bool,
    /// The checkpoint, or the folder of a run, to play with (default: the models that ship with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The folder of a training run to show
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Show the workers at this broker on the run's page, such as nats://host:4222
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS", requires = "run")]
    cluster: Option<String>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    access: BrokerAccessArgs,
    /// Think about a move for S seconds (a whole number) at full strength, unless the page asks for another time; less
    /// where the move is certain
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SECONDS, value_parser = clap::value_parser!(u32).range(1..=60))]
    seconds: u32,
    /// Search V visits for such a move instead
    #[arg(long, value_name = "V", conflicts_with = "seconds", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    visits: Option<u32>,
    /// Accept at most S connections at a time
    #[arg(long, value_name = "S", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    sessions: u32,
    /// Limit the search trees and unread answers of all connections together to MIB mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// Take the page's files from this folder, each time anew
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
    /// Give a client up from which nothing comes for S seconds
    #[arg(long, value_name = "S", default_value_t = 65, hide = true, value_parser = clap::value_parser!(u32).range(1..=3600))]
    silence: u32,
    #[command(flatten)]
    words: WordsArg,
    #[command(flatten)]
    device: DeviceArgs,
}

impl ServeArgs {
    /// Serves until somebody presses Ctrl-C.
    pub(super) fn run(self) -> Result<(), CliError> {
        self.device.choose()?;
        let cluster = self.cluster_view()?;
        let options = ServeOptions {
            game: self.game.or_of_model(self.model.as_deref())?,
            is_game_asked_for: self.game.is_given() || self.model.is_some(),
            host: self.host,
            names: self.allow_host,
            port: self.port,
            model: self.model,
            cluster,
            run: self.run,
            sessions: self.sessions as usize,
            memory: (self.memory as usize) << 20,
            effort: self.visits.map_or(Effort::Time(Duration::from_secs(self.seconds.into())), Effort::Visits),
            open: self.open,
            page: self.page,
            words: self.words.read()?,
            silence: Duration::from_secs(self.silence.into()),
        };
        serve(options, interrupted())
    }

    /// The state of the cluster that plays for the run, if one is to be shown.
    #[cfg(feature = "cluster")]
    fn cluster_view(&self) -> Result<Option<ClusterView>, CliError> {
        let Some(address) = &self.cluster else { return Ok(None) };
        let broker = self.access.connect(address, "hexzero serve")?;
        Ok(Some(ClusterView::new(move || {
            let status = ClusterStatus::read(&broker).map_err(|error| error.to_string())?;
            serde_json::to_string(&status).map_err(|error| error.to_string())
        })))
    }

    #[cfg(not(feature = "cluster"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as with the feature")]
    fn cluster_view(&self) -> Result<Option<ClusterView>, CliError> {
        Ok(None)
    }
}

fn host_name(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains([':', '/']) {
        return Err("give a name without port, such as board.example".to_owned());
    }
    Ok(text.to_owned())
}
