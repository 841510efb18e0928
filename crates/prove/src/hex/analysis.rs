//! What is known of a position without a search.

use serde::{Deserialize, Serialize};

use super::connections::{Connections, Until};
use super::geometry::{Cells, Geometry};
use super::stones::Stones;

/// The knowledge that an analysis uses. Each part can be turned off, to measure it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Dead and captured cells.
    pub inferior: bool,
    /// Virtual connections and the must-play region.
    pub connections: bool,
}

impl Default for Knowledge {
    fn default() -> Self {
        Self { inferior: true, connections: true }
    }
}

/// The result of an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Analysis {
    /// The mover wins, within these empty cells.
    Won(Cells),
    /// The opponent wins, within these empty cells.
    Lost(Cells),
    /// The opponent wins by one of these threats, whatever the mover plays: no cell is in all of these carriers.
    Refuted(Vec<Cells>),
    /// Unknown. Each carrier is a threat of the opponent: the mover loses by any move outside of it.
    Open(Vec<Cells>),
}

/// Analyses positions, reusing its memory.
#[derive(Debug, Clone)]
pub struct Analyst {
    connections: Connections,
    knowledge: Knowledge,
}

impl Analyst {
    /// Creates an analyst.
    pub fn new(knowledge: Knowledge) -> Self {
        Self { connections: Connections::default(), knowledge }
    }

    /// Records derivations of connections from now on.
    pub(crate) fn recording(self) -> Self {
        Self { connections: self.connections.recording(), ..self }
    }

    /// Analyses a position.
    pub fn analyse(&mut self, board: &Geometry, stones: Stones) -> Analysis {
        if self.knowledge.connections && stones.winner(board).is_none() {
            self.find(board, stones, Until::Semi);
            if let Some(&carrier) = self.connections.semi().first().or(self.connections.full().first()) {
                return Analysis::Won(carrier);
            }
        }
        self.analyse_opponent(board, stones)
    }

    /// Analyses a position by the connections of the opponent alone. A move within all of the mover's threats breaks
    /// every connection that the mover had, so there is hardly ever one: looking for it took longer than it saved.
    pub fn analyse_opponent(&mut self, board: &Geometry, stones: Stones) -> Analysis {
        match stones.winner(board) {
            Some(true) => return Analysis::Won(0),
            Some(false) => return Analysis::Lost(0),
            None if !self.knowledge.connections => return Analysis::Open(Vec::new()),
            None => {}
        }
        self.find(board, stones.passed(board), Until::Full);
        if let Some(&carrier) = self.connections.full().first() {
            return Analysis::Lost(board.transposed(carrier));
        }
        let threats: Vec<Cells> = self.connections.semi().iter().map(|&carrier| board.transposed(carrier)).collect();
        match needed(&threats) {
            Some(chosen) => Analysis::Refuted(chosen.into_iter().map(|number| threats[number]).collect()),
            None => Analysis::Open(threats),
        }
    }

    /// Returns the connections that the last analysis found, of the player who joins rows.
    pub(crate) fn connections(&self) -> &Connections {
        &self.connections
    }

    fn find(&mut self, board: &Geometry, stones: Stones, until: Until) {
        self.connections.find(board, stones.with_sides(board)[0], stones.empty(board), until);
    }
}

/// Returns the indices of a few carriers that have no cell in common, or `None` if all carriers share one.
pub fn needed(carriers: &[Cells]) -> Option<Vec<usize>> {
    let (mut common, mut union, mut chosen) = (Cells::MAX, 0, Vec::new());
    while common != 0 {
        // Take the carrier that leaves the fewest common cells; of several, the one that adds the fewest cells.
        let cost = |&number: &usize| {
            let carrier = carriers[number];
            ((common & carrier).count_ones(), (carrier & !union).count_ones())
        };
        let best = (0..carriers.len()).min_by_key(cost)?;
        if common & carriers[best] == common {
            return None;
        }
        common &= carriers[best];
        union |= carriers[best];
        chosen.push(best);
    }
    Some(chosen)
}
