//! Checks of a game without the network that played it: that the rules and the settings allow it.

use crate::shards::{GameRecord, SearchRecord, TurnRecord};
use hexzero_games::{Action, EndReason, Game, InvalidMove, Position};

use super::settings::SelfPlaySettings;

/// The tolerance of sums of chances.
const ROUNDING: f32 = 1e-3;

/// Why a game cannot have been played with given settings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ImpossibleGame {
    /// The recipe does not have the game's board size.
    #[error("its board has size {0}, which the recipe does not have")]
    Size(u8),
    /// A move against the rules.
    #[error("move {number} cannot be played: {reason}")]
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The rule that it breaks.
        reason: InvalidMove,
    },
    /// The result is not that of the moves.
    #[error("its moves do not lead to the result that it states")]
    Outcome,
    /// The settings have no such beginning.
    #[error("it does not begin as its record says")]
    Start,
    /// A search is impossible.
    #[error("the search before move {number}: {what}")]
    Search {
        /// The move's number, from 1.
        number: usize,
        /// The problem.
        what: &'static str,
    },
    /// There are more evaluations than the searches have visits.
    #[error("{0} evaluations are more than its searches can have asked for")]
    Evaluations(u32),
}

/// Replays a game by the rules and compares its searches with the settings.
///
/// # Errors
/// If the rules or the settings do not allow the game.
pub fn check_game(game: Game, settings: &SelfPlaySettings, record: &GameRecord) -> Result<(), ImpossibleGame> {
    let wrong_size = || ImpossibleGame::Size(record.size);
    if !settings.sizes.iter().any(|entry| entry.size == usize::from(record.size)) {
        return Err(wrong_size());
    }
    let mut position = game.start(usize::from(record.size)).map_err(|_| wrong_size())?;
    if !settings.starts.allow(&settings.opening, record) {
        return Err(ImpossibleGame::Start);
    }
    let (mut visits, mut searched) = (0u64, false);
    for (number, TurnRecord { action, search }) in (1..).zip(&record.turns) {
        position.check(*action).map_err(|reason| ImpossibleGame::Move { number, reason })?;
        let wrong = match search {
            None => searched.then_some("there is none, though the opening is over"),
            Some(search) => {
                searched = true;
                visits += u64::from(search.visits);
                search_problem(settings, search, &position.legal(), visits)
            }
        };
        if let Some(what) = wrong {
            return Err(ImpossibleGame::Search { number, what });
        }
        position.play(*action);
    }
    if !may_end_so(settings, record, &position) {
        return Err(ImpossibleGame::Outcome);
    }
    // Each visit asks for at most one evaluation, and so does the root of each search.
    let most = visits + record.turns.len() as u64;
    if u64::from(record.evaluations) > most {
        return Err(ImpossibleGame::Evaluations(record.evaluations));
    }
    Ok(())
}

fn may_end_so(settings: &SelfPlaySettings, record: &GameRecord, end: &Position) -> bool {
    match end.outcome() {
        Some(outcome) => outcome == record.outcome,
        None => {
            let resigned = record.outcome.reason == EndReason::RESIGNATION && record.outcome.winner.is_some();
            resigned && settings.resignation.chance > 0.0 && !record.played_out
        }
    }
}

/// Returns an error message if a search is impossible. `total` is the number of visits of this
/// search and of those before, some of which its tree may have kept.
fn search_problem(
    settings: &SelfPlaySettings,
    search: &SearchRecord,
    legal: &[Action],
    total: u64,
) -> Option<&'static str> {
    let most = if search.full { settings.full_visits } else { settings.cheap_visits };
    // The root's own evaluation is a visit.
    if search.visits > most + 1 {
        return Some("it has more visits than the recipe allows");
    }
    let outcome = search.outcome;
    let chances = [outcome.win, outcome.draw, outcome.loss];
    if !chances.iter().all(|chance| (-ROUNDING..=1.0 + ROUNDING).contains(chance))
        || (chances.iter().sum::<f32>() - 1.0).abs() > 4.0 * ROUNDING
    {
        return Some("its chances are not probabilities that add up to 1");
    }
    if !(search.surprise >= 0.0 && search.surprise.is_finite()) {
        return Some("its surprise is negative or not finite");
    }
    if !search.full && (!search.policy.is_empty() || search.surprise != 0.0) {
        return Some("it is a cheap one and has a policy");
    }
    let mut actions: Vec<_> = search.policy.iter().map(|&(action, _)| action).collect();
    actions.sort_unstable();
    if actions.windows(2).any(|pair| pair[0] == pair[1]) || !actions.iter().all(|action| legal.contains(action)) {
        return Some("its policy has moves that cannot be played");
    }
    let sum: u64 = search.policy.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let weightless = search.policy.iter().any(|&(_, weight)| weight == 0);
    if weightless || sum > total.max(1) {
        return Some("its policy does not fit its visits");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::game::{GameId, play_numbered};
    use super::super::opening::OpeningSettings;
    use super::super::resignation::Resignation;
    use super::super::settings::SizeWeight;
    use super::super::starts::{Start, Starts};
    use super::*;
    use crate::shards::GameStart;
    use hexzero_games::{Action, Evaluation, Seat, game_named};
    use hexzero_system::stop::StopSignal;
    use std::sync::Arc;

    fn settings() -> SelfPlaySettings {
        SelfPlaySettings {
            sizes: vec![SizeWeight::of(4)],
            full_visits: 20,
            cheap_visits: 5,
            full_share: 0.5,
            ..SelfPlaySettings::default()
        }
    }

    /// Evaluates with chances that depend on the position.
    fn judge(position: &Position, legal: &[Action]) -> Evaluation {
        let mut priors: Vec<f32> =
            legal.iter().map(|action| 1.0 + ((action.index() * 7 + position.turns() * 3) % 5) as f32).collect();
        let sum: f32 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= sum);
        let win = 0.2 + 0.6 * ((position.turns() * 5) % 7) as f32 / 7.0;
        let outcome = hexzero_games::WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
        Evaluation { priors, outcome }
    }

    fn played(game: Game, settings: &SelfPlaySettings, number: u64) -> GameRecord {
        play_numbered(game, &mut judge, settings, GameId { run_seed: 5, number }, &StopSignal::new()).unwrap()
    }

    #[test]
    fn played_games_pass() {
        let resigning = Resignation { chance: 0.4, moves: 1, checked_share: 0.2, most_false: 0.5 };
        let variants = [settings(), SelfPlaySettings { resignation: resigning, ..settings() }];
        for name in ["cachex", "hex", "y", "gale", "infexion"] {
            let game = game_named(name).unwrap();
            for settings in &variants {
                let mut settings = settings.clone();
                settings.sizes[0].size = *game.boards.sizes.start().max(&4.min(*game.boards.sizes.end()));
                for number in 0..20 {
                    let record = played(game, &settings, number);
                    assert_eq!(check_game(game, &settings, &record), Ok(()), "{name} {number}: {record:?}");
                }
            }
        }
    }

    #[test]
    fn games_begin_where_their_records_say() {
        let game = game_named("cachex").unwrap();
        let before: Vec<GameRecord> = (0..20).map(|number| played(game, &settings(), number)).collect();
        let file = Some("starts.jsonl".into());
        let opening = OpeningSettings { file, file_share: 0.4, restart_share: 0.4, ..OpeningSettings::default() };
        let moves = before[0].turns[..2].iter().map(|turn| turn.action).collect();
        let mut starts = Starts { file: vec![Start { size: 4, moves }], ..Starts::default() };
        let settings = SelfPlaySettings { opening, ..settings() };
        starts.restarts.learn(game, &settings, &before);
        let settings = SelfPlaySettings { starts: Arc::new(starts), ..settings };
        let records: Vec<GameRecord> = (0..100).map(|number| played(game, &settings, number)).collect();
        for record in &records {
            assert_eq!(check_game(game, &settings, record), Ok(()), "{record:?}");
            let after = record.turns.get(record.opening_plies()).and_then(|turn| turn.search.as_ref());
            assert!(record.start != GameStart::Regret || after.is_some_and(|search| search.full), "{record:?}");
            for start in [GameStart::Empty, GameStart::Random, GameStart::File, GameStart::Regret] {
                let other = GameRecord { start, ..record.clone() };
                let expected = if start == record.start { Ok(()) } else { Err(ImpossibleGame::Start) };
                // Random moves may be those of another start.
                let unlike = start != GameStart::Random || record.start == GameStart::Empty;
                assert!(!unlike || check_game(game, &settings, &other) == expected, "{start:?}: {record:?}");
            }
        }
        let begun = |start: GameStart| records.iter().filter(|record| record.start == start).count();
        assert!((25..55).contains(&begun(GameStart::File)) && (25..55).contains(&begun(GameStart::Regret)));
        assert!(begun(GameStart::Empty) > 0 && begun(GameStart::Random) > 0);
    }

    #[test]
    fn impossible_games_are_refused() {
        let game = game_named("cachex").unwrap();
        let good = (0..).map(|number| played(game, &settings(), number));
        let full = |turn: &TurnRecord| turn.search.as_ref().is_some_and(|search| search.policy.len() > 1);
        let good = good.into_iter().find(|record| record.turns.iter().any(full)).unwrap();
        let at = good.turns.iter().position(full).unwrap();
        let cheap = good.turns.iter().position(|turn| turn.search.as_ref().is_some_and(|search| !search.full)).unwrap();
        let refused = |change: &dyn Fn(&mut GameRecord)| {
            let mut record = good.clone();
            change(&mut record);
            check_game(game, &settings(), &record).unwrap_err()
        };
        let search = |record: &mut GameRecord, at: usize, change: &dyn Fn(&mut SearchRecord)| {
            change(record.turns[at].search.as_mut().unwrap());
        };
        assert_eq!(refused(&|record| record.size = 5), ImpossibleGame::Size(5));
        assert!(matches!(
            refused(&|record| record.turns[1].action = record.turns[0].action),
            ImpossibleGame::Move { number: 2, .. }
        ));
        assert_eq!(refused(&|record| _ = record.turns.pop()), ImpossibleGame::Outcome);
        assert_eq!(
            refused(&|record| record.outcome.winner = record.outcome.winner.map(Seat::opponent)),
            ImpossibleGame::Outcome
        );
        assert_eq!(refused(&|record| record.evaluations = 1_000_000), ImpossibleGame::Evaluations(1_000_000));
        let of_search =
            |at: usize, change: &dyn Fn(&mut SearchRecord)| match refused(&|record| search(record, at, change)) {
                ImpossibleGame::Search { number, what } if number == at + 1 => what,
                other => panic!("{other}"),
            };
        assert!(of_search(at, &|search| search.visits = 22).contains("more visits"));
        assert!(of_search(cheap, &|search| search.visits = 7).contains("more visits"));
        assert!(of_search(at, &|search| search.outcome.win = 1.5).contains("chances"));
        assert!(of_search(at, &|search| search.outcome.loss = f32::NAN).contains("chances"));
        assert!(of_search(at, &|search| search.surprise = -1.0).contains("surprise"));
        assert!(of_search(at, &|search| search.surprise = f32::INFINITY).contains("surprise"));
        assert!(of_search(at, &|search| search.policy[0].1 = 5000).contains("does not fit"));
        assert!(of_search(at, &|search| search.policy[0].1 = 0).contains("does not fit"));
        assert!(of_search(at, &|search| search.policy[0].0 = search.policy[1].0).contains("cannot be played"));
        assert!(of_search(at, &|search| search.policy[0].0 = Action(999)).contains("cannot be played"));
        assert!(of_search(cheap, &|search| search.surprise = 0.5).contains("cheap"));
        let last = good.turns.len();
        let problem = refused(&|record| record.turns[last - 1].search = None);
        assert!(matches!(problem, ImpossibleGame::Search { number, .. } if number == last), "{problem}");
    }
}
