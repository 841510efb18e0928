//! Levels: how they weaken the engine, and what they leave as it is.

use hexzero::games::{Action, Evaluation, Position, WinDrawLoss};
use hexzero::search::{Level, Limits, Search, SearchSettings};

use super::positions::{opinionated, position};
use crate::network::rng;

fn level(name: &str) -> Level {
    name.parse().unwrap()
}

/// The moves chosen in a position with 300 seeds.
fn moves(level: Level, game: &Position, judge: impl Fn(&Position, &[Action]) -> Evaluation) -> Vec<Action> {
    let choose = |seed| {
        let mut search = Search::new(game.clone(), SearchSettings::default());
        let limits = level.prepare(&mut search, &Limits::visits(200));
        search.run(&mut |game: &Position, legal: &[Action]| judge(game, legal), &limits);
        level.choose(&search, &mut rng(seed)).unwrap()
    };
    (0..300).map(choose).collect()
}

#[test]
fn names_are_understood_and_errors_list_them() {
    for level in Level::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
        assert_eq!(level.name().to_uppercase().parse(), Ok(level));
    }
    assert_eq!(Level::default(), Level::FULL);
    assert_eq!(Level::ALL.last(), Some(&Level::FULL));
    let error = "grandmaster".parse::<Level>().unwrap_err().to_string();
    assert!(error.starts_with("'grandmaster' is not a level; choose newcomer, beginner, "), "{error}");
    let error = "casaul".parse::<Level>().unwrap_err().to_string();
    assert!(
        error.starts_with("'casaul' is not a level; did you mean 'casual'? Choose newcomer, beginner, "),
        "{error}"
    );
    assert!(error.ends_with(" or full"), "{error}");
    assert!("x".repeat(1000).parse::<Level>().unwrap_err().to_string().len() < 200);
}

#[test]
fn immediate_win_is_taken_on_every_level() {
    let game = position(3, "a1 c1 a2 c2");
    for level in Level::ALL {
        let moves = moves(level, &game, opinionated);
        assert!(moves.iter().all(|&action| game.action_name(action) == "a3"), "{level}");
    }
}

/// One good move, four fair ones, a poor one and absurd ones.
fn graded(_: &Position, legal: &[Action]) -> Evaluation {
    let mut priors = vec![0.0001; legal.len()];
    priors[..6].copy_from_slice(&[0.75, 0.05, 0.05, 0.05, 0.05, 0.01]);
    Evaluation { priors, outcome: WinDrawLoss::EVEN }
}

#[test]
fn weaker_levels_play_the_best_move_less_often() {
    let game = position(7, "a1 d4");
    let legal = game.legal();
    let mut best_before = 0;
    for name in ["newcomer", "beginner", "casual", "intermediate"] {
        let moves = moves(level(name), &game, graded);
        let best = moves.iter().filter(|&&action| action == legal[0]).count();
        assert!(best > best_before + 20, "{name}: {best} after {best_before}");
        best_before = best;
    }
    let absurd = |name| moves(level(name), &game, graded).iter().filter(|action| !legal[..6].contains(action)).count();
    assert!(absurd("newcomer") > 20);
    assert_eq!((absurd("intermediate"), absurd("strong")), (0, 0));
}

#[test]
fn weakest_levels_take_the_games_temperatures() {
    let game = position(7, "a1 d4");
    let temperatures = game.game().info().weak_levels;
    for (name, temperature) in ["newcomer", "beginner", "casual"].into_iter().zip(temperatures) {
        let usual = moves(level(name), &game, graded);
        assert_eq!(usual, moves(level(name).at_temperature(temperature), &game, graded), "{name}");
        assert_ne!(usual, moves(level(name).at_temperature(temperature * 2.0), &game, graded), "{name}");
    }
}

#[test]
fn full_strength_takes_the_limits_as_given() {
    let game = position(5, "a1 c3");
    let mut search = Search::new(game.clone(), SearchSettings::default());
    let asked = Limits::visits(321).within_memory(1 << 24);
    assert_eq!(Level::FULL.prepare(&mut search, &asked), asked);
    search.run(&mut opinionated, &asked);
    assert_eq!(Level::FULL.choose(&search, &mut rng(1)), search.best_action());
    // No level searches more than was asked for, and all other limits hold on every level.
    for level in Level::ALL {
        let limits = level.prepare(&mut Search::new(game.clone(), SearchSettings::default()), &asked);
        assert_eq!(Limits { visits: asked.visits, ..limits }, asked);
        assert!(limits.visits <= asked.visits && limits.visits >= Some(1));
        assert_eq!(
            level.prepare(&mut Search::new(game.clone(), SearchSettings::default()), &Limits::visits(1)).visits,
            Some(1)
        );
    }
}

#[test]
fn hints_do_not_strengthen_a_weak_level() {
    let game = position(5, "a1 c3");
    let choice = |hint: bool, level: Level| {
        let mut search = Search::new(game.clone(), SearchSettings::default());
        if hint {
            search.run(&mut opinionated, &Limits::visits(500));
        }
        let limits = level.prepare(&mut search, &Limits::visits(200));
        search.run(&mut opinionated, &limits);
        let chosen: Vec<_> = (0..50).map(|seed| level.choose(&search, &mut rng(seed))).collect();
        (search.visits(), chosen)
    };
    for name in ["newcomer", "advanced", "strong"] {
        assert_eq!(choice(true, level(name)), choice(false, level(name)), "{name}");
    }
    assert_eq!(choice(true, Level::FULL).0, 500, "at full strength everything counts");
}
