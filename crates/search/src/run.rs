//! Runs a search until a limit is reached, in one go or in slices, on one thread or several.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hexzero_games::{BatchEvaluator, Evaluator, Query};
use hexzero_system::stop::{StopAtEnd, StopSignal};
use hexzero_system::threads;
use hexzero_system::time::Instant;

use super::limits::{EarlyStop, Limits, MAX_THREADS, StopReason};
use super::tree::Node;
use super::tree_search::{Leaf, Search, Selection};

/// Visits between two checks for an early stop, and the fewest from which the speed is estimated.
const CHECK_EVERY: u32 = 16;

/// The longest wait of a thread while every leaf is in flight. The thread is woken when a leaf is
/// returned.
const MAX_WAIT: Duration = Duration::from_millis(1);

/// An upper bound on the time to prune a full tree, for each of its bytes.
const PRUNING_A_BYTE: Duration = Duration::from_nanos(1);

/// The progress of a search within limits: when it began, and when it is over. A run may be
/// interrupted and resumed.
#[derive(Debug, Clone, Copy)]
pub struct SearchRun {
    limits: Limits,
    start: Instant,
    visits_before: u32,
}

impl SearchRun {
    /// Begins a run of `search`; its time counts from `start`.
    pub fn new(search: &Search, limits: &Limits, start: Instant) -> Self {
        Self { limits: *limits, start, visits_before: search.visits() }
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the limits for changing them between two slices.
    pub fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns why no more visits may begin, or `None` if they may.
    fn stop_reason(&self, search: &Search) -> Option<StopReason> {
        let Limits { visits, memory, early_stop, .. } = self.limits;
        let begun = search.tree.nodes.first().map_or(0, Node::begun);
        if search.is_decided() || search.position.outcome().is_some() {
            return Some(StopReason::Proven);
        }
        if begun >= visits.unwrap_or(Limits::MAX_VISITS) {
            return Some(StopReason::Visits);
        }
        let left = self.time_left();
        if left.is_some_and(|left| left.is_zero()) {
            return Some(StopReason::Time);
        }
        if search.stop.is_requested() {
            return Some(StopReason::Stopped);
        }
        let pruning = || PRUNING_A_BYTE.saturating_mul(u32::try_from(search.memory()).unwrap_or(u32::MAX));
        let is_short = || left.is_some_and(|left| left < pruning());
        if search.is_out_of_memory(memory) || search.is_full(memory) && is_short() {
            return Some(StopReason::Memory);
        }
        let is_settled = early_stop != EarlyStop::Never
            && begun.is_multiple_of(CHECK_EVERY)
            && search.is_settled(early_stop, self.visits_left(begun));
        is_settled.then_some(StopReason::Settled)
    }

    /// Returns whether no more visits may begin.
    fn is_over(&self, search: &Search) -> bool {
        self.stop_reason(search).is_some()
    }

    /// Returns the remaining time, or `None` if unlimited.
    fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    /// Returns the number of remaining visits, or the maximum if unlimited.
    fn visits_left(&self, begun: u32) -> u32 {
        let by_count = self.limits.visits.map_or(u32::MAX, |limit| limit.saturating_sub(begun));
        let by_time = self.limits.time.map_or(u32::MAX, |limit| {
            let spent = self.start.elapsed();
            let new = begun.saturating_sub(self.visits_before);
            // Too few visits to estimate the speed; with none the speed would be 0.
            if new < CHECK_EVERY {
                return u32::MAX;
            }
            let rate = f64::from(new) / spent.as_secs_f64().max(1e-9);
            (rate * limit.saturating_sub(spent).as_secs_f64()).ceil() as u32
        });
        by_count.min(by_time)
    }
}

/// The part of a run up to an interruption.
#[derive(Debug, Clone, Copy)]
struct Slice<'a> {
    run: &'a SearchRun,
    /// When to interrupt the run, or `None` for never.
    end: Option<Instant>,
}

impl Slice<'_> {
    fn is_over(&self, search: &Search) -> bool {
        self.is_interrupted() || self.run.is_over(search)
    }

    fn is_interrupted(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl Search {
    /// Returns this search, with runs that end while `stop` is requested as if a limit had been
    /// reached. The root is evaluated nevertheless, so that there is a move to play.
    pub fn stopped_by(mut self, stop: StopSignal) -> Self {
        self.stop = stop;
        self
    }

    /// Searches until a limit is reached or the root is decided.
    pub fn run(&mut self, evaluator: &mut impl Evaluator, limits: &Limits) {
        let run = SearchRun::new(self, limits, Instant::now());
        self.run_slice(evaluator, Slice { run: &run, end: None });
        self.end(&run);
    }

    /// Returns why the last run ended, or `None` before the first, during an unfinished one, and
    /// after a move.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop_reason
    }

    /// Records why a run has ended. A move that was settled when the last thread ended may look
    /// open again by now.
    fn end(&mut self, run: &SearchRun) {
        self.stop_reason = Some(run.stop_reason(self).unwrap_or(StopReason::Settled));
    }

    fn run_slice(&mut self, evaluator: &mut impl Evaluator, slice: Slice<'_>) {
        self.expand_root(evaluator);
        self.prove_moves();
        while !slice.is_over(self) {
            match self.select_within(slice.run.limits.memory) {
                Selection::Leaf(leaf) => {
                    let evaluation = evaluator.evaluate(&leaf.position, &leaf.legal);
                    self.expand(leaf, &evaluation);
                }
                Selection::Finished => {}
                Selection::Awaited | Selection::Decided => break,
            }
        }
    }

    /// Searches on as many threads as there are evaluators. Only one thread at a time walks the
    /// tree, which takes far less time than an evaluation, while all of them evaluate in parallel.
    /// Evaluators beyond [`MAX_THREADS`] are not used.
    ///
    /// # Panics
    /// If there is no evaluator.
    pub fn run_on<E: Evaluator + Send>(&mut self, evaluators: &mut [E], limits: &Limits) {
        let run = SearchRun::new(self, limits, Instant::now());
        self.resume_on(evaluators, &run, Duration::MAX);
    }

    /// Begins or resumes a run on as many threads as there are evaluators, for at most `slice`.
    /// Returns whether the run is unfinished.
    ///
    /// # Panics
    /// If there is no evaluator.
    pub fn resume_on<E: Evaluator + Send>(&mut self, evaluators: &mut [E], run: &SearchRun, slice: Duration) -> bool {
        let slice = Slice { run, end: Instant::now().checked_add(slice) };
        self.run_slice_on(evaluators, slice);
        let is_unfinished = slice.is_interrupted() && !run.is_over(self);
        if is_unfinished {
            self.stop_reason = None;
        } else {
            self.end(run);
        }
        is_unfinished
    }

    fn run_slice_on<E: Evaluator + Send>(&mut self, evaluators: &mut [E], slice: Slice<'_>) {
        let count = evaluators.len().min(MAX_THREADS);
        match &mut evaluators[..count] {
            [] => panic!("a search needs an evaluator"),
            [only] => self.run_slice(only, slice),
            [first, ..] => {
                self.expand_root(first);
                self.prove_moves();
                let shared = Shared { search: Mutex::new(self), returned: Condvar::new(), over: StopSignal::new() };
                threads::run_parallel(&mut evaluators[..count], |evaluator| shared.work(evaluator, slice));
            }
        }
    }

    /// Runs one or more searches side by side with a batch evaluator, each within these limits. A
    /// batch is filled evenly with leaves of all unfinished searches, which have a virtual loss until
    /// evaluated. With as many searches as a batch has positions, each of them is the search of
    /// [`Search::run`].
    pub fn run_together(searches: &mut [Self], evaluator: &mut impl BatchEvaluator, limits: &Limits) {
        let start = Instant::now();
        Self::expand_roots(searches, evaluator);
        let begin = |search: &mut Self| {
            search.prove_moves();
            SearchRun::new(search, limits, start)
        };
        let runs: Vec<SearchRun> = searches.iter_mut().map(begin).collect();
        let mut going = searches.len();
        while going > 0 {
            let share = (evaluator.batch() / going).max(1);
            let mut leaves = Vec::new();
            going = 0;
            for (number, (search, run)) in searches.iter_mut().zip(&runs).enumerate() {
                let before = leaves.len();
                while leaves.len() < before + share && !run.is_over(search) {
                    match search.select_within(limits.memory) {
                        Selection::Leaf(leaf) => leaves.push((number, leaf)),
                        Selection::Finished => {}
                        Selection::Awaited | Selection::Decided => break,
                    }
                }
                going += usize::from(leaves.len() > before);
            }
            Self::return_leaves(searches, leaves, evaluator);
        }
        searches.iter_mut().zip(&runs).for_each(|(search, run)| search.end(run));
    }

    /// Evaluates the roots of several searches in one batch, except those already evaluated.
    pub fn expand_roots(searches: &mut [Self], evaluator: &mut impl BatchEvaluator) {
        let mut leaves = Vec::new();
        for (number, search) in searches.iter_mut().enumerate().filter(|(_, search)| search.tree.nodes.is_empty()) {
            if let Selection::Leaf(leaf) = search.select() {
                leaves.push((number, leaf));
            }
        }
        Self::return_leaves(searches, leaves, evaluator);
    }

    /// Evaluates leaves and returns each to the search with its index.
    fn return_leaves(searches: &mut [Self], leaves: Vec<(usize, Leaf)>, evaluator: &mut impl BatchEvaluator) {
        if leaves.is_empty() {
            return;
        }
        let queries: Vec<Query<'_>> =
            leaves.iter().map(|(_, leaf)| Query { position: &leaf.position, legal: &leaf.legal }).collect();
        let evaluations = evaluator.evaluate_batch(&queries);
        for ((number, leaf), evaluation) in leaves.into_iter().zip(evaluations) {
            searches[number].expand(leaf, &evaluation);
        }
    }

    /// Returns whether, by this rule, `left` more visits cannot change the move to play.
    fn is_settled(&self, rule: EarlyStop, left: u32) -> bool {
        let choice = &self.settings.choice;
        // The share of the most visited move's visits that another move needs to be played.
        let share = match rule {
            EarlyStop::Never => return false,
            EarlyStop::Certain if choice.deviations > 0.0 => choice.least_share,
            EarlyStop::Certain | EarlyStop::Likely => 1.0,
        };
        let Some(root) = self.tree.nodes.first() else { return false };
        let is_open = |child: &&Node| child.proof.rank(root.to_move) > 0;
        let open = || self.tree.children_of(0).iter().filter(is_open);
        let unvisited = self.tree.moves_of(0).len() - self.tree.children_of(0).len();
        match open().count() + unvisited {
            0 => return false,
            1 => return true,
            _ => {}
        }
        let Some(favourite) = open().max_by_key(|child| child.begun()) else { return false };
        let needed = share * favourite.begun() as f32;
        let action = favourite.led_by.action();
        let rivals = open().filter(|child| child.led_by.action() != action).map(|child| child.begun());
        rivals.chain((unvisited > 0).then_some(0)).all(|begun| (begun.saturating_add(left) as f32) < needed)
            && self.best_action() == Some(action)
    }
}

/// A search shared by several threads.
struct Shared<'a> {
    search: Mutex<&'a mut Search>,
    /// Notified when a leaf is returned.
    returned: Condvar,
    /// Requested by the first thread that finds the run over. To the others a settled choice may look open again.
    over: StopSignal,
}

impl<'a> Shared<'a> {
    fn work(&self, evaluator: &mut impl Evaluator, slice: Slice<'_>) {
        let mut search = self.lock();
        // After a panic the leaf of this thread never returns, and the others may be waiting for it.
        let _over = StopAtEnd(&self.over);
        while !self.over.is_requested() && !slice.is_over(&search) {
            match search.select_within(slice.run.limits.memory) {
                Selection::Leaf(leaf) => {
                    drop(search);
                    let evaluation = evaluator.evaluate(&leaf.position, &leaf.legal);
                    search = self.lock();
                    search.expand(leaf, &evaluation);
                    self.returned.notify_one();
                }
                Selection::Finished => {}
                Selection::Awaited => {
                    let waited = self.returned.wait_timeout(search, MAX_WAIT);
                    search = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Selection::Decided => break,
            }
        }
    }

    /// Locks the search for this thread. If another thread has panicked, this one ends too, and the
    /// panic goes on when all are joined.
    fn lock(&self) -> MutexGuard<'_, &'a mut Search> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Puct;
    use hexzero_games::{Action, Evaluation, Position, WinDrawLoss, default_game};

    /// Evaluates by the number of legal actions, so that evaluations differ.
    pub(crate) fn judge(position: &Position, legal: &[Action]) -> Evaluation {
        let win = (position.turns() * 7 + legal.len() * 3) as f32 % 10.0 / 10.0;
        let outcome = WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
        Evaluation { outcome, ..Evaluation::uniform(legal.len()) }
    }

    fn visits(search: &Search) -> Vec<(Action, u32)> {
        search.root_moves().into_iter().map(|found| (found.action, found.visits)).collect()
    }

    #[test]
    fn larger_batches_make_as_many_visits() {
        let mut searches = [Search::new(default_game().start(4).unwrap(), Puct::default())];
        let mut batches = BatchJudge { batch: 16, largest: 0 };
        Search::run_together(&mut searches, &mut batches, &Limits::visits(300));
        assert_eq!((searches[0].visits(), batches.largest), (300, 16));
    }

    #[test]
    fn searches_together_are_those_of_each_alone() {
        let mut positions = vec![default_game().start(4).unwrap()];
        for text in ["a1", "b3", "c4"] {
            let mut next = positions[positions.len() - 1].clone();
            next.play_named(text).unwrap();
            positions.push(next);
        }
        // This game is won at once and then over.
        let mut nearly = default_game().start(3).unwrap();
        hexzero_games::play_all(&mut nearly, "a1 b1 a2 b2").unwrap();
        positions.push(nearly.clone());
        nearly.play_named("a3").unwrap();
        positions.push(nearly);
        let new = |position: &Position| Search::new(position.clone(), Puct::default());
        let mut together: Vec<Search> = positions.iter().map(new).collect();
        let mut batches = BatchJudge { batch: 1, largest: 0 };
        Search::run_together(&mut together, &mut batches, &Limits::visits(150));
        for (position, together) in positions.iter().zip(&together) {
            let mut alone = new(position);
            alone.run(&mut judge, &Limits::visits(150));
            assert_eq!(visits(&alone), visits(together));
        }
        assert_eq!(batches.largest, 4);
    }

    /// Evaluates batches by [`judge`], and records the largest.
    struct BatchJudge {
        batch: usize,
        largest: usize,
    }

    impl BatchEvaluator for BatchJudge {
        fn batch(&self) -> usize {
            self.batch
        }

        fn evaluate_batch(&mut self, queries: &[Query<'_>]) -> Vec<Evaluation> {
            self.largest = self.largest.max(queries.len());
            queries.iter().map(|query| judge(query.position, query.legal)).collect()
        }
    }
}
