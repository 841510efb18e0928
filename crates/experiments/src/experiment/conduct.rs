//! Trains the runs of an experiment and plays its matches, one after another. Finished work is
//! kept, so that an experiment can be stopped or killed at any time and started again.

use std::error::Error;
use std::fs;

use hexzero_arena::players::{PlayerOptions, PlayerSource};
use hexzero_arena::{Conditions, Fixture, GameStore, Host, PlayerId, StoredGame, Tally, Tournament};
use hexzero_nn::{Backend, Checkpoint};
use hexzero_search::Limits;
use hexzero_selfplay::GameSourceError;
use hexzero_system::stop::StopSignal;
use hexzero_train::model_files::{ModelError, player_source};
use hexzero_train::{IterationReport, Progress, Recipe, Run, RunError, RunFolder, RunFolderError};

use super::findings::{Findings, FoundCell, MatchResult, Measured, TrainedRun};
use super::folder::{ExperimentFolder, cannot_write, write};
use super::plan::{BASE, Cell, Plan};
use super::tables::{markdown, page};

/// An error that ends an experiment. Finished work is kept.
pub type ExperimentError = Box<dyn Error + Send + Sync>;

fn no_opponent(error: ModelError) -> String {
    format!("match.against: {error}")
}

/// Where an experiment trains and plays.
#[derive(Clone, Copy)]
pub struct Machines<'a> {
    /// Threads for training and for games of self-play, 0 for one on each core.
    pub workers: usize,
    /// Prepares a run before it is trained; the text names it for people. May set another source of its games
    /// ([`Run::play_with`]). Returns false if the experiment is asked to stop meanwhile.
    pub prepare: &'a dyn Fn(&str, &mut Run) -> Result<bool, GameSourceError>,
    /// The host of the matches.
    pub matches: &'a dyn Host,
}

/// Progress callbacks of an experiment.
pub trait ExperimentProgress: Progress {
    /// Called when a run begins or goes on; `number` of `of`.
    fn run_begins(&self, run: &str, number: usize, of: usize);
    /// Called after each iteration of the run, with a text about what is left of its limit.
    fn iteration(&self, report: &IterationReport, left: &str);
    /// Called when a run is finished or stopped, if other machines played for it, with a line about their games.
    fn traffic(&self, traffic: &str);
    /// Called when a match begins or goes on.
    fn match_begins(&self, a: &str, b: &str, games: usize);
    /// Called after each game of the match.
    fn match_game(&self);
    /// Called when the match is over.
    fn match_ends(&self, a: &str, b: &str, result: &MatchResult);
}

/// The remaining work of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Runs to begin or to continue, and all runs.
    pub runs: (usize, usize),
    /// Matches to play or to finish, and all matches.
    pub matches: (usize, usize),
}

/// An experiment in its folder. Other processes cannot conduct it meanwhile.
#[derive(Debug)]
pub struct Experiment {
    plan: Plan,
    folder: ExperimentFolder,
    opponents: Vec<(String, PlayerSource)>,
    conditions: Conditions,
    /// All games so far, with the file that keeps them unless the experiment is only read.
    store: GameStore,
}

impl Experiment {
    /// Opens the folder of an experiment, or creates it. Loads the opponents, and checks that the runs in it fit the
    /// plan.
    ///
    /// # Errors
    /// If the folder cannot be used, another process conducts the experiment, an opponent cannot be loaded, or a run
    /// does not fit.
    pub fn open(plan: Plan, folder: ExperimentFolder) -> Result<Self, ExperimentError> {
        Self::with(plan, folder, |folder| {
            let path = folder.path();
            fs::create_dir_all(path).map_err(|error| cannot_write(path, error))?;
            Ok(GameStore::open(&folder.games())?)
        })
    }

    /// Reads the folder of an experiment, to see what is left to do; it conducts nothing and writes nothing.
    ///
    /// # Errors
    /// If the folder cannot be read, an opponent cannot be loaded, or a run does not fit.
    pub fn read(plan: Plan, folder: ExperimentFolder) -> Result<Self, ExperimentError> {
        Self::with(plan, folder, |folder| Ok(GameStore::read(&folder.games())?))
    }

    fn with(
        plan: Plan,
        folder: ExperimentFolder,
        store: impl FnOnce(&ExperimentFolder) -> Result<GameStore, ExperimentError>,
    ) -> Result<Self, ExperimentError> {
        if RunFolder::open(folder.path()).is_ok() {
            let path = folder.path().display();
            return Err(format!("{path} holds a training run; give another --folder for the experiment").into());
        }
        let limits = Limits::visits(plan.matches.visits);
        let opponents = plan.matches.opponents.iter().map(|(name, spec)| {
            Ok((name.clone(), player_source(plan.game, spec.clone(), limits, &Backend::default())?))
        });
        let opponents = opponents.collect::<Result<_, ModelError>>().map_err(no_opponent)?;
        let store = store(&folder)?;
        let conditions = Conditions::new(plan.game, plan.matches.seed, limits);
        let conditions = match &plan.matches.openings {
            Some(book) => conditions.with_book(book.clone()),
            None => conditions.continuing(&store.games, plan.matches.size),
        };
        let experiment = Self { plan, folder, opponents, conditions, store };
        for cell in &experiment.plan.cells {
            for &seed in &experiment.plan.seeds {
                experiment.check(cell, seed)?;
            }
        }
        Ok(experiment)
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the folder.
    pub fn folder(&self) -> &ExperimentFolder {
        &self.folder
    }

    /// Checks that the folder of a run is free, or has a run that can be continued.
    fn check(&self, cell: &Cell, seed: u64) -> Result<(), ExperimentError> {
        let path = self.folder.run(cell, seed);
        if let Ok(run) = RunFolder::open(&path) {
            let found = Recipe::read(self.plan.game, &run.recipe())?;
            let wanted = self.plan.recipe(cell, seed).as_kept(self.plan.game)?;
            // A longer limit changes nothing in the runs up to then.
            if (Recipe { minutes: wanted.minutes, ..found }).hash() != wanted.hash() {
                let path = path.display();
                return Err(format!(
                    "{path} was trained with another recipe than the experiment's file now has; give another --folder, \
                     or move that run away"
                )
                .into());
            }
        }
        match self.folder.finished(cell, seed)? {
            Some(TrainedRun { limit, .. }) if limit != self.plan.limit && !limit.leads_to(self.plan.limit) => {
                let (run, wanted) = (path.display(), self.plan.limit);
                Err(format!(
                    "{run} was trained to {limit}, and the experiment's file says {wanted}; give another --folder"
                )
                .into())
            }
            _ => Ok(()),
        }
    }

    /// Returns a run, if it is finished.
    fn finished(&self, cell: &Cell, seed: u64) -> Result<Option<TrainedRun>, ExperimentError> {
        Ok(self.folder.finished(cell, seed)?.filter(|run| run.limit == self.plan.limit))
    }

    /// Counts what is left to do.
    ///
    /// # Errors
    /// If a file of the folder cannot be read.
    pub fn left(&self) -> Result<Left, ExperimentError> {
        let mut left = Left { runs: (0, 0), matches: (0, 0) };
        for (number, cell) in self.plan.cells.iter().enumerate() {
            for &seed in &self.plan.seeds {
                left.runs.1 += 1;
                left.runs.0 += usize::from(self.finished(cell, seed)?.is_none());
                for opponent in self.plan.opponents_of(number) {
                    left.matches.1 += 1;
                    left.matches.0 += usize::from(self.result(cell, seed, opponent)?.is_none());
                }
            }
        }
        Ok(left)
    }

    /// Trains and plays what is missing, seed by seed, so that an experiment that is stopped early
    /// has results for every cell. Writes the table and the page after every run and every match.
    /// Returns false if it was stopped.
    ///
    /// # Errors
    /// If a run or a match fails.
    pub fn conduct(
        &mut self,
        machines: Machines<'_>,
        progress: &impl ExperimentProgress,
        stop: &StopSignal,
    ) -> Result<bool, ExperimentError> {
        let plan = self.plan.clone();
        let of = plan.seeds.len() * plan.cells.len();
        for (round, &seed) in plan.seeds.iter().enumerate() {
            for (number, cell) in plan.cells.iter().enumerate() {
                if self.finished(cell, seed)?.is_none() {
                    let name = ExperimentFolder::player(cell, seed);
                    progress.run_begins(&name, round * plan.cells.len() + number + 1, of);
                    if !self.train(cell, seed, machines, progress, stop)? {
                        return Ok(false);
                    }
                    self.write()?;
                }
            }
            for (number, cell) in plan.cells.iter().enumerate() {
                for opponent in plan.opponents_of(number) {
                    if self.result(cell, seed, opponent)?.is_none() {
                        if !self.play(cell, seed, opponent, machines.matches, progress, stop)? {
                            return Ok(false);
                        }
                        self.write()?;
                    }
                }
            }
        }
        self.write()?;
        Ok(true)
    }

    /// Trains a run to its limit; returns false if it was stopped before.
    fn train(
        &self,
        cell: &Cell,
        seed: u64,
        Machines { workers, prepare, .. }: Machines<'_>,
        progress: &impl ExperimentProgress,
        stop: &StopSignal,
    ) -> Result<bool, ExperimentError> {
        let name = ExperimentFolder::player(cell, seed);
        let failed = |error: RunError| format!("{name}: {error}");
        let path = self.folder.run(cell, seed);
        let (game, recipe) = (self.plan.game, self.plan.recipe(cell, seed));
        let mut run = match RunFolder::open(&path) {
            Ok(_) => Run::resume(game, &path, workers, progress).map_err(failed)?,
            Err(_) => Run::create(game, &path, recipe, workers, None).map_err(failed)?,
        };
        if !prepare(&format!("{}/{name}", self.plan.name), &mut run).map_err(|error| failed(error.into()))? {
            return Ok(false);
        }
        let limit = self.plan.limit.left(run.counters());
        run.train(limit, stop, progress, |_, report, left| progress.iteration(report, left)).map_err(failed)?;
        if let Some(traffic) = run.traffic() {
            progress.traffic(&traffic);
        }
        if stop.is_requested() {
            return Ok(false);
        }
        let counters = *run.counters();
        if counters.iteration == 0 {
            let limit = self.plan.limit;
            return Err(format!(
                "{name}: {limit} is too little for a single iteration; raise it, or lower training.games_per_iteration"
            )
            .into());
        }
        // Not the latest in the folder, which may be another run's.
        let checkpoint = run.folder().checkpoint(counters.step);
        let trained = TrainedRun {
            seed,
            limit: self.plan.limit,
            iterations: counters.iteration,
            games: counters.games,
            steps: counters.step,
            evaluations: counters.evaluations,
            seconds: counters.seconds,
            network: Checkpoint::read(&checkpoint)?.digest()?,
            checkpoint: checkpoint.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        self.folder.finish(cell, &trained)?;
        Ok(true)
    }

    /// Returns the player of a run, if the run is finished.
    fn player(&self, cell: &Cell, seed: u64) -> Result<Option<PlayerSource>, ExperimentError> {
        let Some(run) = self.finished(cell, seed)? else { return Ok(None) };
        let name = ExperimentFolder::player(cell, seed);
        let failed = |error: RunFolderError| format!("{name}: {error}");
        let folder = RunFolder::open(&self.folder.run(cell, seed)).map_err(failed)?;
        let checkpoint = Checkpoint::read(&folder.checkpoints().join(&run.checkpoint))?;
        let (game, limits) = (self.plan.game, Limits::visits(self.plan.matches.visits));
        let (options, cache) = (PlayerOptions::default(), PlayerSource::CACHE);
        Ok(Some(PlayerSource::network(game, name, &checkpoint, &Backend::default(), options, limits, cache)?))
    }

    /// Returns the identities of the players of a match; none as long as a run is not finished.
    fn players(&self, cell: &Cell, seed: u64, opponent: &str) -> Result<Option<[PlayerId; 2]>, ExperimentError> {
        let id = |cell: &Cell| -> Result<Option<PlayerId>, ExperimentError> {
            let run = self.finished(cell, seed)?;
            Ok(run.map(|run| PlayerId { name: ExperimentFolder::player(cell, seed), network: Some(run.network) }))
        };
        let theirs = match opponent {
            BASE => id(&self.plan.cells[0])?,
            _ => self.opponents.iter().find(|(name, _)| name == opponent).map(|(_, source)| PlayerId::from(source)),
        };
        Ok(id(cell)?.zip(theirs).map(|(ours, theirs)| [ours, theirs]))
    }

    /// Returns the games of a match that were played by exactly these networks under the plan's
    /// conditions. Games of earlier settings stay in the file but no longer count.
    fn played(&self, players: &[PlayerId; 2]) -> Tournament {
        let counts = |game: &&StoredGame| {
            game.size == self.plan.matches.size
                && game.number < self.plan.matches.games
                && [&game.a, &game.b] == [&players[0], &players[1]]
                && (self.plan.matches.openings.is_none() || self.conditions.check_openings(game).is_ok())
        };
        let mut games = Tournament::new(self.conditions.clone(), players.to_vec());
        // Those under other conditions are refused, and do not count.
        self.store.games.iter().filter(counts).for_each(|game| _ = games.add(game));
        games
    }

    /// Returns the results of a match, if all of its games are played.
    fn result(&self, cell: &Cell, seed: u64, opponent: &str) -> Result<Option<Tally>, ExperimentError> {
        let Some(players) = self.players(cell, seed, opponent)? else { return Ok(None) };
        let tallies = self.played(&players).tallies(Some(self.plan.matches.size));
        Ok(tallies.into_values().next().filter(|tally| tally.games == self.plan.matches.games))
    }

    /// Plays the missing games of a match; returns false if it was stopped before.
    fn play(
        &mut self,
        cell: &Cell,
        seed: u64,
        opponent: &str,
        host: &dyn Host,
        progress: &impl ExperimentProgress,
        stop: &StopSignal,
    ) -> Result<bool, ExperimentError> {
        let Some(players) = self.players(cell, seed, opponent)? else { return Ok(true) };
        let [a, b] = players.each_ref().map(|player| player.name.clone());
        let theirs = match opponent {
            BASE => self.player(&self.plan.cells[0], seed)?,
            _ => Some(self.opponent(opponent)?),
        };
        let (Some(ours), Some(theirs)) = (self.player(cell, seed)?, theirs) else { return Ok(true) };
        let sources = [(0, ours), (1, theirs)];
        let venue = host.venue(&sources)?;
        let (size, games) = (self.plan.matches.size, self.plan.matches.games);
        let fixtures: Vec<Fixture> = (0..games).map(|index| Fixture { a: 0, b: 1, size, index }).collect();
        let mut played = self.played(&players);
        progress.match_begins(&a, &b, games - played.count(None));
        played.play(&*venue, &fixtures, stop, |game| {
            self.store.append(game)?;
            self.store.games.push(game.clone());
            progress.match_game();
            Ok(())
        })?;
        if let Some(result) = self.result(cell, seed, opponent)? {
            progress.match_ends(&a, &b, &MatchResult::new(seed, &result));
        }
        Ok(!stop.is_requested())
    }

    /// Makes another source of a fixed opponent, as a venue takes it whole.
    fn opponent(&self, name: &str) -> Result<PlayerSource, ExperimentError> {
        let spec = self.plan.matches.opponents.iter().find(|(other, _)| other == name).map(|(_, spec)| spec.clone());
        let Some(spec) = spec else { unreachable!("'{name}' is an opponent of the plan") };
        let limits = Limits::visits(self.plan.matches.visits);
        Ok(player_source(self.plan.game, spec, limits, &Backend::default()).map_err(no_opponent)?)
    }

    /// Returns the findings so far.
    ///
    /// # Errors
    /// If a file of the folder cannot be read.
    pub fn findings(&self) -> Result<Findings, ExperimentError> {
        let mut cells = Vec::new();
        for (number, cell) in self.plan.cells.iter().enumerate() {
            let mut runs = Vec::new();
            for &seed in &self.plan.seeds {
                runs.extend(self.finished(cell, seed)?);
            }
            let mut against = Vec::new();
            for opponent in self.plan.opponents_of(number) {
                let mut matches = Vec::new();
                for &seed in &self.plan.seeds {
                    matches.extend(self.result(cell, seed, opponent)?.map(|tally| MatchResult::new(seed, &tally)));
                }
                against.push(Measured { opponent: opponent.to_owned(), estimate: None, matches });
            }
            cells.push(FoundCell { name: cell.name.clone(), runs, against });
        }
        Ok(Findings::new(&self.plan, cells))
    }

    /// Returns the table of the findings so far, in Markdown.
    ///
    /// # Errors
    /// If a file of the folder cannot be read.
    pub fn table(&self) -> Result<String, ExperimentError> {
        Ok(markdown(&self.findings()?))
    }

    /// Writes the tables and the page.
    fn write(&self) -> Result<(), ExperimentError> {
        let findings = self.findings()?;
        let json = serde_json::to_string_pretty(&findings)? + "\n";
        let parts = [
            (self.folder.path().join("table.md"), markdown(&findings)),
            (self.folder.path().join("table.json"), json),
            (self.folder.page(), page(&self.plan, &self.folder, &findings)),
        ];
        for (path, text) in parts {
            write(&path, &text)?;
        }
        Ok(())
    }
}
