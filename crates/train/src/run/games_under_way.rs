//! The games that come in while the network learns.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::folder::{GameNumbers, RunFolder};
use hexzero_selfplay::GameSink;
use hexzero_selfplay::shards::{GameRecord, Journal, JournalOwner, OpenedJournal};
use hexzero_system::stop::StopSignal;

use super::Progress;
use super::errors::RunError;
use super::iteration_games::{IterationPlayed, open_journal, rewrite_journal};

/// The interval between looks at the stop signal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The finished games that no finished iteration has learnt from, in the order in which they came. All of them are in the
/// run's journal.
#[derive(Debug)]
pub(super) struct GamesUnderWay {
    state: Mutex<State>,
    came: Condvar,
    folder: RunFolder,
}

#[derive(Debug)]
struct State {
    journal: Journal,
    numbers: GameNumbers,
    games: VecDeque<(u64, GameRecord)>,
    /// The number of games, from the first, that the network is learning from.
    learning: usize,
    /// Seconds that earlier processes spent on the present iteration.
    seconds_before: f64,
    /// When this process began the present iteration.
    since: Instant,
    /// The time since which games of the next iteration have arrived.
    began: Instant,
    /// True if the user was warned that the journal cannot be written.
    complained: bool,
}

impl GamesUnderWay {
    /// Reads the games in the journal. `numbers` are those of the last finished iteration.
    pub fn open(
        folder: &RunFolder,
        owner: &JournalOwner,
        mut numbers: GameNumbers,
        progress: &impl Progress,
    ) -> Result<Self, RunError> {
        let OpenedJournal { games, seconds, .. } = open_journal(folder, owner, progress)?;
        let mut kept = VecDeque::new();
        for (number, record) in games {
            numbers.assign_below(number + 1);
            // The run has learnt from the others already.
            if numbers.take(number) {
                kept.push_back((number, record));
            }
        }
        let journal = rewrite_journal(folder, owner, &kept, seconds)?;
        let state = State {
            journal,
            numbers,
            games: kept,
            learning: 0,
            seconds_before: seconds,
            since: Instant::now(),
            began: Instant::now(),
            complained: false,
        };
        Ok(Self { state: Mutex::new(state), came: Condvar::new(), folder: folder.clone() })
    }

    /// Begins a stream of games; calls `tell` with the first `count` of those that have arrived
    /// already.
    pub fn begin(&self, tell: impl Fn(&GameRecord), count: usize) {
        let mut state = self.state.lock();
        state.learning = 0;
        state.games.iter().take(count).for_each(|(_, record)| tell(record));
    }

    /// Waits for the games of an iteration, which stay here until the iteration is finished. Returns none if
    /// `stop` is requested, as it is at the end of the stream.
    pub fn next(&self, count: usize, stop: &StopSignal) -> Option<IterationPlayed> {
        let mut state = self.state.lock();
        while !stop.is_requested() && state.games.len() < count {
            self.came.wait_for(&mut state, POLL_INTERVAL);
        }
        // A failure to sync has been reported, or will be at the next write.
        let _ = state.journal.sync();
        if stop.is_requested() {
            return None;
        }
        state.learning = count;
        let records = state.games.iter().take(count).map(|(_, record)| record.clone()).collect();
        let seconds_before = state.seconds_before;
        let seconds = seconds_before + std::mem::replace(&mut state.began, Instant::now()).elapsed().as_secs_f64();
        Some(IterationPlayed { records, seconds_before, seconds, ..IterationPlayed::default() })
    }

    /// Game numbers after this iteration, its games counted as complete.
    pub fn numbers(&self) -> GameNumbers {
        let state = self.state.lock();
        let mut numbers = state.numbers.clone();
        state.games.iter().skip(state.learning).for_each(|&(number, _)| numbers.give_back(number));
        numbers
    }

    /// Counts the games.
    pub fn count(&self) -> usize {
        self.state.lock().games.len()
    }

    /// Removes the games of a finished iteration. `owner` is the next one.
    pub fn finish(&self, owner: &JournalOwner) -> Result<(), RunError> {
        let mut state = self.state.lock();
        let learnt = std::mem::take(&mut state.learning);
        state.games.drain(..learnt);
        (state.seconds_before, state.since) = (0.0, Instant::now());
        state.journal = rewrite_journal(&self.folder, owner, &state.games, 0.0)?;
        Ok(())
    }
}

/// Receives games while a network learns, and reports them as progress.
pub(super) struct Gathering<'a, P> {
    pub games: &'a GamesUnderWay,
    /// The games of an iteration.
    pub count: usize,
    pub progress: &'a P,
    /// True while the learner waits for them.
    pub awaited: &'a AtomicBool,
}

impl<P: Progress> GameSink for Gathering<'_, P> {
    /// Assigns game numbers, keeping at most two iterations of games waiting or in flight.
    fn assign(&self) -> Vec<u64> {
        let most = 2 * self.count;
        let mut state = self.games.state.lock();
        let wanted = most.saturating_sub(state.games.len() - state.learning + state.numbers.in_flight().len());
        if wanted < (most / 16).max(1) { Vec::new() } else { state.numbers.assign(wanted) }
    }

    fn in_flight(&self) -> Vec<u64> {
        self.games.state.lock().numbers.in_flight().collect()
    }

    fn assign_below(&self, number: u64) -> bool {
        self.games.state.lock().numbers.assign_below(number)
    }

    fn take(&self, games: &[(u64, &GameRecord)]) -> Option<usize> {
        let mut state = self.games.state.lock();
        let mut new: Vec<(u64, &GameRecord)> = Vec::new();
        for &(number, record) in games {
            if state.numbers.is_in_flight(number) && new.iter().all(|&(other, _)| other != number) {
                new.push((number, record));
            }
        }
        if new.is_empty() {
            return Some(0);
        }
        let seconds = state.seconds_before + state.since.elapsed().as_secs_f64();
        if let Err(error) = state.journal.add_all(&new, seconds) {
            if !std::mem::replace(&mut state.complained, true) {
                let path = self.games.folder.journal();
                self.progress
                    .warn(&format!("{} cannot be written: {error}; no games are taken until it can", path.display()));
            }
            return None;
        }
        state.complained = false;
        for &(number, record) in &new {
            state.numbers.take(number);
            state.games.push_back((number, record.clone()));
        }
        drop(state);
        self.games.came.notify_all();
        if self.awaited.load(Ordering::Relaxed) {
            new.iter().for_each(|(_, record)| self.progress.game_finished(record));
        }
        Some(new.len())
    }
}
