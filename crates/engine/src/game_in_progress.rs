//! A game in progress and an engine that follows it.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use hexzero_games::{Action, Evaluation, Game, InvalidMove, Position, Seat, SizeError, WinDrawLoss};
use hexzero_search::{Limits, RootMove, Search, SearchRun, SearchSettings, StopReason};
use hexzero_system::stop::StopSignal;
use hexzero_system::time::Instant;

use super::model::{BoxedEvaluator, LoadedModel};
use super::words::{Played, legal_action};
use super::worker_pool::while_waiting;

/// The length of a slice of search while another thread may stop it.
const SLICE: Duration = Duration::from_millis(10);

/// The maximum number of leaves in flight for a search on a device, unless a number of threads is
/// set.
const MAX_LEAVES: usize = 32;

/// A proof may expand one position for this many visits of the search to come.
const VISITS_A_NODE: u32 = 100;
/// Or, if their number is unlimited, for this many visits so far.
const VISITS_A_NODE_SO_FAR: u32 = 1000;
/// The maximum number of positions that a proof may expand: it must not delay the slices of a search.
const MAX_NODES: u32 = 500;

/// The engine's evaluation of the present position.
#[derive(Debug, Clone)]
pub struct SearchSummary {
    /// The chances of the player to move.
    pub outcome: WinDrawLoss,
    /// The moves, most visited first.
    pub moves: Vec<RootMove>,
    /// The moves expected from here on.
    pub variation: Vec<Action>,
    /// Whether the first move wins at once.
    pub wins_at_once: bool,
}

/// A game from its start to the present position, and a search that follows it.
pub struct Engine {
    pub(super) search: Search,
    /// The settings of all searches.
    settings: SearchSettings,
    pub(super) evaluators: Vec<BoxedEvaluator>,
    /// Whether searches by visits use one thread, so that results repeat.
    repeatable: bool,
    /// The first position of the game.
    pub(super) start: Position,
    pub(super) played: Vec<Played>,
    /// Ends every search while it is requested.
    stop: StopSignal,
    /// The duration of the longest evaluation since it was last queried.
    longest_evaluation: Mutex<Duration>,
}

impl Engine {
    /// Begins a game on a board of this size. The engine searches on one thread.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn new(game: Game, size: usize, model: LoadedModel) -> Result<Self, SizeError> {
        Ok(Self::at(game.start(size)?, model))
    }

    /// Begins a game from a position. The engine searches on one thread.
    pub(super) fn at(start: Position, model: LoadedModel) -> Self {
        Self::begin(start, model.search, model.evaluator, false)
    }

    fn begin(start: Position, settings: SearchSettings, evaluator: BoxedEvaluator, repeatable: bool) -> Self {
        let (evaluators, stop) = (vec![evaluator], StopSignal::new());
        let search = search_of(start.clone(), settings, &stop);
        let (played, longest_evaluation) = Default::default();
        Self { search, settings, evaluators, repeatable, start, played, stop, longest_evaluation }
    }

    /// Returns another engine at the start of the same game, which searches on one thread.
    pub fn fork(&self) -> Self {
        Self::begin(self.start.clone(), self.settings, self.evaluators[0].fork(), self.repeatable)
    }

    /// Sets the number of search threads. Without a number, timed searches use all cores; searches by visits use one
    /// thread, so results repeat.
    pub fn on_threads(self, threads: Option<NonZeroUsize>) -> Self {
        let mut engine = if threads.is_none() { self.repeatable() } else { self };
        // A device evaluates many leaves in the time of one.
        let batch = engine.evaluators[0].batch_size();
        let leaves = || batch.and_then(|batch| NonZeroUsize::new(batch.min(MAX_LEAVES)));
        let usual = || leaves().or_else(|| available_parallelism().ok());
        engine.set_threads(threads.or_else(usual).unwrap_or(NonZeroUsize::MIN));
        engine
    }

    /// Keeps searches by visits to one thread, so that results repeat.
    pub fn repeatable(self) -> Self {
        Self { repeatable: true, ..self }
    }

    /// Sets the number of threads of searches that may use more than one.
    pub fn set_threads(&mut self, threads: NonZeroUsize) {
        self.evaluators.truncate(threads.get());
        while self.evaluators.len() < threads.get() {
            let fork = self.evaluators[0].fork();
            self.evaluators.push(fork);
        }
    }

    /// Returns the signal that, while requested, ends the search under way, and every later one as soon as it has
    /// evaluated the root.
    pub fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    /// Begins a new game, on this size of board.
    ///
    /// # Errors
    /// If the game is not played on such a board; the old game then continues.
    pub fn restart(&mut self, size: usize) -> Result<(), SizeError> {
        let start = self.game().start(size)?;
        self.begin_from(start);
        Ok(())
    }

    /// Begins a new game from a position, which may have been put together stone by stone.
    pub fn begin_from(&mut self, start: Position) {
        self.search = search_of(start.clone(), self.settings, &self.stop);
        self.start = start;
        self.played.clear();
    }

    /// Begins a new game from `start` with these moves, including stones out of turn if the game allows them.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn set_up_from(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = (Seat, Action)>,
    ) -> Result<(), InvalidMove> {
        self.begin_from(start.clone());
        for (seat, action) in moves {
            self.hand_turn_to(seat);
            self.play(action)?;
        }
        Ok(())
    }

    /// Returns the game.
    pub fn game(&self) -> Game {
        self.position().game()
    }

    /// Returns the present position.
    pub fn position(&self) -> &Position {
        self.search.position()
    }

    /// Returns the moves so far.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// Returns the action that `text` names in the present position.
    ///
    /// # Errors
    /// If it names none, or one that may not be played now.
    pub fn legal_action(&self, text: &str) -> Result<Action, InvalidMove> {
        legal_action(self.position(), text)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal; the game is then as it was.
    pub fn play(&mut self, action: Action) -> Result<&Played, InvalidMove> {
        let mut after = self.position().clone();
        after.check(action)?;
        self.search.advance(action);
        self.played.push(Played::of(&mut after, action));
        Ok(&self.played[self.played.len() - 1])
    }

    /// Makes it `seat`'s turn, so that a position can be set up piece by piece. Returns false if the game's rules do
    /// not allow such a position.
    pub fn hand_turn_to(&mut self, seat: Seat) -> bool {
        if self.position().to_move() == seat {
            return true;
        }
        let mut position = self.position().clone();
        let handed = position.hand_turn_to(seat);
        if handed {
            self.search = search_of(position, self.settings, &self.stop);
        }
        handed
    }

    /// Runs `what` with `position` in place of the present one; its search excludes the root moves
    /// `without`, unless there are no others. Restores the game and its search afterwards.
    pub fn aside<T>(&mut self, position: Position, without: &[Action], what: impl FnOnce(&mut Self) -> T) -> T {
        let search = search_of(position, self.settings, &self.stop).without(without.iter().copied());
        let kept = std::mem::replace(&mut self.search, search);
        let done = what(self);
        self.search = kept;
        done
    }

    /// Takes the last move back and returns it; none if there is none.
    pub fn undo(&mut self) -> Option<Played> {
        let last = self.played.pop()?;
        // Captures cannot be undone from the move alone, so the game is played again.
        let mut position = self.start.clone();
        for played in &self.played {
            if position.to_move() != played.seat {
                position.hand_turn_to(played.seat);
            }
            position.play(played.action);
        }
        self.search = search_of(position, self.settings, &self.stop);
        Some(last)
    }

    /// Looks for a proof of the present position, in games that have a prover. The effort depends on the visits of the
    /// search to come, or without a number on the visits so far.
    pub fn seek_proof(&mut self, visits: Option<u32>) {
        let nodes = match visits {
            Some(visits) => visits / VISITS_A_NODE,
            None => self.visits() / VISITS_A_NODE_SO_FAR,
        };
        let evaluator = &mut self.evaluators[0];
        let mut evaluate = |position: &Position, legal: &[Action]| evaluator.evaluate(position, legal);
        self.search.prove_root(&mut evaluate, u64::from(nodes.min(MAX_NODES)));
    }

    /// Searches the present position within limits and returns the best move; none if the game is over.
    pub fn think(&mut self, limits: &Limits) -> Option<Action> {
        self.think_for(limits, Duration::MAX);
        self.search.best_action()
    }

    /// Searches the present position within limits, for at most `slice`. Returns whether there is more to do: false
    /// once a limit is reached or the result is certain.
    pub fn think_for(&mut self, limits: &Limits, slice: Duration) -> bool {
        // A weak level may have turned it off.
        self.search.use_endgame_solver(true);
        let run = SearchRun::new(&self.search, limits, Instant::now());
        self.resume(&run, slice, false)
    }

    /// Resumes a run for at most `slice`, on one thread if `alone`. Returns whether there is more to do.
    pub(super) fn resume(&mut self, run: &SearchRun, slice: Duration, alone: bool) -> bool {
        let alone = alone || self.repeatable && run.limits().visits.is_some();
        let threads = if alone { 1 } else { self.evaluators.len() };
        let mut evaluators = borrowed(&mut self.evaluators[..threads], &self.longest_evaluation);
        self.search.resume_on(&mut evaluators, run, slice)
    }

    /// Returns the longest evaluation since the last call, which bounds how late a search may end.
    pub(super) fn longest_evaluation(&mut self) -> Duration {
        std::mem::take(self.longest_evaluation.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ponders: searches the present position within the limits until `wait` returns. Stops earlier
    /// once pruning a full tree would delay the next command.
    pub fn ponder<T>(&mut self, limits: &Limits, wait: impl FnOnce() -> T) -> T {
        let time = limits.time.unwrap_or(Duration::MAX).min(SLICE * 10);
        let limits = Limits { time: Some(time), ..*limits };
        let search = |engine: &mut Self| {
            engine.think_for(&limits, SLICE) || engine.search.stop_reason() == Some(StopReason::Time)
        };
        self.while_waiting(search, wait)
    }

    /// Repeats `work` with this engine until `wait` returns or `work` returns false.
    pub fn while_waiting<T>(&mut self, mut work: impl FnMut(&mut Self) -> bool + Send, wait: impl FnOnce() -> T) -> T {
        while_waiting(|| work(self), wait)
    }

    /// Leaves these moves of the present position out of its search, which begins anew, unless there are no others.
    /// Holds until the position changes.
    pub fn leave_out(&mut self, actions: impl IntoIterator<Item = Action>) {
        self.search = search_of(self.position().clone(), self.settings, &self.stop).without(actions);
    }

    /// Returns why the last search of the present position ended; none before the first and while one is unfinished.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.search.stop_reason()
    }

    /// Returns the memory allocated for the search tree, in bytes.
    pub fn memory(&self) -> usize {
        self.search.memory()
    }

    /// Returns the visits of the present position.
    pub fn visits(&self) -> u32 {
        self.search.visits()
    }

    /// Returns the findings of the search so far; call [`Engine::think`] first.
    pub fn opinion(&self) -> SearchSummary {
        SearchSummary {
            outcome: self.search.root_outcome(),
            moves: self.search.root_moves(),
            variation: self.search.principal_variation(),
            wins_at_once: self.search.winning_action().is_some(),
        }
    }

    /// Returns the line that the search expects after this move, beginning with it, each move with its visits.
    pub fn visited_variation_from(&self, action: Action) -> Vec<(Action, u32)> {
        self.search.visited_variation_from(action)
    }

    /// Returns the model's policy for the legal moves: 0 for excluded ones, and 1 for a move that
    /// wins at once, which needs no model.
    pub fn policy(&self) -> Vec<(Action, f32)> {
        let legal = self.position().legal();
        let mut priors: HashMap<Action, f32> = self.search.root_priors().into_iter().collect();
        priors.extend(self.search.winning_action().map(|action| (action, 1.0)));
        legal.into_iter().map(|action| (action, priors.get(&action).copied().unwrap_or(0.0))).collect()
    }
}

fn search_of(position: Position, settings: SearchSettings, stop: &StopSignal) -> Search {
    Search::new(position, settings).stopped_by(stop.clone())
}

/// Returns the evaluators in the form that the search takes, and records the longest evaluation in
/// `longest`.
fn borrowed<'a>(
    evaluators: &'a mut [BoxedEvaluator],
    longest: &'a Mutex<Duration>,
) -> Vec<impl FnMut(&Position, &[Action]) -> Evaluation + Send + 'a> {
    let mut borrowed = Vec::with_capacity(evaluators.len());
    for evaluator in evaluators {
        borrowed.push(move |position: &Position, legal: &[Action]| {
            let begun = Instant::now();
            let evaluation = evaluator.evaluate(position, legal);
            let took = begun.elapsed();
            let mut longest = longest.lock().unwrap_or_else(PoisonError::into_inner);
            *longest = took.max(*longest);
            evaluation
        });
    }
    borrowed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveRun;
    use hexzero_games::{Evaluation, game_named};
    use hexzero_search::Level;

    fn engine(size: usize) -> Engine {
        let game = game_named("cachex").unwrap();
        Engine::new(game, size, LoadedModel::uniform()).unwrap()
    }

    fn play(engine: &mut Engine, moves: &str) {
        for name in moves.split_whitespace() {
            let action = engine.legal_action(name).unwrap();
            engine.play(action).unwrap();
        }
    }

    #[test]
    fn capture_is_reported_and_undone() {
        let mut engine = engine(5);
        // Blue b2 and c2 lie side by side; their common neighbours are c1 and b3, both red.
        play(&mut engine, "c1 b2 a5 c2");
        let before = engine.board();
        assert!(engine.played().iter().all(|played| played.captured.is_empty()));
        play(&mut engine, "b3");
        assert_eq!(engine.played()[4].captured, ["b2", "c2"]);
        assert_ne!(engine.board(), before);
        assert_eq!(engine.undo().map(|played| played.name), Some("b3".to_owned()));
        assert_eq!(engine.board(), before);
    }

    #[test]
    fn winning_move_is_found_and_reported() {
        let mut engine = engine(3);
        play(&mut engine, "a1 c1 a2 c2");
        let best = engine.think(&Limits::visits(10)).unwrap();
        assert_eq!(engine.names(&[best]), ["a3"]);
        assert!(engine.opinion().wins_at_once);
        engine.play(best).unwrap();
        let outcome = engine.position().outcome().unwrap();
        assert_eq!(engine.ending(outcome), "red wins: the two sides are connected");
        assert_eq!(engine.think(&Limits::visits(10)), None);
        assert_eq!(engine.undo().unwrap().name, "a3");
        assert_eq!(engine.position().outcome(), None);
    }

    #[test]
    fn thinking_solves_what_a_weak_level_must_not_and_keeps_moves_left_out() {
        let gale = game_named("gale").unwrap();
        let mut engine = Engine::new(gale, 3, LoadedModel::uniform()).unwrap();
        let weak = |engine: &mut Engine| {
            MoveRun::new(engine, Level::ALL[0], &Limits::visits(10), Instant::now()).finish(engine);
            engine.search.is_proven()
        };
        // The first player wins, which every full search knows.
        let best = engine.think(&Limits::visits(10)).unwrap();
        assert!(engine.search.is_proven());
        assert!(!weak(&mut engine));
        engine.play(best).unwrap();
        engine.think(&Limits::visits(10));
        assert!(engine.search.is_proven());
        let position = engine.position().clone();
        let avoided = position.legal()[0];
        engine.aside(position, &[avoided], |engine| {
            weak(engine);
            assert!(engine.opinion().moves.iter().all(|found| found.action != avoided));
        });
    }

    #[test]
    fn pondering_lasts_until_the_wait_is_over() {
        let (judged, heard) = std::sync::mpsc::channel();
        let evaluator = Box::new(move |_: &Position, legal: &[Action]| {
            let _ = judged.send(());
            Evaluation::uniform(legal.len())
        });
        let mut engine = Engine::new(game_named("cachex").unwrap(), 5, LoadedModel::new("uniform", evaluator))
            .unwrap()
            .on_threads(NonZeroUsize::new(2));
        engine.think(&Limits::visits(10));
        assert_eq!((engine.visits(), heard.try_iter().count()), (10, 10));
        engine.ponder(&Limits::default(), || heard.iter().take(500).count());
        assert!(engine.visits() >= 510, "{}", engine.visits());
        let expected = engine.opinion().moves[0];
        engine.play(expected.action).unwrap();
        assert_eq!(engine.visits(), expected.visits);
        // Once a limit is reached there is nothing left to ponder.
        let before = engine.visits();
        engine.ponder(&Limits::visits(1), || ());
        assert_eq!(engine.visits(), before);
    }

    #[test]
    fn move_text_is_shortened_in_messages() {
        let error = engine(3).legal_action(&"a".repeat(1000)).unwrap_err().to_string();
        assert!(error.len() < 200, "{error}");
        assert!(engine(3).legal_action(&format!("a{}1", "0".repeat(1000))).is_err());
    }

    #[test]
    fn swap_is_offered_once() {
        let words = |engine: &Engine| engine.global_actions().into_iter().map(|action| action.word).collect::<Vec<_>>();
        let mut engine = engine(3);
        assert_eq!(words(&engine), Vec::<&str>::new());
        play(&mut engine, "b1");
        assert_eq!(words(&engine), ["swap"]);
        play(&mut engine, "swap");
        assert_eq!(words(&engine), Vec::<&str>::new());
        assert_eq!(engine.played()[1].captured, Vec::<String>::new());
        assert_eq!(engine.position().symbol(3), 'B');
    }
}
