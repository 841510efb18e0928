//! The costs of paths from side to side in Cachex.

use crate::games::path_costs::{CellCost, PathCosts};
use crate::games::{Rules, Seat};

use super::Cachex;

/// A step costs nothing on own stones, a stone on empty cells, half a stone where the own stone may be
/// captured at once, and more than a stone where an enemy stone must be captured first.
pub(super) fn path_costs(game: &Cachex, player: Seat) -> PathCosts {
    let side = game.side();
    let enemy = player.opponent();
    let (own, enemies) = (game.stones(player), game.stones(enemy));
    let (threatened, takeable) = (game.capturable(enemy), game.capturable(player));
    let to_move = game.to_move() == player;
    let [from, to] = game.edges(player);
    let step = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        let cost = if own.contains(row, column) {
            // The player to move can save threatened stones.
            Some(u8::from(!to_move && threatened.contains(row, column)))
        } else if !enemies.contains(row, column) {
            Some(CellCost::STONE)
        } else {
            // One capture takes two stones off and leaves a stone nearby, so it is cheaper than a stone
            // and a stone; but while the enemy is to move it is only a threat.
            takeable.contains(row, column).then_some(if to_move { 3 } else { 4 })
        };
        CellCost { cost, sides: u8::from(from.contains(row, column)) | u8::from(to.contains(row, column)) << 1 }
    };
    (0..side * side).map(step).collect()
}
