//! The command line.
//!
//! Parsing ends in one [`Cli`]; [`Cli::run`] runs its command. A command is a file in `commands`, which may take groups
//! of options from `options` and helpers from `support`; those do not know the commands.

mod commands;
mod options;
mod support;

use std::ffi::OsString;
use std::fmt::Display;
use std::str::FromStr;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use hexzero_nn::kernels::{
    KERNEL_VARIABLE, Kernel, PRECISION_VARIABLE, Precision, TRAINING_PRECISION_VARIABLE, TrainingPrecision,
};
use hexzero_web::PageFiles;

use super::error::CliError;

#[cfg(feature = "cluster")]
use commands::cluster::ClusterCommand;
use commands::{
    analyze::AnalyzeArgs, arena::ArenaArgs, bench::BenchArgs, experiment::ExperimentArgs, export::ExportArgs,
    games::GamesArgs, generate::GenerateCommand, gtp::GtpArgs, inspect::InspectArgs, play::PlayArgs, prove::ProveArgs,
    replay::ReplayArgs, report::ReportArgs, review::ReviewArgs, serve::ServeArgs, study::StudyCommand,
    tournament::TournamentArgs, train::TrainArgs,
};
#[cfg(not(feature = "cluster"))]
use options::NoClusterArgs;
use support::{PROGRAM, named, program_name};

const EXAMPLES: &str = "\
Examples:
  hexzero                               play and analyse in the browser
  hexzero play                          play in the terminal
  hexzero serve site public             write that page for any web host, with the engine in it
  hexzero games                         list the games
  hexzero train                         train a network from scratch on a small board
  hexzero arena shipped alphabeta:2     play a match between two players
  hexzero analyze --size 7 d2 swap c4   analyse a position
  hexzero prove --size 6                prove who wins an empty board of Hex
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

// The help text of a command is the doc comment of its arguments or of its subcommands.
#[derive(Debug, Subcommand)]
enum Command {
    Play(PlayArgs),
    Serve(ServeArgs),
    Train(TrainArgs),
    Experiment(ExperimentArgs),
    #[cfg(feature = "cluster")]
    #[command(subcommand)]
    Cluster(ClusterCommand),
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true, disable_help_flag = true)]
    Cluster(NoClusterArgs),
    Arena(ArenaArgs),
    Tournament(TournamentArgs),
    Analyze(AnalyzeArgs),
    Review(ReviewArgs),
    #[command(subcommand)]
    Study(StudyCommand),
    Prove(ProveArgs),
    Gtp(GtpArgs),
    Replay(ReplayArgs),
    Inspect(InspectArgs),
    Report(ReportArgs),
    Games(GamesArgs),
    Export(ExportArgs),
    Bench(BenchArgs),
    #[command(subcommand)]
    Generate(GenerateCommand),
}

/// The commands in the order of the help, by what people do.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Play and analyse", &["play", "serve", "gtp", "analyze", "review", "study", "prove", "games"]),
    ("Train", &["train", "experiment", "cluster"]),
    ("Measure", &["arena", "tournament", "report", "bench"]),
    ("Files", &["replay", "inspect", "export", "generate"]),
];

/// Returns the template of the program's help, with the commands in groups.
fn help_template(command: &clap::Command) -> String {
    let width =
        command.get_subcommands().filter(|command| !command.is_hide_set()).map(|command| command.get_name().len());
    let width = width.max().unwrap_or_default();
    let line = |name: &&str| {
        let command = command.find_subcommand(name).filter(|command| !command.is_hide_set())?;
        // The first clause: a command's own help has the rest.
        let about = command.get_about()?.to_string();
        let first = about.split([':', ';', ',']).next().and_then(|text| text.split(". ").next());
        Some(format!("  {name:width$}  {}\n", first.unwrap_or_default()))
    };
    let group =
        |(title, names): &(&str, &[&str])| format!("{title}:\n{}\n", names.iter().filter_map(line).collect::<String>());
    let groups: String = GROUPS.iter().map(group).collect();
    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}")
}

/// Checks the value of an environment variable, if it is set and not empty.
fn check_variable<T: FromStr<Err: Display>>(variable: &str) -> Result<(), CliError> {
    let value = std::env::var_os(variable).unwrap_or_default();
    match value.to_string_lossy().parse::<T>() {
        Err(error) if !value.is_empty() => Err(CliError::Request(format!("{variable}: {error}"))),
        _ => Ok(()),
    }
}

/// Returns the command line; its help uses the name by which the program was called.
fn command_as_called() -> clap::Command {
    let command = Cli::command();
    let (template, name) = (help_template(&command), program_name());
    let command = command.help_template(template).override_usage(format!("{name} [COMMAND]"));
    named(command, &name)
}

/// Returns the arguments of this process; without any, those that open the page.
fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.len() < 2 {
        arguments.resize(1, PROGRAM.into());
        arguments.extend(["serve", "--open"].map(OsString::from));
    }
    arguments
}

impl Cli {
    /// Parses the arguments of this process. Ends it after a request for help, or with a message if they are invalid.
    pub fn of_process() -> Self {
        let matches = command_as_called().get_matches_from(arguments());
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Runs the command.
    ///
    /// # Errors
    /// If the command fails, or an environment variable has an invalid value.
    pub fn run(self, files: PageFiles) -> Result<(), CliError> {
        check_variable::<Kernel>(KERNEL_VARIABLE)?;
        check_variable::<Precision>(PRECISION_VARIABLE)?;
        check_variable::<TrainingPrecision>(TRAINING_PRECISION_VARIABLE)?;
        match self.command {
            Command::Play(args) => args.run(),
            Command::Serve(args) => args.run(files),
            Command::Train(args) => args.run(),
            Command::Experiment(args) => args.run(),
            Command::Cluster(command) => command.run(),
            Command::Arena(args) => args.run(),
            Command::Tournament(args) => args.run(),
            Command::Analyze(args) => args.run(),
            Command::Review(args) => args.run(),
            Command::Gtp(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Inspect(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Games(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Bench(args) => args.run(),
            Command::Study(command) => command.run(),
            Command::Prove(args) => args.run(),
            Command::Generate(command) => command.run(),
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

    #[test]
    fn groups_list_every_visible_command_once() {
        let command = Cli::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<&str> = visible.map(clap::Command::get_name).collect();
        if cfg!(not(feature = "cluster")) {
            visible.push("cluster");
        }
        listed.sort_unstable();
        visible.sort_unstable();
        assert_eq!(listed, visible);
        assert!(visible.len() <= 19, "{}", visible.len());
    }

    /// clap wraps lines of more than 100 columns, which breaks tables.
    #[test]
    fn examples_fit_the_width() {
        fn check(command: &clap::Command) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{}: {wide:#?}", command.get_name());
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }
}
