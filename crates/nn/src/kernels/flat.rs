//! Boards laid out as one line of positions, where each neighbour is at the same distance from
//! every cell.

use std::collections::HashMap;
use std::ops::Range;

use super::panels::{NO_TAP, SIDE, Strip};
use hexzero_board::STEPS;

/// A row and a column of the lattice.
type Axial = (isize, isize);

/// Number of positions that a product may read beyond the row below: a step of 64 bytes reads four
/// positions of 16 channels (the fewest there are), and the strip has two taps.
const BEYOND: usize = 2;

/// Limit on the number of tiles, in halves of the number that the cells would fill without gaps.
/// Beyond it, gathering what the cells read is cheaper.
const MAX_HALVES: usize = 3;

/// A flat layout of a board: rows of cells one after another, with gaps for the cells off the
/// board. Every cell finds its neighbours at the same distances from its own position, so a product
/// reads them in place, without a copy. On a torus, a gap holds the cell that follows by wrapping
/// around.
#[derive(Debug, Clone)]
pub(crate) struct Flat {
    /// Number of positions from one row of the board to the next.
    stride: usize,
    /// The row of activations at each position, or [`NO_TAP`] for zeros. The blocks read no others.
    pub sources: Vec<u32>,
    pub blocks: Vec<FlatBlock>,
    /// The cells of the blocks.
    cells: Vec<FlatCell>,
}

/// One or two tiles of [`SIDE`] positions each.
#[derive(Debug, Clone)]
pub(crate) struct FlatBlock {
    /// The first position of each tile; the same position twice if there is only one tile.
    pub positions: [usize; 2],
    pub tiles: usize,
    /// The block's range of the cells of [`Flat`].
    cells: Range<usize>,
}

/// A cell of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatCell {
    /// The cell's row within the block's tiles.
    pub row: u32,
    /// The cell's row of activations.
    pub cell: u32,
}

impl Flat {
    /// Finds a layout for the taps of a hexagonal convolution, or returns `None` if the board is
    /// not part of a lattice, or has so many gaps that gathering is cheaper.
    pub fn new<const T: usize>(taps: &[[u32; T]]) -> Option<Self> {
        let lattice = lattice(taps)?;
        let columns = || lattice.iter().map(|cell| cell.1);
        let width = columns().max()? - columns().min()? + 1;
        // Put rows as close together as their gaps allow; on a torus two cells follow each row.
        (2..=width + 2).find_map(|stride| Self::with_stride(taps, &lattice, stride))
    }

    fn with_stride<const T: usize>(taps: &[[u32; T]], lattice: &[Axial], stride: isize) -> Option<Self> {
        let on_line = |(row, column): Axial| row * stride + column;
        let first = lattice.iter().copied().map(on_line).min()? - stride;
        let position = |cell| (on_line(cell) - first) as usize;
        let mut sources = HashMap::new();
        for (cell, taps) in lattice.iter().zip(taps) {
            for (step, &tap) in steps().zip(taps) {
                if *sources.entry(position(sum(*cell, step))).or_insert(tap) != tap {
                    return None;
                }
            }
        }
        let mut homes: Vec<(usize, u32)> = lattice.iter().copied().map(position).zip(0..).collect();
        homes.sort_unstable();
        let tiles = tiles(&homes);
        if 2 * tiles.len() > MAX_HALVES * homes.len().div_ceil(SIDE) {
            return None;
        }
        let end = tiles.last()?.0 + SIDE + stride as usize + BEYOND;
        let (mut blocks, mut cells) = (Vec::new(), Vec::new());
        for pair in tiles.chunks(2) {
            let begin = cells.len();
            for (i, (start, homes)) in pair.iter().enumerate() {
                let place = |&(home, cell): &(usize, u32)| FlatCell { row: (i * SIDE + home - start) as u32, cell };
                cells.extend(homes.iter().map(place));
            }
            let positions = [pair[0].0, pair[pair.len() - 1].0];
            blocks.push(FlatBlock { positions, tiles: pair.len(), cells: begin..cells.len() });
        }
        let sources = (0..end).map(|at| sources.get(&at).copied().unwrap_or(NO_TAP)).collect();
        Some(Self { stride: stride as usize, sources, blocks, cells })
    }

    /// Returns the number of rows of activations that the layout reads and writes.
    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    /// Returns the cells of a block.
    pub fn cells(&self, block: &FlatBlock) -> &[FlatCell] {
        &self.cells[block.cells.clone()]
    }

    /// Returns the distance from a cell to the first position of a strip.
    pub fn distance(&self, strip: &Strip) -> isize {
        strip.row * self.stride as isize + strip.column
    }
}

/// Returns the steps of the taps: none for the cell itself, then those to its neighbours.
fn steps() -> impl Iterator<Item = Axial> {
    std::iter::once((0, 0)).chain(STEPS)
}

fn sum(a: Axial, b: Axial) -> Axial {
    (a.0 + b.0, a.1 + b.1)
}

/// Covers cells, in the order of their positions, with as few tiles as possible. Returns the first
/// position and the cells of each tile.
fn tiles(homes: &[(usize, u32)]) -> Vec<(usize, &[(usize, u32)])> {
    let (mut tiles, mut rest) = (Vec::new(), homes);
    while let Some(&(start, _)) = rest.first() {
        let (tile, after) = rest.split_at(rest.partition_point(|&(home, _)| home < start + SIDE));
        tiles.push((start, tile));
        rest = after;
    }
    tiles
}

/// Gives each cell a row and a column. A row is walked completely before the next, so that a torus
/// is unrolled by rows. The parts of a board with several parts are placed one below the other.
fn lattice<const T: usize>(taps: &[[u32; T]]) -> Option<Vec<Axial>> {
    if T != steps().count() {
        return None;
    }
    let mut places: Vec<Option<Axial>> = vec![None; taps.len()];
    let mut next_row = 0;
    for first in 0..taps.len() as u32 {
        if places[first as usize].is_some() {
            continue;
        }
        let mut part = Vec::new();
        walk_row(taps, first, (0, 0), &mut places, &mut part);
        let mut walked = 0;
        while let Some(&cell) = part.get(walked) {
            let at = places[cell as usize]?;
            for (step, &tap) in steps().zip(&taps[cell as usize]) {
                if is_free(tap, &places) {
                    walk_row(taps, tap, sum(at, step), &mut places, &mut part);
                }
            }
            walked += 1;
        }
        let rows = || part.iter().filter_map(|&cell| places[cell as usize]).map(|cell| cell.0);
        let (least, most) = (rows().min()?, rows().max()?);
        for &cell in &part {
            places[cell as usize].iter_mut().for_each(|place| place.0 += next_row - least);
        }
        // Leave a row of gaps between the parts.
        next_row += most - least + 2;
    }
    places.into_iter().collect()
}

fn is_free(cell: u32, places: &[Option<Axial>]) -> bool {
    places.get(cell as usize).is_some_and(Option::is_none)
}

/// Places a cell and its row to both sides, as far as they are not placed yet.
fn walk_row<const T: usize>(
    taps: &[[u32; T]],
    first: u32,
    at: Axial,
    places: &mut [Option<Axial>],
    part: &mut Vec<u32>,
) {
    for (tap, step) in steps().enumerate().filter(|(_, step)| step.0 == 0) {
        // Tap 0 places the cell itself; the walk along each other tap begins at its neighbour.
        let (mut cell, mut at) = if tap == 0 { (first, at) } else { (taps[first as usize][tap], sum(at, step)) };
        while is_free(cell, places) {
            places[cell as usize] = Some(at);
            part.push(cell);
            (cell, at) = (taps[cell as usize][tap], sum(at, step));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::tests::board_taps;
    use hexzero_board::Shape;

    /// Checks that every tile reads, at each tap's distance, the row that its cells' taps name.
    fn check(taps: &[[u32; 7]], flat: &Flat) {
        let mut seen = vec![false; taps.len()];
        for block in &flat.blocks {
            for &FlatCell { row, cell } in flat.cells(block) {
                let (tile, row) = (row as usize / SIDE, row as usize % SIDE);
                assert!(tile < block.tiles && !std::mem::replace(&mut seen[cell as usize], true));
                for strip in Strip::of(7) {
                    for (along, &tap) in strip.taps.iter().enumerate() {
                        let at = (block.positions[tile] + row + along) as isize + flat.distance(strip);
                        assert_eq!(flat.sources[at as usize], taps[cell as usize][tap]);
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    /// Returns the taps of the same cells in another order.
    fn reordered(taps: &[[u32; 7]]) -> Vec<[u32; 7]> {
        let turned = |tap: u32| if tap == NO_TAP { NO_TAP } else { taps.len() as u32 - 1 - tap };
        taps.iter().rev().map(|taps| taps.map(turned)).collect()
    }

    #[test]
    fn tiles_find_their_taps() {
        let sides = 1..=13;
        let rhombi = sides.clone().map(|side| Shape::Rhombus { side });
        let tori = (3..=13).map(|side| Shape::Torus { side });
        let hexagons = sides.clone().map(|side| Shape::Hexagon { side });
        let several = Shape::several([("a", Shape::Rhombus { side: 9 }), ("b", Shape::Rhombus { side: 5 })]);
        for shape in rhombi.chain(tori).chain(hexagons).chain([several]) {
            let taps = board_taps(&shape);
            for taps in [reordered(&taps), taps] {
                let flat = Flat::new(&taps);
                // Sixteen cells fill one tile, or two with gaps.
                assert!(flat.is_some() || taps.len() == 16, "{shape:?} has no layout");
                flat.inspect(|flat| check(&taps, flat));
            }
        }
        for shape in sides.map(|side| Shape::Triangle { side }) {
            let taps = board_taps(&shape);
            Flat::new(&taps).inspect(|flat| check(&taps, flat));
        }
    }

    #[test]
    fn irregular_neighbours_have_no_layout() {
        let rhombus = board_taps(&Shape::Rhombus { side: 5 });
        let mut taps = rhombus.clone();
        taps[12][3] = 0;
        assert!(Flat::new(&taps).is_none(), "an edge that leads elsewhere");
        taps = rhombus;
        taps[24][2] = 99;
        check(&taps, &Flat::new(&taps).unwrap());
        assert!(Flat::new(&[[0]]).is_none(), "one tap");
        assert!(Flat::new::<7>(&[]).is_none(), "no cells");
    }
}
