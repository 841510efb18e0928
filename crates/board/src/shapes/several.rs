//! Several boards side by side.

use super::Prefixed;
use crate::{
    Arrows, Board, Bounds, Decoration, Parts, Permutation, Place, Point, RimLabel, Side, Slot, Symmetry, TextPlan,
    Topology, point,
};

/// Room between boards.
const GAP: f32 = 1.0;
/// The height of a title above its board.
const TITLE: f32 = 0.8;

/// One of the boards, with the offsets of its numbers.
struct Part {
    prefix: String,
    board: &'static Board,
    cells: usize,
    places: usize,
    sides: usize,
    /// The number of parts of nested boards.
    parts: usize,
    /// The translation of the board in the picture.
    by: Point,
    /// True if the board exchanges the players.
    exchanged: bool,
}

impl Part {
    fn moved(&self, at: Point) -> Point {
        point(f64::from(at[0] + self.by[0]), f64::from(at[1] + self.by[1]))
    }

    fn owner(&self, owner: Option<u8>) -> Option<u8> {
        owner.map(|owner| owner ^ u8::from(self.exchanged))
    }

    fn all_moved(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|&at| self.moved(at)).collect()
    }

    fn arrows(&self, arrows: &Arrows) -> Arrows {
        let moved = |to: Option<u16>| to.map(|to| to + self.places as u16);
        Arrows {
            directions: arrows.directions.map(moved),
            up: moved(arrows.up),
            down: moved(arrows.down),
            left: moved(arrows.left),
            right: moved(arrows.right),
        }
    }

    fn place(&self, place: &Place) -> Place {
        let cell = |cell: u16| cell + self.cells as u16;
        let [first, second] = place.lines.map(|line| line.map(|ends| ends.map(|end| self.moved(end))));
        Place {
            label: format!("{}{}", self.prefix, place.label),
            centre: self.moved(place.centre),
            outline: self.all_moved(&place.outline),
            lines: if self.exchanged { [second, first] } else { [first, second] },
            cell: place.cell.map(cell),
            slot: place.slot.map(|slot| Slot { cell: cell(slot.cell), ..slot }),
            part: place.part + self.parts as u8,
            arrows: self.arrows(&place.arrows),
            ..place.clone()
        }
    }

    fn side(&self, side: &Side) -> Side {
        let places = side.places.iter().map(|place| place + self.places as u16).collect();
        let (line, band) = (self.all_moved(&side.line), self.all_moved(&side.band));
        Side { owner: self.owner(side.owner), places, line, band }
    }

    fn decorations(&self) -> impl Iterator<Item = Decoration> {
        let Bounds { left, top, width, .. } = self.board.bounds();
        let position = self.moved([left + width / 2.0, top - TITLE]);
        let own = self.board.decorations().iter().map(|decoration| match decoration.clone() {
            Decoration::Dot { centre, radius, owner } => {
                Decoration::Dot { centre: self.moved(centre), radius, owner: self.owner(owner) }
            }
            Decoration::Title { text, position } => Decoration::Title { text, position: self.moved(position) },
        });
        std::iter::once(Decoration::Title { text: self.prefix.clone(), position }).chain(own)
    }
}

pub(super) fn parts(boards: &[Prefixed]) -> Parts {
    let mut all: Vec<Part> = Vec::new();
    let (mut cells, mut places, mut sides, mut parts, mut left) = (0, 0, 0, 0, 0.0);
    for Prefixed { prefix, shape, exchanged } in boards {
        let board = Board::of(shape);
        let bounds = board.bounds();
        // All boards are centred at the same height.
        let by = [left - bounds.left, -bounds.top - bounds.height / 2.0];
        all.push(Part { prefix: prefix.clone(), board, cells, places, sides, parts, by, exchanged: *exchanged });
        cells += board.topology().cells();
        places += board.places().len();
        sides += board.sides().len();
        parts += board.symmetries()[0].directions.len();
        left += bounds.width + GAP;
    }
    let places: Vec<Place> =
        all.iter().flat_map(|part| part.board.places().iter().map(|place| part.place(place))).collect();
    let label = |part: &Part, label: &RimLabel| RimLabel { position: part.moved(label.position), ..label.clone() };
    Parts {
        topology: Topology::disjoint(all.iter().map(|part| part.board.topology())),
        arrows: Some(arrows(&places, &all)),
        places,
        rim: all.iter().flat_map(|part| part.board.rim().iter().map(|one| label(part, one))).collect(),
        sides: all.iter().flat_map(|part| part.board.sides().iter().map(|side| part.side(side))).collect(),
        decorations: all.iter().flat_map(Part::decorations).collect(),
        symmetries: symmetries(&all),
        text: TextPlan::Beside(all.iter().map(|part| (part.prefix.clone(), part.board.parts.text.clone())).collect()),
    }
}

/// Returns the arrows of each board. Where right or left leads nowhere, they lead to the next
/// board.
fn arrows(places: &[Place], parts: &[Part]) -> Vec<Arrows> {
    let mut arrows: Vec<Arrows> = places.iter().map(|place| place.arrows).collect();
    let ends = |part: &Part, on: fn(&Arrows) -> Option<u16>| -> Vec<usize> {
        let own = part.places..part.places + part.board.places().len();
        let playable: Vec<usize> = own.filter(|&place| places[place].playable).collect();
        let outermost: Vec<usize> =
            playable.iter().copied().filter(|&place| on(&places[place].arrows).is_none()).collect();
        if outermost.is_empty() { playable } else { outermost }
    };
    let nearest = |from: usize, to: &[usize]| {
        let far = |&place: &usize| (places[place].centre[1] - places[from].centre[1]).abs();
        to.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b))).map(|place| place as u16)
    };
    for pair in parts.windows(2) {
        let (before, after) = (ends(&pair[0], |arrows| arrows.right), ends(&pair[1], |arrows| arrows.left));
        for &place in &before {
            arrows[place].right = nearest(place, &after);
        }
        for &place in &after {
            arrows[place].left = nearest(place, &before);
        }
    }
    arrows
}

/// Returns every combination of the boards' own symmetries and exchanges of equal boards.
fn symmetries(parts: &[Part]) -> Vec<Symmetry> {
    // For each board, the board it is mapped to, and by which symmetry.
    let mut choices: Vec<Vec<(usize, &Symmetry)>> = vec![Vec::new()];
    for part in parts {
        let longer = |choice: &Vec<(usize, &'static Symmetry)>| {
            let equal = |to: &usize| parts[*to].board.shape() == part.board.shape();
            let free = |to: &usize| choice.iter().all(|(taken, _)| taken != to);
            let mut targets: Vec<usize> = (0..parts.len()).filter(|to| equal(to) && free(to)).collect();
            // The board itself comes first, so that the identity is the first symmetry.
            targets.sort_by_key(|&to| to != choice.len());
            let board: &'static Board = part.board;
            let ways = targets.into_iter().flat_map(move |to| board.symmetries().iter().map(move |one| (to, one)));
            let choice = choice.clone();
            ways.map(move |way| choice.iter().copied().chain([way]).collect()).collect::<Vec<Vec<_>>>()
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices.iter().filter_map(|choice| symmetry(parts, choice)).collect()
}

fn symmetry(parts: &[Part], choice: &[(usize, &Symmetry)]) -> Option<Symmetry> {
    let joined = |offset: fn(&Part) -> usize, own: fn(&Symmetry) -> &Permutation| {
        let images = |&(to, symmetry): &(usize, &Symmetry)| {
            let first = offset(&parts[to]) as u16;
            own(symmetry).forward().iter().map(|image| image + first).collect::<Vec<u16>>()
        };
        Permutation::new(choice.iter().flat_map(images).collect())
    };
    Some(Symmetry {
        cells: joined(|part| part.cells, |symmetry| &symmetry.cells)?,
        places: joined(|part| part.places, |symmetry| &symmetry.places)?,
        sides: joined(|part| part.sides, |symmetry| &symmetry.sides)?,
        directions: choice.iter().flat_map(|(_, symmetry)| symmetry.directions.iter().copied()).collect(),
    })
}
