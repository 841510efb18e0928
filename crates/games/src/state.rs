//! Positions without their history, as numbers that identify them to exact solvers.

use crate::{Position, Seat, Transform};

/// The most cells of a board whose positions have a state.
const MAX_CELLS: usize = 56;
/// The bits of the cells of the largest board.
const MAX_BITS: u32 = 2 * MAX_CELLS as u32;
/// Bits of a key below those of the cells: the marked cell, the colour and the flags, or else the turns. The side to
/// move is the lowest bit.
const MARK_BITS: u32 = 6;
const COLOUR_BITS: u32 = 2;
const FLAG_BITS: u32 = 5;
const TURN_BITS: u32 = 8;

/// A position without its history: two positions with equal states have the same legal actions and the same future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The cells after a leading 1 bit, the last cell in the lowest bits: 0 if empty, else 1 + the number of the
    /// stone's owner or kind.
    stones: u128,
    cells: usize,
    /// Bits of each cell.
    width: u32,
    /// Kinds below this number belong to the first and the second seat alternately.
    owned_kinds: u8,
    /// Whether an exchange of the seats exchanges the stones too.
    owned: bool,
    to_move: Seat,
    marked: Option<usize>,
    colour: Option<u8>,
    flags: u8,
    /// The plies played, where they matter; in a key they take the place of the mark, the colour and the flags.
    turns: Option<u8>,
}

impl State {
    /// Describes a board of stones with owners, or returns `None` if it is too large.
    pub fn of_owners(cells: usize, to_move: Seat, owner: impl Fn(usize) -> Option<Seat>) -> Option<Self> {
        Self::new(cells, to_move, true, |cell| owner(cell).map(|owner| owner.index() as u8))
    }

    /// Describes a board of stones of up to three kinds, or returns `None` if it is too large. If they are `owned`, the
    /// first two kinds are those of the seats.
    pub fn new(cells: usize, to_move: Seat, owned: bool, kind: impl Fn(usize) -> Option<u8>) -> Option<Self> {
        Some(Self { owned, ..Self::of_kinds(cells, to_move, 2, kind)? })
    }

    /// Describes a board of stacks of at most the height `highest`, after this many turns, which are part of the state.
    /// Returns `None` if the board is too large.
    pub fn of_stacks(
        cells: usize,
        to_move: Seat,
        highest: u8,
        turns: u16,
        stack: impl Fn(usize) -> Option<(Seat, u8)>,
    ) -> Option<Self> {
        let kind = |cell| stack(cell).map(|(owner, height)| 2 * (height - 1) + owner.index() as u8);
        let turns = Some(u8::try_from(turns).ok()?);
        Some(Self { turns, ..Self::of_kinds(cells, to_move, 2 * highest, kind)? })
    }

    /// Describes a board of stones whose kinds below `owned_kinds` have owners, and at most one kind without.
    fn of_kinds(cells: usize, to_move: Seat, owned_kinds: u8, kind: impl Fn(usize) -> Option<u8>) -> Option<Self> {
        let width = u8::BITS - owned_kinds.leading_zeros();
        if cells as u32 * width > MAX_BITS {
            return None;
        }
        let digit = |cell| kind(cell).map_or(0, |kind| 1 + u128::from(kind));
        let stones: u128 = (0..cells).fold(1, |stones, cell| stones << width | digit(cell));
        let (marked, colour, flags, turns) = (None, None, 0, None);
        Some(Self { stones, cells, width, owned_kinds, owned: true, to_move, marked, colour, flags, turns })
    }

    /// Sets a cell that matters for the rest of the turn.
    pub fn with_marked(self, marked: Option<usize>) -> Self {
        Self { marked, ..self }
    }

    /// Sets a kind of stones that matters for the rest of the turn.
    pub fn with_colour(self, colour: Option<u8>) -> Self {
        Self { colour, ..self }
    }

    /// Sets up to five flags that mean the same in the frames of both seats.
    pub fn with_flags(self, flags: &[bool]) -> Self {
        Self { flags: flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u8::from(flag)), ..self }
    }

    /// Returns a number that no other state of the board has.
    pub fn key(&self) -> u128 {
        self.packed(self.stones, self.marked, self.colour) << 1 | self.to_move.index() as u128
    }

    fn packed(&self, stones: u128, marked: Option<usize>, colour: Option<u8>) -> u128 {
        let marked = marked.map_or(0, |cell| 1 + cell as u128);
        let colour = colour.map_or(0, |colour| 1 + u128::from(colour));
        match self.turns {
            Some(turns) => stones << TURN_BITS | u128::from(turns),
            None => ((stones << MARK_BITS | marked) << COLOUR_BITS | colour) << FLAG_BITS | u128::from(self.flags),
        }
    }

    /// Returns the key under a symmetry of the mover's frame, without the side to move.
    fn seen(&self, frame: &Transform, symmetry: &Transform) -> u128 {
        let cell = |cell: usize| symmetry.cells.apply(frame.cells.apply(cell));
        // The first two input planes are those of the first two kinds of stones.
        let exchanges = symmetry.inputs.apply(0) == 1 || self.owned && self.to_move == Seat::Second;
        let kind = |kind: u8| if exchanges && kind < self.owned_kinds { kind ^ 1 } else { kind };
        let (width, digits) = (self.width as usize, (1 << self.width) - 1);
        let last = width * (self.cells - 1);
        let mut stones = 1 << (last + width);
        for from in 0..self.cells {
            let digit = (self.stones >> (last - width * from)) as u8 & digits;
            if digit > 0 {
                stones |= u128::from(1 + kind(digit - 1)) << (last - width * cell(from));
            }
        }
        self.packed(stones, self.marked.map(cell), self.colour.map(kind))
    }
}

impl Position {
    /// Returns a number of at most 127 bits that positions without a history share only if they are equal up to a
    /// symmetry, an exchange of the seats included. `None` if the game or the board has no [`State`].
    pub fn canonical_key(&self) -> Option<u128> {
        let (state, frame) = (self.state()?, self.frame());
        self.game_board().symmetries().iter().map(|symmetry| state.seen(frame, symmetry)).min()
    }
}
