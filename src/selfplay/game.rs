//! One game from its first move to its record.

use rand::Rng;
use rand::distr::{Distribution, weighted::WeightedIndex};
use rand::seq::IndexedRandom;

use crate::games::{Evaluator, Game};
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
    loop {
        let game = search.game();
        if let Some(outcome) = game.outcome() {
            return Some(GameRecord { size: size as u8, turns, outcome });
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
        let record = search_root(&mut search, evaluator, settings, full, temperature, rng);
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
    match settings.root.method {
        RootMethod::Puct if full => search.add_root_noise(&settings.noise, rng),
        RootMethod::Puct => {}
        RootMethod::Gumbel => search.add_gumbel_noise(temperature as f32, rng),
    }
    // A full search looks at its root as often whatever the tree held before, so that its noise counts.
    let visits = if full { search.visits() + settings.full_visits } else { settings.cheap_visits };
    search.run(evaluator, &Limits::visits(visits));
    let policy = if full { search.policy_target() } else { Vec::new() };
    SearchRecord { full, visits: search.visits() - kept, policy, outcome: search.root_outcome() }
}
