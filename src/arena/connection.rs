//! How near each player is to joining his sides, for a search without a network.
//!
//! A path from side to side costs what it takes to build it, counted in half stones: nothing on own
//! stones, a stone on empty cells, half a stone where the own stone may be captured at once, and
//! more than a stone where an enemy stone must be captured first. The cheapest path's cost is the
//! player's *distance*; the number of empty cells on cheapest paths says how many ways there are.
//! (Distances as in van Rijswijck, *Computer Hex: are bees better than fruitflies?*, 2000; captures
//! are an addition for Cachex.)

use crate::board::RhombusSet;
use crate::games::{Cachex, Game, Player};

/// A game that [`super::AlphaBeta`] can play.
pub trait ConnectionScore: Game {
    /// What a position that is not over promises the player to move. Antisymmetric, well within
    /// ±100,000.
    fn connection_score(&self) -> i32;
}

/// What an empty cell costs; other costs are relative to it.
const STONE: usize = 2;
/// The greatest cost of a cell.
const DEAREST: usize = 4;
/// Paths are not followed beyond this cost, which only a winding path can exceed.
const FARTHEST: usize = 80;

// The weights, in matches of `alphabeta:2` over 160 to 200 games on 5 × 5 and 7 × 7 each: without the
// alternatives it scores 41 and 36 %, without captures 46 and 33 %; halving or doubling a weight
// changes nothing that can be measured.

/// Points for each half stone of distance.
const DISTANCE_POINTS: i32 = 20;
/// Points for each alternative that a cheapest path has at each of its steps.
const WIDTH_POINTS: i32 = 4;
/// Points for each stone on the board: a tie break.
const STONE_POINTS: i32 = 2;

/// A board as one player's paths see it: the cells of each cost, from 0.
type Ground = [RhombusSet; DEAREST + 1];

/// The cells within each cost of one side.
struct Waves {
    /// The cells within each cost; filled up to `distance`.
    reached: [RhombusSet; FARTHEST + 1],
    /// The cost of reaching the other side.
    distance: usize,
}

impl Waves {
    /// Spreads from the cells of one side until a cell of the other is reached.
    fn spread(ground: &Ground, from: RhombusSet, to: RhombusSet) -> Self {
        let mut reached = [RhombusSet::EMPTY; FARTHEST + 1];
        // The cells that can be entered from what has been reached at each cost.
        let mut open = [RhombusSet::EMPTY; FARTHEST + 1];
        for cost in 0..=FARTHEST {
            let mut now = if cost == 0 { RhombusSet::EMPTY } else { reached[cost - 1] };
            for (price, &cells) in ground.iter().enumerate().take(cost + 1).skip(1) {
                now |= cells & open[cost - price];
            }
            // A first step from outside the board costs what the cell costs.
            if let Some(&cells) = ground.get(cost) {
                now |= cells & from;
            }
            loop {
                open[cost] = now.neighbours();
                let free = open[cost] & ground[0] & !now;
                if free.is_empty() {
                    break;
                }
                now |= free;
            }
            reached[cost] = now;
            if !(now & to).is_empty() {
                return Self { reached, distance: cost };
            }
        }
        Self { reached, distance: FARTHEST }
    }
}

/// The distance between two sides, and the number of empty cells on paths of this cost.
fn distance_and_width(ground: &Ground, sides: [RhombusSet; 2]) -> (usize, usize) {
    let near = Waves::spread(ground, sides[0], sides[1]);
    let far = Waves::spread(ground, sides[1], sides[0]);
    let distance = near.distance;
    let on_path = |cost: usize| {
        // Both costs include the cell itself.
        let first_reached = near.reached[cost] & !near.reached[cost - 1];
        (first_reached & far.reached[distance + STONE - cost] & ground[STONE]).count()
    };
    (distance, (STONE..=distance).map(on_path).sum())
}

fn cachex_ground(game: &Cachex, player: Player) -> Ground {
    let enemy = player.opponent();
    let (own, threatened) = (game.stones(player), game.capturable(enemy));
    let to_move = game.to_move() == player;
    let mut ground = [RhombusSet::EMPTY; DEAREST + 1];
    // Whoever is to move can save his threatened stones.
    ground[0] = if to_move { own } else { own & !threatened };
    ground[1] = if to_move { RhombusSet::EMPTY } else { threatened };
    ground[STONE] = !(own | game.stones(enemy)) & RhombusSet::full(game.size());
    // One capture takes two stones off and leaves a stone nearby, so it is cheaper than a stone
    // and a stone; but while the enemy is to move it is only a threat.
    ground[if to_move { 3 } else { 4 }] = game.capturable(player);
    ground
}

impl ConnectionScore for Cachex {
    fn connection_score(&self) -> i32 {
        let n = self.size();
        let judge = |player: Player| {
            let sides = match player {
                Player::First => [RhombusSet::row(n, 0), RhombusSet::row(n, n - 1)],
                Player::Second => [RhombusSet::column(n, 0), RhombusSet::column(n, n - 1)],
            };
            let (distance, width) = distance_and_width(&cachex_ground(self, player), sides);
            let alternatives = WIDTH_POINTS * (STONE * width) as i32 / distance.max(1) as i32;
            let stones = STONE_POINTS * self.stones(player).count() as i32;
            alternatives + stones - DISTANCE_POINTS * distance as i32
        };
        judge(self.to_move()) - judge(self.to_move().opponent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{NO_CELL, rhombus};
    use crate::games::play_named;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn position(size: usize, moves: &str) -> Cachex {
        let mut game = Cachex::new(size).unwrap();
        for text in moves.split_whitespace() {
            play_named(&mut game, text).unwrap();
        }
        game
    }

    fn measured(game: &Cachex, player: Player) -> (usize, usize) {
        let (n, last) = (game.size(), game.size() - 1);
        let sides = match player {
            Player::First => [RhombusSet::row(n, 0), RhombusSet::row(n, last)],
            Player::Second => [RhombusSet::column(n, 0), RhombusSet::column(n, last)],
        };
        distance_and_width(&cachex_ground(game, player), sides)
    }

    #[test]
    fn distances_by_hand() {
        // Every way down an empty board takes three stones, and every cell is on one.
        assert_eq!(measured(&position(3, ""), Player::First), (6, 9));
        // Red at a1 saves one stone. The only step down from there is a2 (the other would leave the
        // board), then a3.
        assert_eq!(measured(&position(3, "a1"), Player::First), (4, 2));
        // Blue's paths of three stones can use any other cell.
        assert_eq!(measured(&position(3, "a1"), Player::Second), (6, 8));
    }

    #[test]
    fn captures_change_distances() {
        // Blue's b2 and c2 lie side by side; the tips of their diamond are b3, which is Red's, and
        // c1, where Red can close it.
        let game = position(4, "b3 b2 a4 c2");
        assert_eq!(game.to_move(), Player::First);
        assert_eq!(game.capturable(Player::First).count(), 2);
        // With Red to move Blue's two stones cost half a stone each, and two more are needed.
        assert_eq!(measured(&game, Player::Second).0, 6);
        let mut saved = game.clone();
        play_named(&mut saved, "d4").unwrap();
        // Now Blue is to move and can save them.
        assert_eq!(measured(&saved, Player::Second).0, 4);
    }

    #[test]
    fn distances_agree_with_relaxation() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for trial in 0..300 {
            let n = 3 + trial % 7;
            let prices: Vec<usize> = (0..n * n).map(|_| rng.random_range(0..=DEAREST)).collect();
            let mut ground = [RhombusSet::EMPTY; DEAREST + 1];
            prices.iter().enumerate().for_each(|(cell, &price)| ground[price].insert(cell / n, cell % n));
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
            let on_path = |&cell: &usize| prices[cell] == STONE && near[cell] + far[cell] == distance + STONE;
            let width = (0..n * n).filter(on_path).count();
            let sides = [RhombusSet::row(n, 0), RhombusSet::row(n, n - 1)];
            assert_eq!(distance_and_width(&ground, sides), (distance, width), "{n}: {prices:?}");
        }
    }
}
