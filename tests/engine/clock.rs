//! Clocks: how the time of a game is shared out, and that it does not run out.

use std::num::NonZeroU32;
use std::time::Duration;

use hexzero::games::{Action, Evaluation, Evaluator, Position, Seat, WinDrawLoss};
use hexzero::models::shipped;
use hexzero::network::{NetworkEvaluator, Precision};
use hexzero::search::{
    Allowance, ClockPlan, EarlyStop, GameClock, Limits, MovesLeft, Overtime, Puct, Search, TimeControl, TimeLeft,
};
use proptest::prelude::*;
use rand::Rng;

use crate::games::{cachex, hex, hex_without_swap, position};
use crate::network::rng;

const ZERO: Duration = Duration::ZERO;
const ME: Seat = Seat::First;

/// Margin of a clock that has seen no move: a quarter more than 20 ms.
const MARGIN: Duration = Duration::from_millis(25);

/// The most that is reserved for a late move before one has been seen.
const MAX_RESERVED: Duration = Duration::from_millis(200);

fn s(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn overtime(period: f64, moves: u32) -> Option<Overtime> {
    Some(Overtime { period: s(period), moves: NonZeroU32::new(moves).unwrap() })
}

fn left(time: f64, moves: u32) -> TimeLeft {
    TimeLeft { time: s(time), moves }
}

#[test]
fn expected_numbers_of_moves() {
    let moves = |expected, most| MovesLeft { expected, most };
    let by_length = |position: &Position| MovesLeft::of(position, None);
    // Six tenths of the moves of a usual game, which has 121, 60 and 2 plies.
    assert_eq!(by_length(&cachex().start(9).unwrap()), moves(36, 172));
    assert_eq!(by_length(&hex().start(11).unwrap()), moves(18, 61));
    assert_eq!(by_length(&hex().start(2).unwrap()), moves(3, 3));
    assert_eq!(by_length(&position(cachex(), 9, "a1 b1 c1 d1")), moves(35, 170));
    // A game that lasts longer than usual is taken to last another 16 plies.
    let mut game = hex().start(11).unwrap();
    (0..62).for_each(|_| game.play(game.legal()[0]));
    assert_eq!(by_length(&game), moves(5, 30));
}

#[test]
fn estimated_numbers_of_moves_are_bounded() {
    let start = hex().start(11).unwrap();
    let expected = |plies: f32| MovesLeft::of(&start, Some(plies)).expected;
    assert_eq!([30.0, 50.0, 100.0].map(expected), [9, 15, 30]);
    // Half to twice the usual game of 60 plies.
    assert_eq!([f32::NEG_INFINITY, -3.0, 0.0, f32::NAN].map(expected), [9; 4]);
    assert_eq!([130.0, f32::INFINITY].map(expected), [36; 2]);
    // Later in a game, at least an eighth of it.
    let mut late = start.clone();
    (0..60).for_each(|_| late.play(late.legal()[0]));
    assert_eq!(MovesLeft::of(&late, Some(0.0)), MovesLeft { expected: 2, most: 31 });
}

#[test]
fn network_estimates_the_rest_of_a_game() {
    let checkpoint = shipped(hex()).unwrap();
    let mut network = NetworkEvaluator::new(hex(), &checkpoint, "shipped", Precision::F32).unwrap();
    let start = hex().start(11).unwrap();
    // A ladder along the left side, one move from its end.
    let mut late = hex_without_swap().start(11).unwrap();
    for row in 1..=10 {
        late.play_named(&format!("e{row}")).unwrap();
        late.play_named(&format!("f{row}")).unwrap();
    }
    let mut plies = |position: &Position| network.plies_left(position).unwrap();
    let (whole, rest) = (plies(&start), plies(&late));
    assert!((35.0..90.0).contains(&whole), "{whole} plies of a game");
    assert!((-10.0..20.0).contains(&rest), "{rest} plies before its end");
}

#[test]
fn main_time_is_shared_over_the_remaining_moves() {
    let clock = GameClock::new(TimeControl::whole_game(s(100.0), ZERO));
    // 25 ms are held back for each of twelve moves and eight times more; the rest is shared out, and a hard move may
    // take three times as long.
    let moves = MovesLeft { expected: 5, most: 12 };
    assert_eq!(clock.allowance(ME, moves), Allowance { soft: s(19.9), hard: s(59.7), carries_over: true });
    let last = MovesLeft { expected: 1, most: 1 };
    assert_eq!(clock.allowance(ME, last), Allowance { soft: s(99.775), hard: s(99.775), carries_over: true });
}

#[test]
fn short_games_reserve_less() {
    // The margin for each of the 9 moves expected after this one, a 500th of a second for each of 90 others, and a
    // tenth for one that is late.
    let clock = GameClock::new(TimeControl::whole_game(s(1.0), ZERO));
    let moves = MovesLeft { expected: 10, most: 100 };
    assert_eq!(clock.allowance(ME, moves).soft, (s(1.0) - 9 * MARGIN - s(0.18) - s(0.1)) / 10);
    // No more than half of it for all that are expected.
    let moves = MovesLeft { expected: 50, most: 50 };
    assert_eq!(clock.allowance(ME, moves).soft, (s(1.0) - s(0.49) - s(0.1)) / 50);
}

#[test]
fn one_hesitant_move_leaves_time_for_the_others() {
    let mut clock = GameClock::new(TimeControl::whole_game(s(100.0), ZERO));
    // All moves so far were played at once, so that plans are four times as large.
    (0..100).for_each(|_| clock.note_use(ME, ZERO, s(1.0)));
    let shares = |expected| {
        let Allowance { soft, hard, .. } = clock.allowance(ME, MovesLeft { expected, most: expected });
        [soft, hard].map(|time| (time.as_secs_f64() / clock.left(ME).time.as_secs_f64() * 20.0).round() / 20.0)
    };
    // A move of twelve may take half of the time, one of thirty three times its plan.
    assert_eq!([12, 30].map(shares), [[0.35, 0.5], [0.15, 0.4]]);
    // Of three moves one may take all.
    assert_eq!(shares(3), [0.5, 1.0]);
}

#[test]
fn increments_are_used_and_pay_for_the_overhead() {
    let mut clock = GameClock::new(TimeControl::whole_game(s(10.0), s(2.0)));
    let moves = MovesLeft { expected: 5, most: 100 };
    assert_eq!(clock.allowance(ME, moves).soft, (s(10.0) - MAX_RESERVED) / 5 + s(2.0));
    clock.spend(ME, s(3.0), s(3.0));
    assert_eq!(clock.left(ME), left(9.0, 0));
    // Without time left there is no increment either: the game is lost.
    clock.spend(ME, s(9.5), s(9.5));
    assert_eq!(clock.left(ME), left(0.0, 0));
}

#[test]
fn plans_grow_by_what_searches_leave_of_them() {
    let mut clock = GameClock::new(TimeControl::whole_game(s(100.0), ZERO));
    let moves = MovesLeft { expected: 20, most: 20 };
    let plan = |clock: &GameClock| clock.allowance(ME, moves).soft.as_secs_f64();
    let full = plan(&clock);
    // Half of each plan is used, which the mean follows by an eighth a move.
    clock.note_use(ME, s(1.0), s(2.0));
    assert!((plan(&clock) - full / 0.9375).abs() < 1e-6);
    (0..100).for_each(|_| clock.note_use(ME, s(1.0), s(2.0)));
    assert!((plan(&clock) - full * 2.0).abs() < 0.01);
    // The other player's plans are not changed, nor are those of a new game.
    assert_eq!(clock.allowance(Seat::Second, moves).soft.as_secs_f64(), full);
    // Moves that cost nothing do not promise that the later ones will.
    (0..100).for_each(|_| clock.note_use(ME, ZERO, s(2.0)));
    assert!((plan(&clock) - full * 4.0).abs() < 0.01);
    // Searches that hesitate make plans smaller.
    (0..100).for_each(|_| clock.note_use(ME, s(3.0), s(2.0)));
    assert!((plan(&clock) - full / 1.5).abs() < 0.01);
    clock.restart(clock.control());
    assert_eq!(plan(&clock), full);
}

/// Plays a game of `own_moves` moves, a number known in advance. Each uses the share `used` of its plan, but the last
/// `decided` ones use nothing. Returns the share of the time that is left.
fn left_after(own_moves: u32, decided: u32, used: f64) -> f64 {
    let mut clock = GameClock::new(TimeControl::whole_game(s(100.0), ZERO));
    for ply in 0..own_moves {
        let left = own_moves - ply;
        let moves = MovesLeft { expected: (f64::from(left) * 0.6).max(2.0).round() as u32, most: left + 20 };
        let soft = clock.allowance(ME, moves).soft;
        let spent = if left > decided { soft.mul_f64(used) } else { ZERO };
        clock.note_use(ME, spent, soft);
        clock.spend(ME, spent, soft.max(spent));
    }
    clock.left(ME).time.as_secs_f64() / 100.0
}

#[test]
fn clock_is_used_up_whatever_searches_leave() {
    for own_moves in [30, 80, 150] {
        for used in [0.5, 0.7, 1.0, 1.5] {
            let left = left_after(own_moves, own_moves / 6, used);
            assert!(left < 0.1, "{left} left after {own_moves} moves of {used}");
            let left = left_after(own_moves, 0, used);
            assert!(left < 0.03, "{left} left after {own_moves} moves of {used}, none decided");
        }
    }
}

#[test]
fn players_have_own_clocks_reset_by_a_new_game() {
    let control = TimeControl::whole_game(s(10.0), ZERO);
    let mut clock = GameClock::new(control);
    clock.spend(ME, s(4.0), s(4.0));
    assert_eq!([clock.left(ME), clock.left(Seat::Second)], [left(6.0, 0), left(10.0, 0)]);
    clock.restart(control);
    assert_eq!(clock.left(ME), left(10.0, 0));
}

#[test]
fn overtime_by_periods() {
    let mut clock = GameClock::new(TimeControl { main: s(10.0), increment: ZERO, overtime: overtime(30.0, 3) });
    let moves = MovesLeft { expected: 99, most: 99 };
    // The main time may be used up, and a third of a period too, which has time for two late moves and the margin of
    // another.
    let share = (s(30.0) - 2 * MAX_RESERVED - MARGIN) / 3;
    assert_eq!(clock.allowance(ME, moves).soft, share);
    assert_eq!(clock.allowance(ME, moves).hard, s(10.0) + share);
    clock.spend(ME, s(13.0), s(13.0));
    assert_eq!(clock.left(ME), left(27.0, 2));
    assert_eq!(clock.allowance(ME, moves).soft, (s(27.0) - 2 * MAX_RESERVED) / 2);
    clock.spend(ME, s(1.0), s(1.0));
    assert_eq!(clock.left(ME), left(26.0, 1));
    clock.spend(ME, s(1.0), s(1.0));
    assert_eq!(clock.left(ME), left(30.0, 3));
    assert_eq!(periods(30.0, 3).allowance(ME, moves).soft, share);
}

fn periods(period: f64, moves: u32) -> GameClock {
    GameClock::new(TimeControl { main: ZERO, increment: ZERO, overtime: overtime(period, moves) })
}

#[test]
fn late_moves_are_remembered_across_periods() {
    let moves = MovesLeft { expected: 20, most: 60 };
    let mut clock = periods(1.0, 1);
    let reserved = |clock: &GameClock| s(1.0) - clock.allowance(ME, moves).hard;
    assert_eq!(reserved(&clock), s(0.1));
    clock.spend(ME, s(1.02), s(0.9));
    assert_eq!((clock.left(ME), reserved(&clock)), (left(1.0, 1), s(0.15)));
    // Moves in time let it fade over a whole game.
    (0..30).for_each(|_| clock.spend(ME, s(0.85), s(0.85)));
    assert!(reserved(&clock) > s(0.115), "{:?}", reserved(&clock));
    // Commands that waited for a core say what their answers may wait.
    let before = reserved(&clock);
    clock.note_wait(s(0.03));
    assert!(reserved(&clock) > before + s(0.05));
    // So do evaluations during which another program had the core.
    clock.note_pause(s(0.15));
    assert!(reserved(&clock) > s(0.24));
    // A machine that is slower than that leaves two thirds of the period, and no more is asked for in a longer one.
    clock.spend(ME, s(1.9), s(0.8));
    assert_eq!(reserved(&clock), s(1.0) / 3);
    assert_eq!(s(30.0) - periods(30.0, 1).allowance(ME, moves).hard, MAX_RESERVED);
}

#[test]
fn reported_new_period_teaches_nothing() {
    let mut clock = periods(1.0, 1);
    clock.note_wait(s(0.05));
    clock.spend(ME, s(0.9), s(0.9));
    let before = clock.clone();
    clock.set(ME, left(1.0, 1));
    let moves = MovesLeft { expected: 20, most: 60 };
    assert_eq!(clock.allowance(ME, moves), before.allowance(ME, moves));
    // Five Japanese periods left are not five moves.
    clock.set(ME, left(0.7, 5));
    assert_eq!(clock.left(ME), left(0.7, 1));
}

#[test]
fn empty_clock_allows_no_time() {
    let moves = MovesLeft { expected: 8, most: 8 };
    let nothing = Allowance { soft: ZERO, hard: ZERO, carries_over: true };
    assert_eq!(GameClock::new(TimeControl::whole_game(ZERO, ZERO)).allowance(ME, moves), nothing);
    assert_eq!(periods(0.02, 10).allowance(ME, moves), nothing, "less than the margin for each move");
}

#[test]
fn margin_follows_the_machine() {
    let mut clock = GameClock::new(TimeControl::whole_game(s(100.0), ZERO));
    assert_eq!(clock.margin(), MARGIN);
    clock.spend(ME, s(1.2), s(1.0));
    assert_eq!(clock.margin(), s(0.25));
    // A search that stopped early says nothing of the overhead; one that did not lets it fade.
    clock.spend(ME, s(0.5), s(1.0));
    assert_eq!(clock.margin(), s(0.25));
    clock.spend(ME, s(1.0), s(1.0));
    assert_eq!(clock.margin(), s(0.2375));
    // The measured speed outlasts the game.
    clock.restart(TimeControl::whole_game(s(5.0), ZERO));
    assert_eq!(clock.margin(), s(0.2375));
    for _ in 0..100 {
        clock.spend(ME, s(1.0), s(1.0));
    }
    assert_eq!(clock.margin(), s(0.00625));
}

#[test]
fn waiting_commands_raise_the_expected_delay() {
    let mut clock = GameClock::new(TimeControl::whole_game(s(1.0), ZERO));
    let moves = MovesLeft { expected: 10, most: 100 };
    let fresh = clock.allowance(ME, moves);
    // Moves that end before their time say nothing of the machine; the waits do.
    (0..50).for_each(|_| clock.note_wait(s(0.004)));
    (0..20).for_each(|_| clock.spend(ME, s(0.001), s(0.01)));
    let believed = s(1.0) - 20 * s(0.001);
    assert_eq!(clock.left(ME).time, believed);
    // 8 ms of each move are assumed to be gone, and as much and a quarter is held back for later ones, within bounds.
    let allowance = clock.allowance(ME, moves);
    assert!(allowance.soft < fresh.soft - 20 * s(0.0079) / 10, "{allowance:?}, at first {fresh:?}");
    // A referee knows better.
    clock.set(ME, left(0.98, 0));
    assert_eq!(clock.left(ME).time, s(0.98));
}

#[test]
fn referee_with_less_time_is_believed() {
    let mut clock = GameClock::new(TimeControl::whole_game(s(100.0), ZERO));
    clock.spend(ME, s(1.1), s(1.0));
    clock.set(ME, left(98.5, 0));
    assert_eq!(clock.left(ME), left(98.5, 0));
    // A tenth of a second was seen here, and four tenths by the referee.
    assert_eq!(clock.margin(), s(0.625));
    // A report without a move since the last one, or in whole seconds, teaches nothing.
    clock.set(ME, left(90.2, 0));
    assert_eq!(clock.margin(), s(0.625));
    clock.spend(ME, s(1.0), s(1.0));
    clock.set(ME, left(89.0, 0));
    assert!(clock.margin() < s(0.625));
}

/// The first move has a great prior and is even; the second one has a small prior and wins more often than not.
fn misjudging(game: &Position, legal: &[Action]) -> Evaluation {
    let of_first = |action: &Action| match action.0 {
        0 => 0.8,
        1 => 0.1,
        _ => 0.1 / legal.len() as f32,
    };
    let priors = legal.iter().map(of_first).collect();
    let second = game.owner(1) == Some(Seat::First);
    let win = match (second, game.to_move()) {
        (false, _) => 0.5,
        (true, Seat::First) => 0.8,
        (true, Seat::Second) => 0.2,
    };
    Evaluation { priors, outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win } }
}

#[test]
fn search_hesitates_until_its_move_looks_best() {
    let mut search = Search::new(hex_without_swap().start(7).unwrap(), Puct::default());
    let mut hesitated_at = Vec::new();
    for visits in (10..=3000).step_by(10) {
        search.run(&mut misjudging, &Limits::visits(visits));
        if search.hesitates() {
            hesitated_at.push(visits);
        }
    }
    assert_eq!(search.best_action(), Some(Action(1)));
    let (first, last) = (hesitated_at[0], hesitated_at[hesitated_at.len() - 1]);
    assert!(first > 10 && last < 2000, "{hesitated_at:?}");
}

#[test]
fn hesitating_search_gets_more_time_up_to_all() {
    let hesitating = || {
        let mut search = Search::new(hex_without_swap().start(7).unwrap(), Puct::default());
        let mut visits = 0;
        while !search.hesitates() {
            visits += 10;
            search.run(&mut misjudging, &Limits::visits(visits));
        }
        search
    };
    let allowance = Allowance { soft: s(0.001), hard: s(0.0025), carries_over: true };
    let allowed = |search: &Search, limit: Option<Duration>| {
        let mut plan = ClockPlan::new(allowance, limit);
        while plan.extend(search) {}
        plan.allowed()
    };
    assert_eq!(allowed(&hesitating(), None), allowance.hard);
    assert_eq!(allowed(&hesitating(), Some(s(0.002))), s(0.002));
    // A search that does not hesitate stops as planned.
    let mut certain = Search::new(hex_without_swap().start(7).unwrap(), Puct::default());
    certain.run(&mut misjudging, &Limits::visits(10));
    assert_eq!(allowed(&certain, None), allowance.soft);
}

#[test]
fn rest_of_a_period_is_lost_after_its_last_move() {
    let mut clock = periods(10.0, 2);
    let carries_over = |clock: &GameClock| clock.allowance(ME, MovesLeft { expected: 10, most: 60 }).carries_over;
    assert!(carries_over(&clock));
    clock.spend(ME, s(3.0), s(3.0));
    assert!(!carries_over(&clock));
    clock.spend(ME, s(3.0), s(3.0));
    assert!(carries_over(&clock));
    assert!(carries_over(&GameClock::new(TimeControl::whole_game(s(10.0), ZERO))));
}

/// The speed is not known before there are new visits.
#[test]
fn kept_tree_does_not_stop_a_search_at_once() {
    for begun in [16, 32, 64] {
        let mut search = Search::new(hex_without_swap().start(7).unwrap(), Puct::default());
        search.run(&mut misjudging, &Limits::visits(begun));
        let longer = Limits { visits: Some(4 * begun), ..Limits::time(s(3600.0)) };
        search.run(&mut misjudging, &longer.stopping(EarlyStop::Likely));
        assert!(search.visits() > begun + 16, "{} visits after {begun}", search.visits());
    }
}

/// A referee's clock.
#[derive(Debug, Clone, Copy)]
struct Referee {
    control: TimeControl,
    main: Duration,
    /// The time left of a period, and the moves to be made in it.
    period: Option<(Duration, u32)>,
}

impl Referee {
    fn new(control: TimeControl) -> Self {
        Self { control, main: control.main, period: None }
    }

    /// Returns the clock after a move, or `None` if it has run out.
    fn after(mut self, mut spent: Duration) -> Option<Self> {
        if self.period.is_none() {
            if spent <= self.main {
                self.main = self.main - spent + self.control.increment;
                return Some(self);
            }
            let overtime = self.control.overtime?;
            spent -= self.main;
            self.period = Some((overtime.period, overtime.moves.get()));
        }
        let (time, moves) = self.period?;
        let time = time.checked_sub(spent)?;
        let overtime = self.control.overtime?;
        self.period = Some(if moves == 1 { (overtime.period, overtime.moves.get()) } else { (time, moves - 1) });
        Some(self)
    }
}

fn any_control() -> impl Strategy<Value = TimeControl> {
    let increment = prop_oneof![Just(0.0), 0.001..5.0];
    let overtime =
        prop_oneof![2 => Just(None), 1 => (1.0..60.0, 1..26_u32).prop_map(|(time, moves)| overtime(time, moves))];
    (1.0..900.0, increment, overtime).prop_map(|(main, increment, overtime)| TimeControl {
        main: s(main),
        increment: s(increment),
        overtime,
    })
}

/// Plays the longest game, in which each move takes all of its time and `overshoot` more. Returns `None` if the flag
/// falls.
fn play_to_the_end(
    control: TimeControl,
    hard: &[bool],
    overshoot: impl Fn(usize, &GameClock) -> Duration,
) -> Option<()> {
    let mut clock = GameClock::new(control);
    let mut referee = Referee::new(control);
    for (ply, &is_hard) in hard.iter().enumerate() {
        let most = 172 - ply as u32;
        let moves = MovesLeft { expected: (16_u32.saturating_sub(ply as u32)).max(8).min(most), most };
        let Allowance { soft, hard: longest, .. } = clock.allowance(ME, moves);
        let allowed = if is_hard { longest } else { soft };
        let spent = allowed + overshoot(ply, &clock);
        referee = referee.after(spent)?;
        clock.note_use(ME, spent, soft);
        clock.spend(ME, spent, allowed);
    }
    Some(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The flag does not fall as long as moves overrun by no more than was seen lately: always by all of that, or by
    /// any part of it.
    #[test]
    fn flag_never_falls(
        control in any_control(),
        hard in prop::collection::vec(any::<bool>(), 172),
        parts in prop_oneof![Just(vec![1.0; 172]), prop::collection::vec(0.0..=1.0, 172)],
    ) {
        let usual = control.main / 1000 + control.increment;
        let played = play_to_the_end(control, &hard, |ply, clock| (clock.margin() * 4 / 5).min(usual).mul_f64(parts[ply]));
        prop_assert!(played.is_some());
    }

    /// Nor does it when moves that end at once have raised the plans of later ones.
    #[test]
    fn saved_time_never_costs_the_game(
        control in any_control(),
        uses in prop::collection::vec(0..3_u8, 172),
        expected in 1_u32..40,
        seed in any::<u64>(),
    ) {
        let mut rng = rng(seed);
        let mut clock = GameClock::new(control);
        let mut referee = Some(Referee::new(control));
        for (ply, &used) in uses.iter().enumerate() {
            let most = 172 - ply as u32;
            let Allowance { soft, hard, .. } = clock.allowance(ME, MovesLeft { expected: expected.min(most), most });
            let allowed = if used == 2 { hard } else { soft };
            let late = (clock.margin() * 4 / 5).min(control.main / 1000).mul_f64(rng.random_range(0.0..1.0));
            let spent = if used == 0 { ZERO } else { allowed } + late;
            referee = referee.and_then(|referee| referee.after(spent));
            prop_assert!(referee.is_some(), "at ply {}", ply);
            clock.note_use(ME, spent, soft);
            clock.spend(ME, spent, allowed);
        }
    }

    /// Nor does a period end too soon, as long as no move is later than those seen lately, and the last one of a period
    /// no later than the latest of the game or a tenth of the period. Lateness is forgotten faster here than by the
    /// clock.
    #[test]
    fn periods_are_never_overstepped(period in 0.3..60.0, moves in 1_u32..12, latest in 0.0..0.25, seed in any::<u64>()) {
        let mut rng = rng(seed);
        let mut clock = periods(period, moves);
        let floor = (period / 10.0).min(0.2);
        let mut latest: f64 = period.min(7.0) * latest;
        clock.spend(ME, s(latest), ZERO);
        clock.restart(clock.control());
        for _ in 0..100 {
            let left = clock.left(ME);
            let Allowance { soft, hard, .. } = clock.allowance(ME, MovesLeft { expected: 20, most: 100 });
            let allowed = if rng.random_bool(0.5) { soft } else { hard };
            // The margin is a quarter more than what was seen.
            let seen = (clock.margin() * 4 / 5).as_secs_f64();
            let most = if left.moves == 1 { latest.max(floor) } else { seen.min(period / 50.0) };
            let late = s(most * rng.random_range(0.0..=1.0));
            prop_assert!(allowed + late <= left.time, "{:?} of {:?}", allowed + late, left);
            clock.spend(ME, allowed + late, allowed);
            latest = (latest * 0.99).max(late.as_secs_f64());
        }
    }

    /// Nor does the flag fall in games of the usual length in which every move takes a hundredth of the main time
    /// longer than allowed, as in a short game on a busy machine.
    #[test]
    fn busy_machine_finishes_a_short_game(main in 0.5..3.0, expected in 8_u32..60, seed in any::<u64>()) {
        let mut rng = rng(seed);
        let mut clock = GameClock::new(TimeControl::whole_game(s(main), ZERO));
        let mut left = s(main);
        for ply in 0..expected {
            let moves = MovesLeft { expected: expected.saturating_sub(ply).max(8), most: 172 - ply };
            let allowed = clock.allowance(ME, moves).soft;
            let spent = allowed + s(main * 0.01 * rng.random_range(0.8..1.0));
            prop_assert!(spent <= left, "at ply {} of {}: {:?} of {:?}", ply, expected, spent, left);
            left -= spent;
            clock.spend(ME, spent, allowed);
        }
    }

    /// Nor does it in the longest game of a few seconds beside busy programs, where every move takes up to a 250th of
    /// the main time longer than allowed, half of it unseen here.
    #[test]
    fn busy_machine_finishes_the_longest_game(
        main in 0.5..3.0,
        hard in prop::collection::vec(any::<bool>(), 172),
        seed in any::<u64>(),
    ) {
        let mut rng = rng(seed);
        let mut clock = GameClock::new(TimeControl::whole_game(s(main), ZERO));
        let mut left = s(main);
        for (ply, &is_hard) in hard.iter().enumerate() {
            let most = 172 - ply as u32;
            let moves = MovesLeft { expected: 32_u32.saturating_sub(ply as u32).max(8).min(most), most };
            let Allowance { soft, hard: longest, .. } = clock.allowance(ME, moves);
            let allowed = if is_hard { longest } else { soft };
            let half = s(main / 500.0 * rng.random_range(0.8..1.0));
            prop_assert!(allowed + 2 * half <= left, "at ply {}: {:?} of {:?}", ply, allowed + 2 * half, left);
            left -= allowed + 2 * half;
            clock.spend(ME, allowed + half, allowed);
        }
    }

    /// Nor does it on a machine that is steadily slower than was expected of it, by up to a 1000th
    /// of the main time.
    #[test]
    fn slow_machine_finishes_its_games(
        main in 9.0..900.0,
        share in 0.0..0.001,
        hard in prop::collection::vec(any::<bool>(), 172),
        seed in any::<u64>(),
    ) {
        let mut rng = rng(seed);
        let parts: Vec<f64> = (0..172).map(|_| rng.random_range(0.8..1.0)).collect();
        let control = TimeControl::whole_game(s(main), ZERO);
        prop_assert!(play_to_the_end(control, &hard, |ply, _| control.main.mul_f64(share * parts[ply])).is_some());
    }
}
