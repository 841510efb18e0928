//! One game from its first move to its record.

use rand::distr::{Distribution, weighted::WeightedIndex};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::shards::{GameRecord, GameStart, SearchRecord, TurnRecord};
use hexzero_games::{Action, EndReason, Evaluator, Game, GameRng, Outcome, Position};
use hexzero_search::{Exact, Limits, RootNoise, Search, SearchSettings};
use hexzero_system::stop::StopSignal;

use super::opening::OpeningSettings;
use super::resignation::{Expectations, Resignation};
use super::settings::{SelfPlaySettings, SizeWeight};

/// Returns the seed of a game, from the run's seed and the game's number in the run, so that the
/// game does not depend on the worker that plays it.
pub fn game_seed(run_seed: u64, game: u64) -> u64 {
    // The finaliser of splitmix64 over both.
    let mut z = run_seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game.wrapping_add(0x6a09_e667_f3bc_c909);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A game of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameId {
    /// The run's seed.
    pub run_seed: u64,
    /// The game's number in the run.
    pub number: u64,
}

/// Plays a game of a run. The same evaluator, settings, seed and number give the
/// same game, whoever plays it; `stop` works as in [`play_game`].
///
/// # Panics
/// If the settings were not checked (see [`SelfPlaySettings::validate`]).
pub fn play_numbered(
    game: Game,
    evaluator: &mut impl Evaluator,
    settings: &SelfPlaySettings,
    GameId { run_seed, number }: GameId,
    stop: &StopSignal,
) -> Option<GameRecord> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(game_seed(run_seed, number));
    play_game(game, evaluator, settings, &mut rng, stop)
}

/// Plays one game. The same evaluator, settings and generator give the same game. Once `stop` is
/// requested the game is given up before the next move, and there is no record.
///
/// # Panics
/// If the settings were not checked (see [`SelfPlaySettings::validate`]).
pub fn play_game(
    game: Game,
    evaluator: &mut impl Evaluator,
    settings: &SelfPlaySettings,
    rng: &mut GameRng,
    stop: &StopSignal,
) -> Option<GameRecord> {
    let by_weight = WeightedIndex::new(settings.sizes.iter().map(|entry| entry.weight)).expect("checked weights");
    let SizeWeight { size, random, .. } = settings.sizes[by_weight.sample(rng)];
    let exact = if settings.endgame_solver { Exact::Ends } else { Exact::Off };
    let how = SearchSettings { puct: settings.search, exact, transpositions: false, ..SearchSettings::default() };
    let mut evaluations = 0;
    let mut counted = |position: &Position, legal: &[Action]| {
        evaluations += 1;
        evaluator.evaluate(position, legal)
    };
    let Resignation { chance, moves, checked_share, .. } = settings.resignation;
    let played_out = chance <= 0.0 || rng.random_bool(checked_share);
    let opening = OpeningSettings { random: random.unwrap_or(settings.opening.random), ..settings.opening.clone() };
    let (begun, start, opening) = settings.starts.draw(game, size, &opening, rng).unwrap_or_else(|| {
        let (start, moves) = opening.draw(game, size, rng);
        (GameStart::of_random(moves.len()), start, moves)
    });
    let opening_plies = opening.len();
    let mut turns: Vec<_> = opening.into_iter().map(|action| TurnRecord { action, search: None }).collect();
    let mut search = Search::new(start, how).stopped_by(stop.clone());
    let mut expectations = Expectations::new(moves);
    let mut given_up = None;
    loop {
        let resigned = given_up.map(|winner| Outcome { winner: Some(winner), reason: EndReason::RESIGNATION });
        if let Some(outcome) = search.position().outcome().or(resigned) {
            return Some(GameRecord { size: size as u8, turns, outcome, evaluations, played_out, start: begun });
        }
        let temperature = settings.temperature.at(turns.len(), size);
        // A game restarts from a position in order to learn it, which takes a full search.
        let restarts = begun == GameStart::Regret && turns.len() == opening_plies;
        // The solver plays these positions, so the network need not learn them.
        let full =
            (rng.random_bool(settings.full_share) || restarts) && !(settings.endgame_solver && search.is_proven());
        let noise = full.then_some(settings.noise);
        let record = search_root(&mut search, &mut counted, settings, noise, rng);
        if stop.is_requested() {
            return None;
        }
        let action = search.action_at(temperature, rng).expect("a search judges its root");
        let mover = search.position().to_move();
        // A side that resigns still makes the move: its search is worth learning from.
        let gives_up = expectations.add(mover, record.outcome.expected()) < chance;
        given_up = (gives_up && !played_out).then(|| mover.opponent());
        turns.push(TurnRecord { action, search: Some(record) });
        search.advance(action);
    }
}

/// Searches the root, fully if with noise, and records what was found.
fn search_root(
    search: &mut Search,
    evaluator: &mut impl Evaluator,
    settings: &SelfPlaySettings,
    noise: Option<RootNoise>,
    rng: &mut GameRng,
) -> SearchRecord {
    let kept = search.visits();
    search.expand_root(evaluator);
    let begun = search.visits();
    let full = noise.is_some();
    let priors = if full { search.root_priors() } else { Vec::new() };
    if let Some(noise) = noise {
        search.add_root_noise(&noise, rng);
    }
    // In addition to those in the tree, so that the noise takes effect and no move goes unsearched.
    let visits = if full { settings.full_visits } else { settings.cheap_visits };
    search.run(evaluator, &Limits::visits(search.visits() + visits));
    // If the solver won the root without a visit, the policy would only be the first winning move.
    let full = full && !(settings.endgame_solver && search.visits() == begun);
    let policy = if full { search.policy_target() } else { Vec::new() };
    SearchRecord {
        full,
        visits: search.visits() - kept,
        surprise: surprise(&policy, &priors),
        policy,
        outcome: search.root_outcome(),
        proven: search.is_proven(),
    }
}

/// Lower bound on priors in the KL divergence, which a zero would make infinite.
const MIN_PRIOR: f32 = 1e-6;

/// Returns the Kullback-Leibler divergence of a policy target from the priors of the same position's moves, which come in
/// ascending order; 0 if there are none.
pub fn surprise(target: &[(Action, u32)], priors: &[(Action, f32)]) -> f32 {
    let total: f32 = target.iter().map(|&(_, weight)| weight as f32).sum();
    let terms = target.iter().filter_map(|&(action, weight)| {
        let prior = priors[priors.binary_search_by_key(&action, |prior| prior.0).ok()?].1;
        let share = weight as f32 / total;
        (share > 0.0).then(|| share * (share / prior.max(MIN_PRIOR)).ln())
    });
    // Rounding may leave slightly less than zero.
    terms.sum::<f32>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{Evaluation, Seat, WinDrawLoss, default_game, game_named};

    fn rng() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(1)
    }

    fn settings(size: usize) -> SelfPlaySettings {
        SelfPlaySettings {
            sizes: vec![SizeWeight::of(size)],
            full_visits: 16,
            cheap_visits: 4,
            opening: OpeningSettings { random: 0.0, ..OpeningSettings::default() },
            ..SelfPlaySettings::default()
        }
    }

    /// A game whose first player is taken to be lost from the beginning.
    fn hopeless(resignation: Resignation) -> GameRecord {
        let mut judge = |position: &Position, legal: &[Action]| {
            let win = if position.to_move() == Seat::First { 0.04 } else { 0.96 };
            Evaluation { outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win }, ..Evaluation::uniform(legal.len()) }
        };
        let settings = SelfPlaySettings { resignation, ..settings(7) };
        play_game(game_named("hex-noswap").unwrap(), &mut judge, &settings, &mut rng(), &StopSignal::new()).unwrap()
    }

    #[test]
    fn resigns_below_threshold() {
        let after_three = Resignation { chance: 0.1, moves: 3, checked_share: 1e-9, most_false: 0.0 };
        let record = hopeless(after_three);
        assert_eq!(record.outcome, Outcome { winner: Some(Seat::Second), reason: EndReason::RESIGNATION });
        assert_eq!((record.turns.len(), record.played_out), (5, false), "with its third move");
        for played_out in [Resignation { checked_share: 1.0, ..after_three }, Resignation::default()] {
            let record = hopeless(played_out);
            assert!(record.played_out && record.outcome.reason == EndReason::CONNECTION);
        }
    }

    #[test]
    fn stop_ends_the_search_and_leaves_no_record() {
        // Nearly decided, so that the search that is stopped is the last one of the game.
        let settings = SelfPlaySettings { full_visits: 1_000_000, full_share: 1.0, ..settings(3) };
        for evaluations in [0, 1, 40] {
            let (stop, mut made) = (StopSignal::new(), 0);
            if evaluations == 0 {
                stop.request();
            }
            let mut judge = |_: &Position, legal: &[Action]| {
                made += 1;
                if made == evaluations {
                    stop.request();
                }
                Evaluation::uniform(legal.len())
            };
            assert_eq!(play_game(default_game(), &mut judge, &settings, &mut rng(), &stop), None);
            assert_eq!(made, evaluations.max(1), "the first root is evaluated, and nothing after the stop");
        }
    }

    #[test]
    fn record_describes_its_searches() {
        let mut evaluations = 0;
        let mut judge = |_: &Position, legal: &[Action]| {
            evaluations += 1;
            Evaluation::uniform(legal.len())
        };
        let record = play_game(default_game(), &mut judge, &settings(4), &mut rng(), &StopSignal::new()).unwrap();
        assert_eq!(record.evaluations, evaluations);
        let searches: Vec<&SearchRecord> = record.turns.iter().filter_map(|turn| turn.search.as_ref()).collect();
        assert!(searches.iter().any(|search| search.proven));
        for search in searches {
            let WinDrawLoss { win, draw, loss } = search.outcome;
            assert!(!search.proven || [win, draw, loss].contains(&1.0), "{search:?}");
            assert!(search.full || search.surprise == 0.0, "{search:?}");
            // A root that no search before had visited is a visit itself.
            let visits = if search.full { 16 } else { 4 };
            assert!(search.proven || (visits..=visits + 1).contains(&search.visits), "{search:?}");
            // Anything but the uniform policy is a surprise.
            let even = search.policy.windows(2).all(|pair| pair[0].1 == pair[1].1);
            assert!(!search.full || even || search.surprise > 0.0, "{search:?}");
        }
    }

    /// Plays a game of HexiFence. Returns how many positions with up to 14 empty edges the endgame solver decides, how many
    /// of those the game ends otherwise, and how many are policy targets.
    fn ends_of_hexifence(endgame_solver: bool, seed: u64) -> [usize; 3] {
        let game = game_named("hexifence").unwrap();
        let mut judge = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
        let settings = SelfPlaySettings { endgame_solver, ..settings(2) };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let record = play_game(game, &mut judge, &settings, &mut rng, &StopSignal::new()).unwrap();
        assert_eq!(crate::check_game(game, &settings, &record), Ok(()));
        let mut position = game.start(2).unwrap();
        let mut counts = [0; 3];
        for (turn, TurnRecord { action, .. }) in record.turns.iter().enumerate() {
            let solver = position.endgame_solver().filter(|_| position.legal().len() <= 14);
            if let Some(end) = solver.and_then(|mut solver| solver.solve(&position)) {
                let found = [true, end.winner != record.outcome.winner, record.policy(turn).is_some()];
                (0..3).for_each(|at| counts[at] += usize::from(found[at]));
            }
            position.play(*action);
        }
        counts
    }

    #[test]
    fn endgame_solver_gives_games_the_result_that_they_deserve() {
        let total = |with| {
            (0..10)
                .map(|seed| ends_of_hexifence(with, seed))
                .fold([0usize; 3], |sum, counts| std::array::from_fn(|at| sum[at] + counts[at]))
        };
        let [decided, undeserved, targets] = total(false);
        assert!(undeserved > decided / 10 && targets > decided / 2, "{decided} {undeserved} {targets}");
        let [decided, undeserved, targets] = total(true);
        assert!(decided > 100 && undeserved == 0 && targets == 0, "{decided} {undeserved} {targets}");
    }

    #[test]
    fn size_may_have_its_own_openings() {
        let plies_of_openings = |random: Option<f64>| {
            let mut judge = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
            let sizes = vec![SizeWeight { random, ..SizeWeight::of(7) }];
            let settings = SelfPlaySettings { sizes, full_visits: 2, cheap_visits: 2, ..settings(7) };
            let mut rng = rng();
            let records =
                (0..20).map(|_| play_game(default_game(), &mut judge, &settings, &mut rng, &StopSignal::new()));
            let plies = |record: GameRecord| record.turns.iter().take_while(|turn| turn.search.is_none()).count();
            records.map(|record| plies(record.unwrap())).sum::<usize>()
        };
        assert_eq!(plies_of_openings(None), 0);
        // Nine plies on average.
        assert!(plies_of_openings(Some(0.9)) > 60);
    }

    #[test]
    fn surprise_by_hand() {
        let priors = [(Action(1), 0.25), (Action(4), 0.5), (Action(9), 0.25), (Action(10), 0.0)];
        // Half of the visits on a move with a quarter, half on one with a half: ½ ln 2.
        assert!((surprise(&[(Action(4), 20), (Action(1), 20)], &priors) - 0.5 * 2f32.ln()).abs() < 1e-6);
        assert_eq!(surprise(&[(Action(9), 1), (Action(1), 1), (Action(4), 2)], &priors), 0.0);
        assert!((surprise(&[(Action(10), 3)], &priors) - 1e6f32.ln()).abs() < 1e-4);
        assert_eq!(surprise(&[(Action(9), 3)], &[]), 0.0);
        assert_eq!(surprise(&[], &priors), 0.0);
    }
}
