//! Resumes a run, as it was or with changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::folder::{RunFolder, TrainingState, file_error, latest_games};
use crate::learning::Trainer;
use crate::metrics::Metrics;
use crate::recipe::{Recipe, RecipeDifference, StartFile};
use hexzero_games::Game;
use hexzero_selfplay::Pool;
use hexzero_selfplay::shards::{Journal, JournalOwner};

use super::coordinator::{Run, network_of};
use super::errors::RunError;
use super::iteration_games::{rewrite_journal, set_aside};
use super::{Machine, Progress};

/// Changes of a run that is resumed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Accept a recipe that is not the one that the run was trained by.
    pub accept_recipe: bool,
    /// Go on with this learning rate, also in stages with a higher one.
    pub learning_rate: Option<f64>,
    /// Go on with the network of this checkpoint, in place of that of the last finished iteration.
    pub from: Option<PathBuf>,
}

impl Run {
    /// Resumes the run in a folder after its last finished iteration.
    ///
    /// Damaged shards are set aside and reported.
    ///
    /// # Errors
    /// If there is no run, or its recipe or state cannot be read, or the recipe has changed.
    pub fn resume(
        game: Game,
        path: &Path,
        machine: impl Into<Machine>,
        progress: &impl Progress,
    ) -> Result<Self, RunError> {
        Self::resume_with(game, path, machine, &Changes::default(), progress)
    }

    /// Resumes a run as [`Run::resume`] does, with changes, which are kept in its folder.
    ///
    /// # Errors
    /// As [`Run::resume`]; also if the checkpoint to go on from does not fit the run.
    pub fn resume_with(
        game: Game,
        path: &Path,
        machine: impl Into<Machine>,
        changes: &Changes,
        progress: &impl Progress,
    ) -> Result<Self, RunError> {
        let folder = RunFolder::open(path)?;
        let lock = folder.lock()?;
        // Copies of a folder may lack empty subfolders.
        folder.make_folders()?;
        folder.sweep();
        let mut recipe = Recipe::read(game, &folder.recipe())?;
        let starts = StartFile::take(&mut recipe, game, folder.path())?;
        let is_other = changes.learning_rate.map(|rate| recipe.limit_learning_rate(rate)).is_some();
        let unusable = |problem: String| {
            let advice = "its checkpoints can begin a new run in another folder, with --from";
            file_error(&folder.state(), format!("the run cannot go on from it: {problem}; {advice}"))
        };
        let state = TrainingState::read(&folder.state()).map_err(unusable)?;
        let last = Metrics::last_iteration(&folder)?;
        state.check(&folder, last).map_err(unusable)?;
        let before = Recipe::parse(game, &state.recipe, "of the state").ok();
        let differences = compare(&folder, before.as_ref(), &recipe, changes)?;
        let trainer = match &changes.from {
            Some(file) => Trainer::from_parameters(game, &recipe, &network_of(game, &recipe, file)?.0)?
                .at_step(state.counters.step),
            None => Trainer::from_state(game, &recipe, &state.tensors, state.counters.step)
                .map_err(|error| unusable(format!("it does not fit the recipe, {error}")))?
                .started_at(state.optimiser_start),
        };
        let machine: Machine = machine.into();
        let trainer = trainer.moved_to(machine.device.clone(), game, &recipe)?;
        let pool = Arc::new(Pool::new(machine.workers)?);
        let mut run = Self {
            numbers: state.numbers,
            counters: state.counters,
            parent: state.parent,
            ..Self::new(game, recipe, trainer, pool, &machine, folder, lock)
        };
        run.begin_from(starts)?;
        run.starts.restarts = state.restarts;
        if let Some(line) = state.metrics.as_ref().filter(|_| last != Some(state.counters.iteration)) {
            // The run was killed before it was written.
            run.log.write(&run.folder, line)?;
        }
        if run.counters.iteration > 0 && !run.keeps_checkpoint() {
            run.last_checkpoint = Some(run.folder.checkpoint(run.counters.step));
        }
        if is_other || differences.iter().any(|found| found.key == "selfplay.opening.file") {
            run.write_recipe()?;
        }
        run.take_over_journal(before, changes, progress)?;
        if is_other || changes.from.is_some() || !differences.is_empty() {
            // From now on these are the recipe and the network of the run.
            run.write_state(state.metrics)?;
        }
        let capacity = run.recipe.training.window_capacity(run.counters.positions);
        let games = latest_games(game, &run.folder, run.counters.iteration, capacity, progress)?;
        run.learner.fill_window(capacity, games);
        Ok(run)
    }

    /// Keeps the games of an interrupted iteration, also those of the recipe `before`. Sets aside those of another
    /// network.
    fn take_over_journal(
        &self,
        before: Option<Recipe>,
        changes: &Changes,
        progress: &impl Progress,
    ) -> Result<(), RunError> {
        let path = self.folder.journal();
        if !path.exists() {
            return Ok(());
        }
        if changes.from.is_some() {
            return Ok(set_aside(&self.folder, "unused", "its games are of another network", progress)?);
        }
        let owner = self.journal_owner();
        if let Some(recipe_hash) = before.map(|recipe| recipe.hash()).filter(|hash| *hash != owner.recipe_hash)
            && let Ok(opened) = Journal::open(&path, &JournalOwner { recipe_hash, ..owner })
        {
            rewrite_journal(&self.folder, &owner, &opened.games, opened.seconds)?;
        }
        Ok(())
    }
}

/// Compares the recipe with that of the run so far. Returns the differences if all are free or accepted.
fn compare(
    folder: &RunFolder,
    before: Option<&Recipe>,
    recipe: &Recipe,
    changes: &Changes,
) -> Result<Vec<RecipeDifference>, RunError> {
    let Some(before) = before else { return Ok(Vec::new()) };
    let mut asked_for = before.clone();
    changes.learning_rate.into_iter().for_each(|rate| asked_for.limit_learning_rate(rate));
    let others: Vec<_> = asked_for.differences(recipe).into_iter().filter(|found| !found.is_free()).collect();
    let is_other_network = others.iter().any(|found| found.key.starts_with("network.") || found.key == "game");
    if is_other_network || !(others.is_empty() || changes.accept_recipe) {
        return Err(RunError::OtherRecipe { path: folder.recipe(), differences: others, is_other_network });
    }
    Ok(before.differences(recipe))
}
