//! The engine of one client, with searches in short turns.

use std::num::NonZeroUsize;
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_engine::analysis::{AnalysisRun, Step, rounded_outcome};
use hexzero_engine::{Effort, Engine, MoveRun, Played, legal_action};
use hexzero_games::{Arrangement, Game};
use hexzero_search::{EarlyStop, GameClock, Limits, StopReason, TimeControl};
use hexzero_system::time::Instant;

use super::answer::{Answer, PositionView, bad_move, start_of};
use super::kept_games::{KeptGames, Line};
use super::request::{MAX_SEARCH, MoveTask, PositionRequest, Task};
use super::review_run::ReviewRun;

/// The length of a turn.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// The interval between updates of an analysis.
const UPDATE_EVERY: Duration = Duration::from_millis(100);

/// The resources of a search in one turn.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Bytes for the search tree.
    pub memory: usize,
    /// Threads of the search.
    pub threads: NonZeroUsize,
    /// Whether to end the search with the findings so far.
    pub last: bool,
}

/// A search under way.
pub enum ActiveSearch {
    /// Of a move.
    Move(MoveRun),
    /// Of an analysis.
    Analysis(AnalysisRun),
    /// Of a review.
    Review(ReviewRun),
}

/// The result of a turn.
pub enum Progress {
    /// The search is unfinished; perhaps there is an update.
    More(Option<Answer>),
    /// The last answer.
    Done(Answer),
}

impl ActiveSearch {
    /// Returns whether the search's time is up.
    pub fn is_due(&self) -> bool {
        match self {
            Self::Analysis(run) => run.deadline().is_some_and(|deadline| Instant::now() >= deadline),
            Self::Move(run) => run.is_due(),
            Self::Review(_) => false,
        }
    }
}

/// An engine with its state beside the search.
pub struct SessionEngine {
    engine: Engine,
    rng: Xoshiro256PlusPlus,
    /// The position with which the game began, if not an empty board.
    setup: Option<Arrangement>,
    /// Other positions that were analysed.
    kept: KeptGames,
}

impl SessionEngine {
    /// Creates an engine whose random choices have this seed.
    pub fn new(engine: Engine, seed: u64) -> Self {
        Self { engine, rng: Xoshiro256PlusPlus::seed_from_u64(seed), setup: None, kept: KeptGames::default() }
    }

    /// Returns the game on the board.
    fn line(&self) -> Line<'_> {
        Line { setup: &self.setup, position: self.engine.position(), played: self.engine.played() }
    }

    /// Empties the tree, and goes back to the start of a game.
    fn restart(&mut self, position: &PositionRequest) -> Result<(), String> {
        self.engine.begin_from(start_of(self.game(), position)?);
        self.setup.clone_from(&position.setup);
        Ok(())
    }

    fn choose(&mut self, run: &mut MoveRun, turn: &Turn) -> Progress {
        run.set_memory(turn.memory);
        let more = run.step(&mut self.engine, SLICE) && !turn.last;
        if more { Progress::More(None) } else { Progress::Done(self.chosen(run)) }
    }

    /// Returns the chosen move. The engine keeps its position: the next request may be about it, or about a later one.
    fn chosen(&mut self, run: &MoveRun) -> Answer {
        let Some(action) = run.varied_choice(&self.engine, &mut self.rng) else {
            return Answer::error("there is no move to choose");
        };
        let outcome = rounded_outcome(self.engine.opinion().outcome);
        let mut after = self.engine.position().clone();
        let played = Played::of(&mut after, action);
        Answer::Move {
            state: Box::new(PositionView::new(&after, Some(&played))),
            name: played.name,
            win: outcome.win,
            draw: outcome.draw,
            // An immediate win is found without a search.
            visits: self.engine.visits().max(1),
            seconds: (run.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            stop_reason: self.engine.stop_reason().unwrap_or(StopReason::Stopped),
        }
    }

    /// Returns the game that the engine plays.
    pub fn game(&self) -> Game {
        self.engine.game()
    }

    /// Begins a task requested at `since`. Full strength takes `effort` for a move if the task has no limits of its
    /// own; other levels have their own visits. An error says why there is no such position, or nothing to search
    /// there.
    pub fn begin(
        &mut self,
        position: &PositionRequest,
        task: Task,
        effort: Effort,
        since: Instant,
    ) -> Result<ActiveSearch, String> {
        match task {
            Task::Review { visits } => {
                let run = ReviewRun::new(self.game(), position, visits)?;
                // Copies of the engine search: its own trees would take their memory.
                self.kept.clear();
                self.restart(position)?;
                Ok(ActiveSearch::Review(run))
            }
            Task::Analyze { seconds, lines } => {
                self.return_to(position)?;
                let run = AnalysisRun::new(Limits::time(seconds), lines, true, Some(UPDATE_EVERY));
                Ok(ActiveSearch::Analysis(run.since(since)))
            }
            Task::Move(task) => {
                self.go_to(position)?;
                Ok(ActiveSearch::Move(self.move_run(task, effort, since)))
            }
        }
    }

    /// Moves to a position as `go_to` does, with the tree of its earlier analysis if that is kept, and keeps the
    /// present tree.
    fn return_to(&mut self, position: &PositionRequest) -> Result<(), String> {
        if !self.line().is_at(position) && !self.kept.take(position, &mut self.engine, &mut self.setup) {
            self.kept.copy(&self.engine, &self.setup);
        }
        self.go_to(position)
    }

    /// Moves to a position, keeping the subtree of an earlier search. An error says why there is no such position, or
    /// nothing to search there.
    fn go_to(&mut self, position: &PositionRequest) -> Result<(), String> {
        let further = match self.line().further(position) {
            Some(further) => further,
            None => {
                self.restart(position)?;
                &position.moves[..]
            }
        };
        let known = position.moves.len() - further.len();
        for (number, text) in (known + 1..).zip(further) {
            let action = legal_action(self.engine.position(), text).map_err(|error| bad_move(number, text, &error))?;
            self.engine.play(action).map_err(|error| bad_move(number, text, &error))?;
        }
        match self.engine.position().outcome() {
            Some(_) => Err("the game is over; there is nothing to think about".to_owned()),
            None => Ok(()),
        }
    }

    /// Begins to choose a move in the present position.
    fn move_run(&mut self, task: MoveTask, effort: Effort, since: Instant) -> MoveRun {
        let MoveTask { level, seconds, visits, clock } = task;
        let early_stop = match (seconds, clock) {
            (_, Some(_)) => EarlyStop::Likely,
            (Some(_), None) => EarlyStop::Certain,
            (None, None) => EarlyStop::Never,
        };
        let limits = match (seconds, visits, clock) {
            (None, None, None) if level.is_full() => effort.limits(),
            _ => Limits { visits, time: seconds, early_stop, ..Limits::default() },
        };
        let time = limits.time.unwrap_or(MAX_SEARCH).min(MAX_SEARCH);
        let limits = Limits { time: Some(time), ..limits };
        match clock {
            None => MoveRun::new(&mut self.engine, level, &limits, since),
            Some((left, increment)) => {
                let clock = GameClock::new(TimeControl::whole_game(left, increment));
                MoveRun::by_clock(&mut self.engine, level, &limits, &clock, since)
            }
        }
    }

    /// Searches for one turn.
    pub fn think(&mut self, search: &mut ActiveSearch, turn: &Turn) -> Progress {
        self.kept.bound(turn.memory / 2);
        let turn = &Turn { memory: turn.memory - self.kept.memory(), ..*turn };
        let is_review = matches!(search, ActiveSearch::Review(_));
        self.engine.set_threads(if is_review { NonZeroUsize::MIN } else { turn.threads });
        match search {
            ActiveSearch::Move(run) => self.choose(run, turn),
            ActiveSearch::Review(run) => run.turn(&self.engine, turn),
            ActiveSearch::Analysis(run) => {
                run.set_memory(turn.memory);
                let step =
                    if turn.last { Step::Done(run.stopped(&mut self.engine)) } else { run.step(&mut self.engine) };
                let told = |analysis| Answer::Analysis { analysis: Box::new(analysis) };
                match step {
                    Step::Quiet => Progress::More(None),
                    Step::Update(analysis) => Progress::More(Some(told(analysis))),
                    Step::Done(analysis) => Progress::Done(told(analysis)),
                }
            }
        }
    }

    /// Returns the memory allocated for the search trees, in bytes.
    pub fn memory(&self) -> usize {
        self.engine.memory() + self.kept.memory()
    }

    /// Frees the memory of the search trees.
    pub fn forget(&mut self) {
        self.kept.clear();
        // The board has this size already, so there is no error.
        let _ = self.engine.restart(self.engine.position().size());
        self.setup = None;
    }
}
