//! A board: its topology for the network, its places for people, and its symmetries.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::layout::{self, bounds};
use crate::{
    Bounds, Decoration, Layout, Parts, Place, Point, RimLabel, Shape, Side, Symmetry, TextLayout, TextScale, Topology,
    VertexError, parse_cell,
};

/// A board of one shape and size. Independent of games.
///
/// Network cells are numbered from 0 and have six neighbour slots each ([`Board::topology`]). Places are numbered from
/// 0 too: on most boards a place has the number of its cell; where edges are played the edges come first, then the
/// cells.
#[derive(Debug)]
pub struct Board {
    shape: Shape,
    pub(super) parts: Parts,
    /// For each network cell, the index of the part it belongs to, if the board has several parts.
    part_of_cell: Vec<u8>,
    by_label: HashMap<String, u16>,
    by_slot: HashMap<(u8, u16), u16>,
    bounds: Bounds,
    text: TextLayout,
}

impl Board {
    /// Returns the board of a shape. Each board is built once and shared.
    ///
    /// # Panics
    /// If the shape is not possible, see [`Shape::is_possible`], or two of its places have the same name.
    pub fn of(shape: &Shape) -> &'static Self {
        static BOARDS: LazyLock<RwLock<HashMap<Shape, &'static Board>>> = LazyLock::new(RwLock::default);
        let known = BOARDS.read().unwrap_or_else(PoisonError::into_inner).get(shape).copied();
        known.unwrap_or_else(|| {
            assert!(shape.is_possible(), "there is no board {shape:?}");
            // Built without holding the lock, because a board of several parts asks for each of its
            // parts.
            let board = Self::new(shape);
            let mut boards = BOARDS.write().unwrap_or_else(PoisonError::into_inner);
            boards.entry(shape.clone()).or_insert_with(|| Box::leak(Box::new(board)))
        })
    }

    fn new(shape: &Shape) -> Self {
        let mut parts = shape.parts();
        let arrows = parts.arrows.take().unwrap_or_else(|| {
            let mut arrows = layout::to_nearest(&parts.places);
            layout::by_rows(&parts.places, &mut arrows);
            arrows
        });
        parts.places.iter_mut().zip(arrows).for_each(|(place, arrows)| place.arrows = arrows);
        let mut part_of_cell = vec![0; parts.topology.cells()];
        let (mut by_label, mut by_slot) = (HashMap::new(), HashMap::new());
        for (place, number) in parts.places.iter().zip(0u16..) {
            let doubled = by_label.insert(place.label.to_ascii_lowercase(), number);
            assert!(doubled.is_none(), "two places are called {}", place.label);
            by_slot.extend(place.slot.map(|slot| ((slot.plane, slot.cell), number)));
            for cell in place.cell.into_iter().chain(place.slot.map(|slot| slot.cell)) {
                part_of_cell[cell as usize] = place.part;
            }
        }
        let (bounds, text) = (bounds(&parts), parts.text.layout(TextScale::default()));
        Self { shape: shape.clone(), parts, part_of_cell, by_label, by_slot, bounds, text }
    }

    /// Returns the shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the network's cells and their neighbours.
    pub fn topology(&self) -> &Topology {
        &self.parts.topology
    }

    /// Returns all places.
    pub fn places(&self) -> &[Place] {
        &self.parts.places
    }

    /// Returns the name of a place in move notation.
    pub fn label(&self, place: usize) -> &str {
        &self.places()[place].label
    }

    /// Returns the numbers of the places that moves may name.
    pub fn playable(&self) -> impl Iterator<Item = usize> {
        self.places().iter().enumerate().filter(|(_, place)| place.playable).map(|(number, _)| number)
    }

    /// Returns the place that an output of the network belongs to, or `None`.
    pub fn place_of_slot(&self, plane: usize, cell: usize) -> Option<usize> {
        let slot = (u8::try_from(plane).ok()?, u16::try_from(cell).ok()?);
        self.by_slot.get(&slot).map(|&place| place as usize)
    }

    /// Returns the index of the part that a network cell belongs to, if the board has several
    /// parts.
    pub fn part_of_cell(&self, cell: usize) -> usize {
        self.part_of_cell[cell] as usize
    }

    /// Returns the labels of rows and columns.
    pub fn rim(&self) -> &[RimLabel] {
        &self.parts.rim
    }

    /// Returns the sides, by number.
    pub fn sides(&self) -> &[Side] {
        &self.parts.sides
    }

    /// Returns the lines and marks drawn besides the places.
    pub fn decorations(&self) -> &[Decoration] {
        &self.parts.decorations
    }

    /// Returns every way to map the board to itself, identity first. On a rhombus these are the
    /// identity, the half turn, the reflection `(r, q) -> (q, r)`, and the reflection in the other
    /// diagonal.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.parts.symmetries
    }

    /// Returns true if a symmetry takes each owner's sides to sides of the same owner.
    pub fn keeps_owners(&self, symmetry: &Symmetry) -> bool {
        let owner = |side: usize| self.sides()[side].owner;
        (0..self.sides().len()).all(|side| owner(side) == owner(symmetry.sides.apply(side)))
    }

    /// Returns the rectangle around all that is drawn.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Parses the name of a place, ignoring case.
    ///
    /// # Errors
    /// If the text names no place of this board.
    pub fn parse(&self, text: &str) -> Result<usize, VertexError> {
        if let &Shape::Rhombus { side } = self.shape() {
            return parse_cell(side, text);
        }
        self.by_label.get(&text.to_ascii_lowercase()).map(|&place| place as usize).ok_or_else(|| {
            let name =
                |place: Option<usize>| place.map_or_else(String::new, |place| self.places()[place].label.clone());
            let (first, last) = (name(self.playable().next()), name(self.playable().last()));
            VertexError::Unknown { text: text.to_owned(), first, last }
        })
    }

    /// Returns the place under a point of the picture. Where an edge and a cell overlap, the edge
    /// wins.
    pub fn place_at(&self, point: Point) -> Option<usize> {
        let far = |place: &Place| (place.centre[0] - point[0]).hypot(place.centre[1] - point[1]);
        let hit = self.places().iter().enumerate().filter(|(_, place)| place.contains(point));
        let order = |(_, a): &(usize, &Place), (_, b): &(usize, &Place)| {
            b.playable.cmp(&a.playable).then(far(a).total_cmp(&far(b)))
        };
        hit.min_by(order).map(|(number, _)| number)
    }

    /// Returns the text picture with one character for each place.
    pub fn text(&self) -> &TextLayout {
        &self.text
    }

    /// Returns the text picture at another scale.
    pub fn text_with(&self, scale: TextScale) -> TextLayout {
        self.parts.text.layout(scale)
    }

    /// Returns all data for drawing the board, to be sent as JSON.
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            shape: self.shape(),
            bounds: self.bounds,
            places: self.places(),
            rim: self.rim(),
            sides: self.sides(),
            decorations: self.decorations(),
        }
    }
}
