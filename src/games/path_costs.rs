//! Costs of cells for paths from side to side, and the cheapest path.

use crate::board::{NO_CELL, Topology};

/// The costs of all cells for one player's paths from side to side.
pub type PathCosts = Vec<CellCost>;

/// The cost of a cell on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellCost {
    /// The cost of a stone here, in half stones: 0 on an own stone that stays, 2 on an empty cell, at most
    /// [`CellCost::HIGHEST`]. None if no path can pass.
    pub cost: Option<u8>,
    /// The sides of the player that the cell lies on, a bit each.
    pub sides: u8,
}

impl CellCost {
    /// The cost of an empty cell.
    pub const STONE: u8 = 2;
    /// The greatest cost.
    pub const HIGHEST: u8 = 4;
}

/// Paths are not followed beyond this cost, which only a winding path can exceed.
pub const FARTHEST: u8 = 80;

/// The cells to expand, by the cost of reaching them: costs are small, so a few buckets suffice (Dial's
/// algorithm). Kept between searches to reuse their memory.
pub type Frontier = [Vec<u16>; CellCost::HIGHEST as usize + 1];

/// Returns for each cell the cost of a path from a side (a bit of [`CellCost::sides`]) to it, including the cell
/// itself, if at most `limit`; and the cost of reaching the other side, beyond which no path is followed.
fn costs_from(side: u8, limit: u8, cells: &PathCosts, topology: &Topology, frontier: &mut Frontier) -> (Vec<u8>, u8) {
    let mut costs = vec![u8::MAX; cells.len()];
    frontier.iter_mut().for_each(Vec::clear);
    let buckets = frontier.len();
    for (cell, cost) in cells.iter().enumerate().filter(|(_, cost)| cost.sides & side != 0) {
        if let Some(cost) = cost.cost {
            costs[cell] = cost;
            frontier[cost as usize].push(cell as u16);
        }
    }
    let mut limit = limit;
    let mut now = 0;
    while now <= limit {
        while let Some(cell) = frontier[now as usize % buckets].pop() {
            if costs[cell as usize] != now {
                continue;
            }
            if cells[cell as usize].sides & !side != 0 {
                limit = now;
            }
            for &next in topology.neighbours()[cell as usize].iter().filter(|&&next| next != NO_CELL) {
                let Some(cost) = cells[next as usize].cost else { continue };
                if now + cost < costs[next as usize] {
                    costs[next as usize] = now + cost;
                    frontier[(now + cost) as usize % buckets].push(next);
                }
            }
        }
        now += 1;
    }
    (costs, limit)
}

/// Returns the distance between two sides in half stones, and the number of empty cells on paths of this cost. The distance is
/// [`FARTHEST`] where there is no path.
pub fn distance_and_width(cells: &PathCosts, topology: &Topology, frontier: &mut Frontier) -> (u8, usize) {
    let (near, distance) = costs_from(0b01, FARTHEST, cells, topology, frontier);
    let (far, _) = costs_from(0b10, distance, cells, topology, frontier);
    // Both costs include the cell itself.
    let on_path = |&cell: &usize| {
        cells[cell].cost == Some(CellCost::STONE)
            && u16::from(near[cell]) + u16::from(far[cell]) == u16::from(distance + CellCost::STONE)
    };
    (distance, (0..cells.len()).filter(on_path).count())
}
