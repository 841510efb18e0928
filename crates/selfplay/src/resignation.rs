//! Resignation: when a side resigns, and how often that would have been wrong.

use serde::{Deserialize, Serialize};

use crate::shards::GameRecord;
use hexzero_games::{Game, Seat};
use hexzero_search::SettingsError;

/// Games that must be played out before a side may resign: enough to know the error rate to a few
/// per cent.
const MIN_CHECKED: usize = 200;

/// Only this many of the latest games count, since the network changes.
const MAX_CHECKED: usize = 1000;

/// Settings of resignation. Every field is a key of the recipe's `[selfplay.resignation]` table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resignation {
    /// The resignation threshold: a side resigns if its expected score (1 for a win, ½ for a draw)
    /// is below this; 0 for never.
    pub chance: f32,
    /// The number of successive searches of a side whose expected scores must all be below the
    /// threshold.
    pub moves: usize,
    /// The share of games that are played out without resignation, to measure how often it would be
    /// wrong.
    pub checked_share: f64,
    /// The accepted share of those games in which a side that did not lose would have resigned.
    /// `chance` is lowered until that holds (Silver et al., *Mastering the game of Go without human
    /// knowledge*, 2017).
    pub most_false: f64,
}

impl Default for Resignation {
    fn default() -> Self {
        Self { chance: 0.0, moves: 3, checked_share: 0.2, most_false: 0.05 }
    }
}

/// The resignation threshold found from games that were played out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ResignationCheck {
    /// The expected score below which sides resign.
    pub threshold: f32,
    /// The number of played-out games it was computed from.
    pub checked: usize,
    /// The share of them in which a side that did not lose would have resigned.
    pub false_share: f64,
}

/// The scores that the sides expected at their searches of a game so far.
#[derive(Debug)]
pub(super) struct Expectations {
    moves: usize,
    expected: [Vec<f32>; 2],
}

impl Expectations {
    /// Creates expectations of which the last `moves` of a side count.
    pub fn new(moves: usize) -> Self {
        Self { moves, expected: [Vec::new(), Vec::new()] }
    }

    /// Adds a side's expected score and returns the maximum over the searches that count; infinite
    /// while there are too few.
    pub fn add(&mut self, player: Seat, expected: f32) -> f32 {
        let all = &mut self.expected[player.index()];
        all.push(expected);
        match all.len().checked_sub(self.moves) {
            Some(first) => all[first..].iter().copied().fold(0.0, f32::max),
            None => f32::INFINITY,
        }
    }
}

/// Returns the threshold above which a side that did not lose would have resigned; none if the
/// record does not follow the rules.
fn false_above(game: Game, record: &GameRecord, moves: usize) -> Option<f32> {
    let mut position = game.start(usize::from(record.size)).ok()?;
    let mut expectations = Expectations::new(moves);
    let mut lowest = f32::INFINITY;
    for turn in &record.turns {
        let mover = position.to_move();
        if let Some(search) = &turn.search {
            let expected = expectations.add(mover, search.outcome.expected());
            if record.outcome.winner.is_none_or(|winner| winner == mover) {
                lowest = lowest.min(expected);
            }
        }
        position.try_play(turn.action).ok()?;
    }
    Some(lowest)
}

impl Resignation {
    /// Checks the settings.
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let Self { chance, moves, checked_share, most_false } = *self;
        let is_share = checked_share > 0.0 && checked_share <= 1.0;
        SettingsError::check("chance", chance, (0.0..=0.5).contains(&chance), "0 to 0.5")?;
        SettingsError::check("moves", moves, (1..=100).contains(&moves), "1 to 100")?;
        SettingsError::check("checked_share", checked_share, is_share, "above 0 and up to 1")?;
        SettingsError::check("most_false", most_false, (0.0..=1.0).contains(&most_false), "0 to 1")
    }

    /// Returns the greatest threshold up to `chance` that is wrong in at most a share `most_false`
    /// of the played-out games; 0 while there are too few. `latest_first` may include games of any
    /// kind.
    pub fn check<'a>(&self, game: Game, latest_first: impl Iterator<Item = &'a GameRecord>) -> ResignationCheck {
        let played_out = latest_first.filter(|record| record.played_out);
        let bounds = played_out.filter_map(|record| false_above(game, record, self.moves));
        let mut bounds: Vec<f32> = bounds.take(MAX_CHECKED).collect();
        bounds.sort_by(f32::total_cmp);
        let checked = bounds.len();
        // This many errors are accepted, so the next one bounds the threshold.
        let accepted = (self.most_false * checked as f64) as usize;
        let bound = bounds.get(accepted).copied().unwrap_or(f32::INFINITY);
        let threshold = if checked < MIN_CHECKED { 0.0 } else { self.chance.min(bound) };
        let wrong = bounds.partition_point(|&bound| bound < threshold);
        ResignationCheck { threshold, checked, false_share: wrong as f64 / checked.max(1) as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shards::{GameStart, SearchRecord, TurnRecord};
    use hexzero_games::{Action, EndReason, Outcome, WinDrawLoss, game_named};

    /// A game in which the players take turns along the board and expect these scores; `None` is a move without a
    /// search.
    fn game(winner: Option<Seat>, expected: &[Option<f32>]) -> GameRecord {
        let turns = (0..).zip(expected).map(|(cell, expected)| TurnRecord {
            action: Action(cell),
            search: expected.map(|win| SearchRecord {
                full: false,
                visits: 1,
                policy: Vec::new(),
                outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win },
                proven: false,
                surprise: 0.0,
            }),
        });
        let outcome = Outcome { winner, reason: EndReason::CONNECTION };
        let (turns, start) = (turns.collect(), GameStart::Empty);
        GameRecord { size: 5, turns, outcome, evaluations: 0, played_out: true, start }
    }

    /// Returns a game that the second player wins after expecting this at worst.
    fn won_from(worst: f32) -> GameRecord {
        game(Some(Seat::Second), &[Some(0.5), Some(worst), Some(0.5), Some(worst), Some(0.01)])
    }

    const TWO: Resignation = Resignation { chance: 0.2, moves: 2, checked_share: 0.1, most_false: 0.05 };

    fn check(settings: Resignation, games: &[GameRecord]) -> ResignationCheck {
        settings.check(game_named("hex-noswap").unwrap(), games.iter().rev())
    }

    #[test]
    fn false_resignations_by_hand() {
        let above = |record: &GameRecord, moves| false_above(game_named("hex-noswap").unwrap(), record, moves);
        // The second player's 0.2, 0.1, 0.3, its random move passed over; the most of two in succession is 0.2.
        let hopes = [0.9, 0.2, 0.8, 0.1, 0.6, 0.3].map(Some);
        let opened = [&[None, None][..], &hopes].concat();
        assert_eq!(above(&game(Some(Seat::Second), &opened), 2), Some(0.2));
        assert_eq!(above(&game(Some(Seat::Second), &opened), 1), Some(0.1));
        assert_eq!(above(&game(Some(Seat::Second), &opened), 4), Some(f32::INFINITY));
        assert_eq!(above(&game(Some(Seat::First), &opened), 2), Some(0.8), "the loser's is right");
        assert_eq!(above(&game(None, &opened), 2), Some(0.2), "neither loses a draw");
        let impossible = game(None, &[Some(0.5); 26]);
        assert_eq!(above(&impossible, 2), None);
    }

    #[test]
    fn threshold_is_the_greatest_seldom_wrong() {
        let safe: Vec<GameRecord> = (0..190).map(|_| won_from(0.5)).collect();
        let with =
            |worst: &[f32]| [&safe[..], &worst.iter().map(|&worst| won_from(worst)).collect::<Vec<_>>()].concat();
        // Ten of 200 may be wrong: the eleventh bounds the threshold, and `chance` does.
        let worst = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1];
        assert_eq!(check(TWO, &with(&worst)), ResignationCheck { threshold: 0.2, checked: 200, false_share: 0.05 });
        let more = [&worst[..], &[0.15, 0.12]].concat();
        assert_eq!(
            check(TWO, &with(&more)),
            ResignationCheck { threshold: 0.12, checked: 202, false_share: 10.0 / 202.0 }
        );
        let strict = Resignation { most_false: 0.0, ..TWO };
        assert_eq!(check(strict, &with(&more)), ResignationCheck { threshold: 0.01, checked: 202, false_share: 0.0 });
    }

    #[test]
    fn few_or_resigned_games_set_no_threshold() {
        let mut games: Vec<GameRecord> = (0..199).map(|_| won_from(0.5)).collect();
        games.extend((0..500).map(|_| GameRecord { played_out: false, ..won_from(0.5) }));
        assert_eq!(check(TWO, &games), ResignationCheck { threshold: 0.0, checked: 199, false_share: 0.0 });
        // Only the latest count.
        games.extend((0..MAX_CHECKED).map(|_| won_from(0.5)));
        games.splice(0..0, (0..200).map(|_| won_from(0.0)));
        assert_eq!(check(TWO, &games), ResignationCheck { threshold: 0.2, checked: MAX_CHECKED, false_share: 0.0 });
    }
}
