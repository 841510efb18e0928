//! Exact values on the smallest board: the margin of every position.
//!
//! A position is given by which of the twelve inner edges are filled, and by how many of the three
//! rim edges of each outer cell: 2¹² × 4⁶ positions, about 17 million, a byte each. The cells still
//! to be won with best play depend on nothing else, and every game has the same number of plies.

use crate::{Position, Solution, Solver, Verdict};

use super::HexiFence;
use super::geometry::{Geometry, NONE};

/// The board that is solved.
const SIDE: usize = 2;
/// The layout of a position's index: the bits of the inner edges, then two bits for each outer
/// cell.
const INNER: usize = 12;
const BITS: usize = INNER + 2 * 6;

pub(super) const SOLVER: Solver = Solver { sizes: SIDE..=SIDE, solve: |_| Box::new(Margins::new()) };

/// The capture margin of the side to move, in cells, for each position.
struct Margins {
    /// The number that filling each edge adds to a position's index.
    steps: Vec<u32>,
    margins: Vec<i8>,
}

/// Returns the number that filling each edge adds to a position's index, and for each cell the bits
/// that are set when all its edges are filled.
fn numbering(geometry: &Geometry) -> (Vec<u32>, Vec<u32>) {
    let mut cells = vec![0u32; geometry.cells.len()];
    let (mut inner, mut outer) = (0, 0);
    let mut steps = Vec::new();
    for edge in &geometry.edges {
        let [one, other] = edge.cells;
        steps.push(if one != NONE && other != NONE {
            let bit = 1 << inner;
            inner += 1;
            cells[usize::from(one)] |= bit;
            cells[usize::from(other)] |= bit;
            bit
        } else {
            let cell = &mut cells[usize::from(one.min(other))];
            if *cell >> INNER == 0 {
                *cell |= 0b11 << (INNER + 2 * outer);
                outer += 1;
            }
            // The lower of the two bits that count the cell's rim edges.
            1u32 << (*cell >> INNER).trailing_zeros() << INNER
        });
    }
    (steps, cells)
}

impl Margins {
    fn new() -> Self {
        let (steps, all_filled) = numbering(Geometry::of(SIDE));
        // The number that a move adds, the bits that are all set when it is no longer possible, and
        // the cells it may complete.
        let inner = (0..INNER).map(|bit| (1 << bit, 1 << bit));
        let outer = (INNER..BITS).step_by(2).map(|bit| (1 << bit, 0b11 << bit));
        let with_cells = |(step, field): (u32, u32)| {
            let mut cells = all_filled.iter().copied().filter(|cell| cell & field != 0);
            (step, field, [cells.next(), cells.next()].map(|cell| cell.unwrap_or(u32::MAX)))
        };
        let moves: Vec<(u32, u32, [u32; 2])> = inner.chain(outer).map(with_cells).collect();
        let mut margins = vec![0i8; 1 << BITS];
        // Filling an edge leads to a greater index, so work downwards.
        for number in (0..margins.len() as u32 - 1).rev() {
            let mut best = i8::MIN;
            for &(step, field, cells) in &moves {
                if number & field == field {
                    continue;
                }
                let next = number + step;
                let rest = margins[next as usize];
                let gain = cells.iter().filter(|&&cell| next & cell == cell && number & cell != cell).count() as i8;
                best = best.max(if gain > 0 { gain + rest } else { -rest });
            }
            margins[number as usize] = best;
        }
        Self { steps, margins }
    }

    /// Returns the index of a position.
    fn number(&self, position: &HexiFence) -> usize {
        let filled = self.steps.iter().zip(&position.edges).filter(|(_, owner)| owner.is_some());
        filled.map(|(step, _)| *step as usize).sum()
    }

    /// Returns the final margin of the side to move under perfect play.
    fn margin(&self, position: &HexiFence) -> i32 {
        position.lead(position.to_move) + i32::from(self.margins[self.number(position)])
    }
}

impl Solution for Margins {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let rules = position.rules::<HexiFence>().filter(|rules| usize::from(rules.side) == SIDE);
        let rules = rules.expect("a position of HexiFence on the board that is solved");
        // The number of cells is odd, so there is no draw, and every game fills all edges.
        let winner = if self.margin(rules) > 0 { rules.to_move } else { rules.to_move.opponent() };
        Some(Verdict { winner: Some(winner), plies: Some(rules.empty_edges().len() as u8) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, GameRng, Rules, Seat, Value};

    /// Sets of filled edges, as bits in the order of the edges on the grid, and the margin among
    /// the cells still to be captured, from a table of all 2³⁰ sets that another program computed.
    const KNOWN: [(u32, i8); 14] = [
        (0x1ffbf71f, 6),
        (0x15280c41, 3),
        (0x3fdff9ff, 5),
        (0x3f7ff5bf, 5),
        (0x39efffff, 3),
        (0x3fbbffdb, 5),
        (0x3f77aff7, 5),
        (0x2f6ffe92, 2),
        (0x1444110, -3),
        (0x3ff79139, 4),
        (0x37df97e7, 7),
        (0x3fdc7dbf, 6),
        (0x170f53e8, 3),
        (0x3342fefe, 6),
    ];

    #[test]
    fn margins_are_those_of_another_program() {
        let solution = Margins::new();
        let geometry = Geometry::of(SIDE);
        for (filled, expected) in KNOWN {
            let mut rules = HexiFence::new(SIDE);
            for place in (0..geometry.edges.len()).filter(|place| filled >> place & 1 == 1) {
                rules.edges[usize::from(geometry.edge_of_place[place])] = Some(Seat::First);
            }
            assert_eq!(solution.margins[solution.number(&rules)], expected, "{filled:#x}");
        }
        let start = Game::new::<HexiFence>().start(SIDE).unwrap();
        let solved: &dyn Solution = &solution;
        assert_eq!(solution.margin(&HexiFence::new(SIDE)), -3, "the second player captures five of seven cells");
        assert_eq!(solved.value(&start), Some(Value::Loss(Some(30))));
        assert!(solved.moves(&start).iter().all(|&(_, value)| value == Value::Loss(Some(30))));
    }

    /// Checks that the heuristic names the winner most of the time.
    #[test]
    fn heuristic_has_the_sign_of_the_margin() {
        let solution = Margins::new();
        let mut rng = <GameRng as rand::SeedableRng>::seed_from_u64(3);
        let (mut agree, mut all) = (0, 0);
        for _ in 0..200 {
            let mut rules = HexiFence::new(SIDE);
            while let Some(action) = rules.random_action(&mut rng) {
                let points = rules.heuristic().unwrap();
                assert!(points.abs() < 100_000);
                agree += u32::from(points.signum() == solution.margin(&rules).signum());
                all += 1;
                rules.play(action, &mut ());
            }
        }
        assert!(5 * agree > 4 * all, "{agree} of {all}");
    }
}
