//! Which rows of its input a layer reads for each cell.

use std::borrow::Cow;

use super::NO_TAP;
use super::flat::Flat;

/// Which rows of its input a layer reads for each cell.
#[derive(Debug, Clone)]
pub struct Taps<'a, const T: usize> {
    rows: Cow<'a, [[u32; T]]>,
    /// Lengths of runs of cells; a tile never straddles two.
    groups: Cow<'a, [usize]>,
    /// One more than the last row that is read.
    reads: usize,
    flat: Option<Flat>,
}

impl<'a, const T: usize> Taps<'a, T> {
    /// Creates the taps of all cells in one group.
    pub fn new(rows: &'a [[u32; T]]) -> Self {
        Self { groups: vec![rows.len()].into(), reads: last_read(rows), rows: rows.into(), flat: None }
    }

    /// Creates the taps of cells that come in groups. Where all cells of a group have no neighbour in some
    /// direction, that tap costs nothing.
    ///
    /// # Panics
    /// If the groups do not add up to the cells.
    pub fn grouped(rows: Vec<[u32; T]>, groups: Vec<usize>) -> Taps<'static, T> {
        assert_eq!(groups.iter().sum::<usize>(), rows.len(), "the groups do not add up to the cells");
        Taps { reads: last_read(&rows), rows: rows.into(), groups: groups.into(), flat: None }
    }

    /// Finds the layout in which no kernel has to gather what cells read, if there is one. Worth it for taps that serve often.
    pub fn laid_flat(self) -> Self {
        Self { flat: Flat::new(&self.rows), ..self }
    }

    pub(super) fn flat(&self) -> Option<&Flat> {
        self.flat.as_ref()
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.rows.len()
    }

    pub(in crate::network) fn rows(&self) -> &[[u32; T]] {
        &self.rows
    }

    pub(super) fn groups(&self) -> &[usize] {
        &self.groups
    }

    pub(super) fn reads(&self) -> usize {
        self.reads
    }
}

fn last_read<const T: usize>(rows: &[[u32; T]]) -> usize {
    rows.iter().flatten().filter(|&&tap| tap != NO_TAP).map(|&tap| tap as usize + 1).max().unwrap_or(0)
}
