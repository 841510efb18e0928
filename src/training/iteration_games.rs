//! The games of an iteration: those kept from an interruption, and newly played ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::games::Game;
use crate::network::Checkpoint;
use crate::replay::{GameRecord, Journal, JournalOwner, JournalProblem, OpenedJournal};
use crate::selfplay::{GameOrder, GameSource, PlayedGames, SelfPlaySettings};

use super::numbers::Numbers;
use super::progress::Progress;
use super::run_error::RunError;
use super::run_folder::{RunFolder, RunFolderError};

/// The games of an iteration. Finished games are kept in a journal until the iteration ends.
#[derive(Debug)]
pub(super) struct IterationGames<'a> {
    pub game: Game,
    pub folder: &'a RunFolder,
    pub owner: JournalOwner,
    pub run_seed: u64,
    /// The numbers of the run's games. Games that came in any order, and wait in the journal, are the first of the
    /// iteration; the others are those that were never dealt out.
    pub numbers: Numbers,
    /// How many games there are.
    pub count: u64,
}

/// The training games of an iteration.
#[derive(Debug)]
pub(super) struct IterationPlayed {
    pub records: Vec<GameRecord>,
    /// Their numbers in the run, if this iteration chose them.
    pub numbers: Vec<u64>,
    /// The games in the journal that the next iterations learn from, with their numbers.
    pub later: Vec<(u64, GameRecord)>,
    /// The hit rate of the evaluation cache, if there was one.
    pub cache_hits: Option<f64>,
    /// The seconds that interrupted processes took for some of the games.
    pub seconds_before: f64,
    /// All seconds in which they were played; 0 if they are another run's.
    pub seconds: f64,
}

impl IterationGames<'_> {
    /// Plays the games missing in the journal. None if `stop` was set before all were finished.
    ///
    /// # Errors
    /// If the journal cannot be read or created, or the checkpoint cannot play.
    pub fn play(
        &self,
        source: &dyn GameSource,
        checkpoint: &Checkpoint,
        settings: &SelfPlaySettings,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<IterationPlayed>, RunError> {
        let began = Instant::now();
        let path = self.folder.journal();
        let OpenedJournal { journal, games: mut found, order, seconds, damaged } = self.open(&path, progress)?;
        let mut games = BTreeMap::new();
        let mut later = Vec::new();
        for number in order.into_iter().filter(|&number| self.is_new(number)) {
            let game = found.remove_entry(&number);
            if (games.len() as u64) < self.count { games.extend(game) } else { later.extend(game) }
        }
        if damaged {
            let intact = games.len() + later.len();
            progress.warn(&format!("{}: damaged after {intact} games; the others are played again", path.display()));
        }
        progress.selfplay_begins(self.count);
        games.values().for_each(|record| progress.game_finished(record));
        let wanted = self.count as usize - games.len();
        let is_there = |number: &u64| games.contains_key(number) || later.iter().any(|(other, _)| other == number);
        let missing: Vec<u64> = (self.numbers.next()..).filter(|number| !is_there(number)).take(wanted).collect();
        let journal = Mutex::new((journal, false));
        let keep = |games: &[(u64, &GameRecord)]| {
            games.iter().for_each(|(_, record)| progress.game_finished(record));
            let seconds = seconds + began.elapsed().as_secs_f64();
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
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
        let order = GameOrder { game: self.game, checkpoint, settings, run_seed: self.run_seed, numbers: &missing };
        let played = source.play(&order, stop, &keep)?;
        Ok(played.map(|PlayedGames { records, cache_hits }| {
            games.extend(missing.into_iter().zip(records));
            let all = seconds + began.elapsed().as_secs_f64();
            let (numbers, records) = games.into_iter().unzip();
            IterationPlayed { records, numbers, later, cache_hits, seconds_before: seconds, seconds: all }
        }))
    }

    /// Whether no iteration has learnt from the game with this number.
    fn is_new(&self, number: u64) -> bool {
        number >= self.numbers.next() || self.numbers.is_out(number)
    }

    fn open(&self, path: &Path, progress: &impl Progress) -> Result<OpenedJournal, RunFolderError> {
        let unusable =
            |problem: JournalProblem| RunFolderError::File { path: path.to_owned(), problem: problem.to_string() };
        match Journal::open(path, &self.owner) {
            Err(problem @ JournalProblem::File(_)) => return Err(unusable(problem)),
            // The run was interrupted between the end of that iteration and that of its journal, which may have later
            // games, too.
            Err(JournalProblem::Foreign { found, .. }) if found.iteration < self.owner.iteration => {
                if let Ok(before) = Journal::open(path, &found)
                    && found.recipe_hash == self.owner.recipe_hash
                {
                    let mut games = before.games;
                    games.retain(|&number, _| self.is_new(number));
                    let kept = before.order.iter().filter_map(|number| Some((*number, games.get(number)?)));
                    Journal::create(path, &self.owner, 0.0, kept).map_err(|error| unusable(error.into()))?;
                } else {
                    remove_journal(self.folder)?;
                }
            }
            Err(problem) => {
                set_aside(self.folder, &problem.to_string(), progress)?;
            }
            Ok(opened) => return Ok(opened),
        }
        Journal::open(path, &self.owner).map_err(unusable)
    }
}

/// Sets a journal aside that cannot be used.
pub(super) fn set_aside(folder: &RunFolder, problem: &str, progress: &impl Progress) -> Result<(), RunFolderError> {
    let path = folder.journal();
    let aside = folder.set_aside(&path)?;
    progress.warn(&format!("{}: {problem}; set aside as {}", path.display(), aside.display()));
    Ok(())
}

/// Removes the journal of a finished iteration, if there is one.
///
/// # Errors
/// If it cannot be removed.
pub(super) fn remove_journal(folder: &RunFolder) -> Result<(), RunFolderError> {
    let path = folder.journal();
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(RunFolderError::File { path, problem: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Leaves these games, in place of all others, in the journal. `owner` is the next iteration.
///
/// # Errors
/// If it cannot be written.
pub(super) fn keep_for_later(
    folder: &RunFolder,
    owner: &JournalOwner,
    games: &[(u64, GameRecord)],
) -> Result<(), RunFolderError> {
    let path = folder.journal();
    match Journal::create(&path, owner, 0.0, games.iter().map(|(number, record)| (*number, record))) {
        Ok(_) => Ok(()),
        Err(error) => Err(RunFolderError::File { path, problem: error.to_string() }),
    }
}
