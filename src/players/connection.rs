//! Evaluates positions by the distance of each player to joining their sides, for a search without a network.
//!
//! The cost of a path from side to side is counted in half stones: nothing on own stones, a stone on
//! empty cells, and what else the game defines (see [`PathCosts`]). The cheapest path's cost is the
//! player's *distance*; the number of empty cells on cheapest paths measures the alternatives.
//! (Distances as in van Rijswijck, *Computer Hex: are bees better than fruitflies?*, 2000; captures
//! are an addition for Cachex.)

use crate::games::{CellCost, Frontier, Position, Seat, distance_and_width};

// The weights, in matches of `alphabeta:2` at Cachex over 160 to 200 games on 5 × 5 and 7 × 7 each:
// without the alternatives it scores 41 and 36 %, without captures 46 and 33 %; halving or doubling a
// weight changes nothing that can be measured.

/// Points for each half stone of distance.
const DISTANCE_POINTS: i32 = 20;
/// Points for each alternative that a cheapest path has at each of its steps.
const WIDTH_POINTS: i32 = 4;
/// Points for each stone on the board: a tie break.
const STONE_POINTS: i32 = 2;

/// Evaluates an unfinished position for the player to move. Antisymmetric, well within ±100,000; 0 in a
/// game that is not about joining two sides.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::rhombus;
    use crate::games::{Cachex, GameRng, game_named, play_all};
    use rand::{Rng, SeedableRng};

    fn position(size: usize, moves: &str) -> Position {
        let mut position = game_named("cachex").unwrap().start(size).unwrap();
        play_all(&mut position, moves).unwrap();
        position
    }

    fn measured(position: &Position, seat: Seat) -> (u8, usize) {
        distance_and_width(&position.path_costs(seat).unwrap(), position.topology(), &mut Frontier::default())
    }

    #[test]
    fn distances_by_hand() {
        // Every way down an empty board takes three stones, and every cell is on one.
        assert_eq!(measured(&position(3, ""), Seat::First), (6, 9));
        // Red at a1 saves one stone. The only step down from there is a2 (the other would leave the
        // board), then a3.
        assert_eq!(measured(&position(3, "a1"), Seat::First), (4, 2));
        // Blue's paths of three stones can use any other cell.
        assert_eq!(measured(&position(3, "a1"), Seat::Second), (6, 8));
    }

    #[test]
    fn captures_change_distances() {
        // Blue's b2 and c2 lie side by side; the tips of their diamond are b3, which is Red's, and
        // c1, where Red can close it.
        let attacked = position(4, "b3 b2 a4 c2");
        assert_eq!(attacked.to_move(), Seat::First);
        assert_eq!(attacked.rules::<Cachex>().unwrap().capturable(Seat::First).count(), 2);
        // With Red to move Blue's two stones cost half a stone each, and two more are needed.
        assert_eq!(measured(&attacked, Seat::Second).0, 6);
        let mut saved = attacked.clone();
        saved.play_named("d4").unwrap();
        // Now Blue is to move and can save them.
        assert_eq!(measured(&saved, Seat::Second).0, 4);
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
                        for &from in rhombus(n).neighbours()[cell].iter().filter(|&&from| from != NO_CELL) {
                            costs[cell] = costs[cell].min(costs[from as usize] + prices[cell]);
                        }
                    }
                }
                costs
            };
            let (near, far) = (costs(0), costs(n - 1));
            let distance = *near[n * (n - 1)..].iter().min().unwrap();
            let on_path = |&cell: &usize| prices[cell] == 2 && near[cell] + far[cell] == distance + 2;
            let width = (0..n * n).filter(on_path).count();
            assert_eq!(
                distance_and_width(&cells, rhombus(n), &mut Frontier::default()),
                (distance as u8, width),
                "{n}: {prices:?}"
            );
        }
    }
}
