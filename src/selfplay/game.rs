//! One game from its first move to its record.

use rand::Rng;
use rand::distr::{Distribution, weighted::WeightedIndex};
use rand::seq::IndexedRandom;

use crate::games::{Action, Evaluator, Game};
use crate::replay::{GameRecord, SearchRecord, TurnRecord};
use crate::search::{Limits, RootMove, Search};

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
    let mut search = Search::new(G::new(size).expect("a checked size"), settings.search);
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
        let record = search_root(&mut search, evaluator, settings, full, rng);
        let action = draw(&candidates(&search), temperature, rng);
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
    rng: &mut impl Rng,
) -> SearchRecord {
    let kept = search.visits();
    search.expand_root(evaluator);
    if full {
        search.add_root_noise(&settings.noise, rng);
    }
    // A full search looks at its root as often whatever the tree held before, so that its noise counts.
    let visits = if full { search.visits() + settings.full_visits } else { settings.cheap_visits };
    search.run(evaluator, &Limits::visits(visits));
    let policy = match &candidates(search)[..] {
        _ if !full => Vec::new(),
        // A proven win is the whole answer, however few visits it took.
        [best, ..] if best.is_proven_win() => vec![(best.action, 1)],
        moves => moves.iter().filter(|m| m.visits > 0).map(|m| (m.action, m.visits)).collect(),
    };
    SearchRecord { full, visits: search.visits() - kept, policy, outcome: search.root_outcome() }
}

/// The moves at the root that may be played and taught: without those proven to lose, unless all are.
fn candidates<G: Game>(search: &Search<G>) -> Vec<RootMove> {
    let mut moves = search.root_moves();
    // Those stand last.
    if moves.first().is_some_and(|best| !best.is_proven_loss()) {
        moves.retain(|root_move| !root_move.is_proven_loss());
    }
    moves
}

/// Draws a move by its visits, or takes one that is proven to win.
fn draw(moves: &[RootMove], temperature: f64, rng: &mut impl Rng) -> Action {
    if moves[0].is_proven_win() {
        return moves[0].action;
    }
    let most = moves.iter().map(|root_move| root_move.visits).max().map_or(1.0, |most| f64::from(most.max(1)));
    let weights = moves.iter().map(|root_move| (f64::from(root_move.visits) / most).powf(1.0 / temperature));
    match WeightedIndex::new(weights) {
        Ok(by_visits) => moves[by_visits.sample(rng)].action,
        // No move has a visit: the best prior stands first.
        Err(_) => moves[0].action,
    }
}
