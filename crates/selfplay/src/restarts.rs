//! The positions in which the search was most wrong: regret-guided search control (Tsai et al., *Regret-Guided Search
//! Control for Efficient Learning in AlphaZero*, 2026), without the paper's network that predicts regret: the games
//! themselves tell it.

use std::collections::BTreeMap;

use rand::distr::{Distribution, weighted::WeightedIndex};
use serde::{Deserialize, Serialize};

use crate::shards::{GameRecord, GameStart};
use hexzero_games::{Game, GameRng, Seat};

use super::settings::SelfPlaySettings;
use super::starts::Start;

/// The weight of the scores after a search against its own, in the mean of [`search_errors`]. Dozens of plies before the end
/// the result counts little, as moves were drawn at random in between.
const DECAY: f32 = 0.9;

/// The share of a first error that counts. The largest errors of many games are mostly chance, and games from the
/// same position must confirm them.
const FIRST_SHARE: f32 = 0.5;

/// The weight of a new error against the mean of those before.
const NEW_SHARE: f32 = 0.25;

/// A position in which the search was wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Restart {
    /// The moves to the position.
    pub start: Start,
    /// The mean error of the search: the score that followed minus the one that it expected, for the first player. Errors of
    /// both signs cancel out: a position that is merely open has none on average.
    pub error: f32,
}

impl Restart {
    /// Returns the regret, from 0 to 1.
    pub fn regret(&self) -> f32 {
        self.error.abs()
    }
}

/// The positions with the greatest regret, which falls as games from them come out as expected.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RestartBuffer(Vec<Restart>);

impl RestartBuffer {
    /// Returns the positions, the greatest regret first.
    pub fn ranked(&self) -> &[Restart] {
        &self.0
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Learns from finished games: averages the errors of the positions that they began from, and adds each game's fully
    /// searched position with the greatest error. Keeps as many positions as the settings say, on their boards. Does
    /// nothing while no games begin from such positions.
    pub fn learn(&mut self, game: Game, settings: &SelfPlaySettings, records: &[GameRecord]) {
        if settings.opening.restart_share == 0.0 {
            return;
        }
        let kept = std::mem::take(&mut self.0).into_iter();
        let mut errors: BTreeMap<Start, f32> = kept.map(|restart| (restart.start, restart.error)).collect();
        for record in records {
            let found = search_errors(game, record);
            let begun = record.opening_plies();
            let start = |plies: usize| {
                let moves = record.turns[..plies].iter().map(|turn| turn.action).collect();
                Start { size: record.size, moves }
            };
            if let Some(&Some(error)) = found.get(begun).filter(|_| record.start == GameStart::Regret)
                && let Some(mean) = errors.get_mut(&start(begun))
            {
                *mean += NEW_SHARE * (error - *mean);
            }
            let is_full = |&(turn, _): &(usize, f32)| {
                let search = record.turns[turn].search.as_ref();
                search.is_some_and(|search| search.full && !search.proven)
            };
            let candidates = (0..).zip(&found).filter_map(|(turn, error)| Some((turn, (*error)?)));
            let greatest = candidates.filter(is_full).max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            if let Some((turn, error)) = greatest.filter(|&(turn, _)| turn > 0) {
                errors.entry(start(turn)).or_insert(FIRST_SHARE * error);
            }
        }
        errors.retain(|start, _| settings.sizes.iter().any(|entry| entry.size == usize::from(start.size)));
        self.0 = errors.into_iter().map(|(start, error)| Restart { start, error }).collect();
        // Stable: of equals the first in the order of the map comes first.
        self.0.sort_by(|a, b| b.regret().total_cmp(&a.regret()));
        self.0.truncate(settings.opening.restart_buffer);
    }

    /// Draws a position on boards of this size.
    pub(super) fn draw(&self, size: usize, exponent: f64, rng: &mut GameRng) -> Option<&Start> {
        let weight = |(rank, restart): (i32, &Restart)| {
            let fits = usize::from(restart.start.size) == size;
            if fits { f64::from(rank).powf(-exponent) } else { 0.0 }
        };
        let weights = WeightedIndex::new((1..).zip(&self.0).map(weight)).ok()?;
        Some(&self.0[weights.sample(rng)].start)
    }
}

/// Returns the error of each turn's search, if it has one: the score that followed minus the one that it expected, for the
/// first player. The score that followed is an exponential mean of the later searches and the result. Empty if the record
/// breaks the rules.
fn search_errors(game: Game, record: &GameRecord) -> Vec<Option<f32>> {
    let Ok(mut position) = game.start(usize::from(record.size)) else { return Vec::new() };
    let mut expected = Vec::with_capacity(record.turns.len());
    for turn in &record.turns {
        let score = |mover: Seat, score: f32| if mover == Seat::First { score } else { 1.0 - score };
        expected.push(turn.search.as_ref().map(|search| score(position.to_move(), search.outcome.expected())));
        if position.try_play(turn.action).is_err() {
            return Vec::new();
        }
    }
    let mut followed = match record.outcome.winner {
        Some(Seat::First) => 1.0,
        Some(Seat::Second) => 0.0,
        None => 0.5,
    };
    let mut error = |expected: f32| {
        let error = followed - expected;
        followed = DECAY * followed + (1.0 - DECAY) * expected;
        error
    };
    let mut errors: Vec<Option<f32>> = expected.into_iter().rev().map(|expected| expected.map(&mut error)).collect();
    errors.reverse();
    errors
}

#[cfg(test)]
mod tests {
    use super::super::opening::OpeningSettings;
    use super::*;
    use crate::settings::SizeWeight;
    use crate::shards::{SearchRecord, TurnRecord};
    use hexzero_games::{Action, EndReason, Outcome, WinDrawLoss, game_named};
    use proptest::prelude::*;
    use rand::SeedableRng;

    fn game() -> Game {
        game_named("hex-noswap").unwrap()
    }

    fn settings(restart_buffer: usize) -> SelfPlaySettings {
        let opening = OpeningSettings { restart_share: 0.5, restart_buffer, ..OpeningSettings::default() };
        SelfPlaySettings { sizes: vec![SizeWeight::of(9)], opening, ..SelfPlaySettings::default() }
    }

    /// A game of random moves whose full searches expect these scores of the first player, after an opening.
    fn record(seed: u64, opening: usize, expected: &[f32], first_wins: bool) -> GameRecord {
        let (mut position, mut rng) = (game().start(9).unwrap(), GameRng::seed_from_u64(seed));
        let mut turns = Vec::new();
        for index in 0..opening + expected.len() {
            let score = index.checked_sub(opening).map(|searched| expected[searched]);
            let search = score.map(|score| {
                let win = if position.to_move() == Seat::First { score } else { 1.0 - score };
                let outcome = WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
                SearchRecord { full: true, visits: 9, policy: Vec::new(), outcome, proven: false, surprise: 0.0 }
            });
            let action = position.random_action(&mut rng).unwrap();
            position.play(action);
            turns.push(TurnRecord { action, search });
        }
        let winner = Some(if first_wins { Seat::First } else { Seat::Second });
        let outcome = Outcome { winner, reason: EndReason::CONNECTION };
        let start = GameStart::of_random(opening);
        GameRecord { size: 9, turns, outcome, evaluations: 0, played_out: true, start }
    }

    fn moves(record: &GameRecord, plies: usize) -> Vec<Action> {
        record.turns[..plies].iter().map(|turn| turn.action).collect()
    }

    fn close(found: &[f32], expected: &[f32]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5)
    }

    #[test]
    fn errors_by_hand() {
        // The second player wins. The scores that followed: 0; 0.1 · 0.9; 0.9 · 0.09 + 0.1 · 0.7.
        let errors = search_errors(game(), &record(1, 1, &[0.5, 0.7, 0.9], false));
        assert_eq!(errors[0], None);
        assert!(close(&errors[1..].iter().flatten().copied().collect::<Vec<_>>(), &[-0.349, -0.61, -0.9]));
        let mut broken = record(1, 0, &[0.5, 0.7, 0.9], false);
        broken.turns[2].action = broken.turns[0].action;
        assert!(search_errors(game(), &broken).is_empty());
    }

    #[test]
    fn learnt_positions_leave_and_confirmed_ones_rise() {
        let first = record(1, 2, &[0.9], false);
        let other = record(2, 2, &[0.6], false);
        let again = |score: f32, first_wins: bool| GameRecord {
            start: GameStart::Regret,
            ..record(1, 2, &[score], first_wins)
        };
        let regrets = |buffer: &RestartBuffer| buffer.ranked().iter().map(Restart::regret).collect::<Vec<_>>();
        let begun = || {
            let mut buffer = RestartBuffer::default();
            buffer.learn(game(), &settings(2), &[first.clone(), other.clone()]);
            buffer
        };
        let mut buffer = begun();
        assert!(close(&regrets(&buffer), &[0.45, 0.3]), "half of the first errors");
        assert_eq!(buffer.ranked()[0].start.moves, moves(&first, 2));
        buffer.learn(game(), &settings(2), &[again(0.9, false), again(0.9, false)]);
        // 0.45 + (0.9 − 0.45) / 4, and so again.
        assert!(close(&regrets(&buffer), &[0.646_875, 0.3]), "{:?}", regrets(&buffer));
        // Errors of both signs, as in an open position, cancel out.
        let mut open = begun();
        open.learn(game(), &settings(2), &[again(0.5, true), again(0.5, false)]);
        assert!(close(&regrets(&open), &[0.3, 0.284_375]), "{:?}", regrets(&open));
        // The search has learnt that the position is lost: a new error takes its place.
        buffer = begun();
        let learnt = vec![again(0.0, false); 2];
        buffer.learn(game(), &settings(2), &learnt);
        assert_eq!(buffer.ranked()[1].start.moves, moves(&first, 2));
        buffer.learn(game(), &settings(2), &[record(3, 2, &[0.7], false)]);
        assert!(buffer.ranked().iter().all(|restart| restart.start.moves != moves(&first, 2)));
        let elsewhere = SelfPlaySettings { sizes: vec![SizeWeight::of(8)], ..settings(2) };
        buffer.learn(game(), &elsewhere, &[]);
        assert!(buffer.ranked().is_empty(), "boards that are not played any more");
    }

    #[test]
    fn ranks_decide_how_often_a_position_is_drawn() {
        let mut buffer = RestartBuffer::default();
        let records: Vec<GameRecord> = (1..4).map(|seed| record(seed, 2, &[0.9 - 0.1 * seed as f32], false)).collect();
        buffer.learn(game(), &settings(10), &records);
        let mut rng = GameRng::seed_from_u64(1);
        for (exponent, weights) in [(0.0, [1.0, 1.0, 1.0]), (1.0, [1.0, 0.5, 1.0 / 3.0])] {
            let mut found = [0; 3];
            for _ in 0..6000 {
                let drawn = buffer.draw(9, exponent, &mut rng).unwrap();
                found[buffer.ranked().iter().position(|restart| restart.start == *drawn).unwrap()] += 1;
            }
            let sum: f64 = weights.iter().sum();
            for (found, weight) in found.into_iter().zip(weights) {
                assert!((f64::from(found) / 6000.0 - weight / sum).abs() < 0.03, "{exponent}: {found}");
            }
        }
        assert_eq!(buffer.draw(8, 1.0, &mut rng), None, "another board");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Wherever one search was quite wrong among searches that were about right, its position comes first.
        #[test]
        fn planted_blunder_ranks_first(
            games in prop::collection::vec((any::<bool>(), prop::collection::vec(0f32..0.3, 5..25)), 1..8),
            (at, turn) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
            restart_buffer in 1usize..5,
        ) {
            let at = at.index(games.len());
            let turn = 2 + turn.index(games[at].1.len() - 2);
            let records: Vec<GameRecord> = (0..).zip(&games).map(|(number, (first_wins, off))| {
                let right = |off: f32| if *first_wins { 1.0 - off } else { off };
                let mut expected: Vec<f32> = off.iter().map(|&off| right(off)).collect();
                if number == at {
                    expected[turn] = 1.0 - right(0.0);
                }
                record(number as u64, 0, &expected, *first_wins)
            }).collect();
            let mut buffer = RestartBuffer::default();
            buffer.learn(game(), &settings(restart_buffer), &records);
            prop_assert_eq!(&buffer.ranked()[0].start.moves, &moves(&records[at], turn));
            prop_assert!(buffer.ranked().len() <= restart_buffer);
        }
    }
}
