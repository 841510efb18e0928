//! The order of moves by electrical resistance (Anshelevich 2002): a board is a circuit between a player's sides in
//! which the player's stones conduct, empty cells resist and the opponent's stones insulate. Cells that carry much of
//! either player's current matter.

use super::geometry::{Cells, Geometry, bit, members};
use super::stones::Stones;
use crate::guide::Guide;

/// The resistance of half a stone and of half an empty cell.
const STONE: f32 = 0.05;
const EMPTY: f32 = 1.0;

/// Sweeps over the board, and the over-relaxation of each.
const SWEEPS: usize = 40;
const RELAXATION: f32 = 1.6;

/// Computes currents, reusing its memory.
#[derive(Debug, Clone, Default)]
pub struct Resistance {
    voltages: Vec<f32>,
    conductances: Vec<[f32; 6]>,
}

impl Guide for Resistance {
    /// Sets the score of each empty cell to the shares of both players' currents that flow through it.
    fn score(&mut self, board: &Geometry, stones: Stones, scores: &mut [f32; 128]) {
        scores.fill(0.0);
        let mut currents = [0.0; 128];
        // Between both sides, or in Y from each to the others.
        let sources = members(board.sides()[0]).take(if board.is_y() { 3 } else { 1 });
        for near in sources {
            self.currents(board, stones, near, &mut currents);
            members(stones.empty(board)).for_each(|cell| scores[cell] += currents[cell]);
            let other = stones.passed(board);
            self.currents(board, other, near, &mut currents);
            let image = |cell| board.transposed(bit(cell)).trailing_zeros() as usize;
            members(other.empty(board)).for_each(|cell| scores[image(cell)] += currents[cell]);
        }
    }
}

impl Resistance {
    fn currents(&mut self, board: &Geometry, stones: Stones, near: usize, currents: &mut [f32; 128]) {
        let (cells, sides) = (board.cells(), board.sides()[0]);
        let own = stones.own | sides;
        let open: Cells = board.board() & !stones.opponent;
        let half = |at: usize| if own & bit(at) != 0 { STONE } else { EMPTY };
        self.voltages.clear();
        self.voltages.extend((0..cells).map(|cell| 1.0 - (cell / board.size()) as f32 / board.size() as f32));
        self.voltages.resize(128, 0.0);
        self.voltages[near] = 1.0;
        self.conductances.clear();
        for cell in 0..cells {
            let of = |slot: u8| {
                let at = usize::from(slot);
                let conducts = slot < 128 && (open | sides) & bit(at & 127) != 0;
                if conducts { 1.0 / (half(cell) + half(at)) } else { 0.0 }
            };
            self.conductances.push(board.ring(cell).map(of));
        }
        for _ in 0..SWEEPS {
            for cell in members(open) {
                let (mut sum, mut total) = (0.0, 1e-9);
                for (&slot, &conductance) in board.ring(cell).iter().zip(&self.conductances[cell]) {
                    sum += conductance * self.voltages[usize::from(slot & 127)];
                    total += conductance;
                }
                let voltage = &mut self.voltages[cell];
                *voltage += RELAXATION * (sum / total - *voltage);
            }
        }
        currents.fill(0.0);
        let mut all = 1e-9;
        for cell in members(open) {
            let flow = |(&slot, &conductance): (&u8, &f32)| {
                conductance * (self.voltages[cell] - self.voltages[usize::from(slot & 127)]).abs()
            };
            currents[cell] = board.ring(cell).iter().zip(&self.conductances[cell]).map(flow).sum::<f32>() / 2.0;
            if board.neighbours(cell) & bit(near) != 0 {
                all += flow((&(near as u8), &(1.0 / (half(cell) + STONE))));
            }
        }
        currents.iter_mut().for_each(|current| *current /= all);
    }
}
