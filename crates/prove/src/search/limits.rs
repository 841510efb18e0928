//! When a search stops.

use super::Prover;

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Positions expanded.
    pub expanded: u64,
    /// The size of the table, in bytes.
    pub bytes: usize,
}

/// Follows a search: called before each expansion, it ends the search by returning true.
pub type Watch<'a> = Box<dyn FnMut(Progress) -> bool + 'a>;

/// Whether a search may go on.
#[derive(Default)]
pub(super) struct Budget<'a> {
    watch: Option<Watch<'a>>,
    /// Whether the search has to end.
    is_over: bool,
    /// Whether the table is full.
    is_full: bool,
}

impl Budget<'_> {
    pub(super) fn begin(&mut self) {
        (self.is_over, self.is_full) = (false, false);
    }

    /// Returns whether to go back to the root.
    pub(super) fn is_spent(&self) -> bool {
        self.is_over || self.is_full
    }
}

impl<'a> Prover<'a> {
    /// Lets `watch` follow and end the searches.
    pub fn watched(mut self, watch: Watch<'a>) -> Self {
        self.budget.watch = Some(watch);
        self
    }

    /// Returns true if the search has to end instead of expanding another position.
    pub(super) fn should_stop(&mut self) -> bool {
        let progress = Progress { expanded: self.expanded, bytes: self.table.bytes() };
        let is_stopped = self.budget.watch.as_mut().is_some_and(|watch| watch(progress));
        self.budget.is_over |= is_stopped || self.expanded >= self.options.max_nodes;
        self.budget.is_full |= progress.bytes >= self.options.max_bytes;
        self.budget.is_spent()
    }

    /// Makes room if the table was full. Returns whether the search can go on: not if nothing is left to forget.
    pub(super) fn make_room(&mut self) -> bool {
        if self.budget.is_over || !self.budget.is_full {
            return false;
        }
        self.budget.is_full = false;
        self.table.forget_half()
    }
}
