//! The review of a whole game, in short turns.
//!
//! Each position is searched separately on one thread, so a review does not depend on the number of
//! threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use hexzero_engine::review::{Review, ReviewedGame, Verdict};
use hexzero_engine::{Engine, legal_action};
use hexzero_games::{Game, InvalidMove};
use hexzero_search::Limits;
use hexzero_system::threads;
use hexzero_system::time::Instant;

use super::answer::{Answer, Reviewing, bad_move, start_of};
use super::request::PositionRequest;
use super::session_engine::{Progress, SLICE, Turn};

/// A review under way.
pub struct ReviewRun {
    game: ReviewedGame,
    visits: u32,
    judges: Vec<Judge>,
    /// The next position that no judge has taken.
    next: AtomicUsize,
    /// The number of positions done that was reported last.
    told: usize,
}

/// An engine that looks at one position after another.
struct Judge {
    engine: Engine,
    /// The position on the judge's board, if its search is not finished.
    at: Option<usize>,
    found: Result<Vec<(usize, Verdict)>, InvalidMove>,
}

impl ReviewRun {
    /// Begins to review a game with `visits` visits of each position. An error says why there is no such game.
    pub fn new(game: Game, request: &PositionRequest, visits: u32) -> Result<Self, String> {
        let start = start_of(game, request)?;
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(request.moves.len());
        for (number, text) in (1..).zip(&request.moves) {
            let action = legal_action(&position, text).map_err(|error| bad_move(number, text, &error))?;
            moves.push((position.to_move(), action));
            position.play(action);
        }
        let game = ReviewedGame { start, moves };
        Ok(Self { game, visits, judges: Vec::new(), next: AtomicUsize::new(0), told: 0 })
    }

    /// Works for one turn. The engines that search are copies of `engine`.
    pub fn turn(&mut self, engine: &Engine, turn: &Turn) -> Progress {
        if turn.last {
            return Progress::Done(Answer::Review { review: None });
        }
        let of = self.game.positions();
        let threads = turn.threads.get().min(of);
        while self.judges.len() < threads {
            self.judges.push(Judge { engine: engine.fork(), at: None, found: Ok(Vec::new()) });
        }
        let limits = Limits::visits(self.visits).within_memory(turn.memory / self.judges.len());
        let (game, next) = (&self.game, &self.next);
        let is_all_dealt = next.load(Ordering::Relaxed) >= of;
        let at_work = self.judges.iter_mut().filter(|judge| judge.at.is_some() || !is_all_dealt).take(threads);
        threads::run_parallel(at_work, |judge| judge.work(game, next, &limits));
        let mut done = 0;
        for judge in &self.judges {
            match &judge.found {
                Ok(found) => done += found.len(),
                Err(error) => return Progress::Done(Answer::error(error)),
            }
        }
        if done < of {
            let has_news = done > std::mem::replace(&mut self.told, done);
            return Progress::More(has_news.then_some(Answer::Reviewing { reviewing: Reviewing { done, of } }));
        }
        Progress::Done(Answer::Review { review: Some(Box::new(self.conclude())) })
    }

    fn conclude(&mut self) -> Review {
        let mut verdicts: Vec<(usize, Verdict)> =
            self.judges.drain(..).flat_map(|judge| judge.found.unwrap_or_default()).collect();
        verdicts.sort_by_key(|&(index, _)| index);
        let verdicts: Vec<Verdict> = verdicts.into_iter().map(|(_, verdict)| verdict).collect();
        self.game.conclude(self.visits, &verdicts)
    }
}

impl Judge {
    /// Searches for one turn: the position on its board, then the next ones that no judge has taken.
    fn work(&mut self, game: &ReviewedGame, next: &AtomicUsize, limits: &Limits) {
        let Ok(found) = &mut self.found else { return };
        let began = Instant::now();
        loop {
            let index = match self.at {
                Some(index) => index,
                None => {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= game.positions() {
                        return;
                    }
                    if let Err(error) = self.engine.set_up_from(&game.start, game.moves[..index].iter().copied()) {
                        self.found = Err(error);
                        return;
                    }
                    self.engine.seek_proof(limits.visits);
                    self.at = Some(index);
                    index
                }
            };
            let left = SLICE.saturating_sub(began.elapsed());
            if left.is_zero() || self.engine.think_for(limits, left) {
                return;
            }
            found.push((index, Verdict::found(&self.engine)));
            self.at = None;
        }
    }
}
