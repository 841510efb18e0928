//! The batch of a training step, in parts for one thread each.

use candle_core::{Device, Result};
use rand::Rng;
use rayon::prelude::*;

use crate::recipe::Recipe;
use hexzero_games::{Game, GameBoard};
use hexzero_nn::CELL_CLASSES;
use hexzero_selfplay::shards::{SampledPosition, Window};

use super::batch::Batch;
use super::targets::ExactTargets;

/// The number of values from which candle runs an elementwise operation on its own threads, which
/// spin while they wait and take cores from ours.
const CANDLES_SHARE: usize = 64 * 1024;

/// The maximum number of values of a part between two layers of the tower, which candle does not
/// see. Smaller parts stay in a core's cache, but each adds work for the parameters.
const MAX_VALUES: usize = 3 * CANDLES_SHARE;

/// The most values of a part between two layers on a device, which wants large parts: with 20 blocks, some 4 GB of bf16.
const DEVICE_VALUES: usize = 1 << 24;

/// The number of parts is a multiple of this, to divide evenly among most numbers of threads. It
/// does not depend on the number of threads, so the result does not either.
const PARTS: usize = 8;

/// The positions of a training step as batches; none if the window was empty.
#[derive(Debug, Clone, Default)]
pub struct StepParts(pub(crate) Vec<Batch>);

impl StepParts {
    /// Draws positions and symmetries, and computes their inputs and targets on all threads. With a device, cuts the same
    /// positions into parts for it and puts them on it.
    ///
    /// # Errors
    /// If candle fails.
    pub fn draw(
        game: Game,
        recipe: &Recipe,
        window: &Window,
        exact: &ExactTargets,
        device: Option<&Device>,
        rng: &mut impl Rng,
    ) -> Result<Self> {
        let training = &recipe.training;
        let mut draw = || {
            let position = window.sample(rng)?;
            let board = game.game_board(position.record.size.into()).ok().filter(|_| training.symmetries);
            let symmetry = rng.random_range(0..board.map_or(1, |board| board.symmetries().len()));
            Some((position, symmetry))
        };
        let positions: Vec<_> = (0..training.batch).map_while(|_| draw()).collect();
        // Logits count too: a part must have fewer than `CANDLES_SHARE` of them.
        let logits = game.view.policy_planes + CELL_CLASSES;
        let of_cell = recipe.network.channels.max(MAX_VALUES / CANDLES_SHARE * logits);
        let values = |(position, _): &(SampledPosition, usize)| {
            // A record of a size that the game does not have is left out of its batch.
            game.game_board(position.record.size.into()).map_or(0, GameBoard::cells) * of_cell
        };
        let sizes: Vec<usize> = positions.iter().map(values).collect();
        let parts = match device {
            None => cut(&sizes),
            Some(_) => cut_for_device(&sizes),
        };
        let parts = parts.into_par_iter().with_max_len(1);
        let batches = parts.map(|part| {
            let batch = Batch::new(game, &positions[part], training.search_value(), exact)?;
            match device {
                None => Ok(batch),
                Some(device) => batch.map(|batch| batch.put_on(device)).transpose(),
            }
        });
        batches.filter_map(Result::transpose).collect::<Result<_>>().map(Self)
    }
}

/// Cuts positions of these sizes into parts of at most [`DEVICE_VALUES`] values, or of a single larger position.
fn cut_for_device(sizes: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    let mut values = 0;
    for (position, size) in sizes.iter().enumerate() {
        match parts.last_mut() {
            Some(last) if values + size <= DEVICE_VALUES => last.end = position + 1,
            _ => {
                parts.push(position..position + 1);
                values = 0;
            }
        }
        values += size;
    }
    parts
}

/// Cuts positions of these sizes into parts of nearly the same size, each with fewer than [`MAX_VALUES`] values unless a
/// single position has more.
fn cut(sizes: &[usize]) -> Vec<std::ops::Range<usize>> {
    let total = sizes.iter().sum::<usize>().max(1);
    let largest = sizes.iter().copied().max().unwrap_or(0);
    // A part begins with the position that crosses its share of the total, so it may be larger than
    // that by less than one position.
    let most = MAX_VALUES.saturating_sub(largest).max(1);
    let count = total.div_ceil(most).next_multiple_of(PARTS);
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    let (mut before, mut current) = (0, usize::MAX);
    for (position, size) in sizes.iter().enumerate() {
        let part = before * count / total;
        match parts.last_mut() {
            Some(last) if part == current => last.end = position + 1,
            _ => parts.push(position..position + 1),
        }
        (before, current) = (before + size, part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_even_and_not_too_large() {
        assert!(cut(&[]).is_empty());
        assert_eq!(cut(&[0, 0]).len(), 1);
        // A batch of the default recipe, and of 6 blocks × 64 channels on 9×9.
        let even = cut(&[25 * 32; 256]);
        assert!(even.len() == 8 && even.iter().all(|part| part.len() == 32));
        assert_eq!(cut(&[81 * 64; 256]).len(), 8);
        assert_eq!(cut(&[121 * 128; 256]).len(), 24);
        let mixed: Vec<usize> = (0..300).map(|i| (3 + i % 11usize).pow(2) * 128).collect();
        let parts = cut(&mixed);
        assert!(parts.len().is_multiple_of(8));
        assert!(parts.iter().all(|part| mixed[part.clone()].iter().sum::<usize>() < MAX_VALUES));
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, 300));
        assert_eq!(cut_for_device(&[81 * 64; 256]).len(), 1);
        assert_eq!(cut_for_device(&[DEVICE_VALUES / 2, DEVICE_VALUES / 2, 1, DEVICE_VALUES + 1]), [0..2, 2..3, 3..4]);
        // One position alone may be too large.
        assert_eq!(cut(&[200_000; 3]), [0..1, 1..2, 2..3]);
    }
}
