//! Runs that learn while games arrive in any order.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use hexzero::cluster::{Broker, Delivery, PlayedRange, RunState, STATE, Work, decode, encode};
use hexzero::replay::Journal;
use hexzero::stop::StopSignal;
use hexzero::training::{GameNumbers, Progress, Recipe, Run, RunFolder, TrainingState};

use super::frauds::{play_for, send, take};
use super::{connect, counts_at_end, start_coordinator, wait_for};
use crate::games::cachex;
use crate::nats::Nats;
use crate::output::stdout;
use crate::process::{Process, wait_for_some, wait_until};
use crate::runs::{journal_of, journal_owner, metrics, state};
use crate::tiny::{RECIPE, folder_with_own_recipe, folder_with_recipe, train};

/// Settings of the recipe of these tests.
const ITERATION: u64 = 6;

/// Returns the numbers of the games in a run's journal.
fn journal(run: &Path, state: &TrainingState) -> BTreeSet<u64> {
    // The run may have been killed between the end of an iteration and that of its journal.
    let found = [0, 1].into_iter().find_map(|before| journal_of(run, state.counters.iteration.checked_sub(before)?));
    found.unwrap()
}

/// Returns the numbers of all stored games of a run.
pub(super) fn written_down(run: &Path) -> BTreeSet<u64> {
    let state = state(run);
    let numbers = state.numbers.clone().unwrap_or_else(|| GameNumbers::from(0));
    let missing: BTreeSet<u64> = numbers.in_flight().collect();
    (0..numbers.next()).filter(|number| !missing.contains(number)).chain(journal(run, &state)).collect()
}

/// Asserts that every number was learnt from once or is still to come.
pub(super) fn check_numbers(run: &Path) {
    let state = state(run);
    let numbers = state.numbers.unwrap();
    assert_eq!(numbers.next(), state.counters.games + numbers.in_flight().len() as u64);
}

/// Asserts the same, and that every iteration took as many steps as its positions call for.
pub(super) fn check(run: &Path) {
    check_numbers(run);
    let state = state(run);
    let lines = metrics(run);
    assert_eq!(lines.len() as u64, state.counters.iteration);
    let (mut step, mut positions) = (0, 0);
    for (line, iteration) in lines.iter().zip(1..) {
        let of = |name: &str| line[name].as_u64().unwrap();
        assert_eq!((of("iteration"), of("new_games"), of("games")), (iteration, ITERATION, ITERATION * iteration));
        // reuse = 6, batch = 16
        assert_eq!(of("step") - step, ((of("positions") - positions) * 6).div_ceil(16), "{line}");
        (step, positions) = (of("step"), of("positions"));
        let shard = hexzero::replay::Shard::read(&RunFolder::open(run).unwrap().shard(iteration - 1)).unwrap();
        assert_eq!(shard.records.len() as u64, ITERATION);
    }
}

#[test]
fn halted_worker_does_not_hold_the_run_up() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let mut workers: Vec<_> = (0..2).map(|n| Process::worker(at, &format!("w{n}"), &nats.address())).collect();
    (0..2).for_each(|n| wait_for(&at.join(format!("w{n}")), "waiting for a run to begin"));
    let mut coordinator = start_coordinator(at, &nats.address(), "--recipe tiny.toml --games 360 --patience 3600");
    wait_for(&at.join("w1"), "playing for the run a");
    wait_for(&at.join("coordinator"), "   2  12 games");
    workers[1].halt();
    assert!(counts_at_end(at, &mut coordinator)("acknowledged") > 0);
    check(&at.join("a"));
    // Its games are still missing, and the run went on without them.
    assert!(state(&at.join("a")).numbers.unwrap().in_flight().len() > 0);
    assert_eq!(state(&at.join("a")).counters.games, 360);
    workers[0].stop();
}

/// Waits for a job other than `before` and returns the state of the run.
fn job_after(broker: &Broker, before: Option<&str>) -> RunState {
    wait_for_some("another job", || {
        let (bytes, _) = broker.get(STATE, "current").ok().flatten()?;
        let state = decode::<RunState>(&bytes).unwrap();
        (state.job.is_some() && state.job.as_deref() != before).then_some(state)
    })
}

#[test]
fn games_beyond_the_allowed_age_are_dropped() {
    for (age, wanted) in [(1, "12 used, 1 doubled, 1 stale"), (0, "12 used, 1 doubled, 3 stale")] {
        let Some(nats) = Nats::start() else { return };
        let recipe = RECIPE.replace("batch = 16\n", &format!("batch = 16\ncheckpoint_age = {age}\n"));
        let at = &*folder_with_own_recipe(&recipe);
        let mut coordinator = start_coordinator(at, &nats.address(), "--recipe tiny.toml --games 1000000 --verify 1");
        let broker = connect(&nats.address(), "by-hand");
        broker.set_up_run(Duration::from_secs(12)).unwrap();
        let first = job_after(&broker, None);
        let job = first.job.unwrap();
        assert!(first.continuous && first.earlier_jobs.is_empty());
        let played = |job: &str| {
            let (delivery, work) = take(&broker);
            (delivery, play_for(&broker, "by-hand", &work, job))
        };
        // Acknowledged after the games are sent, as by workers; otherwise they would seem lost.
        let acknowledge = |taken: Vec<Delivery>| taken.iter().for_each(Delivery::acknowledge);
        // Two iterations of games are dealt out at the beginning.
        let (taken, early): (Vec<_>, Vec<PlayedRange>) = (0..12).map(|_| played(&job)).unzip();
        let mut sent = 0;
        let mut give = |range: &PlayedRange| {
            sent += 1;
            send(&broker, "by-hand", &format!("{age}.{sent}"), encode(range).unwrap());
        };
        early[..6].iter().for_each(&mut give);
        acknowledge(taken);
        let second = job_after(&broker, Some(&job));
        assert_eq!(second.earlier_jobs, if age == 1 { vec![job] } else { vec![] });
        let present = second.job.unwrap();
        give(&early[6]);
        let (taken, late): (Vec<_>, Vec<PlayedRange>) = (0..7 - age).map(|_| played(&present)).unzip();
        let (later, late) = late.split_last().unwrap();
        late.iter().for_each(&mut give);
        acknowledge(taken);
        let third = job_after(&broker, Some(&present)).job.unwrap();
        // Two checkpoints old; one, as far as that is allowed; and one that was used.
        give(&early[7]);
        if age == 0 {
            give(later);
        }
        let again = Work { job: present.clone(), deal: 0, first: late[0].games[0].0, games: 1 };
        give(&play_for(&broker, "by-hand", &again, &third));
        wait_for_status(at, &nats, wanted);
        coordinator.interrupt();
        assert!(counts_at_end(at, &mut coordinator)("acknowledged") > 0);
        check(&at.join("a"));
        assert_eq!(state(&at.join("a")).counters.games, 12);
    }
}

fn wait_for_status(at: &Path, nats: &Nats, text: &str) {
    let status = || stdout(&crate::common::hexzero(at, &["cluster", "status", "--cluster", &nats.address()]));
    wait_until(text, || status().contains(text));
}

#[test]
fn stopped_run_is_resumed_in_either_mode() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let _worker = Process::worker(at, "w", &nats.address());
    let run = at.join("a");
    let mut games = 0;
    for more in ["--recipe tiny.toml", "--resume", "--resume --lock-step", "--resume"] {
        games += 12;
        let mut coordinator = start_coordinator(at, &nats.address(), &format!("{more} --games {games}"));
        assert!(coordinator.wait().success());
        check(&run);
        assert_eq!(state(&run).counters.games, games);
    }
    let text = "continue it with --resume";
    let mut second = start_coordinator(at, &nats.address(), "--recipe tiny.toml --games 1");
    assert!(!second.wait().success());
    wait_for(&at.join("coordinator.err"), text);
    // It goes on without a cluster, too, with the games that wait.
    let kept = written_down(&run);
    train(at, &format!("--resume --run a --rate 0 --games {}", games + 6)).success();
    check(&run);
    assert!(kept.is_subset(&written_down(&run)));
}

struct Silent;
impl Progress for Silent {}

/// Begins a run that learns while it plays, by the recipe in a folder.
fn begun(folder: &Path, path: &Path) -> Run {
    let recipe = Recipe::read(cachex(), &folder.join("tiny.toml")).unwrap();
    let mut run = Run::create(cachex(), path, recipe, 2, None).unwrap();
    run.learn_while_playing();
    run
}

#[test]
fn local_threads_may_play_while_learning() {
    let folder = &*folder_with_recipe();
    let path = folder.join("a");
    let never = StopSignal::new();
    let mut run = begun(folder, &path);
    for _ in 0..3 {
        run.iterate(&never, &Silent).unwrap().unwrap();
    }
    drop(run);
    check(&path);
    let kept = written_down(&path);
    let mut run = Run::resume(cachex(), &path, 2, &Silent).unwrap();
    run.learn_while_playing();
    let stop = StopSignal::new();
    stop.request();
    assert!(run.iterate(&stop, &Silent).unwrap().is_none());
    run.iterate(&never, &Silent).unwrap().unwrap();
    check(&path);
    assert!(kept.is_subset(&written_down(&path)));
    assert_eq!(run.counters().games, 4 * ITERATION);
}

#[test]
fn waiting_games_are_used_in_lock_step() {
    let folder = &*folder_with_recipe();
    let path = folder.join("a");
    let never = StopSignal::new();
    let mut run = begun(folder, &path);
    run.iterate(&never, &Silent).unwrap().unwrap();
    let run_folder = run.folder().clone();
    drop(run);

    // More than an iteration of them.
    let waiting = state(&path);
    let numbers = waiting.numbers.clone().unwrap();
    let record = hexzero::replay::Shard::read(&run_folder.shard(0)).unwrap().records.remove(0);
    let mut opened = Journal::open(&run_folder.journal(), &journal_owner(&path, 1)).unwrap();
    let found: Vec<u64> = opened.games.iter().map(|game| game.0).collect();
    let others = numbers.in_flight().chain(numbers.next()..).filter(|number| !found.contains(number));
    let others: Vec<u64> = others.take(8_usize.saturating_sub(found.len())).collect();
    others.iter().for_each(|&number| opened.journal.add_all(&[(number, &record)], 1.0).unwrap());
    let all: Vec<u64> = found.into_iter().chain(others).collect();
    assert!((8..=12).contains(&all.len()), "{all:?}");
    let before = fs::read(run_folder.journal()).unwrap();

    let mut run = Run::resume(cachex(), &path, 2, &Silent).unwrap();
    run.iterate(&never, &Silent).unwrap().unwrap();
    drop(run);
    check(&path);
    assert_eq!(journal(&path, &state(&path)), all[6..].iter().copied().collect());
    // As if the process had died between the end of the iteration and that of its journal.
    fs::write(run_folder.journal(), before).unwrap();
    let mut run = Run::resume(cachex(), &path, 2, &Silent).unwrap();
    run.iterate(&never, &Silent).unwrap().unwrap();
    check(&path);
    let numbers = state(&path).numbers.unwrap();
    assert!(all.iter().all(|&number| number < numbers.next() && !numbers.is_in_flight(number)), "{all:?} {numbers:?}");
    assert!(!run_folder.journal().exists());
}
