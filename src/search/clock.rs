//! The clocks of a game, and how long to think about a move by them.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::games::{Position, Seat};

use super::overhead::Overhead;

/// Of the main time at most this share is held back for the overhead of each move that may still come.
/// Whoever is slower than that with every move of a long game has no time to think anyway.
const RESERVED_SHARE: u32 = 1000;

/// Overheads that are held back beside those of the moves that may come, since some are worse than expected.
const SPARE: u32 = 8;

/// How many times as long as planned a move may be thought about that turns out to be difficult.
const STRETCH: u32 = 3;

/// Moves that are reckoned with at least: no game is ever sure to end soon.
const FEWEST_EXPECTED: usize = 8;

/// How a game is timed, the same for both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// For the whole game, or until the overtime begins.
    pub main: Duration,
    /// What each move adds once it has been made (Fischer).
    pub increment: Duration,
    /// What follows when the main time is used up; without it the game is then lost.
    pub overtime: Option<Overtime>,
}

/// Periods for a number of moves; when they have been made in time, a new one begins (Canadian overtime).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overtime {
    /// The time of a period.
    pub period: Duration,
    /// The moves to be made in it.
    pub moves: NonZeroU32,
}

impl TimeControl {
    /// A time for the whole game, and what each move adds.
    pub fn whole_game(main: Duration, increment: Duration) -> Self {
        Self { main, increment, overtime: None }
    }
}

/// How many moves a player has still to make himself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovesLeft {
    /// In a game that goes on as most do.
    pub expected: u32,
    /// In the longest that the rules permit.
    pub most: u32,
}

impl MovesLeft {
    /// What to reckon with in a position: as many plies as most games of its kind have.
    pub fn of(position: &Position) -> Self {
        let (turns, limit) = (position.turns(), position.turn_limit());
        let own_moves = position.usual_plies() / 2;
        let expected = own_moves.saturating_sub(turns / 2).max(FEWEST_EXPECTED);
        let most = limit.saturating_sub(turns).div_ceil(2).max(1);
        Self { expected: expected.min(most) as u32, most: most as u32 }
    }
}

/// How long to think about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// To be aimed at.
    pub soft: Duration,
    /// Not to be exceeded, however difficult the position.
    pub hard: Duration,
}

/// What a player has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLeft {
    /// The time.
    pub time: Duration,
    /// Moves to be made in this time; 0 while the main time lasts.
    pub moves: u32,
}

/// Both players' clocks.
///
/// Each allowance leaves time for the overhead of every move that may still come. So no clock runs out, even
/// in the longest game, as long as moves exceed their allowance by no more than was seen of late, nor by more
/// than a 1000th of the main time.
#[derive(Debug, Clone)]
pub struct GameClock {
    control: TimeControl,
    left: [TimeLeft; 2],
    overhead: Overhead,
    /// By how much each player's last move exceeded its allowance, until its true cost is known.
    overshoot: [Option<Duration>; 2],
}

impl GameClock {
    /// Full clocks.
    pub fn new(control: TimeControl) -> Self {
        let full = full(&control);
        Self { control, left: [full; 2], overhead: Overhead::default(), overshoot: [None; 2] }
    }

    /// Full clocks again, for a new game or by another time control. What was learnt of the machine stays.
    pub fn restart(&mut self, control: TimeControl) {
        *self = Self { overhead: self.overhead, ..Self::new(control) };
    }

    /// How the game is timed.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What a player has left.
    pub fn left(&self, player: Seat) -> TimeLeft {
        self.left[player.index()]
    }

    /// By how much a move must be expected to take longer than allowed.
    pub fn margin(&self) -> Duration {
        self.overhead.margin()
    }

    /// How long the player may think about a move.
    pub fn allowance(&self, player: Seat, moves: MovesLeft) -> Allowance {
        let margin = self.margin();
        let TimeControl { main, increment, overtime } = self.control;
        let TimeLeft { time, moves: in_period } = self.left(player);
        if in_period > 0 {
            let spendable = time.saturating_sub(margin * in_period);
            return Allowance::within(spendable, spendable / in_period);
        }
        let planned = |time: Duration| time / moves.expected.max(1) + increment;
        if let Some(Overtime { period, moves }) = overtime {
            // The move that overruns the main time is the first one of a period.
            let share = (period / moves.get()).saturating_sub(margin);
            return Allowance::within(time + share, planned(time).max(share));
        }
        // What a later move costs that neither its increment pays nor is too much to be usual.
        let later = margin.min(main / RESERVED_SHARE + increment).saturating_sub(increment);
        let spendable = time.saturating_sub(margin + later * (moves.most.saturating_sub(1) + SPARE));
        Allowance::within(spendable, planned(spendable))
    }

    /// Takes a move's time off a player's clock, and learns from how long it took if it took at least as
    /// long as `allowed`.
    pub fn spend(&mut self, player: Seat, spent: Duration, allowed: Duration) {
        let overshoot = spent.checked_sub(allowed);
        self.overshoot[player.index()] = overshoot;
        if let Some(overshoot) = overshoot {
            self.overhead.learn(overshoot);
        }
        self.left[player.index()] = self.after(self.left(player), spent);
    }

    /// What is left after a move that took so long.
    fn after(&self, left: TimeLeft, spent: Duration) -> TimeLeft {
        let rest = left.time.checked_sub(spent);
        match (left.moves, self.control.overtime) {
            (0, None) => TimeLeft { time: rest.map_or(Duration::ZERO, |rest| rest + self.control.increment), moves: 0 },
            (0, Some(overtime)) => match rest {
                Some(rest) => TimeLeft { time: rest + self.control.increment, moves: 0 },
                None => self.after(overtime.full(), spent - left.time),
            },
            (1, Some(overtime)) => overtime.full(),
            (moves, _) => TimeLeft { time: rest.unwrap_or_default(), moves: moves - 1 },
        }
    }

    /// Sets a clock by what somebody else says is left, and learns from the difference what a move costs
    /// beyond what is measured here: pipes, networks, a busy referee.
    pub fn set(&mut self, player: Seat, left: TimeLeft) {
        let believed = std::mem::replace(&mut self.left[player.index()], left);
        let Some(overshoot) = self.overshoot[player.index()].take() else { return };
        if believed.moves == left.moves {
            // Whole seconds say nothing of fractions.
            let rounding = Duration::from_secs(u64::from(left.time.subsec_nanos() == 0));
            let unseen = believed.time.saturating_sub(left.time).saturating_sub(rounding);
            self.overhead.learn(overshoot + unseen);
        }
    }
}

impl Overtime {
    fn full(&self) -> TimeLeft {
        TimeLeft { time: self.period, moves: self.moves.get() }
    }
}

fn full(control: &TimeControl) -> TimeLeft {
    match control.overtime {
        Some(overtime) if control.main.is_zero() => overtime.full(),
        _ => TimeLeft { time: control.main, moves: 0 },
    }
}

impl Allowance {
    /// A plan within what may be spent at all.
    fn within(spendable: Duration, planned: Duration) -> Self {
        let soft = planned.min(spendable);
        Self { soft, hard: (soft * STRETCH).min(spendable) }
    }
}
