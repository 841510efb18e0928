//! Runs a search until a limit is reached, on one thread or several.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::games::{BatchEvaluator, Evaluator, Query};
use crate::threads;

use super::limits::{Limits, MOST_THREADS};
use super::tree_search::{Leaf, Search, Selection};

/// Visits between two checks whether the result can be foreseen.
const FORESIGHT_EVERY: u32 = 16;

/// The most that a thread waits if every leaf is in flight; it is woken when one is returned.
const PATIENCE: Duration = Duration::from_millis(1);

/// One call of [`Search::run`]: its limits and where it began.
#[derive(Debug, Clone, Copy)]
struct Progress<'a> {
    limits: &'a Limits,
    start: Instant,
    visits_before: u32,
}

impl Progress<'_> {
    /// Whether no more visits may begin.
    fn is_over(&self, search: &Search) -> bool {
        let Limits { visits, time, memory, early_stop } = *self.limits;
        let begun = search.visits_begun();
        visits.is_some_and(|limit| begun >= limit)
            || time.is_some_and(|limit| self.start.elapsed() >= limit)
            || search.memory() >= memory
            || search.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed))
            || (early_stop && begun.is_multiple_of(FORESIGHT_EVERY) && search.is_settled(self.visits_left(begun)))
    }

    /// Returns the number of remaining visits; the maximum if unlimited.
    fn visits_left(&self, begun: u32) -> u32 {
        let by_count = self.limits.visits.map_or(u32::MAX, |limit| limit.saturating_sub(begun));
        let by_time = self.limits.time.map_or(u32::MAX, |limit| {
            let spent = self.start.elapsed();
            let new = begun - self.visits_before;
            // Too few visits to estimate their speed; none would mean a speed of 0.
            if new < FORESIGHT_EVERY {
                return u32::MAX;
            }
            let rate = f64::from(new) / spent.as_secs_f64().max(1e-9);
            (rate * limit.saturating_sub(spent).as_secs_f64()).ceil() as u32
        });
        by_count.min(by_time)
    }
}

impl Search {
    /// Returns the same search, which ends while this flag is raised as if a limit had been reached. The root is
    /// evaluated nevertheless, so that there is a move to play.
    pub fn halted_by(mut self, halt: Arc<AtomicBool>) -> Self {
        self.halt = Some(halt);
        self
    }

    /// Searches until a limit is reached or the root is decided.
    pub fn run(&mut self, evaluator: &mut impl Evaluator, limits: &Limits) {
        let progress = self.start(evaluator, limits);
        while !progress.is_over(self) {
            match self.select() {
                Selection::Leaf(leaf) => {
                    let evaluation = evaluator.evaluate(&leaf.position, &leaf.legal);
                    self.expand(leaf, &evaluation);
                }
                Selection::Finished => {}
                Selection::Awaited | Selection::Decided => break,
            }
        }
    }

    /// Searches on as many threads as there are evaluators. One thread at a time walks through the tree, which
    /// takes far less time than an evaluation, and all evaluate at the same time. Evaluators beyond
    /// [`MOST_THREADS`] are not used.
    ///
    /// # Panics
    /// If there is no evaluator.
    pub fn run_on<E: Evaluator + Send>(&mut self, evaluators: &mut [E], limits: &Limits) {
        let count = evaluators.len().min(MOST_THREADS);
        let Some((first, others)) = evaluators[..count].split_first_mut() else {
            panic!("a search needs an evaluator")
        };
        if others.is_empty() {
            return self.run(first, limits);
        }
        let progress = self.start(first, limits);
        let shared = Shared { search: Mutex::new(self), returned: Condvar::new() };
        std::thread::scope(|scope| {
            for evaluator in others {
                // Where the system has no more threads, fewer search.
                let _ = threads::spawn_scoped(scope, || shared.work(evaluator, &progress));
            }
            shared.work(first, &progress);
        });
    }

    /// Searches with an evaluator of batches: as many leaves as it asks for are in flight at a time, each of which
    /// counts as lost until evaluated. With batches of one the search is that of [`Search::run`].
    pub fn run_in_batches(&mut self, evaluator: &mut impl BatchEvaluator, limits: &Limits) {
        Self::run_together(std::slice::from_mut(self), evaluator, limits);
    }

    /// Runs several searches side by side, each within these limits: a batch has leaves of all that go on, as many of each as
    /// fill it. With as many searches as a batch has positions each of them is that of [`Search::run`].
    pub fn run_together(searches: &mut [Self], evaluator: &mut impl BatchEvaluator, limits: &Limits) {
        let start = Instant::now();
        Self::expand_roots(searches, evaluator);
        let progress: Vec<Progress<'_>> = searches.iter_mut().map(|search| search.begin_run(start, limits)).collect();
        let mut going = searches.len();
        while going > 0 {
            let share = (evaluator.batch() / going).max(1);
            let mut leaves = Vec::new();
            going = 0;
            for (number, (search, progress)) in searches.iter_mut().zip(&progress).enumerate() {
                let before = leaves.len();
                while leaves.len() < before + share && !progress.is_over(search) {
                    match search.select() {
                        Selection::Leaf(leaf) => leaves.push((number, leaf)),
                        Selection::Finished => {}
                        Selection::Awaited | Selection::Decided => break,
                    }
                }
                going += usize::from(leaves.len() > before);
            }
            Self::return_leaves(searches, leaves, evaluator);
        }
    }

    /// Evaluates the roots of several searches in one batch, except those done already.
    pub fn expand_roots(searches: &mut [Self], evaluator: &mut impl BatchEvaluator) {
        let mut leaves = Vec::new();
        for (number, search) in searches.iter_mut().enumerate().filter(|(_, search)| search.tree.nodes.is_empty()) {
            if let Selection::Leaf(leaf) = search.select() {
                leaves.push((number, leaf));
            }
        }
        Self::return_leaves(searches, leaves, evaluator);
    }

    /// Has leaves evaluated and returns each to the search with its number.
    fn return_leaves(searches: &mut [Self], leaves: Vec<(usize, Leaf)>, evaluator: &mut impl BatchEvaluator) {
        if leaves.is_empty() {
            return;
        }
        let queries: Vec<Query<'_>> =
            leaves.iter().map(|(_, leaf)| Query { position: &leaf.position, legal: &leaf.legal }).collect();
        let ticket = evaluator.submit(&queries);
        for ((number, leaf), evaluation) in leaves.into_iter().zip(evaluator.wait(ticket)) {
            searches[number].expand(leaf, &evaluation);
        }
    }

    fn start<'a>(&mut self, evaluator: &mut impl Evaluator, limits: &'a Limits) -> Progress<'a> {
        let start = Instant::now();
        self.expand_root(evaluator);
        self.begin_run(start, limits)
    }

    /// Prepares to distribute the visits of an expanded root.
    fn begin_run<'a>(&mut self, start: Instant, limits: &'a Limits) -> Progress<'a> {
        self.begin(limits.visits);
        Progress { limits, start, visits_before: self.visits() }
    }

    /// Whether this many more visits could not change the move played; nearly always right, as with
    /// [`Limits::early_stop`].
    pub fn is_settled(&self, visits_left: u32) -> bool {
        self.lead() > visits_left
    }

    /// Returns by how many visits the most visited move at the root leads; 0 if it is not the one to be played,
    /// and the maximum if there is no other.
    fn lead(&self) -> u32 {
        let Some(root) = self.tree.nodes.first() else { return 0 };
        let (mut most, mut next, mut leader) = (0, None, None);
        for edge in self.tree.edges_of(0).iter().filter(|edge| edge.proof.rank(root.to_move) > 0) {
            let begun = edge.begun();
            if begun > most || leader.is_none() {
                next = leader.map(|_| most);
                (most, leader) = (begun, Some(edge.action));
            } else {
                next = next.max(Some(begun));
            }
        }
        match next {
            None => u32::MAX,
            Some(next) if self.halving.is_none() && leader == self.best_action() => most - next,
            Some(_) => 0,
        }
    }
}

/// A search shared by several threads.
struct Shared<'a> {
    search: Mutex<&'a mut Search>,
    /// Signalled when a leaf is returned.
    returned: Condvar,
}

impl<'a> Shared<'a> {
    fn work(&self, evaluator: &mut impl Evaluator, progress: &Progress) {
        let mut search = self.lock();
        while !progress.is_over(&search) {
            match search.select() {
                Selection::Leaf(leaf) => {
                    drop(search);
                    let evaluation = evaluator.evaluate(&leaf.position, &leaf.legal);
                    search = self.lock();
                    search.expand(leaf, &evaluation);
                    self.returned.notify_one();
                }
                Selection::Finished => {}
                Selection::Awaited => {
                    let waited = self.returned.wait_timeout(search, PATIENCE);
                    search = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Selection::Decided => return,
            }
        }
    }

    /// Locks the search for this thread. A panic of one thread ends the whole search when all are joined; until then the
    /// others may continue.
    fn lock(&self) -> MutexGuard<'_, &'a mut Search> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Action, Evaluation, OneByOne, Position, WinDrawLoss, default_game};
    use crate::search::Puct;

    /// Evaluates by the number of legal actions, so that evaluations differ.
    fn judge(position: &Position, legal: &[Action]) -> Evaluation {
        let win = (position.turns() * 7 + legal.len() * 3) as f32 % 10.0 / 10.0;
        let outcome = WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
        Evaluation { outcome, ..Evaluation::uniform(legal.len()) }
    }

    fn visits(search: &Search) -> Vec<(Action, u32)> {
        search.root_moves().into_iter().map(|found| (found.action, found.visits)).collect()
    }

    #[test]
    fn batches_of_one_search_like_single_positions() {
        let new = || Search::new(default_game().start(4).unwrap(), Puct::default());
        let (mut single, mut batched) = (new(), new());
        single.run(&mut judge, &Limits::visits(300));
        batched.run_in_batches(&mut OneByOne::new(judge, 1), &Limits::visits(300));
        assert_eq!(visits(&single), visits(&batched));
    }

    #[test]
    fn larger_batches_make_as_many_visits() {
        let mut largest = 0;
        let mut search = Search::new(default_game().start(4).unwrap(), Puct::default());
        let mut evaluator = Counting { inner: OneByOne::new(judge, 16), largest: &mut largest };
        search.run_in_batches(&mut evaluator, &Limits::visits(300));
        assert_eq!((search.visits(), largest), (300, 16));
    }

    #[test]
    fn searches_together_are_those_of_each_alone() {
        let mut positions = vec![default_game().start(4).unwrap()];
        for text in ["a1", "b3", "c4"] {
            let mut next = positions[positions.len() - 1].clone();
            next.play_named(text).unwrap();
            positions.push(next);
        }
        // Won at once, and over.
        let mut nearly = default_game().start(3).unwrap();
        crate::games::play_all(&mut nearly, "a1 b1 a2 b2").unwrap();
        positions.push(nearly.clone());
        nearly.play_named("a3").unwrap();
        positions.push(nearly);
        let new = |position: &Position| Search::new(position.clone(), Puct::default());
        let mut together: Vec<Search> = positions.iter().map(new).collect();
        let mut largest = 0;
        let mut evaluator = Counting { inner: OneByOne::new(judge, 1), largest: &mut largest };
        Search::run_together(&mut together, &mut evaluator, &Limits::visits(150));
        for (position, together) in positions.iter().zip(&together) {
            let mut alone = new(position);
            alone.run(&mut judge, &Limits::visits(150));
            assert_eq!(visits(&alone), visits(together));
        }
        assert_eq!(largest, 4);
    }

    /// Records the largest batch.
    struct Counting<'a, E> {
        inner: E,
        largest: &'a mut usize,
    }

    impl<E: BatchEvaluator> BatchEvaluator for Counting<'_, E> {
        fn batch(&self) -> usize {
            self.inner.batch()
        }

        fn submit(&mut self, queries: &[Query<'_>]) -> crate::games::Ticket {
            *self.largest = queries.len().max(*self.largest);
            self.inner.submit(queries)
        }

        fn wait(&mut self, ticket: crate::games::Ticket) -> Vec<Evaluation> {
            self.inner.wait(ticket)
        }
    }
}
