//! The plane of hexagons that most boards are cut from: positions, outlines, borders and symmetries.

use std::collections::HashMap;

use crate::{DIRECTIONS, NO_CELL, Permutation, Place, Point, RimLabel, STEPS, Side, Symmetry, Topology, point};

/// A cell by row and column, or any other point of the lattice.
pub(super) type Axial = (i32, i32);

/// How far the coloured bands of the sides reach beyond the centres of the outermost cells. A
/// hexagon's corner is at 1.155.
const BAND: f64 = 1.36;
/// Distance of rim labels from the outermost centres, in steps. At 1 they would be as near to the
/// next column.
const LABEL: f64 = 0.97;
/// Distance of side labels from the outermost centres, at a right angle to the side.
const SIDE_LABEL: f64 = 1.68;

/// The directions of rows and columns in the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lattice {
    /// One row down.
    row: [f64; 2],
    /// One column to the right.
    column: [f64; 2],
}

/// The lattice with level rows, each half a cell further right than the one above.
pub(super) const LEVEL: Lattice = Lattice { row: [1.0, SQRT_3], column: [2.0, 0.0] };

/// The lattice whose rows rise and whose columns fall: the step (1, 0) leads up and right, (0, 1)
/// down and right, (1, -1) straight up.
pub(super) const RISING: Lattice = Lattice { row: [SQRT_3, -1.0], column: [SQRT_3, 1.0] };

pub(super) const SQRT_3: f64 = 1.732_050_807_568_877_2;

impl Lattice {
    fn at(self, row: f64, column: f64) -> [f64; 2] {
        [0, 1].map(|i| row * self.row[i] + column * self.column[i])
    }

    /// Returns the centre of a cell.
    pub fn centre(self, cell: Axial) -> Point {
        self.moved(cell, [0.0; 2])
    }

    fn moved(self, (row, column): Axial, [dx, dy]: [f64; 2]) -> Point {
        let [x, y] = self.at(f64::from(row), f64::from(column));
        point(x + dx, y + dy)
    }

    fn step(self, direction: usize) -> [f64; 2] {
        let (row, column) = STEPS[direction % DIRECTIONS];
        self.at(row as f64, column as f64)
    }

    /// Returns the vector from a centre to the corner between a direction and the next.
    fn to_corner(self, direction: usize) -> [f64; 2] {
        let (a, b) = (self.step(direction), self.step(direction + 1));
        [0, 1].map(|i| (a[i] + b[i]) / 3.0)
    }

    /// Returns the corner of a cell between a direction and the next.
    pub fn corner(self, cell: Axial, direction: usize) -> Point {
        self.moved(cell, self.to_corner(direction))
    }

    /// Returns the outline of a cell.
    pub fn hexagon(self, cell: Axial) -> Vec<Point> {
        (0..DIRECTIONS).map(|direction| self.corner(cell, direction)).collect()
    }

    /// Returns a label beyond the last cell of a row or column, in the direction in which the line
    /// ends.
    pub fn rim_label(self, text: String, end: Axial, direction: usize) -> RimLabel {
        let step = self.step(direction);
        let position = self.moved(end, step.map(|part| part * LABEL));
        RimLabel { text, position, outward: point(step[0] / 2.0, step[1] / 2.0) }
    }

    /// Returns a label at a right angle to a side, for a line that meets the side at a slant. The
    /// cell `end` has no neighbours in `direction` and the next direction.
    pub fn side_label(self, text: String, end: Axial, direction: usize) -> RimLabel {
        let corner = self.to_corner(direction);
        let length = corner[0].hypot(corner[1]);
        let to = |distance: f64| corner.map(|part| part * distance / length);
        let [x, y] = to(1.0);
        RimLabel { text, position: self.moved(end, to(SIDE_LABEL)), outward: point(x, y) }
    }

    /// Returns the sides of a board of level rows. `walk` leads around the board clockwise; each
    /// step is the first cell of a side and the direction from there to the first cell of the next
    /// side. `number` gives the place of a cell.
    pub fn sides(self, walk: &[(Axial, usize)], number: impl Fn(Axial) -> u16) -> Vec<Side> {
        let count = walk.len();
        let corner = |i: usize| Corner::new(self, walk[(i + count - 1) % count].1, walk[i % count].1);
        let side = |i: usize| {
            let ((start, direction), (end, _)) = (walk[i], walk[(i + 1) % count]);
            let (before, after) = (corner(i), corner(i + 1));
            let mut cells = vec![start];
            while *cells.last().unwrap_or(&end) != end {
                let (row, column) = cells[cells.len() - 1];
                cells.push((row + STEPS[direction].0 as i32, column + STEPS[direction].1 as i32));
            }
            // Each cell contributes two edges to the side; a corner cell has more, and shares them
            // between both sides.
            let mut line = vec![self.moved(start, before.split)];
            for &cell in &cells {
                line.extend([1, 0].map(|turn| self.corner(cell, direction + turn)));
            }
            if after.blunt {
                line.pop();
                line.push(self.moved(end, after.split));
            }
            let band = vec![
                self.centre(start),
                self.moved(start, before.tip),
                self.moved(start, before.leaving),
                self.moved(end, after.arriving),
                self.moved(end, after.tip),
                self.centre(end),
            ];
            Side { owner: None, places: cells.into_iter().map(&number).collect(), line, band }
        };
        (0..count).map(side).collect()
    }
}

/// The point where two sides meet, seen from the centre of the cell in the corner.
struct Corner {
    /// True for an angle of 120 degrees, false for 60.
    blunt: bool,
    /// The point where one side's border ends and the next one's begins.
    split: [f64; 2],
    /// The outermost point between the bands.
    tip: [f64; 2],
    /// The end of the arriving side's outer line, and the start of the leaving side's. Sharp
    /// corners are cut off.
    arriving: [f64; 2],
    leaving: [f64; 2],
}

impl Corner {
    fn new(lattice: Lattice, arriving: usize, leaving: usize) -> Self {
        let blunt = (arriving + DIRECTIONS - leaving) % DIRECTIONS == 1;
        let unit = |[x, y]: [f64; 2]| [x / x.hypot(y), y / x.hypot(y)];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let along = [arriving, leaving].map(|direction| unit(lattice.step(direction)));
        // The walk is clockwise on the screen, so outwards is to the left.
        let outward = along.map(|[x, y]| [y, -x]);
        let middle = unit([0, 1].map(|i| outward[0][i] + outward[1][i]));
        let reach = if blunt { BAND / dot(middle, outward[1]) } else { 1.1 * BAND };
        let tip = middle.map(|part| part * reach);
        // The point of the line across the tip at distance BAND from the side.
        let across = |side: usize| {
            let line = [-middle[1], middle[0]];
            let far = (BAND - dot(tip, outward[side])) / dot(line, outward[side]);
            [0, 1].map(|i| tip[i] + far * line[i])
        };
        let (first, second) = (lattice.to_corner(arriving + 1), lattice.to_corner(arriving));
        let split = if blunt { [0, 1].map(|i| (first[i] + second[i]) / 2.0) } else { second };
        Self { blunt, split, tip, arriving: across(0), leaving: across(1) }
    }
}

/// Returns the neighbour table of a set of cells. `wrap` maps a point of the lattice to the cell
/// that represents it.
pub(super) fn topology(cells: &[Axial], wrap: impl Fn(Axial) -> Axial) -> Topology {
    let numbers = numbering(cells);
    let slot = |(row, column): Axial| STEPS.map(|(dr, dc)| wrap((row + dr as i32, column + dc as i32)));
    let number = |cell: Axial| numbers.get(&cell).map_or(NO_CELL, |&number| number as u16);
    Topology::new(cells.iter().map(|&cell| slot(cell).map(number)).collect())
}

/// Returns the number of each cell in a list.
pub(super) fn numbering(cells: &[Axial]) -> HashMap<Axial, usize> {
    cells.iter().copied().zip(0..).collect()
}

/// A rotation or reflection of the lattice, as the image of each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn(pub [u8; DIRECTIONS]);

impl Turn {
    /// Returns the rotation by a number of sixths of a full turn.
    pub fn rotation(sixths: usize) -> Self {
        Self(std::array::from_fn(|direction| ((direction + sixths) % DIRECTIONS) as u8))
    }

    /// Returns the reflection that takes direction `d` to `sum - d`.
    pub fn reflection(sum: usize) -> Self {
        Self(std::array::from_fn(|direction| ((sum + DIRECTIONS - direction) % DIRECTIONS) as u8))
    }

    /// Returns the six rotations, identity first, then the six reflections, beginning with the one
    /// that exchanges rows and columns.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..6).map(Self::rotation).chain((0..6).map(|i| Self::reflection((3 + i) % DIRECTIONS)))
    }

    fn is_reflection(self) -> bool {
        (self.0[0] + 1) % DIRECTIONS as u8 != self.0[1]
    }

    /// Returns the image of a vector.
    pub fn image(self, (row, column): Axial) -> Axial {
        let ((rr, rc), (cr, cc)) = (STEPS[self.0[1] as usize], STEPS[self.0[2] as usize]);
        (row * rr as i32 + column * cr as i32, row * rc as i32 + column * cc as i32)
    }

    /// Returns the permutation of points by the turn about their common middle, or `None` if the
    /// turn does not map the points to themselves.
    pub fn permutation(self, points: &[Axial]) -> Option<Permutation> {
        let numbers = numbering(points);
        let count = points.len() as i32;
        let (sum_r, sum_c) = points.iter().fold((0, 0), |(r, c), point| (r + point.0, c + point.1));
        let image = |&(row, column): &Axial| {
            let (row, column) = self.image((row * count - sum_r, column * count - sum_c));
            let (row, column) = (row + sum_r, column + sum_c);
            let whole = row % count == 0 && column % count == 0;
            whole.then(|| numbers.get(&(row / count, column / count)).map(|&number| number as u16))?
        };
        Permutation::new(points.iter().map(image).collect::<Option<Vec<_>>>()?)
    }

    /// Returns the permutation of sides that run in these directions, clockwise around the board.
    pub fn sides(self, walks: &[usize]) -> Option<Permutation> {
        let image = |&walk: &usize| {
            let to = self.0[walk] as usize + if self.is_reflection() { 3 } else { 0 };
            walks.iter().position(|&other| other == to % DIRECTIONS).map(|side| side as u16)
        };
        Permutation::new(walks.iter().map(image).collect::<Option<Vec<_>>>()?)
    }
}

/// Returns those of these turns that are symmetries of a board whose places are its cells.
pub(super) fn symmetries(turns: impl IntoIterator<Item = Turn>, cells: &[Axial], walks: &[usize]) -> Vec<Symmetry> {
    let symmetry = |turn: Turn| {
        let (cells, sides) = (turn.permutation(cells)?, turn.sides(walks)?);
        Some(Symmetry { places: cells.clone(), cells, sides, directions: vec![turn.0] })
    };
    turns.into_iter().filter_map(symmetry).collect()
}

/// Returns cells as places with these labels.
pub(super) fn places(lattice: Lattice, cells: &[Axial], labels: impl Iterator<Item = String>) -> Vec<Place> {
    let place = |(number, (&cell, label)): (usize, (&Axial, String))| {
        Place::playable(label, crate::PlaceKind::Cell, lattice.centre(cell), lattice.hexagon(cell), number)
    };
    cells.iter().zip(labels).enumerate().map(place).collect()
}
