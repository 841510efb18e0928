//! The cache of a network's answers changes nothing but the time they take.

use hexzero::games::{Action, Evaluation, Evaluator, Position};
use hexzero::network::{Architecture, Checkpoint, Metadata, Network, NetworkEvaluator, Precision};
use hexzero::selfplay::{Pool, SelfPlaySettings, SizeWeight};
use hexzero::stop::StopSignal;

use crate::games::{cachex, set_up};
use crate::network::rng;

fn evaluator() -> NetworkEvaluator {
    let architecture = Architecture { blocks: 1, channels: 16, ..Architecture::default() };
    let mut rng = rng(1);
    let (_, parameters) = Network::random(&architecture, &cachex().view, &mut rng).unwrap();
    let metadata = Metadata::untrained(cachex(), architecture);
    let checkpoint = Checkpoint { metadata, tensors: parameters.to_named().unwrap() };
    NetworkEvaluator::new(cachex(), &checkpoint, "random", Precision::best()).unwrap()
}

/// Returns `count` positions of random games on boards of these sizes in turn.
fn positions(sizes: &[usize], count: usize) -> Vec<(Position, Vec<Action>)> {
    let mut rng = rng(2);
    let mut found = Vec::new();
    for &size in sizes.iter().cycle() {
        let mut game = cachex().start(size).unwrap();
        while let Some(action) = game.random_action(&mut rng) {
            let legal = game.legal();
            found.push((game.clone(), legal));
            if found.len() == count {
                return found;
            }
            game.play(action);
        }
    }
    unreachable!("sizes.iter().cycle() does not end");
}

fn judge(evaluator: &mut NetworkEvaluator, positions: &[(Position, Vec<Action>)]) -> Vec<Evaluation> {
    positions.iter().map(|(game, legal)| evaluator.evaluate(game, legal)).collect()
}

#[test]
fn cached_answers_are_bit_identical() {
    let positions = positions(&[3, 6, 4], 300);
    let fresh = judge(&mut evaluator(), &positions);
    let mut cached = evaluator().with_cache(8);
    assert_eq!(judge(&mut cached, &positions), fresh, "as the positions come");
    let first = cached.cache_use().unwrap();
    assert_eq!(judge(&mut cached.clone(), &positions), fresh, "through a clone, which knows all of them");
    let both = cached.cache_use().unwrap();
    assert_eq!((first.lookups, both.lookups), (300, 600));
    // Random games begin alike.
    assert!((1..150).contains(&first.hits), "{first:?}");
    assert_eq!(both.hits, first.hits + 300);
}

#[test]
fn turn_count_distinguishes_equal_stones() {
    let anew = |game: &Position| {
        let stones: Vec<_> = (0..game.topology().cells()).map(|cell| game.owner(cell)).collect();
        set_up(game.size(), &stones, game.to_move())
    };
    // After captures there are fewer stones than turns, which a position that was set up cannot know.
    let positions = positions(&[4], 500);
    let (later, legal) = positions.iter().find(|(game, _)| anew(game).turns() < game.turns()).unwrap();
    let mut cached = evaluator().with_cache(1);
    assert_ne!(cached.evaluate(later, legal), cached.evaluate(&anew(later), legal));
    assert_eq!(cached.cache_use().unwrap().hits, 0);
}

#[test]
fn memory_is_bounded() {
    let positions = positions(&[9], 4000);
    let mut cached = evaluator().with_cache(1);
    judge(&mut cached, &positions);
    let before = cached.cache_use().unwrap();
    assert!(before.bytes <= 1 << 20, "{before:?}");
    assert!(before.bytes > 1 << 19, "{before:?}: the memory is there to be used");
    judge(&mut cached, &positions);
    let after = cached.cache_use().unwrap();
    assert!(after.bytes <= 1 << 20, "{after:?}");
    assert!(after.hits - before.hits < 4000, "what was given up is not known any more");
}

#[test]
fn games_do_not_depend_on_the_cache() {
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(4)],
        full_visits: 32,
        cheap_visits: 8,
        ..SelfPlaySettings::default()
    };
    let play = |evaluator: &NetworkEvaluator, workers: usize| {
        let pool = Pool::new(workers).unwrap();
        pool.play(cachex(), evaluator, &settings, 7, 0..20, &StopSignal::new(), |_, _| {}).unwrap()
    };
    let expected = play(&evaluator(), 1);
    // With 1 MiB answers are evicted, too.
    for workers in [1, 2] {
        let cached = evaluator().with_cache(1);
        assert_eq!(play(&cached, workers), expected, "{workers} workers");
        assert!(cached.cache_use().unwrap().hits > 0);
    }
    assert_eq!(evaluator().with_cache(0).cache_use(), None);
}
