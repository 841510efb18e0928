//! The clock that another program sets, and how much of it a move may take.

use std::time::Duration;

use crate::games::Player;

/// Kept back from every allowance, for all that is not search.
const OVERHEAD: Duration = Duration::from_millis(50);

/// An engine is never asked to reckon with more than this.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Time as the protocol gives it, in seconds; too much and too little are cut off.
pub(super) fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite())?;
    Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST.as_secs_f64())))
}

/// What a player has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// Moves to be made in this time; 0 while the main time lasts.
    stones: u32,
}

/// Both players' clocks: a main time, then periods for a number of moves (Canadian overtime).
#[derive(Debug, Clone)]
pub(super) struct Clock {
    main: Duration,
    period: Duration,
    period_stones: u32,
    left: [Left; 2],
}

impl Clock {
    /// Full clocks. None where the settings mean "no limit": a period for no moves at all.
    pub fn new(main: Duration, period: Duration, period_stones: u32) -> Option<Self> {
        if period_stones == 0 && !period.is_zero() {
            return None;
        }
        let mut clock = Self { main, period, period_stones, left: [Left { time: main, stones: 0 }; 2] };
        clock.restart();
        Some(clock)
    }

    /// Winds the clocks up for a new game.
    pub fn restart(&mut self) {
        let whole_game = !self.main.is_zero() || self.period_stones == 0;
        let full = if whole_game { Left { time: self.main, stones: 0 } } else { self.full_period() };
        self.left = [full; 2];
    }

    fn full_period(&self) -> Left {
        Left { time: self.period, stones: self.period_stones }
    }

    /// Sets a clock by what the other side says is left.
    pub fn set(&mut self, player: Player, time: Duration, stones: u32) {
        self.left[player.index()] = Left { time, stones };
    }

    /// How long the player may think about a move, if he expects to make `moves` more.
    pub fn allowance(&self, player: Player, moves: u32) -> Duration {
        let left = self.left[player.index()];
        let moves = if left.stones > 0 { left.stones } else { moves };
        (left.time / moves.max(1)).saturating_sub(OVERHEAD)
    }

    /// Takes the time of a move off a clock.
    pub fn spend(&mut self, player: Player, spent: Duration) {
        let (period, left) = (self.full_period(), &mut self.left[player.index()]);
        if left.stones == 0 {
            match left.time.checked_sub(spent) {
                Some(rest) => left.time = rest,
                None if period.stones > 0 => {
                    // The move that overran the main time is the first one of a period.
                    let over = spent - left.time;
                    *left = period;
                    self.spend(player, over);
                }
                None => left.time = Duration::ZERO,
            }
        } else if left.stones == 1 && period.stones > 0 {
            *left = period;
        } else {
            left.time = left.time.saturating_sub(spent);
            left.stones -= 1;
        }
    }
}

/// The moves that a player should reckon with, himself, in a game that is at `turns`: games end
/// with about two thirds of the cells taken, and no game is ever sure to end soon.
pub(super) fn expected_moves(cells: usize, turns: usize) -> u32 {
    (cells / 3).saturating_sub(turns / 2).max(8) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_time_left_is_shared_out_and_never_exceeded() {
        let mut clock = Clock::new(s(80), s(0), 0).unwrap();
        assert_eq!(clock.allowance(Player::First, 8), s(10) - OVERHEAD);
        clock.spend(Player::First, s(72));
        assert_eq!(clock.allowance(Player::First, 8), s(1) - OVERHEAD);
        clock.spend(Player::First, s(9));
        assert_eq!(clock.allowance(Player::First, 8), s(0));
        assert_eq!(clock.allowance(Player::Second, 8), s(10) - OVERHEAD);
        clock.restart();
        assert_eq!(clock.allowance(Player::First, 8), s(10) - OVERHEAD);
    }

    #[test]
    fn overtime_by_periods() {
        let mut clock = Clock::new(s(10), s(30), 3).unwrap();
        clock.spend(Player::First, s(13));
        // Three of the thirty seconds and one of the three moves are gone.
        assert_eq!(clock.left[0], Left { time: s(27), stones: 2 });
        assert_eq!(clock.allowance(Player::First, 99), s(27) / 2 - OVERHEAD);
        clock.spend(Player::First, s(1));
        clock.spend(Player::First, s(1));
        assert_eq!(clock.left[0], Left { time: s(30), stones: 3 });
        let only_periods = Clock::new(s(0), s(30), 3).unwrap();
        assert_eq!(only_periods.allowance(Player::First, 99), s(10) - OVERHEAD);
    }

    #[test]
    fn settings_at_the_edge() {
        assert!(Clock::new(s(10), s(30), 0).is_none(), "no limit");
        assert_eq!(Clock::new(s(0), s(0), 0).unwrap().allowance(Player::First, 8), s(0));
        let mut clock = Clock::new(s(0), s(1), 1).unwrap();
        clock.spend(Player::First, s(5));
        assert_eq!(clock.left[0], Left { time: s(1), stones: 1 });
        clock.set(Player::First, s(7), 0);
        assert_eq!(clock.allowance(Player::First, 1), s(7) - OVERHEAD);
        let mut without_period = Clock::new(s(5), s(0), 0).unwrap();
        without_period.set(Player::First, s(7), 1);
        without_period.spend(Player::First, s(1));
        assert_eq!(without_period.left[0], Left { time: s(6), stones: 0 });
    }

    #[test]
    fn seconds_of_all_kinds() {
        assert_eq!(seconds("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(seconds("-3"), Some(s(0)));
        assert_eq!(seconds("1e300"), Some(LONGEST));
        for text in ["nan", "inf", "x", ""] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn moves_to_reckon_with() {
        assert_eq!(expected_moves(81, 0), 27);
        assert_eq!(expected_moves(81, 20), 17);
        assert_eq!(expected_moves(81, 300), 8);
    }
}
