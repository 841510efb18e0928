//! The memory layout of packed weights.

use bytemuck::Pod;

use super::activations::Aligned;
use hexzero_board::DIRECTIONS;

/// A tap that reads zeros.
pub const NO_TAP: u32 = u32::MAX;

/// The taps of a hexagonal convolution; no layer has more.
pub(super) const MAX_TAPS: usize = DIRECTIONS + 1;

/// Number of rows of a tile unit's tile, and of four-byte words in each row.
pub(super) const SIDE: usize = 16;

/// Taps that read adjacent cells in a row of the board, from left to right. If the rows of
/// activations are laid out like the board, a strip is contiguous in memory.
#[derive(Debug)]
pub(crate) struct Strip {
    /// The row and column of the first cell that is read, relative to the cell that reads.
    pub row: isize,
    pub column: isize,
    pub taps: &'static [usize],
}

/// The strips of a hexagonal convolution: the row above, the cell's own, and the row below.
static HEXAGON: [Strip; 3] = [
    Strip { row: -1, column: 0, taps: &[5, 4] },
    Strip { row: 0, column: -1, taps: &[6, 0, 3] },
    Strip { row: 1, column: -1, taps: &[1, 2] },
];

static ALONE: [Strip; 1] = [Strip { row: 0, column: 0, taps: &[0] }];

impl Strip {
    /// Returns the strips of a layer with this many taps.
    pub fn of(taps: usize) -> &'static [Self] {
        match taps {
            1 => &ALONE,
            MAX_TAPS => &HEXAGON,
            _ => panic!("a layer has 1 tap or {MAX_TAPS}, not {taps}"),
        }
    }
}

/// The shape of packed weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panels {
    /// Number of outputs whose weights are stored together.
    pub outputs: usize,
    /// True if the taps are grouped in strips, each padded with zeros to a multiple of [`SIDE`]
    /// rows.
    pub strips: bool,
}

impl Panels {
    /// Returns the number of rows of a strip.
    pub(crate) fn rows_of(strip: &Strip, inputs: usize) -> usize {
        (strip.taps.len() * inputs).next_multiple_of(SIDE)
    }

    /// Returns the number of rows of a panel with this many taps and words of inputs.
    pub fn rows(self, taps: usize, inputs: usize) -> usize {
        if !self.strips {
            return taps * inputs;
        }
        Strip::of(taps).iter().map(|strip| Self::rows_of(strip, inputs)).sum()
    }

    /// Returns the first row of each of `taps` taps.
    pub fn places(self, taps: usize, inputs: usize) -> [usize; MAX_TAPS] {
        let mut places = std::array::from_fn(|tap| tap * inputs);
        if self.strips {
            let mut first = 0;
            for strip in Strip::of(taps) {
                strip.taps.iter().enumerate().for_each(|(i, &tap)| places[tap] = first + i * inputs);
                first += Self::rows_of(strip, inputs);
            }
        }
        places
    }

    /// Copies `[taps × inputs × width]` into panels; the last panel is as narrow as the remaining
    /// outputs.
    pub fn pack<W: Pod>(self, weights: &[W], taps: usize, width: usize, panels: &mut Aligned<W>) {
        let inputs = weights.len() / width / taps;
        let (rows, places) = (self.rows(taps, inputs), self.places(taps, inputs));
        panels.resize(rows * width);
        panels.fill(W::zeroed());
        for first in (0..width).step_by(self.outputs) {
            let end = width.min(first + self.outputs);
            let (panel, wide) = (&mut panels[rows * first..rows * end], end - first);
            for (tap, place) in places.into_iter().take(taps).enumerate() {
                let rows = weights[tap * inputs * width..].chunks_exact(width).take(inputs);
                for (row, to) in rows.zip(panel[place * wide..].chunks_exact_mut(wide)) {
                    to.copy_from_slice(&row[first..end]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_board::STEPS;

    #[test]
    fn strips_follow_the_directions() {
        let mut taps = [None; MAX_TAPS];
        for strip in &HEXAGON {
            for (column, &tap) in (strip.column..).zip(strip.taps) {
                taps[tap] = Some((strip.row, column));
            }
        }
        assert_eq!(taps[0], Some((0, 0)));
        assert_eq!(taps[1..], STEPS.map(Some));
    }
}
