//! The interface between searches and evaluators of many positions at a time, such as a GPU; and many positions on several
//! threads.

use std::sync::Mutex;

use super::action::Action;
use super::evaluation::{Evaluation, Evaluator};
use super::position::Position;

/// A position to evaluate. It is not over, and `legal` holds its legal actions, at least one.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The position.
    pub position: &'a Position,
    /// Its legal actions, in ascending order.
    pub legal: &'a [Action],
}

/// A batch under way, to wait for once.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Ticket(pub u64);

/// Evaluates positions in batches. [`BatchEvaluator::submit`] returns at once if the work is done elsewhere, so several
/// batches may be under way; [`OneByOne`] adapts any [`Evaluator`].
pub trait BatchEvaluator {
    /// The number of positions to submit at a time for full speed.
    fn batch(&self) -> usize;

    /// Submits positions. They are not needed afterwards.
    fn submit(&mut self, queries: &[Query<'_>]) -> Ticket;

    /// Waits for a batch and returns its evaluations, in the order of its queries.
    ///
    /// # Panics
    /// If the ticket was not returned by [`BatchEvaluator::submit`].
    fn wait(&mut self, ticket: Ticket) -> Vec<Evaluation>;
}

/// Evaluates the positions of a batch one by one, on the submitting thread.
#[derive(Debug, Clone)]
pub struct OneByOne<E> {
    evaluator: E,
    batch: usize,
    next: u64,
    done: Vec<(u64, Vec<Evaluation>)>,
}

impl<E: Evaluator> OneByOne<E> {
    /// Asks for batches of this size.
    pub fn new(evaluator: E, batch: usize) -> Self {
        Self { evaluator, batch, next: 0, done: Vec::new() }
    }
}

impl<E: Evaluator> BatchEvaluator for OneByOne<E> {
    fn batch(&self) -> usize {
        self.batch
    }

    fn submit(&mut self, queries: &[Query<'_>]) -> Ticket {
        let evaluations = queries.iter().map(|query| self.evaluator.evaluate(query.position, query.legal)).collect();
        self.done.push((self.next, evaluations));
        self.next += 1;
        Ticket(self.next - 1)
    }

    fn wait(&mut self, ticket: Ticket) -> Vec<Evaluation> {
        let place = self.done.iter().position(|(number, _)| *number == ticket.0).expect("a ticket is waited for once");
        self.done.swap_remove(place).1
    }
}

/// Positions that a thread takes at a time: enough that taking them costs nothing, few enough that all threads end together.
const POSITIONS_AT_A_TIME: usize = 8;

/// Evaluates positions on as many threads as there are evaluators, and returns the evaluations in the order of the queries.
///
/// The threads live as long as the call, so that it may also be used after a `fork`.
///
/// # Panics
/// If there is no evaluator.
pub fn evaluate_on<E: Evaluator + Send>(evaluators: &mut [E], queries: &[Query<'_>]) -> Vec<Evaluation> {
    let Some((first, others)) = evaluators.split_first_mut() else { panic!("positions need an evaluator") };
    let mut evaluations: Vec<Option<Evaluation>> = vec![None; queries.len()];
    let parts = queries.chunks(POSITIONS_AT_A_TIME).zip(evaluations.chunks_mut(POSITIONS_AT_A_TIME));
    let threads = parts.len();
    let parts = Mutex::new(parts);
    let work = |evaluator: &mut E| {
        loop {
            // A thread that panics holds no lock meanwhile.
            let part = parts.lock().ok().and_then(|mut parts| parts.next());
            let Some((queries, evaluations)) = part else { return };
            for (query, evaluation) in queries.iter().zip(evaluations) {
                *evaluation = Some(evaluator.evaluate(query.position, query.legal));
            }
        }
    };
    std::thread::scope(|scope| {
        for evaluator in others.iter_mut().take(threads.saturating_sub(1)) {
            scope.spawn(|| work(evaluator));
        }
        work(first);
    });
    drop(parts);
    evaluations.into_iter().map(|evaluation| evaluation.expect("every part was taken")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::default_game;

    #[test]
    fn threads_share_the_positions_and_keep_their_order() {
        let mut positions = vec![default_game().start(5).unwrap()];
        for text in ["a1", "b2", "c1", "d4", "e5", "a3"] {
            let mut next = positions[positions.len() - 1].clone();
            next.play_named(text).unwrap();
            positions.push(next);
        }
        let positions: Vec<_> = positions.iter().cycle().take(100).collect();
        let legal: Vec<Vec<Action>> = positions
            .iter()
            .map(|position| {
                let mut legal = Vec::new();
                position.legal_actions(&mut legal);
                legal
            })
            .collect();
        let queries: Vec<Query<'_>> =
            positions.iter().zip(&legal).map(|(&position, legal)| Query { position, legal }).collect();
        let judge = |position: &Position, legal: &[Action]| {
            let win = position.turns() as f32 / 10.0;
            let outcome = super::super::WinDrawLoss { win, draw: 0.0, loss: 1.0 - win };
            Evaluation { outcome, ..Evaluation::uniform(legal.len()) }
        };
        let alone: Vec<Evaluation> = queries.iter().map(|query| judge(query.position, query.legal)).collect();
        for threads in [1, 3, 40] {
            assert_eq!(evaluate_on(&mut vec![judge; threads], &queries), alone);
        }
        assert_eq!(evaluate_on(&mut [judge], &[]), []);
    }
}
