//! Costs of cells on paths from side to side, and the cheapest path.

use hexzero_board::Topology;

/// The costs of all cells for one player's paths from side to side.
pub type PathCosts = Vec<CellCost>;

/// The cost of a cell on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellCost {
    /// The cost of a stone here, in half stones: 0 on an own stone that cannot be captured, 2 on an
    /// empty cell, at most [`CellCost::HIGHEST`]. `None` if no path can pass.
    pub cost: Option<u8>,
    /// The player's sides that the cell lies on, as a bit mask.
    pub sides: u8,
}

impl CellCost {
    /// The cost of an empty cell.
    pub const STONE: u8 = 2;
    /// The greatest cost.
    pub const HIGHEST: u8 = 4;
}

/// Upper bound on the cost of paths that are followed, which only a winding path can exceed.
pub const FARTHEST: u8 = 80;

/// The cells to expand, by the cost of reaching them. Costs are small, so a few buckets suffice
/// (Dial's algorithm). The buckets are kept between searches to reuse their memory.
pub type Frontier = [Vec<u16>; CellCost::HIGHEST as usize + 1];

/// Returns for each cell the cost of a path from a side (a bit of [`CellCost::sides`]) to the cell,
/// including the cell itself, if at most `limit`; and the cost of reaching the other side, beyond
/// which no path is followed.
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
            for next in topology.around(cell.into()) {
                let Some(cost) = cells[next].cost else { continue };
                if now + cost < costs[next] {
                    costs[next] = now + cost;
                    frontier[(now + cost) as usize % buckets].push(next as u16);
                }
            }
        }
        now += 1;
    }
    (costs, limit)
}

/// Returns the distance between the two sides in half stones, and the number of empty cells on
/// paths of this cost. The distance is [`FARTHEST`] if there is no path.
pub fn distance_and_width(cells: &PathCosts, topology: &Topology, frontier: &mut Frontier) -> (u8, usize) {
    let (near, distance) = costs_from(0b01, FARTHEST, cells, topology, frontier);
    let (far, _) = costs_from(0b10, distance, cells, topology, frontier);
    // Both costs include the cell.
    let on_path = |&cell: &usize| {
        cells[cell].cost == Some(CellCost::STONE)
            && u16::from(near[cell]) + u16::from(far[cell]) == u16::from(distance + CellCost::STONE)
    };
    (distance, (0..cells.len()).filter(on_path).count())
}

/// A cheapest path from side to side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The number of stones that the path still needs if the opponent passes.
    pub stones: usize,
    /// The cells of the path from one side to the other, including those with stones.
    pub cells: Vec<usize>,
}

impl Way {
    /// Finds a cheapest path, or returns `None` if no path is left.
    pub fn cheapest(costs: &PathCosts, topology: &Topology) -> Option<Self> {
        let (near, distance) = costs_from(0b01, FARTHEST, costs, topology, &mut Frontier::default());
        let ends = |&cell: &usize| costs[cell].sides & 0b10 != 0 && near[cell] == distance;
        let mut cells = vec![(0..costs.len()).find(ends)?];
        // Cells without cost could lead back to each other in a circle.
        let mut seen = vec![false; costs.len()];
        while let Some(&cell) = cells.last() {
            seen[cell] = true;
            let before = near[cell] - costs[cell].cost?;
            if before == 0 && costs[cell].sides & 0b01 != 0 {
                break;
            }
            let leads = |next: &usize| near[*next] == before && !seen[*next];
            match topology.around(cell).find(leads) {
                Some(next) => cells.push(next),
                None => drop(cells.pop()),
            }
        }
        cells.reverse();
        Some(Self { stones: usize::from(distance.div_ceil(CellCost::STONE)), cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::after;
    use crate::{Cachex, GameRng, Position, Seat, game_named};
    use hexzero_board::rhombus;
    use rand::{Rng, SeedableRng};

    fn position(size: usize, moves: &str) -> Position {
        after(game_named("cachex").unwrap(), size, moves)
    }

    fn measured(position: &Position, seat: Seat) -> (u8, usize) {
        distance_and_width(&position.path_costs(seat).unwrap(), position.topology(), &mut Frontier::default())
    }

    #[test]
    fn distances_by_hand() {
        // Every path down an empty board takes three stones, and every cell is on one.
        assert_eq!(measured(&position(3, ""), Seat::First), (6, 9));
        // Red at a1 saves one stone. The only step down from there is a2 (the other would leave the
        // board), then a3.
        assert_eq!(measured(&position(3, "a1"), Seat::First), (4, 2));
        // Blue's paths of three stones may use any other cell.
        assert_eq!(measured(&position(3, "a1"), Seat::Second), (6, 8));
    }

    #[test]
    fn cheapest_ways_by_hand() {
        let stones = |position: &Position| Seat::BOTH.map(|seat| position.cheapest_way(seat).map(|way| way.stones));
        assert_eq!(stones(&position(3, "a1")), [Some(2), Some(3)]);
        // The only step down from a1 is a2, then a3.
        assert_eq!(position(3, "a1").cheapest_way(Seat::First).unwrap().cells, [0, 3, 6]);
        let hex = |moves: &str| stones(&after(game_named("hex-noswap").unwrap(), 3, moves));
        assert_eq!(hex("a1 c1 a2 c2"), [Some(1), Some(2)]);
        // White is cut off.
        assert_eq!(hex("a1 c1 a2 c2 a3"), [Some(0), None]);
        assert_eq!(game_named("y").unwrap().start(4).unwrap().cheapest_way(Seat::First), None);
    }

    #[test]
    fn captures_change_distances() {
        // Blue's b2 and c2 lie side by side; the tips of their diamond are b3, which is Red's, and
        // c1, where Red can close it.
        let attacked = position(4, "b3 b2 a4 c2");
        assert_eq!(attacked.to_move(), Seat::First);
        assert_eq!(attacked.rules::<Cachex>().unwrap().capturable(Seat::First).count(), 2);
        // With Red to move, Blue's two stones cost half a stone each, and two more are needed.
        assert_eq!(measured(&attacked, Seat::Second).0, 6);
        let mut saved = attacked.clone();
        saved.play_named("d4").unwrap();
        // With Blue to move, Blue can save them.
        assert_eq!(measured(&saved, Seat::Second).0, 4);
    }

    #[test]
    fn cheapest_way_is_connected_and_costs_least() {
        let mut rng = GameRng::seed_from_u64(5);
        for name in ["hex-noswap", "cachex", "link", "fan"] {
            let mut position = game_named(name).unwrap().start(6).unwrap();
            while position.outcome().is_none() && position.turns() < 60 {
                for seat in Seat::BOTH {
                    let costs = position.path_costs(seat).unwrap();
                    let (distance, _) = distance_and_width(&costs, position.topology(), &mut Frontier::default());
                    let Some(way) = Way::cheapest(&costs, position.topology()) else {
                        assert_eq!(distance, FARTHEST, "{name}");
                        continue;
                    };
                    let cost: u8 = way.cells.iter().map(|&cell| costs[cell].cost.unwrap()).sum();
                    assert_eq!(cost, distance, "{name}");
                    let joined = |pair: &[usize]| position.topology().neighbours()[pair[0]].contains(&(pair[1] as u16));
                    assert!(way.cells.windows(2).all(joined), "{name}: {:?}", way.cells);
                    let [first, last] = [way.cells[0], way.cells[way.cells.len() - 1]];
                    assert!(costs[first].sides & 0b01 != 0 && costs[last].sides & 0b10 != 0, "{name}");
                }
                let action = position.random_action(&mut rng).unwrap();
                position.play(action);
            }
        }
    }

    #[test]
    fn distances_agree_with_relaxation() {
        let mut rng = GameRng::seed_from_u64(3);
        for trial in 0..300 {
            let n = 3 + trial % 7;
            let prices: Vec<usize> = (0..n * n).map(|_| rng.random_range(0..=CellCost::HIGHEST as usize)).collect();
            let step = |cell: usize| CellCost {
                cost: Some(prices[cell] as u8),
                sides: u8::from(cell < n) | u8::from(cell >= n * (n - 1)) << 1,
            };
            let cells: PathCosts = (0..n * n).map(step).collect();
            // Bellman and Ford: relax until nothing changes, from either side.
            let costs = |row: usize| {
                let mut costs = vec![usize::MAX / 4; n * n];
                (0..n).for_each(|column| costs[row * n + column] = prices[row * n + column]);
                for _ in 0..n * n {
                    for cell in 0..n * n {
                        for from in rhombus(n).around(cell) {
                            costs[cell] = costs[cell].min(costs[from] + prices[cell]);
                        }
                    }
                }
                costs
            };
            let (near, far) = (costs(0), costs(n - 1));
            let distance = *near[n * (n - 1)..].iter().min().unwrap();
            let on_path = |&cell: &usize| prices[cell] == 2 && near[cell] + far[cell] == distance + 2;
            let width = (0..n * n).filter(on_path).count();
            let found = distance_and_width(&cells, rhombus(n), &mut Frontier::default());
            assert_eq!(found, (distance as u8, width), "{n}: {prices:?}");
        }
    }
}
