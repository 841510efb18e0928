//! Evaluates positions by the distance of each player to joining their sides, for a search without a network.
//!
//! The cost of a path from side to side is counted in half stones: nothing on own stones, a stone on
//! empty cells, and what else the game defines (see [`PathCosts`]). The cheapest path's cost is the
//! player's *distance*; the number of empty cells on cheapest paths measures the alternatives.
//! (Distances as in van Rijswijck, *Computer Hex: are bees better than fruitflies?*, 2000; captures
//! are an addition for Cachex.)

use hexzero_games::{CellCost, Frontier, Position, Seat, distance_and_width};

// The weights, in matches of `alphabeta:2` at Cachex over 160 to 200 games on 5 × 5 and 7 × 7 each:
// without the alternatives it scores 41 and 36 %, without captures 46 and 33 %; halving or doubling a
// weight changes nothing that can be measured.

/// Points for each half stone of distance.
const DISTANCE_POINTS: i32 = 20;
/// Points for each alternative that a cheapest path has at each of its steps.
const WIDTH_POINTS: i32 = 4;
/// Points for each stone on the board: a tie break.
const STONE_POINTS: i32 = 2;

/// Evaluates an unfinished position for the player to move. The score is antisymmetric and well
/// within ±100,000; 0 in a game that is not about joining two sides.
pub fn connection_score(position: &Position) -> i32 {
    let topology = position.topology();
    let mut frontier = Frontier::default();
    let mut judge = |seat: Seat| {
        let cells = position.path_costs(seat)?;
        let (distance, width) = distance_and_width(&cells, topology, &mut frontier);
        let alternatives = WIDTH_POINTS * (usize::from(CellCost::STONE) * width) as i32 / i32::from(distance.max(1));
        let stones = (0..cells.len()).filter(|&cell| position.owner(cell) == Some(seat)).count();
        Some(alternatives + STONE_POINTS * stones as i32 - DISTANCE_POINTS * i32::from(distance))
    };
    let mover = position.to_move();
    let own = judge(mover);
    own.zip(judge(mover.opponent())).map_or(0, |(own, enemy)| own - enemy)
}
