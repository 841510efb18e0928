//! One game from its first move to its record.

use rand::Rng;
use rand::distr::{Distribution, weighted::WeightedIndex};
use rand::seq::IndexedRandom;

use crate::games::{Action, Evaluator, Game};
use crate::replay::{GameRecord, SearchRecord, TurnRecord};
use crate::search::{Limits, RootMethod, Search, SearchSettings};

use super::settings::SelfPlaySettings;

/// Plays one game. The same evaluator, settings and generator give the same game. `stopped` is asked
/// before every move; once it says yes the game is given up and there is no record.
///
/// # Panics
/// If the settings were not checked (see [`SelfPlaySettings::problem`]).
pub fn play_game<G: Game>(
    evaluator: &mut impl Evaluator<G>,
    settings: &SelfPlaySettings,
    rng: &mut impl Rng,
    stopped: impl Fn() -> bool,
) -> Option<GameRecord> {
    let by_weight = WeightedIndex::new(settings.sizes.iter().map(|entry| entry.weight)).expect("checked weights");
    let size = settings.sizes[by_weight.sample(rng)].size;
    let how = SearchSettings { puct: settings.search, root: settings.root, ..SearchSettings::default() };
    let mut search = Search::new(G::new(size).expect("a checked size"), how);
    let mut turns = Vec::new();
    let mut legal = Vec::new();
    let mut opening = true;
    let mut evaluations = 0;
    let mut counted = |game: &G, legal: &[Action]| {
        evaluations += 1;
        evaluator.evaluate(game, legal)
    };
    loop {
        let game = search.game();
        if let Some(outcome) = game.outcome() {
            return Some(GameRecord { size: size as u8, turns, outcome, evaluations, played_out: true });
        }
        if stopped() {
            return None;
        }
        opening = opening && rng.random_bool(settings.random_opening);
        if opening {
            game.legal_actions(&mut legal);
            let action = *legal.choose(rng).expect("a game that goes on has a legal move");
            turns.push(TurnRecord { action, search: None });
            search.advance(action);
            continue;
        }
        let temperature = settings.temperature.at(turns.len(), size);
        let full = rng.random_bool(settings.full_share);
        let record = search_root(&mut search, &mut counted, settings, full, temperature, rng);
        let action = match settings.root.method {
            RootMethod::Puct => search.action_at(temperature, rng),
            // Chance has had its say at the root.
            RootMethod::Gumbel => search.best_action(),
        };
        let action = action.expect("a search judges its root");
        turns.push(TurnRecord { action, search: Some(record) });
        search.advance(action);
    }
}

/// Searches the root and records what was found.
fn search_root<G: Game>(
    search: &mut Search<G>,
    evaluator: &mut impl Evaluator<G>,
    settings: &SelfPlaySettings,
    full: bool,
    temperature: f64,
    rng: &mut impl Rng,
) -> SearchRecord {
    let kept = search.visits();
    search.expand_root(evaluator);
    let priors = if full { search.root_priors() } else { Vec::new() };
    match settings.root.method {
        RootMethod::Puct if full => search.add_root_noise(&settings.noise, rng),
        RootMethod::Puct => {}
        RootMethod::Gumbel => search.add_gumbel_noise(temperature as f32, rng),
    }
    // A full search looks at its root as often whatever the tree held before, so that its noise counts.
    let visits = if full { search.visits() + settings.full_visits } else { settings.cheap_visits };
    search.run(evaluator, &Limits::visits(visits));
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

/// A prior counts as at least this much in the surprise, so that a single move that the network thought
/// impossible is no infinite one.
const LEAST_PRIOR: f32 = 1e-6;

/// The Kullback-Leibler divergence of a policy target from the priors of the same position's moves, which come in
/// ascending order; 0 if there are none.
fn surprise(target: &[(Action, u32)], priors: &[(Action, f32)]) -> f32 {
    let total: f32 = target.iter().map(|&(_, weight)| weight as f32).sum();
    let terms = target.iter().filter_map(|&(action, weight)| {
        let prior = priors[priors.binary_search_by_key(&action, |prior| prior.0).ok()?].1;
        let share = weight as f32 / total;
        (share > 0.0).then(|| share * (share / prior.max(LEAST_PRIOR)).ln())
    });
    // Rounding may leave a little less than nothing.
    terms.sum::<f32>().max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

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
