//! Describes HexiFence to the rest of the program.

use crate::shared::words::joined;
use crate::{Boards, Ending, GameInfo, LessonPart, Picture, Piece, Seat, SeatInfo};

use super::{COMPLETE, MAX_SIZE};

const BLUE: Piece = Piece::stone(Seat::First);
const RED: Piece = Piece::stone(Seat::Second);

const CELL_INPUTS: [&str; 27] = joined(&[
    &["cell"],
    &["filled_sw", "filled_s", "filled_e", "filled_ne", "filled_n", "filled_w"],
    &["own", "enemy"],
    &["lacks_1", "lacks_2", "lacks_3", "lacks_4", "lacks_5", "lacks_6"],
    &["completes_sw", "completes_s", "completes_e", "completes_ne", "completes_n", "completes_w"],
    &["leaves_one_sw", "leaves_one_s", "leaves_one_e", "leaves_one_ne", "leaves_one_n", "leaves_one_w"],
]);

const LESSON: &[LessonPart] = &[
    LessonPart {
        title: "Fill edges",
        text: "Take turns to fill an empty edge of a cell. Blue moves first. It does not matter later who has filled \
               an edge. Edges are named by row and column, as the numbers at the rim show: 3,2 is in row 3 and column \
               2.",
        pictures: &[Picture {
            pieces: &[("2,2 4,3", BLUE), ("3,4", RED)],
            label: "Three edges of the middle cell are filled",
            caption: "The first three moves, all of them around the middle cell",
            ..Picture::empty(2)
        }],
    },
    LessonPart {
        title: "Capture cells",
        text: "Fill the last empty edge of a cell to capture it. Then you have to move once more. An edge between two \
               cells can capture both.",
        pictures: &[
            Picture {
                pieces: &[("2,2 4,3 2,3", BLUE), ("3,4 4,4", RED)],
                marked: "3,2",
                label: "One edge of the middle cell is empty",
                caption: "Red fills the edge 3,2 …",
                ..Picture::empty(2)
            },
            Picture {
                pieces: &[("2,2 4,3 2,3", BLUE), ("3,4 4,4 3,2 3,3", RED)],
                label: "The middle cell belongs to red",
                caption: "… captures the cell and moves again",
                ..Picture::empty(2)
            },
        ],
    },
    LessonPart {
        title: "Most cells win",
        text: "The game ends when all edges are filled. The number of cells is odd, so there is no draw.",
        pictures: &[],
    },
    LessonPart {
        title: "Beware of the fifth edge",
        text: "Do not leave a cell with one empty edge: your opponent captures it. Cells that each lack two edges form \
               chains: fill one of those edges, and your opponent takes the whole chain. The player who runs out of \
               safe moves has to open the first chain, so count them.",
        pictures: &[Picture {
            pieces: &[("0,0 0,1 1,0 2,1", BLUE), ("0,2 0,3 1,4 2,4", RED)],
            marked: "1,2",
            label: "Two neighbouring cells lack two edges each",
            caption: "A chain of two cells: the player who fills one of their last edges gives both away",
            ..Picture::empty(2)
        }],
    },
];

pub(super) const INFO: GameInfo = GameInfo::new(
    "hexifence",
    "HexiFence",
    "fill edges, capture the cells that you complete, and move again; most cells win",
    Boards::sides(2..=MAX_SIZE, 3),
    [
        SeatInfo::new("blue", "captures more cells than red", "Capture more cells than red."),
        SeatInfo::new("red", "captures more cells than blue", "Capture more cells than blue."),
    ],
)
.endings(&[Ending::new(COMPLETE, "complete", "it has captured most cells")])
.inputs(&CELL_INPUTS, &["lead/cells", "filled/edges", "size/4", "parity_turns", "parity_empty", "parity_safe"])
.with_added_globals(3)
.policy_planes(3)
.usual_plies(edges)
.weak_levels([2.26, 1.57, 1.15])
.lesson(LESSON);

/// Returns the number of edges of the board whose network has `lattice` cells; every game fills
/// them all.
fn edges(lattice: usize) -> usize {
    let fits = |side: &usize| 3 * side * (side + 1) + 1 == lattice;
    (2..=MAX_SIZE).find(fits).map_or(lattice, |side| side * (9 * side - 3))
}
