//! Boards as graphs of links between cells.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::{NetworkView, Seat, Transform};
use hexzero_board::{Board, DIRECTIONS, NO_CELL, Place, Point, Shape, Side, Symmetry};

/// The number of planes before those of the sides: own, enemy, empty.
const PLAIN_PLANES: usize = 3;

/// The links between cells, and the sides that cells lie on, for each player. Everything follows
/// from the board's layout: cells are linked to their neighbours, crossings to those whose line
/// ends in the same dot. A side belongs to one player or to both. A chain that touches all of its
/// player's sides of a board has won that board; several boards side by side are won separately.
pub struct Links {
    board: &'static Board,
    cells: Vec<Cell>,
    parts: Vec<Part>,
    /// The board as each seat sees it.
    frames: [&'static Symmetry; 2],
    /// For each side, the index of the first of its planes of connected stones: one plane, or two
    /// (own and enemy) if the side belongs to both players.
    joined_planes: Vec<usize>,
    /// The planes of cells where a stone would complete an own chain and an enemy chain.
    pub(super) completing_planes: [usize; 2],
}

/// The role of a cell for each seat.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub neighbours: [[u16; DIRECTIONS]; 2],
    /// The seat's sides that the cell lies on: a bit for each side of the cell's part.
    pub sides: [u8; 2],
    /// All sides of the seat in the cell's part.
    pub goals: [u8; 2],
    /// All sides that the cell lies on, of either player.
    pub touches: u8,
    pub part: u8,
}

/// One of several boards side by side.
#[derive(Debug)]
struct Part {
    cells: Range<usize>,
    first_side: usize,
}

impl fmt::Debug for Links {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Links({:?})", self.board.shape())
    }
}

impl Links {
    /// Returns the links of a shape, built once and shared.
    ///
    /// # Panics
    /// If the shape is not possible in this size, or a part of it has no sides or more than 8.
    pub fn of(shape: &Shape) -> &'static Self {
        static LINKS: LazyLock<RwLock<HashMap<Shape, &'static Links>>> = LazyLock::new(RwLock::default);
        let known = LINKS.read().unwrap_or_else(PoisonError::into_inner).get(shape).copied();
        known.unwrap_or_else(|| {
            let links = Self::new(Board::of(shape));
            let mut all = LINKS.write().unwrap_or_else(PoisonError::into_inner);
            all.entry(shape.clone()).or_insert_with(|| Box::leak(Box::new(links)))
        })
    }

    fn new(board: &'static Board) -> Self {
        let parts = parts(board);
        let cell = |number: usize| {
            let part = board.part_of_cell(number);
            let all = &board.sides()[sides_of(board, &parts, part)];
            let own = |seat: Seat, side: &Side| side.owner.is_none_or(|owner| usize::from(owner) == seat.index());
            let here = |side: &Side| side.places.contains(&(number as u16));
            Cell {
                neighbours: Seat::BOTH.map(|seat| neighbours(board, seat, number)),
                sides: Seat::BOTH.map(|seat| bits_of(all, |side| own(seat, side) && here(side))),
                goals: Seat::BOTH.map(|seat| bits_of(all, |side| own(seat, side))),
                touches: bits_of(all, here),
                part: part as u8,
            }
        };
        let mut planes = PLAIN_PLANES + board.sides().len();
        let joined = |side: &Side| {
            let first = planes;
            planes += if side.owner.is_some() { 1 } else { 2 };
            first
        };
        let joined_planes = board.sides().iter().map(joined).collect();
        Self {
            board,
            cells: (0..board.topology().cells()).map(cell).collect(),
            parts,
            frames: [&board.symmetries()[0], second_frame(board)],
            joined_planes,
            completing_planes: [planes, planes + 1],
        }
    }

    /// Returns the board as it is drawn.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    #[inline]
    pub(super) fn cell(&self, number: usize) -> &Cell {
        &self.cells[number]
    }

    /// Returns the cells of one of several boards side by side.
    #[inline]
    pub fn part(&self, part: usize) -> Range<usize> {
        self.parts[part].cells.clone()
    }

    /// Returns the index of the board that a cell belongs to, if there are several side by side.
    #[inline]
    pub fn part_of(&self, cell: usize) -> usize {
        self.cells[cell].part as usize
    }

    /// Returns true if, at a crossing of the mover's frame, the mover's line runs up and down and
    /// the enemy's across.
    pub fn is_upright(&self, cell: usize) -> bool {
        let line = self.board.places()[cell].lines[0];
        line.is_some_and(|[one, other]| (one[0] - other[0]).abs() < 0.1)
    }

    /// Returns the index of a cell in a seat's frame.
    #[inline]
    pub fn in_frame_of(&self, seat: Seat, cell: usize) -> usize {
        self.frames[seat.index()].cells.apply(cell)
    }

    /// Returns two planes for a side of a part, given as a bit, in a seat's frame: that of the
    /// cells on it, and that of the stones connected to it.
    #[inline]
    pub(super) fn side_planes(&self, frame: Seat, part: u8, bit: usize, owner: Seat) -> [usize; 2] {
        let side = self.parts[part as usize].first_side + bit;
        let seen = self.frames[frame.index()].sides.apply(side);
        let is_shared = self.board.sides()[side].owner.is_none();
        [PLAIN_PLANES + seen, self.joined_planes[seen] + usize::from(is_shared && owner != frame)]
    }

    /// Returns the number of planes that [`super::Stones::encode`] writes. A game's own planes
    /// follow them.
    #[inline]
    pub fn planes(&self) -> usize {
        self.completing_planes[1] + 1
    }

    /// Returns the frames of the two seats. The second seat sees its own sides where the first sees
    /// its own.
    pub fn frames(&self, view: &NetworkView) -> Vec<Transform> {
        self.frames.iter().map(|frame| Transform::of(frame, view)).collect()
    }

    /// Returns all symmetries that keep each player's sides and leave each of several boards in its
    /// place.
    pub fn symmetries(&self, view: &NetworkView) -> Vec<Transform> {
        let stays = |symmetry: &&Symmetry| {
            let keeps = |part: &Part| part.cells.contains(&symmetry.cells.apply(part.cells.start));
            self.board.keeps_owners(symmetry) && self.parts.iter().all(keeps)
        };
        let transform =
            |symmetry: &Symmetry| Transform::of(symmetry, view).with_inputs(|plane| self.plane_under(symmetry, plane));
        self.board.symmetries().iter().filter(stays).map(transform).collect()
    }

    /// Returns the image of a plane: planes of sides are permuted with the sides.
    fn plane_under(&self, symmetry: &Symmetry, plane: usize) -> usize {
        let sides = self.joined_planes.len();
        if plane < PLAIN_PLANES || plane >= self.completing_planes[0] {
            plane
        } else if plane < PLAIN_PLANES + sides {
            PLAIN_PLANES + symmetry.sides.apply(plane - PLAIN_PLANES)
        } else {
            let side = self.joined_planes.partition_point(|&first| first <= plane) - 1;
            self.joined_planes[symmetry.sides.apply(side)] + plane - self.joined_planes[side]
        }
    }
}

/// Returns the boards that stand side by side.
fn parts(board: &Board) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for cell in 0..board.topology().cells() {
        if board.part_of_cell(cell) == parts.len() {
            let on =
                |side: &Side| side.places.first().is_some_and(|&place| board.part_of_cell(place.into()) == parts.len());
            let first_side = board.sides().iter().position(on).expect("every board has sides");
            parts.push(Part { cells: cell..cell, first_side });
        }
        let last = parts.last_mut().expect("parts follow each other");
        last.cells.end = cell + 1;
    }
    parts
}

/// Returns the sides of a part, by number.
fn sides_of(board: &Board, parts: &[Part], part: usize) -> Range<usize> {
    let end = parts.get(part + 1).map_or(board.sides().len(), |next| next.first_side);
    let sides = parts[part].first_side..end;
    assert!(sides.len() <= u8::BITS as usize, "a bit for each side");
    sides
}

/// Returns a bit mask of those sides that satisfy a condition.
fn bits_of(sides: &[Side], is_meant: impl Fn(&Side) -> bool) -> u8 {
    sides.iter().enumerate().fold(0, |bits, (bit, side)| bits | u8::from(is_meant(side)) << bit)
}

/// Returns the cells that are linked to a cell if both hold stones of a seat.
fn neighbours(board: &Board, seat: Seat, cell: usize) -> [u16; DIRECTIONS] {
    let line = |place: &Place| place.lines[seat.index()];
    let Some(own) = line(&board.places()[cell]) else {
        return board.topology().neighbours()[cell];
    };
    let near = |a: Point, b: Point| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.1;
    let meets = |other: [Point; 2]| own.iter().any(|&end| other.iter().any(|&there| near(end, there)));
    let others = board.places().iter().enumerate().filter(|&(number, _)| number != cell);
    let mut joined = others.filter(|(_, place)| line(place).is_some_and(meets)).map(|(number, _)| number as u16);
    // At each of its ends a line meets three others.
    std::array::from_fn(|_| joined.next().unwrap_or(NO_CELL))
}

/// Returns the symmetry that exchanges the players and turns as few boards as possible, or the
/// identity if all sides belong to both players.
fn second_frame(board: &'static Board) -> &'static Symmetry {
    let sides = board.sides();
    let exchanges = |symmetry: &&Symmetry| {
        let image = |side: usize| sides[symmetry.sides.apply(side)].owner;
        (0..sides.len()).all(|side| sides[side].owner.map(|owner| 1 - owner) == image(side))
    };
    let identity = &board.symmetries()[0].directions[0];
    let turned = |symmetry: &&Symmetry| symmetry.directions.iter().filter(|turn| *turn != identity).count();
    let found = board.symmetries().iter().filter(exchanges).min_by_key(turned);
    found.expect("the players' sides are alike")
}
