//! Limits hold, however slow evaluations are and however many threads there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use hexzero::games::{Action, Evaluation, Evaluator, Position, game_named};
use hexzero::search::{EarlyStop, FinalChoice, Limits, RootMove, Search, SearchRun, SearchSettings};

use super::positions::{opinionated, position, sum, uniform};
use crate::games::known;

/// Longer than any wait of a passing test.
const AT_MOST: Duration = Duration::from_secs(20);

/// Evaluators that return in pairs only, so that two leaves are always out at the same time.
#[derive(Default)]
struct Pairs {
    inside: Mutex<usize>,
    another: Condvar,
}

impl Pairs {
    fn evaluate(&self, game: &Position, legal: &[Action]) -> Evaluation {
        let mut inside = self.inside.lock().unwrap();
        *inside += 1;
        let pair = inside.div_ceil(2);
        self.another.notify_all();
        let (inside, waited) = self
            .another
            .wait_timeout_while(inside, AT_MOST, |inside| inside.div_ceil(2) == pair && *inside % 2 == 1)
            .unwrap();
        drop(inside);
        assert!(!waited.timed_out(), "the other thread is judging too");
        uniform(game, legal)
    }
}

#[test]
fn threads_evaluate_in_parallel_within_limits() {
    for threads in [2, 4] {
        for visits in [3, 9, 21] {
            let pairs = Pairs::default();
            let mut search = Search::new(position(5, "a1 c3"), SearchSettings::default());
            search.expand_root(&mut uniform);
            // At most as many visits as there are untried moves, so that no thread waits for the leaf of another.
            let judge = |game: &Position, legal: &[Action]| pairs.evaluate(game, legal);
            search.run_on(&mut vec![judge; threads], &Limits::visits(visits));
            assert_eq!(search.visits(), visits);
            assert_eq!(*pairs.inside.lock().unwrap() as u32, visits - 1);
        }
    }
}

#[test]
fn evaluations_do_not_start_after_the_time() {
    for threads in [1, 4] {
        let judged = AtomicUsize::new(0);
        let time = Duration::from_millis(50);
        let judge = |game: &Position, legal: &[Action]| {
            // From the fifth on, evaluations take longer than the search may.
            if judged.fetch_add(1, Ordering::SeqCst) >= 4 {
                std::thread::sleep(time + Duration::from_millis(10));
            }
            uniform(game, legal)
        };
        let mut search = Search::new(position(9, "a1"), SearchSettings::default());
        search.run_on(&mut vec![judge; threads], &Limits { visits: Some(1_000_000), ..Limits::time(time) });
        let judged = judged.load(Ordering::SeqCst);
        assert!((1..=4 + threads).contains(&judged), "{judged} on {threads} threads");
        assert_eq!(search.visits() as usize, judged);
    }
}

#[test]
fn zero_time_evaluates_only_the_root() {
    for threads in [1, 3] {
        let mut search = Search::new(position(9, "a1"), SearchSettings::default());
        search.run_on(&mut vec![uniform; threads], &Limits::time(Duration::ZERO));
        assert_eq!(search.visits(), 1);
        assert!(search.best_action().is_some());
    }
}

#[test]
fn early_stop_plays_the_move_of_the_full_search() {
    let (mut spared, mut searches) = (0, 0);
    let most_visited = FinalChoice { deviations: 0.0, ..FinalChoice::default() };
    let openings = ["", "a1", "b2 c3", "a1 c3 d2", "e1 b4 c2 d3", "d4 a2"].map(|moves| position(5, moves));
    let rules = [(EarlyStop::Likely, most_visited), (EarlyStop::Certain, FinalChoice::default())];
    for game in known().into_iter().map(|known| known.game()).chain(openings) {
        for (visits, (rule, choice)) in [50, 333].into_iter().flat_map(|visits| rules.map(|rule| (visits, rule))) {
            let settings = SearchSettings { choice, ..SearchSettings::default() };
            let search = |limits: Limits| {
                let mut search = Search::new(game.clone(), settings);
                search.run(&mut opinionated, &limits);
                search
            };
            let (all, fewer) = (search(Limits::visits(visits)), search(Limits::visits(visits).stopping(rule)));
            assert!(fewer.visits() <= all.visits());
            spared += u32::from(fewer.visits() < all.visits());
            searches += 1;
            let (played, foreseen) = (all.best_action(), fewer.best_action());
            if played != foreseen {
                // Only a proven move may overtake one with too many visits.
                let proven = |candidate: &RootMove| candidate.proven_in.is_some();
                let late = all.root_moves().into_iter().filter(proven).map(|candidate| candidate.action);
                let late: Vec<Action> = late.collect();
                let early = fewer.root_moves().into_iter().filter(proven).count();
                assert!(late.len() > early, "{}", game.drawing(None));
                assert!(late.iter().any(|&action| Some(action) == played || Some(action) == foreseen));
            }
        }
    }
    assert!(spared * 10 > searches, "{spared} of {searches}");
}

/// White connects by d4 unless Black goes there; all other moves are soon proven to lose.
#[test]
fn only_remaining_move_needs_no_search() {
    let mut position = game_named("hex-noswap").unwrap().start(7).unwrap();
    hexzero::games::play_all(&mut position, "a1 a4 b1 b4 c1 c4 e7 e4 f7 f4 g7 g4").unwrap();
    for threads in [1, 3] {
        for (rule, most) in [(EarlyStop::Never, 2000), (EarlyStop::Likely, 200), (EarlyStop::Certain, 200)] {
            let mut search = Search::new(position.clone(), SearchSettings::default());
            search.run_on(&mut vec![uniform; threads], &Limits::visits(2000).stopping(rule));
            assert!(search.visits() <= most && !search.is_proven(), "{rule}: {}", search.visits());
            assert_eq!(search.visits() == 2000, rule == EarlyStop::Never, "{rule}");
            assert_eq!(position.action_name(search.best_action().unwrap()), "d4");
        }
    }
}

/// A run in slices makes the visits of a run in one go.
#[test]
fn sliced_run_equals_the_run_in_one_go() {
    for visits in [1, 40, 500] {
        let whole = {
            let mut search = Search::new(position(6, "a1"), SearchSettings::default());
            search.run(&mut opinionated, &Limits::visits(visits));
            search.root_moves()
        };
        let mut search = Search::new(position(6, "a1"), SearchSettings::default());
        let run = SearchRun::new(&search, &Limits::visits(visits), Instant::now());
        let slow = |game: &Position, legal: &[Action]| {
            std::thread::sleep(Duration::from_micros(100));
            opinionated(game, legal)
        };
        let mut slices = 1;
        while search.resume_on(&mut [slow], &run, Duration::from_millis(2)) {
            slices += 1;
        }
        assert_eq!(search.root_moves(), whole);
        assert!(slices > visits / 40, "{slices} slices");
    }
}

/// Threads that reach the same leaf count its visit once.
#[test]
fn visits_of_threads_add_up() {
    for threads in [2, 4] {
        let judged = AtomicUsize::new(0);
        let judge = |game: &Position, legal: &[Action]| {
            judged.fetch_add(1, Ordering::Relaxed);
            std::thread::yield_now();
            opinionated(game, legal)
        };
        let mut search = Search::new(position(6, "a1"), SearchSettings::default());
        for visits in [1, 2, 5, 100, 101, 500] {
            search.run_on(&mut vec![judge; threads], &Limits::visits(visits));
            assert_eq!(search.visits(), visits);
            assert_eq!(sum(&search) + 1, visits);
        }
        assert!(judged.load(Ordering::Relaxed) <= 500);
        // No visit is in flight any more, or it would count towards the limit.
        search.run(&mut opinionated, &Limits::visits(540));
        assert_eq!((search.visits(), sum(&search)), (540, 539));
        let best = search.root_moves()[0];
        search.advance(best.action);
        search.run(&mut opinionated, &Limits::visits(best.visits + 40));
        assert_eq!(search.visits(), best.visits + 40);
    }
}

/// Other threads do not wait for the leaf of a thread that has failed, even if there is no other leaf.
#[test]
fn failure_with_the_only_leaf_ends_the_search() {
    let judge = |game: &Position, legal: &[Action]| {
        assert!(game.turns() == 1, "made to fail");
        uniform(game, legal)
    };
    let start = Instant::now();
    let search = || {
        let game = position(5, "a1");
        let others = game.legal().into_iter().skip(1);
        let mut search = Search::new(game, SearchSettings::default()).without(others);
        search.run_on(&mut [judge; 2], &Limits { visits: Some(100), ..Limits::time(AT_MOST) });
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(search)).is_err());
    assert!(start.elapsed() < AT_MOST / 2, "the other thread has waited");
}

/// A thread whose evaluator fails takes the search down with it, instead of leaving the others waiting.
#[test]
fn failure_on_one_thread_ends_the_search() {
    let judged = AtomicUsize::new(0);
    let judge = |game: &Position, legal: &[Action]| {
        assert!(judged.fetch_add(1, Ordering::SeqCst) != 10, "made to fail");
        uniform.evaluate(game, legal)
    };
    let search = || {
        let mut search = Search::new(position(5, "a1"), SearchSettings::default());
        search.run_on(&mut [judge; 3], &Limits::visits(100));
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(search)).is_err());
}
