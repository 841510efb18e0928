//! Game clocks, and the time that they allow for a move.

use std::num::NonZeroU32;
use std::time::Duration;

use hexzero_games::{Position, Seat};

use super::overhead::Overhead;

/// The overhead of all expected moves may reserve at most the main time divided by this.
const EXPECTED_SHARE: u32 = 2;

/// The least number of moves that count as expected, because no game is sure to end soon.
const MIN_RESERVED_MOVES: u32 = 8;

/// The overhead of each further move of the longest possible game may reserve at most the main time
/// divided by this.
const RESERVED_SHARE: u32 = 500;

/// As `RESERVED_SHARE`, where moves usually have a larger overhead. A slower player would have no
/// time to think anyway.
const BUSY_SHARE: u32 = 150;

/// Number of overheads reserved beyond the remaining moves, since some moves are later than
/// expected.
const SPARE: u32 = 8;

/// Maximum time for a difficult move, as a multiple of the planned time.
const STRETCH: u32 = 3;

/// If earlier moves left much of their plans, a difficult move may take at most its plan or the time
/// divided by this.
const STRETCHED_SHARE: u32 = 2;

/// The share of the remaining moves that time is planned for: the last ones follow once the game
/// is decided, and cost nothing where it is proven. In lost games of Hex 11×11 with 2 s a game, 30 %
/// of the clock was left when time was planned for all moves, and 20 %, half of it reserved, with 0.5.
const OPEN_SHARE: f64 = 0.6;

/// Lower bound on the number of moves that time is planned for, if so many remain.
const MIN_PLANNED_MOVES: f64 = 2.0;

/// Lower bound on the estimated plies, as the usual number divided by this.
const MIN_LENGTH_SHARE: usize = 8;

/// Lower bound on the assumed plies where nothing estimates them.
const MIN_USUAL_PLIES: usize = 16;

/// The mean share of a plan that is used gives the latest move a weight of one over this.
const NEWS: f64 = 8.0;

/// Lower bound on the share of a plan that later moves are assumed to use.
const MIN_USED: f64 = 0.25;

/// The time control of a game, the same for both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// The time for the whole game, or until the overtime begins.
    pub main: Duration,
    /// The increment after each move (Fischer).
    pub increment: Duration,
    /// The overtime after the main time. Without overtime, the game is then lost.
    pub overtime: Option<Overtime>,
}

/// Canadian overtime: a period for a number of moves. When they are made in time, a new period
/// begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overtime {
    /// The time of a period.
    pub period: Duration,
    /// The number of moves to make in a period.
    pub moves: NonZeroU32,
}

impl TimeControl {
    /// Creates a time for the whole game with an increment.
    pub fn whole_game(main: Duration, increment: Duration) -> Self {
        Self { main, increment, overtime: None }
    }
}

/// The remaining moves of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovesLeft {
    /// Number of remaining moves that time is planned for.
    pub expected: u32,
    /// Number of remaining moves in the longest game that the rules allow.
    pub most: u32,
}

impl MovesLeft {
    /// Counts the remaining moves of a position by an evaluator's estimate of the plies left, or
    /// without one by the typical length of a game.
    pub fn of(position: &Position, plies_left: Option<f32>) -> Self {
        let (turns, limit, usual) = (position.turns(), position.turn_limit(), position.usual_plies());
        let usually_left = usual.saturating_sub(turns);
        // A barely trained network may estimate anything.
        let within_bounds =
            |plies: f32| (plies as usize).clamp((usually_left / 2).max(usual / MIN_LENGTH_SHARE), 2 * usual);
        let plies = plies_left.map_or(usually_left.max(MIN_USUAL_PLIES), within_bounds);
        let expected = (plies as f64 / 2.0 * OPEN_SHARE).max(MIN_PLANNED_MOVES).round() as usize;
        let most = limit.saturating_sub(turns).div_ceil(2).max(1);
        Self { expected: expected.min(most) as u32, most: most as u32 }
    }
}

/// The time for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The planned time.
    pub soft: Duration,
    /// The longest time, however difficult the position.
    pub hard: Duration,
    /// Whether unused time carries over to later moves; false for the last move of a period.
    pub carries_over: bool,
}

/// A player's remaining time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLeft {
    /// The remaining time.
    pub time: Duration,
    /// Moves to make in this time; 0 during the main time.
    pub moves: u32,
}

/// Both players' clocks.
///
/// Each allowance reserves time for the overhead of every remaining move. No clock runs out, even
/// in the longest game, as long as moves exceed their allowance by no more than was recently
/// measured, and by no more than a 500th of the main time (on a busy machine, a 250th on average).
/// In addition, one move may be as late as the latest of the whole game or as its longest
/// evaluation, and in any case a tenth of its period or of the main time (at most 200 ms).
#[derive(Debug, Clone)]
pub struct GameClock {
    control: TimeControl,
    left: [TimeLeft; 2],
    overhead: Overhead,
    /// The overhead measured for each player's last move, until a referee's report reveals the true
    /// cost.
    overshoot: [Option<Duration>; 2],
    /// The cost assumed for each player's moves beyond what was measured.
    assumed: [Duration; 2],
    /// The share of its plans that each player has used recently, on average.
    used: [f64; 2],
}

impl GameClock {
    /// Creates full clocks.
    pub fn new(control: TimeControl) -> Self {
        let full = match control.overtime {
            Some(overtime) if control.main.is_zero() => overtime.full(),
            _ => TimeLeft { time: control.main, moves: 0 },
        };
        let (overhead, overshoot, assumed) = Default::default();
        Self { control, left: [full; 2], overhead, overshoot, assumed, used: [1.0; 2] }
    }

    /// Resets the clocks for a new game or another time control. The measured overhead is kept.
    pub fn restart(&mut self, control: TimeControl) {
        *self = Self { overhead: self.overhead, ..Self::new(control) };
    }

    /// Returns the time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns a player's remaining time.
    pub fn left(&self, player: Seat) -> TimeLeft {
        self.left[player.index()]
    }

    /// Returns the expected overhead of a move.
    pub fn margin(&self) -> Duration {
        self.overhead.margin()
    }

    /// Returns the time allowed for the player's move.
    pub fn allowance(&self, player: Seat, moves: MovesLeft) -> Allowance {
        let margin = self.margin();
        let TimeControl { main, increment, overtime } = self.control;
        let TimeLeft { time, moves: in_period } = self.left(player);
        let time = time.saturating_sub(self.assumed[player.index()]);
        // Two moves may be late: this one, however long it takes, and the last.
        let share_of = |time: Duration, period: Duration, moves: u32| {
            let late = self.overhead.reserve(period) * moves.min(2) + margin * moves.saturating_sub(2);
            time.saturating_sub(late) / moves.max(1)
        };
        if in_period > 0 {
            let period = overtime.map_or(time, |overtime| overtime.period);
            let share = share_of(time, period, in_period);
            let allowance = Allowance::within(share * in_period, share);
            return Allowance { carries_over: in_period > 1, ..allowance };
        }
        // Searches use only part of their plans, so plan for more.
        let used = self.used[player.index()].max(MIN_USED);
        let planned = |time: Duration, used: f64| {
            let moves = f64::from(moves.expected.max(1));
            time.div_f64((moves * used).max(moves.min(MIN_PLANNED_MOVES))) + increment.div_f64(used)
        };
        if let Some(Overtime { period, moves }) = overtime {
            // The move that overruns the main time is the first of a period.
            let share = share_of(period, period, moves.get());
            return Allowance::within(time + share, planned(time, used).max(share));
        }
        // The overhead of each later move beyond its increment, within bounds.
        let later = |overhead: Duration, most: Duration| overhead.min(most + increment).saturating_sub(increment);
        let expected = moves.expected.max(MIN_RESERVED_MOVES).min(moves.most.max(1));
        let of_other = later(margin, main / RESERVED_SHARE).max(later(self.overhead.usual(), main / BUSY_SHARE));
        let of_expected = later(margin, main / (EXPECTED_SHARE * expected)).max(of_other) * (expected - 1);
        let of_others = of_other * moves.most.saturating_sub(expected);
        let spare = (margin + of_other * SPARE).max(self.overhead.reserve(main + increment));
        let spendable = time.saturating_sub(spare + of_expected + of_others);
        let Allowance { soft, hard, .. } = Allowance::within(spendable, planned(spendable, used));
        let most = (planned(spendable, 1.0) * STRETCH).max(spendable / STRETCHED_SHARE);
        Allowance { soft, hard: hard.min(most.max(soft)), carries_over: true }
    }

    /// Takes a move's time off a player's clock, and measures the overhead if the move took at
    /// least as long as `allowed`.
    pub fn spend(&mut self, player: Seat, spent: Duration, allowed: Duration) {
        let overshoot = spent.checked_sub(allowed);
        self.overshoot[player.index()] = overshoot;
        self.overhead.fade();
        if let Some(overshoot) = overshoot {
            self.overhead.learn(overshoot);
        }
        self.left[player.index()] = self.after(self.left(player), spent);
        // A new period starts with its full time.
        let assumed = self.assumed[player.index()] + self.overhead.assumed();
        self.assumed[player.index()] = if self.is_full(player) { Duration::ZERO } else { assumed };
    }

    /// Records what a move used of its planned time.
    pub fn note_use(&mut self, player: Seat, spent: Duration, planned: Duration) {
        if !planned.is_zero() {
            let used = &mut self.used[player.index()];
            // The overhead may be many times a tiny plan, but a search takes at most `STRETCH` plans.
            let share = spent.div_duration_f64(planned).min(STRETCH.into());
            *used += (share - *used) / NEWS;
        }
    }

    /// Records how long a command waited for a core before its search began. Sending the command
    /// and its answer is assumed to wait as long.
    pub fn note_wait(&mut self, wait: Duration) {
        self.overhead.learn_wait(wait);
    }

    /// Records the longest evaluation of a move. On a busy machine another program had the core
    /// during that evaluation, which may also happen at the end of the allowed time.
    pub fn note_pause(&mut self, pause: Duration) {
        self.overhead.learn_pause(pause);
    }

    /// Returns whether a period has just begun.
    fn is_full(&self, player: Seat) -> bool {
        self.control.overtime.is_some_and(|overtime| self.left(player) == overtime.full())
    }

    /// Returns the remaining time after a move that took `spent`.
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

    /// Sets a clock to the time reported by a referee. The difference shows the overhead that is
    /// not measured here: pipes, networks, a busy referee. If `left.moves` exceeds the moves of a
    /// period, it counts the periods left (Japanese overtime).
    pub fn set(&mut self, player: Seat, left: TimeLeft) {
        let of_period = self.control.overtime.map_or(u32::MAX, |overtime| overtime.moves.get());
        let left = TimeLeft { moves: left.moves.min(of_period), ..left };
        // A period that has just begun tells nothing about the last one.
        let is_full = self.is_full(player);
        let believed = std::mem::replace(&mut self.left[player.index()], left);
        self.assumed[player.index()] = Duration::ZERO;
        let Some(overshoot) = self.overshoot[player.index()].take() else { return };
        if believed.moves == left.moves && !is_full {
            // A report in whole seconds may be rounded.
            let rounding = Duration::from_secs(u64::from(left.time.subsec_nanos() == 0));
            let unseen = believed.time.saturating_sub(left.time).saturating_sub(rounding);
            self.overhead.learn_unseen(overshoot, unseen);
        }
    }
}

impl Overtime {
    fn full(&self) -> TimeLeft {
        TimeLeft { time: self.period, moves: self.moves.get() }
    }
}

impl Allowance {
    /// Caps a plan at the time that may be spent in total.
    fn within(spendable: Duration, planned: Duration) -> Self {
        let soft = planned.min(spendable);
        Self { soft, hard: (soft * STRETCH).min(spendable), carries_over: true }
    }
}
