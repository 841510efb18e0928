//! The visible parts of a board: places to play on, labels around them, sides and decorations.
//!
//! Coordinates: `[x, y]`, y grows downwards. The centres of two neighbouring cells are 2 apart, so that a hexagon's
//! edges lie at distance 1 from its centre.

use serde::Serialize;

use super::topology::DIRECTIONS;

/// A point of the picture, `[x, y]`.
pub type Point = [f32; 2];

/// Makes a point, rounded to four decimals to keep the JSON of a layout short.
pub fn point(x: f64, y: f64) -> Point {
    // Adding zero turns -0 into 0.
    [x, y].map(|part| ((part * 1e4).round() / 1e4 + 0.0) as f32)
}

/// The kind of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaceKind {
    /// A hexagonal cell.
    Cell,
    /// An edge between two cells.
    Edge,
    /// A crossing of a line of one player with a line of the other.
    Crossing,
}

/// The network output that belongs to a place: a plane and a cell in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Slot {
    /// 0 on boards whose cells are played; the orientation of the edge on boards whose edges are
    /// played.
    pub plane: u8,
    /// The network's cell.
    pub cell: u16,
}

/// The places that the arrow keys lead to from a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Arrows {
    /// Targets by direction, in the order of [`STEPS`](super::STEPS): sw, s, e, ne, n, w.
    pub directions: [Option<u16>; DIRECTIONS],
    /// Target in the row above.
    pub up: Option<u16>,
    /// Target in the row below.
    pub down: Option<u16>,
    /// Target within the row, or on the board to the left.
    pub left: Option<u16>,
    /// Target within the row, or on the board to the right.
    pub right: Option<u16>,
}

/// A visible spot of the board that may be clicked.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    /// The name in move notation.
    pub label: String,
    /// The kind of the place.
    pub kind: PlaceKind,
    /// The middle.
    pub centre: Point,
    /// The area as a convex polygon. An edge has a lozenge that reaches into both cells, wide
    /// enough to be clicked.
    pub outline: Vec<Point>,
    /// The line to draw when the first or the second player owns the place: the edge, or a bridge
    /// at a crossing. `None` on cells, which show a stone.
    pub lines: [Option<[Point; 2]>; 2],
    /// True if moves may name this place. Where edges are played, the cells only show an owner.
    pub playable: bool,
    /// The network's cell. For an edge this is the cell of [`Place::slot`].
    pub cell: Option<u16>,
    /// The network output for the place, or `None` if it is not playable.
    pub slot: Option<Slot>,
    /// The index of the place's board, if there are several side by side.
    pub part: u8,
    /// The targets of the arrow keys.
    pub arrows: Arrows,
}

impl Place {
    /// Returns a playable cell or crossing that is also the network's cell with this number.
    pub fn playable(label: String, kind: PlaceKind, centre: Point, outline: Vec<Point>, cell: usize) -> Self {
        let slot = Slot { plane: 0, cell: cell as u16 };
        Self { playable: true, slot: Some(slot), ..Self::shown(label, kind, centre, outline, cell) }
    }

    /// Returns a place that shows something but cannot be played.
    pub fn shown(label: String, kind: PlaceKind, centre: Point, outline: Vec<Point>, cell: usize) -> Self {
        let (cell, slot, lines) = (Some(cell as u16), None, [None; 2]);
        Self { label, kind, centre, outline, lines, playable: false, cell, slot, part: 0, arrows: Arrows::default() }
    }

    /// Returns true if a point lies inside the outline or on it.
    pub fn contains(&self, [x, y]: Point) -> bool {
        let next = self.outline.iter().cycle().skip(1);
        let turns = self.outline.iter().zip(next).map(|(a, b)| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
        let (least, most) = turns.fold((0.0f32, 0.0f32), |(least, most), turn| (least.min(turn), most.max(turn)));
        least > -1e-4 || most < 1e-4
    }
}

/// A label beside the board, on the axis of the row or column that it names.
#[derive(Debug, Clone, Serialize)]
pub struct RimLabel {
    /// The text of the label.
    pub text: String,
    /// The centre of the label, nearer to the row or column it names than to any other.
    pub position: Point,
    /// Unit vector outwards along the axis, for moving large labels out of the way.
    pub outward: Point,
}

/// A side of the board.
#[derive(Debug, Clone, Serialize)]
pub struct Side {
    /// The player who owns the side as a goal, 0 or 1, or `None` if it belongs to both. Games may
    /// choose other colours.
    pub owner: Option<u8>,
    /// The places along the side.
    pub places: Vec<u16>,
    /// The border along the outer edges of the cells.
    pub line: Vec<Point>,
    /// A band beyond the border, to be drawn under the cells, which cover the inner part of it.
    pub band: Vec<Point>,
}

/// A decoration, which cannot be played.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Decoration {
    /// A disc, such as a peg that bridges connect.
    Dot {
        /// The centre of the disc.
        centre: Point,
        /// The radius of the disc.
        radius: f32,
        /// The player who owns the disc, 0 or 1.
        owner: Option<u8>,
    },
    /// A heading, such as the prefix of a board's labels.
    Title {
        /// The text of the heading.
        text: String,
        /// The centre of the heading.
        position: Point,
    },
}

/// The rectangle around a picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// The least x.
    pub left: f32,
    /// The least y.
    pub top: f32,
    /// The extent in x.
    pub width: f32,
    /// The extent in y.
    pub height: f32,
}
