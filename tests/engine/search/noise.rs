//! Noise belongs to the roots of self-play's full searches and to nothing else.

use hexzero::games::{Action, Evaluation, Position};
use hexzero::players::{EnginePlayer, Player as _};
use hexzero::replay::GameRecord;
use hexzero::search::{Limits, Puct, RootMethod, RootMove, RootNoise, RootPolicy, Search, SearchSettings};
use hexzero::selfplay::{OpeningSettings, SelfPlaySettings, SizeWeight, Temperature, play_game};
use hexzero::stop::StopSignal;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::positions::{opinionated, position};
use crate::games::cachex;

const STRONG: RootNoise = RootNoise { concentration: 10.0, fraction: 0.5 };

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The priors of a position's moves, by number of the move.
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

#[test]
fn play_and_matches_are_without_noise() {
    let game = position(5, "a1 c3 d2");
    let search = || {
        let mut search = Search::new(game.clone(), Puct::default());
        search.run(&mut opinionated, &Limits::visits(200));
        search.root_moves()
    };
    assert_eq!(search(), search());
    assert_eq!(priors(&search()), judged_priors(&game));
    for seed in [1, 2] {
        let mut player = EnginePlayer::new("engine", opinionated, Puct::default(), Limits::visits(200));
        player.start_game(&game, seed).unwrap();
        player.choose(&game).unwrap();
        assert_eq!(player.search().unwrap().root_moves(), search());
    }
}

/// A game in which nothing is left to chance but noise.
fn game(full_share: f64, noise: RootNoise, root: RootPolicy, seed: u64) -> GameRecord {
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(4)],
        full_visits: 40,
        cheap_visits: 20,
        full_share,
        noise,
        temperature: Temperature { start: 0.0, end: 0.0, half_life: 1.0 },
        opening: OpeningSettings { random: 0.0, ..OpeningSettings::default() },
        root,
        ..SelfPlaySettings::default()
    };
    play_game(cachex(), &mut opinionated, &settings, &mut rng(seed), &StopSignal::new()).unwrap()
}

#[test]
fn self_play_has_noise_in_full_searches_only() {
    let roots = [0.0, 2.0].map(|forced_playouts| RootPolicy { forced_playouts, ..RootPolicy::default() });
    for root in roots {
        let games = |full_share, noise| [1, 2, 3].map(|seed| game(full_share, noise, root, seed));
        let none = RootNoise { fraction: 0.0, ..STRONG };
        let [one, two, three] = games(1.0, STRONG);
        assert!(one != two && two != three, "three games with noise are three games");
        // The generator draws as much, but without weight it makes no difference; in cheap searches there is none.
        for (full_share, noise) in [(1.0, none), (0.0, STRONG)] {
            let [one, two, three] = games(full_share, noise);
            assert!(one == two && two == three, "{full_share} {noise:?}");
        }
    }
    // Nor does a Gumbel root draw anything where the temperature is 0.
    let gumbel = RootPolicy { method: RootMethod::Gumbel, ..RootPolicy::default() };
    assert!(game(1.0, STRONG, gumbel, 1) == game(1.0, STRONG, gumbel, 2));
}

#[test]
fn noise_ends_when_the_game_goes_on() {
    let settings =
        SearchSettings { root: RootPolicy { forced_playouts: 2.0, ..RootPolicy::default() }, ..Puct::default().into() };
    let mut search = Search::new(position(5, "a1"), settings);
    search.expand_root(&mut opinionated);
    let before = priors(&search.root_moves());
    search.add_root_noise(&STRONG, &mut rng(1));
    search.run(&mut opinionated, &Limits::visits(400));
    assert_ne!(priors(&search.root_moves()), before);
    let visits = |search: &Search| -> Vec<(Action, u32)> {
        let visited = search.root_moves().into_iter().filter(|candidate| candidate.visits > 0);
        visited.map(|candidate| (candidate.action, candidate.visits)).collect()
    };
    assert_ne!(search.policy_target(), visits(&search), "forced visits are not learnt");

    search.advance(search.best_action().unwrap());
    assert!(search.visits() > 50);
    assert_eq!(priors(&search.root_moves()), judged_priors(search.position()));
    assert_eq!(search.policy_target(), visits(&search), "no visit is taken for a forced one");
    // And none is forced: it goes on as a search that never had any noise.
    let mut fresh = Search::new(search.position().clone(), settings);
    fresh.run(&mut opinionated, &Limits::visits(search.visits() + 100));
    search.run(&mut opinionated, &Limits::visits(search.visits() + 100));
    assert_eq!(search.root_moves(), fresh.root_moves());
}

#[test]
fn gumbel_noise_lasts_one_position() {
    let root = RootPolicy { method: RootMethod::Gumbel, ..RootPolicy::default() };
    let settings = SearchSettings { root, ..SearchSettings::default() };
    let search = |noise: Option<u64>| {
        let mut search = Search::new(position(5, "a1"), settings);
        search.expand_root(&mut opinionated);
        if let Some(seed) = noise {
            search.add_gumbel_noise(5.0, &mut rng(seed));
        }
        search.run(&mut opinionated, &Limits::visits(64));
        search
    };
    let visits = |search: &Search| -> Vec<u32> {
        let mut moves = search.root_moves();
        moves.sort_by_key(|candidate| candidate.action);
        moves.iter().map(|candidate| candidate.visits).collect()
    };
    assert_ne!(visits(&search(Some(1))), visits(&search(Some(2))));
    assert_eq!(visits(&search(None)), visits(&search(None)));
    let action = Action(7);
    let after = |mut search: Search| {
        search.advance(action);
        search.forget();
        search.run(&mut opinionated, &Limits::visits(64));
        visits(&search)
    };
    assert_eq!(after(search(Some(1))), after(search(None)));
}

#[test]
fn gumbel_noise_counts_without_further_visits() {
    let root = RootPolicy { method: RootMethod::Gumbel, ..RootPolicy::default() };
    let mut kept = Search::new(position(5, "a1"), SearchSettings { root, ..SearchSettings::default() });
    kept.run(&mut opinionated, &Limits::visits(200));
    let chosen = |seed| {
        let mut search = kept.clone();
        search.add_gumbel_noise(1000.0, &mut rng(seed));
        search.run(&mut opinionated, &Limits::visits(24));
        assert_eq!(search.visits(), 200);
        search.best_action()
    };
    let first = chosen(0);
    assert!((1..10).any(|seed| chosen(seed) != first));
}
