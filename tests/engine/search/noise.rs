//! Noise belongs to the roots of self-play's full searches and to nothing else.

use hexzero::games::{Action, Evaluation, Position};
use hexzero::players::{EnginePlayer, Player as _};
use hexzero::replay::GameRecord;
use hexzero::search::{Limits, Puct, RootMove, RootNoise, Search};
use hexzero::selfplay::{OpeningSettings, SelfPlaySettings, SizeWeight, Temperature, play_game};
use hexzero::stop::StopSignal;

use super::positions::{opinionated, position};
use crate::games::cachex;
use crate::network::rng;

const STRONG: RootNoise = RootNoise { concentration: 10.0, fraction: 0.5, forced_playouts: 2.0 };

/// The priors of a position's moves, in ascending order of the moves.
fn judged_priors(game: &Position) -> Vec<(Action, f32)> {
    let legal = game.legal();
    let Evaluation { priors, .. } = opinionated(game, &legal);
    legal.into_iter().zip(priors).collect()
}

fn priors(moves: &[RootMove]) -> Vec<(Action, f32)> {
    let mut priors: Vec<_> = moves.iter().map(|candidate| (candidate.action, candidate.prior)).collect();
    priors.sort_by_key(|&(action, _)| action);
    priors
}

/// The tree stores a prior with an error of at most one part in 4096.
fn assert_alike(found: &[(Action, f32)], expected: &[(Action, f32)]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() <= expected.1 / 2048.0, "{found:?}, {expected:?}");
    }
}

#[test]
fn play_and_matches_are_without_noise() {
    let game = position(5, "a1 c3 d2");
    let search = || {
        let mut search = Search::new(game.clone(), Puct::default());
        search.run(&mut opinionated, &Limits::visits(200));
        search.root_moves()
    };
    assert_eq!(search(), search());
    assert_alike(&priors(&search()), &judged_priors(&game));
    for seed in [1, 2] {
        let mut player = EnginePlayer::new("engine", opinionated, Puct::default(), Limits::visits(200));
        player.start_game(&game, seed).unwrap();
        player.choose(&game).unwrap();
        assert_eq!(player.search().unwrap().root_moves(), search());
    }
}

/// A game in which nothing is left to chance but noise.
fn game(full_share: f64, noise: RootNoise, seed: u64) -> GameRecord {
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(4)],
        full_visits: 40,
        cheap_visits: 20,
        full_share,
        noise,
        temperature: Temperature { start: 0.0, end: 0.0, half_life: 1.0 },
        opening: OpeningSettings { random: 0.0, ..OpeningSettings::default() },
        ..SelfPlaySettings::default()
    };
    play_game(cachex(), &mut opinionated, &settings, &mut rng(seed), &StopSignal::new()).unwrap()
}

#[test]
fn self_play_has_noise_in_full_searches_only() {
    let games = |full_share, noise| [1, 2, 3].map(|seed| game(full_share, noise, seed));
    let none = RootNoise { fraction: 0.0, ..STRONG };
    let [one, two, three] = games(1.0, STRONG);
    assert!(one != two && two != three, "three games with noise are three games");
    // The noise is drawn, but without weight it makes no difference; cheap searches have none.
    for (full_share, noise) in [(1.0, none), (0.0, STRONG)] {
        let [one, two, three] = games(full_share, noise);
        assert!(one == two && two == three, "{full_share} {noise:?}");
    }
}

#[test]
fn noise_ends_when_the_game_goes_on() {
    let mut search = Search::new(position(5, "a1"), Puct::default());
    search.expand_root(&mut opinionated);
    let before = priors(&search.root_moves());
    search.add_root_noise(&STRONG, &mut rng(1));
    search.run(&mut opinionated, &Limits::visits(400));
    assert_ne!(priors(&search.root_moves()), before);

    search.advance(search.best_action().unwrap());
    assert!(search.visits() > 50);
    assert_alike(&priors(&search.root_moves()), &judged_priors(search.position()));
    // It goes on as a search that never had any noise.
    let mut fresh = Search::new(search.position().clone(), Puct::default());
    fresh.run(&mut opinionated, &Limits::visits(search.visits() + 100));
    search.run(&mut opinionated, &Limits::visits(search.visits() + 100));
    assert_eq!(search.root_moves(), fresh.root_moves());
}
