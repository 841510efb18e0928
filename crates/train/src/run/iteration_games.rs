//! The games of an iteration: those kept from an interruption, and newly played ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::time::Instant;

use parking_lot::Mutex;

use crate::folder::{RunFolder, RunFolderError, file_error};
use crate::recipe::Recipe;
use hexzero_nn::Checkpoint;
use hexzero_selfplay::shards::{GameRecord, Journal, JournalOwner, JournalProblem, OpenedJournal};
use hexzero_selfplay::{GameOrder, PlayedGames, SelfPlayJob};
use hexzero_system::stop::StopSignal;

use super::Progress;
use super::coordinator::Run;
use super::errors::RunError;

/// The training games of an iteration.
#[derive(Debug, Default)]
pub(super) struct IterationPlayed {
    pub records: Vec<GameRecord>,
    /// The games' numbers in the run, if this iteration chose them.
    pub numbers: Vec<u64>,
    /// The games in the journal that the next iterations learn from, with their numbers.
    pub later: Vec<(u64, GameRecord)>,
    /// The hit rate of the evaluation cache, if there was one.
    pub cache_hits: Option<f64>,
    /// The seconds that interrupted processes took for some of the games.
    pub seconds_before: f64,
    /// Total seconds of play; 0 if the games are another run's.
    pub seconds: f64,
}

impl Run {
    /// Plays the games of the present iteration that are missing in the journal, where finished ones are kept until the
    /// iteration ends. Games that arrived in any order and wait there come first, followed by numbers that were never
    /// assigned. Returns none if `stop` was requested before all were finished.
    pub(super) fn play_games(
        &self,
        recipe: &Recipe,
        checkpoint: &Checkpoint,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<IterationPlayed>, RunError> {
        let began = Instant::now();
        let (path, count, numbers) =
            (self.folder.journal(), recipe.training.games_per_iteration, self.present_numbers());
        let OpenedJournal { journal, games: found, seconds, .. } =
            open_journal(&self.folder, &self.journal_owner(), progress)?;
        let mut games = BTreeMap::new();
        let mut later = Vec::new();
        // Iterations have learnt from the others.
        let is_new = |&(number, _): &(u64, GameRecord)| number >= numbers.next() || numbers.is_in_flight(number);
        for game in found.into_iter().filter(is_new) {
            if (games.len() as u64) < count { games.extend([game]) } else { later.push(game) }
        }
        progress.selfplay_begins(count);
        games.values().for_each(|record| progress.game_finished(record));
        let wanted = count as usize - games.len();
        let fresh = (numbers.next()..).filter(|number| !games.contains_key(number));
        let missing: Vec<u64> = fresh.take(wanted).collect();
        let journal = Mutex::new((journal, false));
        let keep = |games: &[(u64, &GameRecord)]| {
            games.iter().for_each(|(_, record)| progress.game_finished(record));
            let seconds = seconds + began.elapsed().as_secs_f64();
            let mut journal = journal.lock();
            let (journal, complained) = &mut *journal;
            let added = journal.add_all(games, seconds);
            if let Err(error) = &added
                && !std::mem::replace(complained, true)
            {
                let lost = "if the run is interrupted, games of this iteration are played again";
                progress.warn(&format!("{} cannot be written: {error}; {lost}", path.display()));
            }
            added.is_ok()
        };
        let order = GameOrder { job: self.job(recipe, checkpoint), numbers: &missing };
        let played = self.games.play(&order, stop, &keep)?;
        if let Err(error) = journal.into_inner().0.sync() {
            progress.warn(&format!("{} cannot be synced: {error}", path.display()));
        }
        Ok(played.map(|PlayedGames { records, cache_hits }| {
            games.extend(missing.into_iter().zip(records));
            let all = seconds + began.elapsed().as_secs_f64();
            let (numbers, records) = games.into_iter().unzip();
            IterationPlayed { records, numbers, later, cache_hits, seconds_before: seconds, seconds: all }
        }))
    }

    /// Returns what an iteration's games are played with.
    pub(super) fn job<'a>(&self, recipe: &'a Recipe, checkpoint: &'a Checkpoint) -> SelfPlayJob<'a> {
        SelfPlayJob { game: self.game, checkpoint, settings: &recipe.selfplay, run_seed: recipe.seed }
    }
}

/// Opens a run's journal, or begins one if it cannot be used.
pub(super) fn open_journal(
    folder: &RunFolder,
    owner: &JournalOwner,
    progress: &impl Progress,
) -> Result<OpenedJournal, RunFolderError> {
    let path = folder.journal();
    let unusable = |problem: JournalProblem| file_error(&path, problem);
    let opened = match Journal::open(&path, owner) {
        // The process ended between saving an iteration and its journal, which may also hold later
        // games.
        Err(JournalProblem::Foreign { found, .. })
            if found.iteration < owner.iteration && found.recipe_hash == owner.recipe_hash =>
        {
            let before = Journal::open(&path, &found).map_err(unusable)?;
            let journal = rewrite_journal(folder, owner, &before.games, 0.0)?;
            OpenedJournal { journal, seconds: 0.0, ..before }
        }
        Err(problem @ JournalProblem::File(_)) => return Err(unusable(problem)),
        Err(problem) => {
            let ending = if matches!(problem, JournalProblem::NotAJournal) { "damaged" } else { "unused" };
            set_aside(folder, ending, &problem.to_string(), progress)?;
            Journal::open(&path, owner).map_err(unusable)?
        }
        Ok(opened) => opened,
    };
    if opened.damaged {
        let intact = opened.games.len();
        progress.warn(&format!("{}: damaged after {intact} games; the others are played again", path.display()));
    }
    Ok(opened)
}

/// Renames a journal that is not used, and warns.
pub(super) fn set_aside(
    folder: &RunFolder,
    ending: &str,
    problem: &str,
    progress: &impl Progress,
) -> Result<(), RunFolderError> {
    let path = folder.journal();
    let aside = folder.set_aside(&path, ending)?;
    progress.warn(&format!("{}: {problem}; set aside as {}", path.display(), aside.display()));
    Ok(())
}

/// Removes the journal of a finished iteration, if there is one.
pub(super) fn remove_journal(folder: &RunFolder) -> Result<(), RunFolderError> {
    let path = folder.journal();
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(file_error(&path, error)),
        _ => Ok(()),
    }
}

/// Rewrites the journal with these games, which were played in `seconds` of self-play.
pub(super) fn rewrite_journal<'a>(
    folder: &RunFolder,
    owner: &JournalOwner,
    games: impl IntoIterator<Item = &'a (u64, GameRecord)>,
    seconds: f64,
) -> Result<Journal, RunFolderError> {
    let path = folder.journal();
    let journal = Journal::create(&path, owner, seconds, games);
    journal.map_err(|error| file_error(&path, error))
}
