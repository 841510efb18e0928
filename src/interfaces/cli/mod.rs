//! The command line.
//!
//! Parsing ends in one [`Cli`]; [`Cli::run`] runs its command. A command is a file in `commands`, which may take groups of
//! options from `options` and helpers from `support`; those do not know the commands.

mod commands;
mod options;
mod support;

use std::fmt::Display;
use std::str::FromStr;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::network::kernels::{
    KERNEL_VARIABLE, Kernel, PRECISION_VARIABLE, Precision, TRAINING_PRECISION_VARIABLE, TrainingPrecision,
};

use super::error::CliError;

use commands::{
    analyze::AnalyzeArgs, arena::ArenaArgs, bench::BenchArgs, completions::CompletionsArgs, experiment::ExperimentArgs,
    export::ExportArgs, games::GamesArgs, gtp::GtpArgs, inspect::InspectArgs, ladder::LadderArgs, man::ManArgs,
    openings::OpeningsArgs, perft::PerftArgs, play::PlayArgs, puzzles::PuzzlesArgs, replay::ReplayArgs,
    report::ReportArgs, review::ReviewArgs, solve::SolveArgs, tournament::TournamentArgs, train::TrainArgs,
};
#[cfg(feature = "cluster")]
use commands::{cluster::ClusterArgs, worker::WorkerArgs};
#[cfg(feature = "serve")]
use commands::{serve::ServeArgs, site::SiteArgs};
#[cfg(not(feature = "cluster"))]
use options::no_cluster::NoClusterArgs;
use support::program::{PROGRAM, named, program_name};

const EXAMPLES: &str = "\
Examples:
  hexzero play                          play against the engine
  hexzero serve                         play and analyse in the browser
  hexzero site public                   write that page for any web host, with the engine in it
  hexzero games                         list the games
  hexzero train                         train a network from scratch on a small board
  hexzero arena shipped alphabeta:2     play a match between two players
  hexzero analyze --size 7 d2 swap c4   analyse a position
  hexzero bench                         measure the speed of this machine
  hexzero report runs/mine              write a web page about a training run
  hexzero export --onnx net.onnx        write a network for other programs
  hexzero gtp                           connect the engine to another program

Exit codes:
  0    success; also if the reader of the output has gone, as in 'hexzero games | head -1'
  1    failure: an unreadable file, an illegal move, a board size that the game does not have
  2    invalid command line
  3    a training run that cannot go on unchanged: it has diverged, or its recipe was changed
  130  ended by a second Ctrl-C; the first one stops cleanly

'hexzero help COMMAND' or 'hexzero COMMAND --help' describes a command.";

/// Learns board games on hexagonal cells by self-play, and plays them.
#[derive(Debug, Parser)]
#[command(name = PROGRAM, version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

// The help text of a command is the doc comment of its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    Play(PlayArgs),
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    #[cfg(feature = "serve")]
    Site(SiteArgs),
    Train(TrainArgs),
    Experiment(ExperimentArgs),
    #[cfg(feature = "cluster")]
    Worker(WorkerArgs),
    #[cfg(feature = "cluster")]
    Cluster(ClusterArgs),
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true, disable_help_flag = true)]
    Worker(NoClusterArgs),
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true, disable_help_flag = true)]
    Cluster(NoClusterArgs),
    Arena(ArenaArgs),
    Tournament(TournamentArgs),
    Ladder(LadderArgs),
    Analyze(AnalyzeArgs),
    Review(ReviewArgs),
    Openings(OpeningsArgs),
    Puzzles(PuzzlesArgs),
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

/// Checks the value of an environment variable, if it is set and not empty.
fn check_variable<T: FromStr<Err: Display>>(variable: &str) -> Result<(), CliError> {
    let value = std::env::var_os(variable).unwrap_or_default();
    match value.to_string_lossy().parse::<T>() {
        Err(error) if !value.is_empty() => Err(CliError::Request(format!("{variable}: {error}"))),
        _ => Ok(()),
    }
}

/// Returns the command line, whose help calls the program by the name by which it was called.
fn command_as_called() -> clap::Command {
    named(Cli::command(), &program_name())
}

impl Cli {
    /// Parses the arguments of this process. Ends it after a request for help, or with a message if they are invalid.
    pub fn of_process() -> Self {
        let matches = command_as_called().get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Runs the command.
    ///
    /// # Errors
    /// If the command fails, or an environment variable has an invalid value.
    pub fn run(self) -> Result<(), CliError> {
        check_variable::<Kernel>(KERNEL_VARIABLE)?;
        check_variable::<Precision>(PRECISION_VARIABLE)?;
        check_variable::<TrainingPrecision>(TRAINING_PRECISION_VARIABLE)?;
        match self.command {
            Command::Play(args) => args.run(),
            #[cfg(feature = "serve")]
            Command::Serve(args) => args.run(),
            #[cfg(feature = "serve")]
            Command::Site(args) => args.run(),
            Command::Train(args) => args.run(),
            Command::Experiment(args) => args.run(),
            Command::Worker(args) => args.run(),
            Command::Cluster(args) => args.run(),
            Command::Arena(args) => args.run(),
            Command::Tournament(args) => args.run(),
            Command::Ladder(args) => args.run(),
            Command::Analyze(args) => args.run(),
            Command::Review(args) => args.run(),
            Command::Openings(args) => args.run(),
            Command::Puzzles(args) => args.run(),
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
    use super::*;

    #[test]
    fn arguments_are_declared_correctly() {
        Cli::command().debug_assert();
    }

    /// clap wraps lines of more than 100 columns, which breaks tables.
    #[test]
    fn examples_fit_the_width() {
        let command = Cli::command();
        for command in command.get_subcommands().chain([&command]) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{}: {wide:#?}", command.get_name());
        }
    }
}
