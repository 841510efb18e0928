//! The games of an iteration: those that an interruption has left, and the others played.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::games::Game;
use crate::network::NetworkEvaluator;
use crate::replay::{GameRecord, Journal, JournalOwner, JournalProblem, OpenedJournal};
use crate::selfplay::{Pool, SelfPlaySettings};

use super::progress::Progress;
use super::run_folder::{RunFolder, RunFolderError};

/// The games of an iteration, by their numbers in the run. What is finished stands in a journal until the iteration
/// is.
#[derive(Debug)]
pub(super) struct IterationGames<'a> {
    pub folder: &'a RunFolder,
    pub owner: JournalOwner,
    pub run_seed: u64,
    pub numbers: Range<u64>,
}

/// The games of a finished round of self-play.
#[derive(Debug)]
pub(super) struct FinishedGames {
    pub records: Vec<GameRecord>,
    /// Seconds that interrupted processes took for some of them. None if another run played them.
    pub seconds_before: Option<f64>,
}

impl IterationGames<'_> {
    /// Plays those that are not in the journal yet. None if `stop` was set before all were finished.
    ///
    /// # Errors
    /// If the journal cannot be read or begun.
    pub fn play<G: Game>(
        &self,
        pool: &Pool,
        evaluator: &NetworkEvaluator,
        settings: &SelfPlaySettings,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<FinishedGames>, RunFolderError> {
        let began = Instant::now();
        let path = self.folder.journal();
        let OpenedJournal { journal, mut games, seconds, damaged } = self.open(&path, progress)?;
        games.retain(|number, _| self.numbers.contains(number));
        if damaged {
            let intact = games.len();
            progress.warn(&format!("{}: damaged after {intact} games; the others are played again", path.display()));
        }
        progress.selfplay_begins(self.numbers.end - self.numbers.start);
        games.values().for_each(|record| progress.game_finished(record));
        let missing: Vec<u64> = self.numbers.clone().filter(|number| !games.contains_key(number)).collect();
        let journal = Mutex::new(Some(journal));
        let played =
            pool.play::<G, _>(evaluator, settings, self.run_seed, missing.iter().copied(), stop, |number, record| {
                progress.game_finished(record);
                let seconds = seconds + began.elapsed().as_secs_f64();
                let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(Err(error)) = journal.as_mut().map(|journal| journal.add(number, seconds, record)) {
                    let lost = "if the run is interrupted, the games of this iteration are played again";
                    progress.warn(&format!("{} cannot be written: {error}; {lost}", path.display()));
                    *journal = None;
                }
            });
        Ok(played.map(|played| {
            games.extend(missing.into_iter().zip(played));
            FinishedGames { records: games.into_values().collect(), seconds_before: Some(seconds) }
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
                let aside = self.folder.set_aside(path)?;
                progress.warn(&format!("{}: {problem}; set aside as {}", path.display(), aside.display()));
            }
            Ok(opened) => return Ok(opened),
        }
        Journal::open(path, &self.owner).map_err(unusable)
    }
}

/// Removes the journal of an iteration that is finished, if there is one.
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
