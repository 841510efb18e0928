//! `hexzero serve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::site::SiteArgs;

use crate::cli::options::{DeviceArgs, GameArg, bytes_of, visit_count};
use crate::cli::support::interrupted;
use crate::error::CliError;
#[cfg(feature = "cluster")]
use hexzero_cluster::ClusterStatus;
use hexzero_engine::{DEFAULT_SECONDS, Effort};
use hexzero_search::Exact;
use hexzero_web::{ClusterView, PageFiles, ServeOptions, serve};

#[cfg(feature = "cluster")]
use crate::cli::options::BrokerAccessArgs;
#[cfg(not(feature = "cluster"))]
use crate::cli::options::NoClusterOption;

const EXAMPLES: &str = "\
Examples:
  hexzero serve                         then open http://127.0.0.1:8765 in a browser
  hexzero serve --open                  the same, and open it
  hexzero serve --run runs/mine         also watch a training run
  hexzero serve --model runs/mine       play against its latest checkpoint
  hexzero serve --host 0.0.0.0          accept connections from other machines
  hexzero serve --host 0.0.0.0 --allow-host board.example
                                        accept them by this name too, not only by address

The page needs nothing from the internet. Only this machine can open it, unless --host says
otherwise; then anybody who can reach the machine may play. Ctrl-C ends the server.";

/// Serve a web page on which to play against the engine and analyse games.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct ServeArgs {
    #[command(subcommand)]
    command: Option<ServeCommand>,
    /// The port to listen on; 0 for any free port (default: 8765, or a free one if that is taken)
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The address to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,
    /// Accept requests that name the server NAME, besides its addresses; may be given several times
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// Open the page in the browser that the variable BROWSER names, or in the default one
    #[arg(long)]
    open: bool,
    /// The checkpoint, or the folder of a run, to play with (default: the models that ship with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// Show the training run in this folder
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Show the workers of the broker at ADDRESS, such as nats://host:4222, on the run's page
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS", requires = "run")]
    cluster: Option<String>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    access: BrokerAccessArgs,
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    _cluster: NoClusterOption,
    /// Let the engine think for S seconds a move (a whole number) at full strength, unless the page asks for another
    /// time; less if the move is clear
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SECONDS, value_parser = clap::value_parser!(u32).range(1..=60))]
    seconds: u32,
    /// Search V visits a move instead
    #[arg(long, value_name = "V", conflicts_with = "seconds", value_parser = visit_count())]
    visits: Option<u32>,
    /// Play and analyse the boards that 'hexzero games solve' takes by their exact values, at full strength. A board is
    /// solved when it is first needed, in up to a minute and 0.8 GB
    #[arg(long)]
    exact: bool,
    /// Accept at most S connections at a time
    #[arg(long, value_name = "S", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    sessions: u32,
    /// Keep at most N boards that people share; with 0 boards cannot be shared
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    shared: u32,
    /// Limit the search trees and unread answers of all connections together to MIB mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// Offer the engine in the browser's tab, with this WebAssembly module (default: hexzero.wasm beside this program
    /// or in target/wasm; without one it is not offered)
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
    /// Read the page's files from DIR for each request
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
    /// Close connections that are silent for S seconds
    #[arg(long, value_name = "S", default_value_t = 65, hide = true, value_parser = clap::value_parser!(u32).range(1..=3600))]
    silence: u32,
    #[command(flatten)]
    device: DeviceArgs,
}

#[derive(Debug, Subcommand)]
enum ServeCommand {
    Site(SiteArgs),
}

impl ServeArgs {
    /// Serves the page until the user stops the program.
    pub fn run(self, files: PageFiles) -> Result<(), CliError> {
        if let Some(ServeCommand::Site(args)) = self.command {
            return args.run(files);
        }
        let backend = self.device.backend()?;
        let cluster = self.cluster_view()?;
        let options = ServeOptions {
            game: self.game.or_of_model(self.model.as_deref())?,
            is_game_asked_for: self.game.asked_for().is_some() || self.model.is_some(),
            host: self.host,
            names: self.allow_host,
            port: self.port,
            model: self.model,
            exact: if self.exact { Exact::Board } else { Exact::default() },
            cluster,
            run: self.run,
            sessions: self.sessions as usize,
            shared: self.shared as usize,
            memory: bytes_of(self.memory),
            effort: self.visits.map_or(Effort::Time(Duration::from_secs(self.seconds.into())), Effort::Visits),
            open: self.open,
            module: self.wasm,
            files,
            backend,
            page: self.page,
            silence: Duration::from_secs(self.silence.into()),
        };
        serve(options, interrupted()).map_err(CliError::failed)
    }

    /// Returns the cluster to show on the page, if `--cluster` is given.
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

/// Parses `--allow-host`.
fn host_name(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains([':', '/']) {
        return Err("give a name without port, such as board.example".to_owned());
    }
    Ok(text.to_owned())
}
