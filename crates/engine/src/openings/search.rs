//! The search for the values of a board's first moves and replies.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use hexzero_games::{Action, Game, Position, Seat, SizeError};
use hexzero_search::Search;
use hexzero_system::stop::StopSignal;

use super::{FirstMove, OpeningMap, classes};
use crate::analysis::points;
use crate::model::LoadedModel;
use crate::worker_pool::parallel_map;

/// Default visits of each position after a first move.
pub const DEFAULT_VISITS: u32 = 1000;

/// The search for the values of a board's first moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningSearch {
    /// The game.
    pub game: Game,
    /// The board's size.
    pub size: usize,
    /// Visits of each position after a first move, and after a swap.
    pub visits: u32,
    /// Visits of each position after a reply; none for no replies.
    pub reply_visits: Option<u32>,
}

/// A position to be judged.
struct Question {
    moves: Vec<Action>,
    without: Option<Action>,
    visits: u32,
}

impl OpeningMap {
    /// Searches the positions after all first moves on several threads. Reports to `progress` how
    /// many positions of how many are done. Returns none if stopped before the end.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn search(
        search: OpeningSearch,
        model: &LoadedModel,
        digest: Option<String>,
        threads: NonZeroUsize,
        stop: &StopSignal,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Option<Self>, SizeError> {
        let OpeningSearch { game, size, visits, reply_visits } = search;
        let start = game.start(size)?;
        let classes = classes(&start);
        let mut questions = Vec::new();
        for (first, _) in &classes {
            let after = start.after(*first);
            let swap = start.game_board().swap().filter(|&swap| after.check(swap).is_ok());
            questions.push(Question { moves: vec![*first], without: swap, visits });
            questions.extend(swap.map(|swap| Question { moves: vec![*first, swap], without: None, visits }));
            if let Some(visits) = reply_visits {
                let replies = after.legal().into_iter().filter(|&reply| Some(reply) != swap);
                questions.extend(replies.map(|reply| Question { moves: vec![*first, reply], without: None, visits }));
            }
        }
        let (count, done) = (questions.len(), AtomicUsize::new(0));
        let found = parallel_map(model.forks(threads.get().min(count)), count, stop, |model, index| {
            let answer = questions[index].answer(&start, model);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
            answer
        });
        let Some(found) = found else { return Ok(None) };
        let mut answers = questions.iter().zip(found).peekable();
        let mut openings = Vec::new();
        let named = |action| start.action_name(action);
        for (first, same) in classes {
            let Some((Question { without: swap, .. }, (kept, reply))) = answers.next() else { break };
            let mut opening = FirstMove {
                name: named(first),
                same: same.into_iter().map(named).collect(),
                kept,
                swapped: None,
                reply: reply.map(named),
                replies: BTreeMap::new(),
            };
            while let Some((question, (chance, _))) = answers.next_if(|(question, _)| question.moves.len() > 1) {
                let reply = question.moves[1];
                match Some(reply) == *swap {
                    true => opening.swapped = Some(chance),
                    false => drop(opening.replies.insert(named(reply), chance)),
                }
            }
            openings.push(opening);
        }
        Ok(Some(Self { game: game.name().to_owned(), size, model: digest, visits, reply_visits, openings, crc: None }))
    }
}

impl Question {
    /// Returns the first player's chances and the best move; none if the game is over.
    fn answer(&self, start: &Position, model: &mut LoadedModel) -> (f32, Option<Action>) {
        let position = self.moves.iter().fold(start.clone(), |position, &action| position.after(action));
        if let Some(outcome) = position.outcome() {
            return (points(outcome.value_for(Seat::First)), None);
        }
        let mover = position.to_move();
        let mut search = Search::new(position, model.search).without(self.without);
        model.run(&mut search, self.visits);
        let share = points(search.best_outcome().value());
        let share = if mover == Seat::First { share } else { 1.0 - share };
        ((100.0 * share).round() / 100.0, search.best_action())
    }
}
