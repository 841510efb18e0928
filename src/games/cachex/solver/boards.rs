//! Boards as numbers.

use crate::board::{NO_CELL, Topology, rhombus};

use super::diamonds::{Diamonds, Mask};

/// Cells whose digits are decoded by one look into a table.
const LOW_CELLS: usize = 8;
/// The number of boards with this many cells.
pub(super) const LOW_BOARDS: usize = 3usize.pow(LOW_CELLS as u32);

/// Numbers the boards of one size. A board is seen by the player to move, who joins the first row with
/// the last: cell `i` is the digit of 3^i, 0 for none, 1 for an own stone, 2 for the enemy's.
#[derive(Debug)]
pub(super) struct Boards {
    cells: usize,
    pub(super) diamonds: Diamonds,
    /// For each board of [`LOW_CELLS`] cells its stones, own and enemy.
    decoded: Vec<(Mask, Mask)>,
    /// The number of a set of own stones: low byte, high byte.
    ternary: [[u32; 256]; 2],
    /// The same for the other player, who sees the board transposed.
    transposed: [[u32; 256]; 2],
    /// For each set of stones whether it joins the first and the last row (bit 0), or column (bit 1).
    joined: Vec<u8>,
}

impl Boards {
    pub(super) fn new(side: usize) -> Self {
        let around = neighbours(rhombus(side));
        let cells = around.len();
        let digits = |half: usize, cell_of: &dyn Fn(usize) -> usize| {
            let digit = |bit: usize| {
                let cell = half * LOW_CELLS + bit;
                if cell < cells { 3u32.pow(cell_of(cell) as u32) } else { 0 }
            };
            std::array::from_fn(|byte| (0..LOW_CELLS).filter(|bit| byte >> bit & 1 != 0).map(digit).sum())
        };
        let straight = |cell: usize| cell;
        let across = |cell: usize| cell % side * side + cell / side;
        Self {
            cells,
            diamonds: Diamonds::new(&around),
            decoded: (0..LOW_BOARDS).map(decode).collect(),
            ternary: [0, 1].map(|half| digits(half, &straight)),
            transposed: [0, 1].map(|half| digits(half, &across)),
            joined: joined_sides(&around, side),
        }
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// The number of boards.
    pub(super) fn count(&self) -> usize {
        3usize.pow(self.cells as u32)
    }

    /// All cells.
    pub(super) fn full(&self) -> Mask {
        ((1u32 << self.cells) - 1) as Mask
    }

    /// The number of the board with these stones.
    #[inline]
    pub(super) fn index(&self, own: Mask, enemy: Mask) -> usize {
        (number(&self.ternary, own) + 2 * number(&self.ternary, enemy)) as usize
    }

    /// The number of the board with these stones to the player who sees it transposed, the enemy.
    #[inline]
    pub(super) fn index_to_enemy(&self, own: Mask, enemy: Mask) -> usize {
        (number(&self.transposed, enemy) + 2 * number(&self.transposed, own)) as usize
    }

    /// The stones of a board, own and enemy, by the parts of its number.
    #[inline]
    pub(super) fn stones(&self, high: usize, low: usize) -> (Mask, Mask) {
        let (above, below) = (self.decoded[high], self.decoded[low]);
        (above.0 << LOW_CELLS | below.0, above.1 << LOW_CELLS | below.1)
    }

    /// Returns true if the stones of the player to move join their sides.
    #[inline]
    pub(super) fn own_joined(&self, own: Mask) -> bool {
        self.joined[own as usize] & 1 != 0
    }

    /// Returns true if the stones of the other player join theirs.
    #[inline]
    pub(super) fn enemy_joined(&self, enemy: Mask) -> bool {
        self.joined[enemy as usize] & 2 != 0
    }
}

#[inline]
fn number(digits: &[[u32; 256]; 2], stones: Mask) -> u32 {
    digits[0][stones as usize & 255] + digits[1][stones as usize >> 8]
}

fn decode(mut number: usize) -> (Mask, Mask) {
    let (mut own, mut enemy) = (0, 0);
    for bit in 0..LOW_CELLS {
        match number % 3 {
            0 => {}
            1 => own |= 1 << bit,
            _ => enemy |= 1 << bit,
        }
        number /= 3;
    }
    (own, enemy)
}

/// The neighbours of each cell.
fn neighbours(board: &Topology) -> Vec<Mask> {
    let set = |slots: &[u16]| slots.iter().filter(|&&other| other != NO_CELL).fold(0, |mask, &other| mask | 1 << other);
    board.neighbours().iter().map(|slots| set(slots)).collect()
}

/// Computes the sides that each set of stones joins, by flooding from one to the other.
fn joined_sides(around: &[Mask], side: usize) -> Vec<u8> {
    let set = |holds: &dyn Fn(usize) -> bool| {
        (0..around.len()).filter(|&cell| holds(cell)).fold(0, |mask: Mask, cell| mask | 1 << cell)
    };
    let sides = [
        (set(&|cell| cell / side == 0), set(&|cell| cell / side == side - 1)),
        (set(&|cell| cell % side == 0), set(&|cell| cell % side == side - 1)),
    ];
    let joins = |stones: Mask, (from, to): (Mask, Mask)| {
        let (mut reached, mut frontier) = (from & stones, from & stones);
        while frontier != 0 {
            let cell = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let new = around[cell] & stones & !reached;
            reached |= new;
            frontier |= new;
        }
        reached & to != 0
    };
    let bits = |stones: u32| {
        let stones = stones as Mask;
        u8::from(joins(stones, sides[0])) | u8::from(joins(stones, sides[1])) << 1
    };
    (0..1u32 << around.len()).map(bits).collect()
}
