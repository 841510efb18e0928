//! `hexzero train`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::cli::options::{DeviceArgs, GameArg, RecipeArgs, TrainClusterArgs, worker_count};
use crate::cli::support::{TrainingProgress, interrupted, play_with_progress, program_name, summary};
use crate::counted;
use crate::error::CliError;
use hexzero_arena::players::{PlayerOptions, PlayerSource, PlayerSpec};
use hexzero_arena::{Conditions, MatchPlan, PlayerId, ThisMachine, Tournament};
use hexzero_experiments::ladder::{Background, LadderSettings, RatingNews};
use hexzero_games::Game;
use hexzero_graph::CandleDevice;
use hexzero_search::Limits;
use hexzero_system::texts::quoted;
use hexzero_train::model_files::{checkpoint_file, game_of};
use hexzero_train::{Changes, Limit, Machine, OptimiserSettings, Progress, Recipe, Run, RunError, RunFolder, Trained};

const EXAMPLES: &str = "\
Examples:
  hexzero train                                   the default recipe: a small board, nine minutes
  hexzero train --run runs/mine --minutes 60      an hour, kept in runs/mine
  hexzero train --run runs/mine --resume --minutes 30   resume that run
  hexzero train --game y --size 7                 another game, another board
  hexzero train --recipe hex                      a built-in recipe
  hexzero train --recipe hex --print-recipe       print it, to change a copy
  hexzero train --recipe my.toml                  another network, another schedule

Ctrl-C stops a run cleanly; --resume continues it.";

/// Train a network from scratch by self-play.
///
/// The network plays games against itself on all cores, learns from them, and plays the next ones
/// better. The run folder keeps the recipe, the games, the checkpoints and the metrics.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    recipe: RecipeArgs,
    /// Start from the network of this checkpoint instead of a random one; if the recipe's is larger, grow it. If it is
    /// the last of a run with the same network, keep the optimiser's moments too. With --resume, continue from it
    /// instead of from the last finished iteration. With --continue it counts only where the run begins
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learn from the games of this run, iteration by iteration, before playing any: a larger network
    /// learns from the games of a smaller one. Give it again with --resume
    #[arg(long, value_name = "DIR")]
    games_of: Option<PathBuf>,
    /// The folder of the run (default: a new one, runs/GAME-001 and so on; with --resume the latest one in runs/)
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Resume the run in the folder instead of starting a new one
    #[arg(long)]
    resume: bool,
    /// Resume the run in the folder --run if there is one, else start it: for services that restart by themselves. An
    /// existing run keeps its recipe
    #[arg(long = "continue", requires = "run", conflicts_with = "resume")]
    go_on: bool,
    /// Accept a recipe.toml in the run's folder that was changed since the run was trained by it. Changes of minutes,
    /// training.keep_every and selfplay.evaluation_cache need no consent
    #[arg(long)]
    accept_recipe: bool,
    /// Stop M minutes from now (default: when the whole run has taken the recipe's minutes). Games finished by then are
    /// kept for --resume
    #[arg(long, value_name = "M", conflicts_with_all = ["games", "steps", "evaluations"], allow_negative_numbers = true, value_parser = minutes)]
    minutes: Option<Duration>,
    /// Stop after the iteration that brings the whole run to G games of self-play
    #[arg(long, value_name = "G", conflicts_with_all = ["steps", "evaluations"], value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Stop after the iteration that brings the whole run to S training steps
    #[arg(long, value_name = "S", conflicts_with = "evaluations", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Stop after the iteration that brings the whole run to E evaluations of positions in self-play, including
    /// answers from the cache
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u64).range(1..))]
    evaluations: Option<u64>,
    /// Play games on W threads (default: one per core)
    #[arg(long, value_name = "W", value_parser = worker_count())]
    workers: Option<u32>,
    /// Play G games of self-play at the same time on the device, each on its own thread (default: twice the batch)
    #[arg(long, value_name = "G", requires = "device", value_parser = worker_count())]
    games_at_once: Option<u32>,
    #[command(flatten)]
    device: DeviceArgs,
    /// The threads and the opened device.
    #[arg(skip)]
    machine: Machine,
    /// Rate each kept checkpoint by this many games, in the background, on at most 5 % of one core; 0 for none
    #[arg(long, value_name = "GAMES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    rate: u32,
    #[command(flatten)]
    cluster: TrainClusterArgs,
    /// Skip the 100 games each against random and alphabeta:2 at the end
    #[arg(long)]
    no_matches: bool,
}

/// The number of games of each match at the end of a run.
const MATCH_GAMES: usize = 100;
/// The visits per move in these matches.
const MATCH_VISITS: u32 = 200;

/// The folder of new runs for which none is given.
const RUNS: &str = "runs";

impl TrainArgs {
    /// Trains until the limit or until the user stops it.
    pub fn run(mut self) -> Result<(), CliError> {
        if self.go_on && self.run.as_ref().is_some_and(|run| RunFolder::open(run).is_ok()) {
            self.resume = true;
        }
        if self.resume && self.run.is_none() {
            self.run = Some(latest_run(self.game.asked_for()).unwrap_or_else(|| PathBuf::from(RUNS)));
        }
        let game = self.game.or_else(|| self.suggested_game())?;
        if self.recipe.print_recipe {
            return self.recipe.print(game);
        }
        if self.games_at_once.is_some() && self.device.is_cpu() {
            return Err(CliError::Request("--games-at-once needs a device: cuda, metal or candle".to_owned()));
        }
        let device = self.device.open()?.map(|device| {
            let games = self.games_at_once.map_or(device.games, |games| games as usize);
            CandleDevice { games, ..device }
        });
        self.machine = Machine { workers: self.workers.unwrap_or(0) as usize, device };
        self.train(game)
    }

    /// Returns the game of the run to resume, of the recipe, or of the checkpoint to start from.
    fn suggested_game(&self) -> Result<Option<Game>, CliError> {
        let named = match &self.run {
            Some(run) if self.resume => {
                let recipe = RunFolder::open(run)?.recipe();
                Recipe::game_in(&recipe)?
            }
            _ => self.recipe.game()?,
        };
        match (named, &self.from) {
            (None, Some(checkpoint)) => Ok(Some(game_of(checkpoint)?)),
            (named, _) => Ok(named),
        }
    }

    /// Trains a network for `game`.
    fn train(&self, game: Game) -> Result<(), CliError> {
        let progress = TrainingProgress::new();
        let games_of = self.games_of.as_deref().map(RunFolder::open).transpose()?;
        let mut run = self.open(game, &progress)?;
        let asked_to_stop = interrupted();
        let path = run.folder().path();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        if !self.cluster.prepare(&name, &mut run, &progress)? {
            return Ok(());
        }
        games_of.into_iter().for_each(|other| run.learn_from(other));
        let limit = self.limit(&run);
        progress.line(&format!(
            "run {}: {} network {} with {} parameters, {}; Ctrl-C stops cleanly",
            run.folder().path().display(),
            game.name(),
            run.recipe().network,
            run.parameters(),
            counted(run.workers(), "worker", "workers"),
        ));
        run.beginning().into_iter().for_each(|beginning| progress.line(beginning));
        let rating = (self.rate > 0).then(|| self.rate(&run, &progress));
        let trained = run.train(limit, asked_to_stop, &progress, |run, report, left| {
            if let Some(rating) = rating.as_ref().filter(|_| run.keeps_checkpoint()) {
                rating.checkpoint_kept(run.counters().step);
            }
            progress.report(report, left);
        });
        let trained = trained.map_err(|error| self.explained(error, &run))?;
        drop(rating);
        progress.clear();
        self.conclude(&run, trained, &progress)
    }

    /// Says how far a run has come and how to go on, after the matches at its end.
    fn conclude(&self, run: &Run, trained: Trained, progress: &TrainingProgress) -> Result<(), CliError> {
        let Trained { iterations, cut_off } = trained;
        let (asked_to_stop, counters) = (interrupted().is_requested(), run.counters());
        if iterations == 0 && !cut_off && !asked_to_stop {
            progress.line(
                "the run has reached its limit already; to continue, give --minutes, --games, --steps or --evaluations",
            );
            return Ok(());
        }
        let waiting = match run.waiting_games() {
            0 => String::new(),
            games => format!(", {} of the next iteration kept", counted(games, "finished game", "finished games")),
        };
        progress.line(&format!(
            "{}, {}, {} in {:.1} minutes{waiting}; {}",
            counted(counters.iteration, "iteration", "iterations"),
            counted(counters.games, "game", "games"),
            counted(counters.step, "step", "steps"),
            counters.seconds / 60.0,
            match counters.iteration {
                0 => "no checkpoint yet".to_owned(),
                _ => format!("latest checkpoint: {}", run.folder().checkpoint(counters.step).display()),
            }
        ));
        if let Some(traffic) = run.traffic() {
            progress.line(&traffic);
        }
        if asked_to_stop || (cut_off && counters.iteration == 0) {
            let why = if asked_to_stop { "stopped" } else { "the time was up before the first iteration was done" };
            progress.line(&format!("{why}; continue with: {}", self.command_to_resume(run.folder().path())));
        } else if !self.no_matches && counters.iteration > 0 {
            show_strength(run, progress)?;
        }
        if !interrupted().is_requested() && counters.iteration > 0 {
            let (folder, size, program) = (quoted(run.folder().path()), present_size(run), program_name());
            progress.line(&format!("see the run: {program} serve --run {folder}"));
            progress.line(&format!("play against it: {program} play --model {folder} --size {size}"));
        }
        Ok(())
    }

    /// Returns the command that resumes a run.
    fn command_to_resume(&self, folder: &Path) -> String {
        let teacher = self.games_of.as_ref().map(|run| format!(" --games-of {}", quoted(run))).unwrap_or_default();
        let elsewhere = self.device_and_cluster_options();
        format!("{} train --resume --run {}{teacher}{elsewhere}", program_name(), quoted(folder))
    }

    /// Adds to the error of a run what can be done.
    fn explained(&self, error: RunError, run: &Run) -> CliError {
        let RunError::Diverged { learning_rate, is_first, checkpoint, .. } = &error else {
            return error.into();
        };
        let rate = suggested_rate(*learning_rate);
        let folder = run.folder().path();
        let (what, command) = match checkpoint {
            Some(checkpoint) => {
                let resume = self.command_to_resume(folder);
                let from = quoted(checkpoint);
                ("go on from an earlier checkpoint", format!("{resume} --learning-rate {rate} --from {from}"))
            }
            None if *is_first => ("go on", format!("{} --learning-rate {rate}", self.command_to_resume(folder))),
            None => {
                let mut name = folder.as_os_str().to_owned();
                name.push("-slower");
                let (recipe, new) = (quoted(&run.folder().recipe()), quoted(Path::new(&name)));
                let new = format!("{} train --recipe {recipe} --learning-rate {rate} --run {new}", program_name());
                ("no sound checkpoint is left: begin again", new + &self.device_and_cluster_options())
            }
        };
        CliError::Undecided(format!("{error}; {what}, for example with:\n{command}"))
    }

    /// Returns the options for the device and the cluster, to print in the command that resumes the run: the run folder
    /// does not keep them.
    fn device_and_cluster_options(&self) -> String {
        let mut options = String::new();
        if let Some(device) = &self.machine.device {
            let (name, precision) = (&device.name, device.precision.name());
            options += &format!(" --device {name} --device-precision {precision} --device-batch {}", device.batch);
        }
        options + &self.cluster.shown()
    }

    /// Opens the run to resume, or a new one.
    fn open(&self, game: Game, progress: &TrainingProgress) -> Result<Run, CliError> {
        if let Some(folder) = self.run.as_ref().filter(|_| self.resume) {
            let recipe = RunFolder::open(folder)?.recipe();
            if let Some(its) = Recipe::game_in(&recipe)?.filter(|its| *its != game) {
                let (folder, its, asked) = (folder.display(), its.name(), game.name());
                let told = format!("run {folder} trains {its}, not {asked}; leave out '--game {asked}' to resume it");
                return Err(CliError::Request(told));
            }
            let from = self.from.as_deref().filter(|_| !self.go_on).map(checkpoint_file).transpose()?;
            // A service says how a run begins, not how it goes on.
            let learning_rate = self.recipe.learning_rate.filter(|_| !self.go_on);
            let accept_recipe = self.accept_recipe;
            let changes = Changes { accept_recipe, learning_rate, from };
            let run = Run::resume_with(game, folder, self.machine.clone(), &changes, progress);
            let run = run.map_err(|error| match error {
                RunError::OtherRecipe { .. } => CliError::Undecided(error.to_string()),
                error => error.into(),
            })?;
            self.warn_of_other_recipe(&run, progress);
            return Ok(run);
        }
        let recipe = self.recipe.recipe(game)?;
        let folder = self.run.clone().unwrap_or_else(|| {
            let number = |path: PathBuf| -> Option<u32> {
                path.file_name()?.to_str()?.strip_prefix(game.name())?.strip_prefix('-')?.parse().ok()
            };
            let number = paths_in_runs().filter_map(number).max().map_or(1, |last| last.saturating_add(1));
            Path::new(RUNS).join(format!("{}-{number:03}", game.name()))
        });
        let from = self.from.as_deref().map(checkpoint_file).transpose()?;
        Ok(Run::create(game, &folder, recipe, self.machine.clone(), from.as_deref())?)
    }

    /// Warns if a run that goes on has another recipe than the one on the command line of a service.
    fn warn_of_other_recipe(&self, run: &Run, progress: &TrainingProgress) {
        if !(self.go_on && self.recipe.is_given()) {
            return;
        }
        let asked = self.recipe.recipe(run.game()).and_then(|asked| Ok(asked.as_kept(run.game())?));
        let asked = match asked {
            Ok(asked) => asked,
            Err(error) => return progress.warn(&error.to_string()),
        };
        let differences = run.recipe().differences(&asked);
        if !differences.is_empty() {
            let found: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let path = run.folder().recipe();
            progress.warn(&format!(
                "the run keeps its recipe {}; that asked for has {}",
                path.display(),
                found.join("; ")
            ));
        }
    }

    /// Starts to rate the checkpoints of a run.
    fn rate(&self, run: &Run, progress: &TrainingProgress) -> Background {
        let (size, backend) = (run.recipe().final_size(), run.backend().clone());
        let settings = LadderSettings { size, visits: None, backend, book: None };
        let progress = progress.clone();
        let tell = move |news: RatingNews| progress.rating(news);
        Background::start(run.game(), run.folder().clone(), settings, self.rate as usize, tell)
    }

    fn limit(&self, run: &Run) -> Limit {
        match (self.minutes, self.games, self.steps, self.evaluations) {
            (Some(minutes), ..) => Limit::Seconds(minutes.as_secs_f64()),
            (_, Some(games), ..) => Limit::Games(games),
            (_, _, Some(steps), _) => Limit::Steps(steps),
            (.., Some(evaluations)) => Limit::Evaluations(evaluations),
            _ => Limit::Seconds(run.recipe().minutes * 60.0 - run.counters().seconds),
        }
    }
}

/// Returns a learning rate for a run that has diverged: a tenth, of one digit, and at most the default.
fn suggested_rate(diverged: f64) -> f64 {
    let tenth = (diverged / 10.0).min(OptimiserSettings::default().learning_rate);
    format!("{tenth:.0e}").parse().unwrap_or(tenth)
}

/// Lists what is in `runs/`.
fn paths_in_runs() -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(RUNS).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Returns the run in `runs/` that changed last, of `game` or of all games.
fn latest_run(game: Option<Game>) -> Option<PathBuf> {
    let worked_on = |path: PathBuf| {
        let folder = RunFolder::open(&path).ok()?;
        let wanted = game.is_none_or(|game| Recipe::game_in(&folder.recipe()).is_ok_and(|found| found == Some(game)));
        let time = |file: PathBuf| std::fs::metadata(file).ok()?.modified().ok();
        let latest = time(folder.state()).or_else(|| time(folder.recipe()))?;
        wanted.then_some((latest, path))
    };
    paths_in_runs().filter_map(worked_on).max().map(|(_, path)| path)
}

/// Returns the board size that the run plays most in its current stage.
fn present_size(run: &Run) -> usize {
    run.recipe().at(run.counters()).main_size()
}

/// Plays matches between the network and the built-in players, and prints the results.
fn show_strength(run: &Run, progress: &TrainingProgress) -> Result<(), CliError> {
    let (name, options) = ("trained".to_owned(), PlayerOptions::default());
    let limits = Limits::visits(MATCH_VISITS);
    let checkpoint = run.checkpoint()?;
    let trained =
        PlayerSource::network(run.game(), name, &checkpoint, run.backend(), options, limits, PlayerSource::CACHE)?;
    let mut players = [(0, trained), (1, PlayerSource::built_in(PlayerSpec::Random))];
    for opponent in [PlayerSpec::Random, PlayerSpec::AlphaBeta { depth: 2 }] {
        players[1].1 = PlayerSource::built_in(opponent);
        let plan = MatchPlan { size: present_size(run), games: MATCH_GAMES, sequential: None };
        let host = ThisMachine::new(run.workers());
        let ids = players.iter().map(|(_, player)| PlayerId::from(player)).collect();
        let mut games = Tournament::new(Conditions::new(run.game(), run.recipe().seed, limits), ids);
        let result = play_with_progress(&mut games, &players, &host, &plan, |_| true)?;
        progress.line(summary(run.game(), &result).trim_end());
        if let Some(failure) = result.failure {
            return Err(failure.into());
        }
        if interrupted().is_requested() {
            break;
        }
    }
    Ok(())
}

/// Parses `--minutes`.
fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|&minutes: &f64| minutes <= 1e6);
    let time = minutes.and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok());
    // Very short times round to zero.
    time.filter(|time| !time.is_zero()).ok_or_else(|| "give a number of minutes greater than 0".to_owned())
}
