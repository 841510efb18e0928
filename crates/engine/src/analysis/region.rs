//! The part of the board that a proof needs.

use serde::Serialize;

use hexzero_games::Action;

use crate::Engine;

/// The cells that matter to a proof of the position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Region {
    /// The winner; none if the position is not proven.
    winner: Option<&'static str>,
    /// The empty cells that the winner needs. Without a winner, the moves to consider: if any move
    /// wins, one of these does.
    cells: Vec<String>,
    #[serde(skip)]
    loser: &'static str,
    #[serde(skip)]
    drawing: String,
}

impl Region {
    /// Returns the region of the proof search that the engine made, unless it says little.
    pub fn of(engine: &Engine) -> Option<Self> {
        let (position, proof) = (engine.position(), engine.search.root_proof()?);
        let places = position.topology().cells();
        let empty = (0..places).filter(|&cell| position.owner(cell).is_none()).count();
        if proof.cells.is_empty() || proof.winner.is_none() && 2 * proof.cells.len() > empty {
            return None;
        }
        let glyph = |cell: usize| if proof.cells.contains(&cell) { '*' } else { position.symbol(cell) };
        Some(Self {
            winner: proof.winner.map(|winner| engine.seat_name(winner)),
            cells: proof.cells.iter().map(|&cell| position.action_name(Action(cell as u16))).collect(),
            loser: proof.winner.map_or("", |winner| engine.seat_name(winner.opponent())),
            drawing: position.board().text().draw(glyph, None),
        })
    }

    /// Draws the region, below a line that says what it is.
    pub fn to_text(&self) -> String {
        let Self { loser, drawing, .. } = self;
        match self.winner {
            Some(winner) => {
                format!("proven: {winner} wins, even if {loser} has all empty cells but those marked *:\n{drawing}")
            }
            None => format!("if any move wins, one of those marked * does:\n{drawing}"),
        }
    }
}
