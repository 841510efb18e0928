//! The games of an iteration: those kept from an interruption, and newly played ones.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::games::Game;
use crate::network::Checkpoint;
use crate::replay::{GameRecord, Journal, JournalOwner, JournalProblem, OpenedJournal};
use crate::selfplay::{GameOrder, GameSource, PlayedGames, SelfPlaySettings};

use super::progress::Progress;
use super::run_error::RunError;
use super::run_folder::{RunFolder, RunFolderError};

/// The games of an iteration, by their numbers in the run. Finished games are kept in a journal until the iteration
/// ends.
#[derive(Debug)]
pub(super) struct IterationGames<'a> {
    pub game: Game,
    pub folder: &'a RunFolder,
    pub owner: JournalOwner,
    pub run_seed: u64,
    pub numbers: Range<u64>,
}

/// The training games of an iteration.
#[derive(Debug)]
pub(super) struct IterationPlayed {
    pub records: Vec<GameRecord>,
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
        let OpenedJournal { journal, mut games, seconds, damaged, .. } = self.open(&path, progress)?;
        games.retain(|number, _| self.numbers.contains(number));
        if damaged {
            let intact = games.len();
            progress.warn(&format!("{}: damaged after {intact} games; the others are played again", path.display()));
        }
        progress.selfplay_begins(self.numbers.end - self.numbers.start);
        games.values().for_each(|record| progress.game_finished(record));
        let missing: Vec<u64> = self.numbers.clone().filter(|number| !games.contains_key(number)).collect();
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
            IterationPlayed {
                records: games.into_values().collect(),
                cache_hits,
                seconds_before: seconds,
                seconds: all,
            }
        }))
    }

    fn open(&self, path: &Path, progress: &impl Progress) -> Result<OpenedJournal, RunFolderError> {
        let unusable =
            |problem: JournalProblem| RunFolderError::File { path: path.to_owned(), problem: problem.to_string() };
        match Journal::open(path, &self.owner) {
            Err(problem @ JournalProblem::File(_)) => return Err(unusable(problem)),
            // The run was interrupted between the end of that iteration and that of its journal.
            Err(JournalProblem::Foreign { found, .. }) if found.iteration < self.owner.iteration => {
                remove_journal(self.folder)?
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
