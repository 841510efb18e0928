//! Balanced openings: short sequences of moves after which a search gives both sides about even chances.
//!
//! Each move of a candidate is drawn from the network's policy, raised to a random power from 0 to 1. Likely moves make
//! an opening look like play; weak ones are needed in games without a swap, where the first player would otherwise be
//! ahead. A short search discards most candidates, and a deep one decides. Candidates are searched separately and judged
//! in the order of their numbers, so that the result does not depend on the number of threads.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::{Rng, SeedableRng};

use hexzero_games::{Action, Game, GameRng, Position, SizeError};
use hexzero_search::Search;
use hexzero_system::stop::StopSignal;

use super::model::LoadedModel;
use super::worker_pool::parallel_map;

/// Openings are balanced if the player to move can expect between this share of the points …
const MIN_VALUE: f32 = 0.4;
/// … and this one.
const MAX_VALUE: f32 = 0.6;

/// The short search also accepts values outside these limits by up to this much.
const TOLERANCE: f32 = 0.1;

/// The deep search has this many times the visits of the short one.
const DEPTH: u32 = 20;

/// Candidates that are judged at the same time. Fixed, so that results do not depend on the threads.
const BATCH: usize = 32;

/// The search for openings of a length ends after this many candidates in a row without one.
const MAX_MISSES: usize = 2048;

/// A search for balanced openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalancedSearch {
    /// The game.
    pub game: Game,
    /// The board's size.
    pub size: usize,
    /// The number of openings to find.
    pub count: usize,
    /// Visits of the deep search.
    pub visits: u32,
    /// Decides the candidates.
    pub seed: u64,
}

/// A balanced opening.
#[derive(Debug, Clone, PartialEq)]
pub struct BalancedOpening {
    /// The names of the moves.
    pub moves: Vec<String>,
    /// The share of the points that the player to move can expect.
    pub value: f32,
}

/// The openings of a length that were found so far.
struct Length {
    plies: usize,
    found: usize,
    /// Candidates since the last one that was accepted.
    misses: usize,
}

impl BalancedSearch {
    /// Finds openings of several lengths, about equally many of each, no two the same by a symmetry of the board.
    /// In games with a swap they end after the decision against it. Returns fewer than asked for if hardly any are
    /// left, or on a stop. Reports to `progress` how many there are.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn run(
        &self,
        model: &LoadedModel,
        threads: NonZeroUsize,
        stop: &StopSignal,
        progress: impl Fn(usize),
    ) -> Result<Vec<BalancedOpening>, SizeError> {
        let start = self.game.start(self.size)?;
        let plies = lengths(start.topology().cells());
        let mut lengths: Vec<Length> = plies.map(|plies| Length { plies, found: 0, misses: 0 }).collect();
        let (mut openings, mut seen, mut drawn) = (Vec::new(), HashSet::new(), 0);
        while openings.len() < self.count {
            let wanted = self.wanted(&lengths);
            if wanted.is_empty() {
                break;
            }
            let length_of = |index: usize| wanted[index % wanted.len()];
            let judged = parallel_map(model.forks(threads.get().min(BATCH)), BATCH, stop, |model, index| {
                let plies = lengths[length_of(index)].plies;
                self.candidate(&start, plies, drawn + index as u64, model)
            });
            let Some(judged) = judged else { break };
            drawn += BATCH as u64;
            for (index, candidate) in judged.into_iter().enumerate() {
                let length = &mut lengths[length_of(index)];
                length.misses += 1;
                if let Some((opening, likeness)) = candidate
                    && openings.len() < self.count
                    && seen.insert(likeness)
                {
                    (length.found, length.misses) = (length.found + 1, 0);
                    openings.push(opening);
                }
            }
            progress(openings.len());
        }
        Ok(openings)
    }

    /// Returns the indices of the lengths of which more are wanted: the same number of each that has not been given up.
    fn wanted(&self, lengths: &[Length]) -> Vec<usize> {
        let (open, given_up): (Vec<usize>, Vec<usize>) =
            (0..lengths.len()).partition(|&index| lengths[index].misses < MAX_MISSES);
        let found: usize = given_up.iter().map(|&index| lengths[index].found).sum();
        let share = self.count.saturating_sub(found).div_ceil(open.len().max(1));
        open.into_iter().filter(|&index| lengths[index].found < share).collect()
    }

    /// Draws candidate `number` and judges it. Returns the opening and its position's likeness; none if it is not
    /// balanced.
    fn candidate(
        &self,
        start: &Position,
        plies: usize,
        number: u64,
        model: &mut LoadedModel,
    ) -> Option<(BalancedOpening, u64)> {
        let mut rng = GameRng::seed_from_u64(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut position, mut moves, mut legal) = (start.clone(), Vec::with_capacity(plies), Vec::new());
        let swap = start.game_board().swap();
        while moves.len() < plies {
            position.legal_actions(&mut legal);
            let priors = model.evaluator.evaluate(&position, &legal).priors;
            // A swap would make the same positions, with colours exchanged, and programs may not know it.
            let power = rng.random_range(0.0..1.0f32);
            let weight = |(&action, prior): (&Action, f32)| if Some(action) == swap { 0.0 } else { prior.powf(power) };
            let weights = WeightedIndex::new(legal.iter().zip(priors).map(weight)).ok()?;
            let action = legal[weights.sample(&mut rng)];
            moves.push(position.action_name(action));
            position.play(action);
            if position.outcome().is_some() {
                return None;
            }
        }
        let may_swap = swap.is_some_and(|swap| position.check(swap).is_ok());
        if may_swap || position.winning_action().is_some() {
            return None;
        }
        let short = value(&position, (self.visits / DEPTH).max(1), model)?;
        if !(MIN_VALUE - TOLERANCE..=MAX_VALUE + TOLERANCE).contains(&short) {
            return None;
        }
        let value = value(&position, self.visits, model)?;
        let is_balanced = (MIN_VALUE..=MAX_VALUE).contains(&value);
        is_balanced.then(|| (BalancedOpening { moves, value }, position.likeness()))
    }
}

/// Returns the plies of openings on a board with this many cells: even numbers, up to one ply for seven cells.
fn lengths(cells: usize) -> impl Iterator<Item = usize> {
    (2..=(cells / 7).clamp(6, 12)).step_by(2)
}

/// Searches a position; returns the share of the points that the player to move can expect, to two digits, or none if
/// the result is proven.
fn value(position: &Position, visits: u32, model: &mut LoadedModel) -> Option<f32> {
    let mut search = Search::new(position.clone(), model.search);
    model.run(&mut search, visits);
    (!search.is_proven()).then(|| (100.0 * search.best_outcome().expected()).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{Evaluation, Seat, WinDrawLoss, game_named, play_all};

    /// Evaluates every position as this share for the first player.
    fn favouring_first(share: f32) -> impl Fn(&Position, &[Action]) -> Evaluation + Clone + Send + 'static {
        move |position, legal| {
            let win = if position.to_move() == Seat::First { share } else { 1.0 - share };
            Evaluation { outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win }, ..Evaluation::uniform(legal.len()) }
        }
    }

    fn find(game: &str, size: usize, threads: usize, model: &LoadedModel) -> Vec<BalancedOpening> {
        let search = BalancedSearch { game: game_named(game).unwrap(), size, count: 24, visits: 40, seed: 1 };
        search.run(model, NonZeroUsize::new(threads).unwrap(), &StopSignal::new(), |_| ()).unwrap()
    }

    fn after(game: &str, size: usize, opening: &BalancedOpening) -> Position {
        let mut position = game_named(game).unwrap().start(size).unwrap();
        play_all(&mut position, &opening.moves.join(" ")).unwrap();
        position
    }

    #[test]
    fn openings_are_distinct_of_several_lengths_and_after_the_swap() {
        let found = find("hex", 7, 2, &LoadedModel::uniform());
        assert_eq!(found, find("hex", 7, 1, &LoadedModel::uniform()), "threads");
        let plies = |wanted: usize| found.iter().filter(|opening| opening.moves.len() == wanted).count();
        assert!([2, 4, 6].map(plies).iter().all(|&plies| plies >= 4), "{found:?}");
        let positions: Vec<Position> = found.iter().map(|opening| after("hex", 7, opening)).collect();
        assert_eq!(positions.iter().map(Position::likeness).collect::<HashSet<_>>().len(), 24);
        assert!(positions.iter().all(|position| position.check(position.game_board().swap().unwrap()).is_err()));
    }

    #[test]
    fn unbalanced_positions_are_rejected() {
        // The player with a stone on a1 is better off; only the first move may be there.
        let biased = |position: &Position, legal: &[Action]| {
            let first = position.owner(0).map_or(0.5, |owner| if owner == Seat::First { 0.8 } else { 0.2 });
            let mut evaluation = favouring_first(first)(position, legal);
            if legal[0] == Action(0) {
                evaluation.priors[0] = f32::from(u8::from(position.turns() == 0));
            }
            evaluation
        };
        let found = find("cachex", 5, 1, &LoadedModel::new("biased", Box::new(biased)));
        assert_eq!(found.len(), 24);
        for opening in &found {
            assert!((MIN_VALUE..=MAX_VALUE).contains(&opening.value), "{opening:?}");
            assert_eq!(after("cachex", 5, opening).owner(0), None, "{opening:?}");
        }
    }

    #[test]
    fn search_ends_where_nothing_is_balanced() {
        assert_eq!(find("cachex", 4, 1, &LoadedModel::new("lost", Box::new(favouring_first(0.1)))), []);
    }
}
