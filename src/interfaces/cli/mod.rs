//! The command line: one file a subcommand.

mod analyze;
mod arena;
mod batch;
mod bench;
#[cfg(feature = "cluster")]
mod broker_access;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod device;
mod effort;
mod export;
mod game;
mod games;
mod gtp;
mod inspect;
mod interrupt;
mod ladder;
mod level;
mod machine;
mod man;
mod matches;
mod openings;
mod openings_picture;
mod perft;
mod picture;
mod place;
mod play;
mod players;
mod recipe;
mod recorded;
mod replay;
mod report;
mod review;
mod review_page;
mod search;
#[cfg(feature = "web")]
mod serve;
mod solve;
mod standings;
mod stop;
mod tournament;
mod train;
#[cfg(feature = "cluster")]
mod train_cluster;
mod training_progress;
mod venue;
mod words;
#[cfg(feature = "cluster")]
mod worker;

pub use analyze::AnalyzeArgs;
pub use arena::ArenaArgs;
pub use bench::BenchArgs;
#[cfg(feature = "cluster")]
pub use broker_access::BrokerAccessArgs;
#[cfg(feature = "cluster")]
pub use cluster::ClusterArgs;
pub use completions::CompletionsArgs;
pub use effort::EffortArgs;
pub use export::ExportArgs;
pub use game::GameArg;
pub use games::GamesArgs;
pub use gtp::GtpArgs;
pub use inspect::InspectArgs;
pub use ladder::LadderArgs;
pub use machine::MachineArgs;
pub use man::ManArgs;
pub use openings::OpeningsArgs;
pub use perft::PerftArgs;
pub use play::PlayArgs;
pub use recipe::RecipeArgs;
pub use replay::ReplayArgs;
pub use report::ReportArgs;
pub use review::ReviewArgs;
pub use search::{DEFAULT_VISITS, SearchArgs};
#[cfg(feature = "web")]
pub use serve::ServeArgs;
pub use solve::SolveArgs;
pub use tournament::TournamentArgs;
pub use train::TrainArgs;
#[cfg(feature = "cluster")]
pub use train_cluster::TrainClusterArgs;
#[cfg(feature = "cluster")]
pub use worker::WorkerArgs;

use std::fmt::Display;
use std::str::FromStr;

use clap::{Parser, Subcommand};

use crate::network::kernels::{
    KERNEL_VARIABLE, Kernel, PRECISION_VARIABLE, Precision, TRAINING_PRECISION_VARIABLE, TrainingPrecision,
};

use super::error::CliError;

const EXAMPLES: &str = "\
Examples:
  hexzero play                          play against the engine
  hexzero serve                         play and analyse in the browser
  hexzero games                         list the games
  hexzero train                         train a network from nothing on a small board
  hexzero arena shipped alphabeta:2     measure two players against each other
  hexzero analyze --size 7 d2 swap c4   tell what the engine thinks of a position
  hexzero bench                         measure how fast this machine is
  hexzero report runs/mine              show a training run in a web page
  hexzero export --onnx net.onnx        write a network for other programs
  hexzero gtp                           let another program talk to the engine

Exit codes:
  0  the task is done
  1  it failed: a bad file, an illegal move, a size the game is not played on
  2  the command line could not be understood
  130  ended by a second Ctrl-C; the first one stops cleanly

'hexzero help COMMAND' or 'hexzero COMMAND --help' tells more about a command.";

/// What the program is called.
const PROGRAM: &str = "hexzero";

/// Learns board games on hexagonal cells by playing against itself, and plays them.
#[derive(Debug, Parser)]
#[command(name = PROGRAM, version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

// What each one is for is said once, on its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    Play(PlayArgs),
    #[cfg(feature = "web")]
    Serve(ServeArgs),
    Train(TrainArgs),
    #[cfg(feature = "cluster")]
    Worker(WorkerArgs),
    #[cfg(feature = "cluster")]
    Cluster(ClusterArgs),
    Arena(ArenaArgs),
    Tournament(TournamentArgs),
    Ladder(LadderArgs),
    Analyze(AnalyzeArgs),
    Review(ReviewArgs),
    Openings(OpeningsArgs),
    Gtp(GtpArgs),
    Replay(ReplayArgs),
    Inspect(InspectArgs),
    Report(ReportArgs),
    Solve(SolveArgs),
    Games(GamesArgs),
    Perft(PerftArgs),
    Export(ExportArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Checks what an environment variable says, if it says anything.
fn check<T: FromStr<Err: Display>>(variable: &str) -> Result<(), CliError> {
    let value = std::env::var_os(variable).unwrap_or_default();
    match value.to_string_lossy().parse::<T>() {
        Err(error) if !value.is_empty() => Err(CliError::Request(format!("{variable}: {error}"))),
        _ => Ok(()),
    }
}

impl Cli {
    /// Does what was asked for.
    ///
    /// # Errors
    /// If it could not be done.
    pub fn run(self) -> Result<(), CliError> {
        check::<Kernel>(KERNEL_VARIABLE)?;
        check::<Precision>(PRECISION_VARIABLE)?;
        check::<TrainingPrecision>(TRAINING_PRECISION_VARIABLE)?;
        match self.command {
            Command::Play(args) => args.run(),
            #[cfg(feature = "web")]
            Command::Serve(args) => args.run(),
            Command::Train(args) => args.run(),
            #[cfg(feature = "cluster")]
            Command::Worker(args) => args.run(),
            #[cfg(feature = "cluster")]
            Command::Cluster(args) => args.run(),
            Command::Arena(args) => args.run(),
            Command::Tournament(args) => args.run(),
            Command::Ladder(args) => args.run(),
            Command::Analyze(args) => args.run(),
            Command::Review(args) => args.run(),
            Command::Openings(args) => args.run(),
            Command::Gtp(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Inspect(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Solve(args) => args.run(),
            Command::Games(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Bench(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_declarations_are_sound() {
        Cli::command().debug_assert();
    }

    /// What is wider than the 100 columns of a help text is broken in the middle of its table.
    #[test]
    fn texts_wrapped_by_hand_fit() {
        let command = Cli::command();
        for command in command.get_subcommands().chain([&command]) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{}: {wide:#?}", command.get_name());
        }
    }
}
