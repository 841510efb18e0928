//! `hexzero train`.

use std::path::{Path, PathBuf};
#[cfg(feature = "cluster")]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::arena::{MatchSettings, PlayerOptions, PlayerSource, PlayerSpec, ThisMachine};
use crate::engine::model::{checkpoint_file, game_of};
use crate::games::Game;
use crate::interfaces::counted::counted;
use crate::interfaces::error::CliError;
use crate::ladder::{Background, LadderSettings, RatingNews};
use crate::network::{Card, Computing};
use crate::search::Limits;
use crate::training::{Counters, Recipe, Run, RunFolder};

use super::device::DeviceArgs;
use super::game::GameArg;
use super::interrupt::interrupted;
use super::machine::MOST_WORKERS;
use super::matches::{play_with_progress, summary};
use super::recipe::RecipeArgs;
use super::stop::Stop;
#[cfg(feature = "cluster")]
use super::train_cluster::{TrainClusterArgs, traffic_line};
use super::training_progress::TrainingProgress;

const EXAMPLES: &str = "\
Examples:
  hexzero train                                   the default recipe: a small board, ten minutes
  hexzero train --run runs/mine --minutes 60      an hour, kept in runs/mine
  hexzero train --run runs/mine --resume --minutes 30   go on with that run
  hexzero train --game y --size 7                 another game, another board
  hexzero train --recipe hex                      a built-in recipe
  hexzero train --recipe hex --print-recipe       print it, to change a copy
  hexzero train --recipe my.toml                  another network, another schedule

Ctrl-C stops a run cleanly; '--resume' takes it up again.";

/// Train a network from nothing by self-play.
///
/// Games are played against itself on all cores, the network learns from them, and the better
/// network plays the next games. The run folder keeps the recipe, the games, the checkpoints and
/// the measurements.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    /// Which game.
    #[command(flatten)]
    pub game: GameArg,
    /// Which recipe.
    #[command(flatten)]
    pub recipe: RecipeArgs,
    /// Begin with this checkpoint's network instead of a random one
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub from: Option<PathBuf>,
    /// Learn from the games of this run, iteration by iteration, before playing any: what a smaller
    /// network has played teaches a larger one. Give it again with --resume
    #[arg(long, value_name = "DIR")]
    pub games_of: Option<PathBuf>,
    /// The folder of the run (default: a new one, runs/GAME-001 and so on; with --resume the one in runs/ that was worked on last)
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Go on with the run in this folder instead of beginning a new one
    #[arg(long)]
    pub resume: bool,
    /// Go on with the run in the folder --run if there is one, and begin it otherwise: for services that start again by
    /// themselves. A run that exists keeps its recipe
    #[arg(long = "continue", requires = "run", conflicts_with = "resume")]
    pub go_on: bool,
    /// Stop after this many minutes from now (default: when the whole run has taken the recipe's minutes). The games that
    /// are finished by then are kept for '--resume'
    #[arg(long, value_name = "M", conflicts_with_all = ["games", "steps", "evaluations"], allow_negative_numbers = true, value_parser = minutes)]
    pub minutes: Option<Duration>,
    /// Stop after the iteration with this many games of self-play, over the whole run
    #[arg(long, value_name = "G", conflicts_with_all = ["steps", "evaluations"], value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Stop after the iteration with this many training steps, over the whole run
    #[arg(long, value_name = "S", conflicts_with = "evaluations", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Stop after the iteration with this many evaluations of positions in self-play, over the whole run;
    /// answers from the cache count
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u64).range(1..))]
    pub evaluations: Option<u64>,
    /// Threads of self-play (default: one a core)
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=MOST_WORKERS))]
    pub workers: Option<u32>,
    /// Keep this many games of self-play under way at once on the device, each on a thread of its own (default: twice a batch)
    #[arg(long, value_name = "G", requires = "device", value_parser = clap::value_parser!(u32).range(1..=MOST_WORKERS))]
    pub games_at_once: Option<u32>,
    /// On which device to train, and to play the games.
    #[command(flatten)]
    pub device: DeviceArgs,
    /// Rate each checkpoint that is kept by this many games, in the background, on at most 5 % of one core; 0 for none
    #[arg(long, value_name = "GAMES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub rate: u32,
    /// Where the games are played, if not here.
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: TrainClusterArgs,
    /// Do not play 100 games each against random and alphabeta:2 at the end
    #[arg(long)]
    pub no_matches: bool,
}

/// The games of each match at the end of a run, and the visits a move.
const MATCH_GAMES: usize = 100;
const MATCH_VISITS: u32 = 200;

/// Where runs are kept if nothing is said.
const RUNS: &str = "runs";

/// When to stop.
enum Limit {
    Seconds(f64),
    Games(u64),
    Steps(u64),
    Evaluations(u64),
}

impl Limit {
    /// Whether another iteration would be too much, after `elapsed` seconds, if it takes `last` seconds like the last one.
    fn reached(&self, counters: &Counters, elapsed: f64, last: f64) -> bool {
        match *self {
            Self::Seconds(seconds) => elapsed + last >= seconds,
            Self::Games(games) => counters.games >= games,
            Self::Steps(steps) => counters.step >= steps,
            Self::Evaluations(evaluations) => counters.evaluations >= evaluations,
        }
    }

    /// When to break off an iteration that takes longer than expected, for a run that began at `began`.
    fn deadline(&self, began: Instant) -> Option<Instant> {
        match *self {
            // Longer than can be counted is as long as one likes.
            Self::Seconds(seconds) => began.checked_add(Duration::try_from_secs_f64(seconds).ok()?),
            _ => None,
        }
    }

    /// How much is left, in words.
    fn left(&self, counters: &Counters, elapsed: f64) -> String {
        match *self {
            Self::Seconds(seconds) => {
                let left = (seconds - elapsed).max(0.0) as u64;
                format!("{}:{:02} left", left / 60, left % 60)
            }
            Self::Games(games) => format!("{} games left", games.saturating_sub(counters.games)),
            Self::Steps(steps) => format!("{} steps left", steps.saturating_sub(counters.step)),
            Self::Evaluations(evaluations) => {
                format!("{} evaluations left", evaluations.saturating_sub(counters.evaluations))
            }
        }
    }
}

impl TrainArgs {
    /// Trains until the limit, or until the user stops it.
    pub(super) fn run(mut self) -> Result<(), CliError> {
        if self.go_on && self.run.as_ref().is_some_and(|run| RunFolder::open(run).is_ok()) {
            self.resume = true;
        }
        if self.resume && self.run.is_none() {
            self.run = Some(latest_run(self.game.asked_for()).unwrap_or_else(|| PathBuf::from(RUNS)));
        }
        let game = self.game.or_else(|| self.suggested_game())?;
        if self.recipe.is_to_be_printed() {
            return self.recipe.print(game);
        }
        if self.games_at_once.is_some() && self.device.is_cpu() {
            return Err(CliError::Request("--games-at-once needs a device: cuda, metal or candle".to_owned()));
        }
        if let Some(card) = self.device.open()? {
            let games = self.games_at_once.map_or(card.games, |games| games as usize);
            Computing::choose(Card { games, ..card }).map_err(CliError::failed)?;
        }
        self.train(game)
    }

    /// The game of the run to go on with, of the recipe, or of the checkpoint to begin with.
    fn suggested_game(&self) -> Result<Option<Game>, CliError> {
        let named = match &self.run {
            Some(run) if self.resume => {
                let recipe = RunFolder::open(run).map_err(CliError::failed)?.recipe();
                Recipe::game_in(&recipe).map_err(CliError::failed)?
            }
            _ => self.recipe.game()?,
        };
        match (named, &self.from) {
            (None, Some(checkpoint)) => Ok(Some(game_of(checkpoint)?)),
            (named, _) => Ok(named),
        }
    }
}

impl TrainArgs {
    /// Trains a network for this game.
    fn train(&self, game: Game) -> Result<(), CliError> {
        let progress = TrainingProgress::new();
        let games_of = self.games_of.as_deref().map(RunFolder::open).transpose().map_err(CliError::failed)?;
        let mut run = self.open(game, &progress)?;
        let asked_to_stop = interrupted();
        #[cfg(feature = "cluster")]
        let traffic = match self.cluster.games(&run, &progress, asked_to_stop)? {
            Some(games) => {
                let traffic = games.traffic();
                run.play_with(Arc::new(games));
                if !self.cluster.lock_step {
                    run.learn_while_playing();
                }
                Some(traffic)
            }
            None if self.cluster.cluster.is_some() => return Ok(()),
            None => None,
        };
        games_of.into_iter().for_each(|other| run.learn_from(other));
        let limit = self.limit(&run)?;
        progress.line(&format!(
            "run {}: {} network {} with {} parameters, {}; Ctrl-C stops cleanly",
            run.folder().path().display(),
            game.name(),
            run.recipe().network,
            run.parameters(),
            counted(run.workers(), "worker", "workers"),
        ));
        let rating = (self.rate > 0).then(|| self.rate(&run, &progress));
        let began = Instant::now();
        let stop = Stop::at(limit.deadline(began), asked_to_stop).map_err(CliError::failed)?;
        let (mut last, mut cut_off) = (0.0, false);
        while !limit.reached(run.counters(), began.elapsed().as_secs_f64(), last) {
            let iteration = Instant::now();
            let Some(report) = run.iterate(stop.flag(), &progress).map_err(CliError::failed)? else {
                cut_off = true;
                break;
            };
            last = iteration.elapsed().as_secs_f64();
            if let Some(rating) = rating.as_ref().filter(|_| run.keeps_checkpoint()) {
                rating.checkpoint_kept(run.counters().step);
            }
            progress.report(&report, &limit.left(run.counters(), began.elapsed().as_secs_f64()));
        }
        drop((rating, stop));
        let asked_to_stop = asked_to_stop.load(Ordering::Relaxed);
        progress.clear();
        let counters = *run.counters();
        if last == 0.0 && !cut_off && !asked_to_stop {
            progress.line(
                "the run has reached its limit already; to go on, give --minutes, --games, --steps or --evaluations",
            );
            return Ok(());
        }
        progress.line(&format!(
            "{}, {}, {} in {:.1} minutes; {}",
            counted(counters.iteration as usize, "iteration", "iterations"),
            counted(counters.games as usize, "game", "games"),
            counted(counters.step as usize, "step", "steps"),
            counters.seconds / 60.0,
            match run.folder().latest_checkpoint() {
                Some(path) => format!("latest checkpoint: {}", path.display()),
                None => "no checkpoint yet".to_owned(),
            }
        ));
        #[cfg(feature = "cluster")]
        if let Some(traffic) = traffic {
            progress.line(&traffic_line(&traffic));
        }
        if asked_to_stop || (cut_off && counters.iteration == 0) {
            let why = if asked_to_stop { "stopped" } else { "the time was up before the first iteration was done" };
            let folder = run.folder().path().display();
            let teacher =
                self.games_of.as_ref().map(|run| format!(" --games-of {}", run.display())).unwrap_or_default();
            let elsewhere = self.elsewhere();
            progress.line(&format!("{why}; go on with: hexzero train --resume --run {folder}{teacher}{elsewhere}"));
        } else if !self.no_matches && counters.iteration > 0 {
            show_strength(&run, &progress, interrupted())?;
        }
        if !interrupted().load(Ordering::Relaxed) && counters.iteration > 0 {
            let (folder, size) = (run.folder().path().display(), present_size(&run));
            progress.line(&format!("look at it: hexzero report {folder}"));
            progress.line(&format!("play against it: hexzero play --model {folder} --size {size}"));
        }
        Ok(())
    }
}

impl TrainArgs {
    /// The options that say where games are played and networks computed, which no run keeps. An address may hold a
    /// password.
    fn elsewhere(&self) -> String {
        let mut options = String::new();
        if let Some(card) = Computing::card() {
            let (name, precision) = (&card.name, card.precision.name());
            options += &format!(" --device {name} --device-precision {precision} --device-batch {}", card.batch);
        }
        #[cfg(feature = "cluster")]
        if self.cluster.cluster.is_some() {
            options += " --cluster ADDRESS";
            if self.cluster.lock_step {
                options += " --lock-step";
            }
        }
        options
    }

    /// The run to go on with, or a new one.
    fn open(&self, game: Game, progress: &TrainingProgress) -> Result<Run, CliError> {
        let workers = self.workers.unwrap_or(0) as usize;
        if let Some(folder) = self.run.as_ref().filter(|_| self.resume) {
            let recipe = RunFolder::open(folder).map_err(CliError::failed)?.recipe();
            if let Some(its) = Recipe::game_in(&recipe).map_err(CliError::failed)?.filter(|its| *its != game) {
                let (folder, its, asked) = (folder.display(), its.name(), game.name());
                let told =
                    format!("run {folder} trains {its}, not {asked}; leave out '--game {asked}' to go on with it");
                return Err(CliError::Request(told));
            }
            return Run::resume(game, folder, workers, progress).map_err(CliError::failed);
        }
        let recipe = self.recipe.recipe(game)?;
        let folder = self.run.clone().unwrap_or_else(|| {
            let number = runs_of(game).map(|(number, _)| number).max().map_or(1, |last| last.saturating_add(1));
            Path::new(RUNS).join(format!("{}-{number:03}", game.name()))
        });
        let from = self.from.as_deref().map(checkpoint_file).transpose()?;
        Run::create(game, &folder, recipe, workers, from.as_deref()).map_err(CliError::failed)
    }

    /// Begins to rate the checkpoints of a run.
    fn rate(&self, run: &Run, progress: &TrainingProgress) -> Background {
        let settings = LadderSettings { size: run.recipe().final_size(), visits: None };
        let progress = progress.clone();
        let tell = move |news: RatingNews| progress.rating(news);
        Background::start(run.game(), run.folder().clone(), settings, self.rate as usize, tell)
    }

    fn limit(&self, run: &Run) -> Result<Limit, CliError> {
        Ok(match (self.minutes, self.games, self.steps, self.evaluations) {
            (Some(minutes), ..) => Limit::Seconds(minutes.as_secs_f64()),
            (_, Some(games), ..) => Limit::Games(games),
            (_, _, Some(steps), _) => Limit::Steps(steps),
            (.., Some(evaluations)) => Limit::Evaluations(evaluations),
            _ => Limit::Seconds(run.recipe().minutes * 60.0 - run.counters().seconds),
        })
    }
}

/// The folders of a game's runs that were named by this program, with their numbers.
fn runs_of(game: Game) -> impl Iterator<Item = (u32, PathBuf)> {
    let entries = std::fs::read_dir(RUNS).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    entries.filter_map(move |path| {
        let number = path.file_name()?.to_str()?.strip_prefix(game.name())?.strip_prefix('-')?.parse().ok()?;
        Some((number, path))
    })
}

/// The run in `runs/` that was worked on last, of a game or of all.
fn latest_run(game: Option<Game>) -> Option<PathBuf> {
    let worked_on = |path: PathBuf| {
        let folder = RunFolder::open(&path).ok()?;
        let wanted = game.is_none_or(|game| Recipe::game_in(&folder.recipe()).is_ok_and(|found| found == Some(game)));
        let time = |file: PathBuf| std::fs::metadata(file).ok()?.modified().ok();
        let latest = time(folder.state()).or_else(|| time(folder.recipe()))?;
        wanted.then_some((latest, path))
    };
    let entries = std::fs::read_dir(RUNS).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    entries.filter_map(worked_on).max().map(|(_, path)| path)
}

/// The board that the run plays most in its present stage.
fn present_size(run: &Run) -> usize {
    run.recipe().at(run.counters()).main_size()
}

/// Plays the network against the built-in players and says how it did.
fn show_strength(run: &Run, progress: &TrainingProgress, stop: &AtomicBool) -> Result<(), CliError> {
    let (name, options) = ("trained".to_owned(), PlayerOptions::default());
    let limits = Limits::visits(MATCH_VISITS);
    let checkpoint = run.checkpoint().map_err(CliError::failed)?;
    let trained = PlayerSource::network(run.game(), name, &checkpoint, options, limits, PlayerSource::CACHE)?;
    let mut players = [(0, trained), (1, PlayerSource::built_in(PlayerSpec::Random))];
    for opponent in [PlayerSpec::Random, PlayerSpec::AlphaBeta { depth: 2 }] {
        players[1].1 = PlayerSource::built_in(opponent);
        let settings = MatchSettings {
            size: present_size(run),
            games: MATCH_GAMES,
            seed: run.recipe().seed,
            sequential: None,
            threads: 0,
        };
        let host = ThisMachine(run.workers());
        let result = play_with_progress(run.game(), &players, &host, &settings, stop)?;
        progress.line(summary(run.game(), &result).trim_end());
        if let Some(failure) = result.failure {
            return Err(CliError::failed(failure));
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(())
}

fn minutes(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(Duration::from_secs_f64(minutes * 60.0)),
        _ => Err("give a number of minutes greater than 0".to_owned()),
    }
}
