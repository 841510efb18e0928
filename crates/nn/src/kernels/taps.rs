//! The input rows that a layer reads for each cell.

use std::borrow::Cow;

use super::flat::Flat;
use super::panels::NO_TAP;

/// The input rows that a layer reads for each cell.
#[derive(Debug, Clone)]
pub struct Taps<'a, const T: usize> {
    rows: Cow<'a, [[u32; T]]>,
    /// Lengths of successive groups of cells; a tile never straddles two groups.
    pub(super) groups: Vec<usize>,
    /// One more than the highest row read.
    pub(super) reads: usize,
    pub(super) flat: Option<Flat>,
}

impl<'a, const T: usize> Taps<'a, T> {
    /// Creates the taps of cells that form a single group.
    pub fn new(rows: &'a [[u32; T]]) -> Self {
        Self { groups: vec![rows.len()], reads: last_read(rows), rows: rows.into(), flat: None }
    }

    /// Creates the taps of cells in several groups. Where no cell of a group has a neighbour in
    /// some direction, that tap costs nothing.
    ///
    /// # Panics
    /// If the groups do not add up to the cells.
    pub fn grouped(rows: Vec<[u32; T]>, groups: Vec<usize>) -> Taps<'static, T> {
        assert_eq!(groups.iter().sum::<usize>(), rows.len(), "the groups do not add up to the cells");
        Taps { reads: last_read(&rows), rows: rows.into(), groups, flat: None }
    }

    /// Adds the flat layout, in which no kernel has to gather what cells read, if there is one.
    /// Worthwhile for taps that are used often.
    pub fn laid_flat(self) -> Self {
        Self { flat: Flat::new(&self.rows), ..self }
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.rows.len()
    }

    /// Returns the taps of each cell.
    pub fn rows(&self) -> &[[u32; T]] {
        &self.rows
    }
}

fn last_read<const T: usize>(rows: &[[u32; T]]) -> usize {
    rows.iter().flatten().filter(|&&tap| tap != NO_TAP).map(|&tap| tap as usize + 1).max().unwrap_or(0)
}
