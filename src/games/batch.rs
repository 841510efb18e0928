//! The interface between searches and evaluators of many positions at a time, such as a GPU.

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
