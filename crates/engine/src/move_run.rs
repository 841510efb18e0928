//! The choice of a move: which one, and by when. Every interface that lets the engine move runs this.
//!
//! ```text
//! web page  ──► step, step, …  (turns of a worker pool) ─┐
//! GTP       ──► finish ──────────────────────────────────┼─► MoveRun ──► Search::resume_on
//! terminal  ──► finish ──────────────────────────────────┘   limits · clock plan · early stop · level
//! ```

use std::time::Duration;

use rand::Rng;

use hexzero_games::{Action, Seat};
use hexzero_search::{ClockPlan, EarlyStop, GameClock, Level, Limits, MovesLeft, SearchRun};
use hexzero_system::time::Instant;

use super::Engine;

/// With less clock time than this a search uses one thread: on a busy machine the last of several
/// threads ends late.
const TIME_FOR_THREADS: Duration = Duration::from_millis(50);

/// The number of turns from the start of a game in which full strength varies its moves.
const VARIED_TURNS: usize = 2;

/// The choice of a move under way: a search within limits or by a clock, and then the move by the level's rules.
#[derive(Debug, Clone)]
pub struct MoveRun {
    level: Level,
    /// The search, whose time limit grows with the plan.
    run: SearchRun,
    plan: Option<ClockPlan>,
    mover: Seat,
    /// Whether to keep to one thread.
    is_short: bool,
    /// The longest evaluation so far.
    longest_evaluation: Duration,
}

impl MoveRun {
    /// Begins to choose a move on `level` in the engine's position within `limits`, whose time counts from `start`.
    /// Levels below full have limits of their own besides.
    pub fn new(engine: &mut Engine, level: Level, limits: &Limits, start: Instant) -> Self {
        let limits = level.prepare(&mut engine.search, limits);
        let mover = engine.position().to_move();
        let run = SearchRun::new(&engine.search, &limits, start);
        engine.longest_evaluation();
        Self { level, run, plan: None, mover, is_short: false, longest_evaluation: Duration::ZERO }
    }

    /// Begins to choose a move by the mover's clock: takes the planned time, or more while the
    /// search hesitates, within all other limits. Where unused time does not serve later moves,
    /// stops early only if the move is certain.
    pub fn by_clock(engine: &mut Engine, level: Level, limits: &Limits, clock: &GameClock, start: Instant) -> Self {
        let mut chosen = Self::new(engine, level, limits, start);
        let position = engine.search.position();
        let is_over = position.outcome().is_some();
        let plies_left = if is_over { None } else { engine.evaluators[0].plies_left(position) };
        let allowance = clock.allowance(chosen.mover, MovesLeft::of(position, plies_left));
        let plan = ClockPlan::new(allowance, limits.time);
        let limits = chosen.run.limits_mut();
        limits.time = Some(plan.allowed());
        if !allowance.carries_over {
            limits.early_stop = limits.early_stop.min(EarlyStop::Certain);
        }
        Self { plan: Some(plan), is_short: allowance.hard < TIME_FOR_THREADS, ..chosen }
    }

    /// Bounds the memory of the tree from now on.
    pub fn set_memory(&mut self, bytes: usize) {
        self.run.limits_mut().memory = bytes;
    }

    /// Searches for at most `slice`. Returns whether there is more to do. Even a slice of no time leaves a move to
    /// play.
    pub fn step(&mut self, engine: &mut Engine, slice: Duration) -> bool {
        let more = engine.resume(&self.run, slice, self.is_short);
        self.longest_evaluation = self.longest_evaluation.max(engine.longest_evaluation());
        more || self.is_due() && self.extend(engine)
    }

    /// Searches to the end, or until the engine is stopped.
    pub fn finish(&mut self, engine: &mut Engine) {
        while self.step(engine, Duration::MAX) {}
    }

    /// Allows more time if the clock has some and the search hesitates. Returns whether it did.
    fn extend(&mut self, engine: &Engine) -> bool {
        let Some(plan) = &mut self.plan else { return false };
        let extends = plan.extend(&engine.search);
        self.run.limits_mut().time = Some(plan.allowed());
        extends
    }

    /// Returns the time allowed so far; none if unlimited.
    pub fn allowed(&self) -> Option<Duration> {
        self.run.limits().time
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.run.elapsed()
    }

    /// Returns whether the time allowed so far is up.
    pub fn is_due(&self) -> bool {
        self.allowed().is_some_and(|allowed| self.elapsed() >= allowed)
    }

    /// Deducts the time since the start from the mover's clock, if the run uses it.
    pub fn charge(&self, clock: &mut GameClock) {
        if let Some(plan) = self.plan {
            clock.note_use(self.mover, self.elapsed(), plan.planned());
            clock.spend(self.mover, self.elapsed(), plan.allowed());
            clock.note_pause(self.longest_evaluation);
        }
    }

    /// Returns the move to play: at full strength the best one, on a weaker level one drawn by the
    /// level's rules; none if the game is over.
    pub fn choice(&self, engine: &Engine, rng: &mut impl Rng) -> Option<Action> {
        self.level.choose(&engine.search, rng)
    }

    /// Returns the move to play as [`MoveRun::choice`] does, but in the first turns of a game any good one, so that
    /// games against people differ.
    pub fn varied_choice(&self, engine: &Engine, rng: &mut impl Rng) -> Option<Action> {
        if self.level.is_full() && engine.position().turns() < VARIED_TURNS {
            return engine.search.varied_action(rng);
        }
        self.choice(engine, rng)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::model::LoadedModel;
    use hexzero_games::{Evaluation, Evaluator, Position, WinDrawLoss, game_named, play_all};
    use hexzero_search::{Overtime, TimeControl};

    const HOUR: Duration = Duration::from_secs(3600);

    /// Evaluates in a millisecond, with nearly all of the policy on one move in most positions.
    fn favouring(position: &Position, legal: &[Action]) -> Evaluation {
        std::thread::sleep(Duration::from_millis(1));
        let turns = position.turns();
        let priors = (0..legal.len()).map(|action| if action == turns % 5 { 100.0 } else { 0.01 });
        let sum: f32 = priors.clone().sum();
        Evaluation { priors: priors.map(|prior| prior / sum).collect(), outcome: WinDrawLoss::EVEN }
    }

    fn engine(moves: &str) -> Engine {
        engine_with(LoadedModel::new("favouring", Box::new(favouring)), moves)
    }

    fn engine_with(model: LoadedModel, moves: &str) -> Engine {
        let mut engine = Engine::new(game_named("hex-noswap").unwrap(), 9, model).unwrap();
        let mut position = engine.position().clone();
        play_all(&mut position, moves).unwrap();
        engine.begin_from(position);
        engine
    }

    fn rng() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(1)
    }

    #[test]
    fn slices_do_not_change_a_move_by_visits() {
        let mut whole = engine("");
        let best = whole.think(&Limits::visits(60));
        for slice in [Duration::from_millis(3), Duration::MAX] {
            let mut engine = engine("");
            let mut run = MoveRun::new(&mut engine, Level::FULL, &Limits::visits(60), Instant::now());
            assert!(!run.is_due() && run.allowed().is_none());
            while run.step(&mut engine, slice) {}
            assert_eq!((engine.visits(), run.choice(&engine, &mut rng())), (60, best));
            assert_eq!(engine.opinion().moves, whole.opinion().moves);
        }
    }

    #[test]
    fn move_by_time_uses_all_its_time() {
        let mut engine = engine("");
        // Time that passed before the run counts.
        let start = Instant::now().checked_sub(Duration::from_millis(30)).unwrap();
        let time = Duration::from_millis(100);
        let mut run = MoveRun::new(&mut engine, Level::FULL, &Limits::time(time), start);
        let mut steps = 1;
        while run.step(&mut engine, Duration::from_millis(10)) {
            steps += 1;
        }
        assert!(run.is_due() && run.allowed() == Some(time));
        assert!((2..=8).contains(&steps), "{steps} steps of 10 ms");
        assert!(run.varied_choice(&engine, &mut rng()).is_some());
    }

    #[test]
    fn unused_time_is_saved_only_for_later_moves() {
        let half = Duration::from_millis(300);
        let share_used = |control: TimeControl| {
            let mut engine = engine("");
            let mut clock = GameClock::new(control);
            let limits = Limits::default().stopping(EarlyStop::Likely);
            let start = Instant::now();
            let mut run = MoveRun::by_clock(&mut engine, Level::FULL, &limits, &clock, start);
            run.finish(&mut engine);
            let before = clock.left(Seat::First);
            run.charge(&mut clock);
            let charged = before.time - clock.left(Seat::First).time;
            assert!(control.overtime.is_some() || charged >= run.allowed().unwrap() / 3, "{charged:?}");
            run.elapsed().as_secs_f64() / run.allowed().unwrap().as_secs_f64()
        };
        let period = Overtime { period: half, moves: NonZeroU32::MIN };
        let each_move = share_used(TimeControl {
            overtime: Some(period),
            ..TimeControl::whole_game(Duration::ZERO, Duration::ZERO)
        });
        let game = share_used(TimeControl::whole_game(half * 40, Duration::ZERO));
        assert!(each_move > 0.8 && game < 0.75, "{each_move} of a move's own time, {game} of a plan");
    }

    /// Evaluates as `favouring` does, and says how long games last.
    #[derive(Clone)]
    struct Knowing(f32);

    impl Evaluator for Knowing {
        fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
            favouring(position, legal)
        }

        fn plies_left(&mut self, _: &Position) -> Option<f32> {
            Some(self.0)
        }
    }

    #[test]
    fn clock_is_planned_by_the_estimated_length() {
        let planned = |model: LoadedModel, moves: &str| {
            let mut engine = engine_with(model, moves);
            let clock = GameClock::new(TimeControl::whole_game(HOUR, Duration::ZERO));
            let limits = Limits::default();
            MoveRun::by_clock(&mut engine, Level::FULL, &limits, &clock, Instant::now()).allowed().unwrap()
        };
        let knowing = |plies: f32| planned(LoadedModel::new("knowing", Box::new(Knowing(plies))), "");
        // Games of 9×9 usually last 40 plies.
        let usual = planned(LoadedModel::new("favouring", Box::new(favouring)), "");
        assert!(knowing(40.0).abs_diff(usual) < usual / 100);
        assert!(knowing(60.0) < usual * 3 / 4 && knowing(30.0) > usual * 5 / 4);
        // A game that is over needs no estimate.
        let over = "a1 c1 a2 c2 a3 c3 a4 c4 a5 c5 a6 c6 a7 c7 a8 c8 a9";
        assert!(planned(LoadedModel::new("knowing", Box::new(Knowing(40.0))), over) > usual * 5 / 4);
    }

    #[test]
    fn moves_that_cost_nothing_raise_later_plans() {
        let mut engine = engine("a1 c1 a2 c2 a3 c3 a4 c4 a5 c5 a6 c6 a7 c7 a8 c8");
        let mut clock = GameClock::new(TimeControl::whole_game(HOUR, Duration::ZERO));
        let plan = |engine: &mut Engine, clock: &GameClock| {
            MoveRun::by_clock(engine, Level::FULL, &Limits::default(), clock, Instant::now())
        };
        let before = plan(&mut engine, &clock).allowed().unwrap();
        // The position is won at once.
        let mut run = plan(&mut engine, &clock);
        run.finish(&mut engine);
        run.charge(&mut clock);
        let after = plan(&mut engine, &clock).allowed().unwrap();
        assert!(after > before * 11 / 10, "{before:?}, then {after:?}");
    }

    #[test]
    fn stopped_run_has_a_move() {
        let mut engine = engine("");
        engine.stop_signal().request();
        let mut run = MoveRun::new(&mut engine, Level::FULL, &Limits::time(HOUR), Instant::now());
        run.finish(&mut engine);
        assert_eq!(engine.visits(), 1);
        assert!(run.choice(&engine, &mut rng()).is_some());
        engine.stop_signal().withdraw();
        // A run that was given no time has a move, too.
        engine.begin_from(engine.game().start(7).unwrap());
        let mut run = MoveRun::new(&mut engine, Level::FULL, &Limits::time(HOUR), Instant::now());
        assert!(run.step(&mut engine, Duration::ZERO), "there is more to do");
        assert!(run.choice(&engine, &mut rng()).is_some());
    }

    #[test]
    fn decided_position_takes_no_time() {
        // Black connects by a9.
        let mut engine = engine("a1 c1 a2 c2 a3 c3 a4 c4 a5 c5 a6 c6 a7 c7 a8 c8");
        let mut run = MoveRun::new(&mut engine, Level::FULL, &Limits::time(HOUR), Instant::now());
        run.finish(&mut engine);
        let best = run.choice(&engine, &mut rng()).unwrap();
        assert_eq!(engine.names(&[best]), ["a9"]);
        // When the game is over there is nothing to choose.
        engine.play(best).unwrap();
        let mut run = MoveRun::new(&mut engine, Level::FULL, &Limits::time(HOUR), Instant::now());
        run.finish(&mut engine);
        assert_eq!(run.choice(&engine, &mut rng()), None);
    }

    #[test]
    fn weak_level_keeps_its_visits_under_a_clock() {
        let level: Level = "advanced".parse().unwrap();
        let mut engine = engine("");
        let clock = GameClock::new(TimeControl::whole_game(HOUR, Duration::ZERO));
        let limits = Limits::default().stopping(EarlyStop::Likely);
        let mut run = MoveRun::by_clock(&mut engine, level, &limits, &clock, Instant::now());
        run.finish(&mut engine);
        assert_eq!(engine.visits(), 14);
    }
}
