//! Describes Chameleon to the rest of the program.

use crate::games::shared::two_colours::{CELL_INPUTS, stone};
use crate::games::{Boards, Choice, Ending, GameInfo, LessonPart, MoveSign, Picture, Piece, SeatInfo};

use super::LARGEST;

const X: Piece = stone(0);
const O: Piece = stone(1);

const LESSON: &[LessonPart] = &[
    LessonPart {
        title: "Two colours for both players",
        text: "Take turns to put a stone on an empty cell: an x or an o, as you like. Stones have no owner and stay \
               where they are. Vert moves first.",
        pictures: &[Picture {
            pieces: &[("b2", X), ("c3", O)],
            label: "An x at b2, an o at c3",
            caption: "Vert has placed an x, horz an o",
            ..Picture::empty(4)
        }],
    },
    LessonPart {
        title: "Join your two sides",
        text: "A chain of one colour from row 1 to the last row wins for vert, one from column a to the last column for \
               horz. Either colour will do.",
        pictures: &[
            Picture {
                pieces: &[("c1 c2 b3 b4", O), ("a2 b2 d3", X)],
                chain: "c1 c2 b3 b4",
                label: "A chain of o from row 1 to row 4",
                caption: "Vert wins with a chain of o",
                ..Picture::empty(4)
            },
            Picture {
                pieces: &[("a3 b3 c2 d2", X), ("b2 c3 d3", O)],
                chain: "a3 b3 c2 d2",
                label: "A chain of x from column a to column d",
                caption: "Horz wins with a chain of x",
                ..Picture::empty(4)
            },
        ],
    },
    LessonPart {
        title: "Do not finish the other player's chain",
        text: "The chain counts, not who completes it. Only a stone that joins both pairs of sides at once wins for the \
               player who places it.",
        pictures: &[
            Picture {
                pieces: &[("c1 c2 b4", X), ("a2 b2 a4", O)],
                marked: "b3",
                label: "x at c1, c2 and b4, b3 empty",
                caption: "An x on b3 wins for vert, placed by either player",
                ..Picture::empty(4)
            },
            Picture {
                pieces: &[("c1 a3 d2 b4", X), ("b2 c3", O), ("c2", X)],
                marked: "b3",
                label: "x at c1, c2, d2, a3 and b4, b3 empty",
                caption: "An x on b3 joins both pairs: it wins for the player who places it",
                ..Picture::empty(4)
            },
        ],
    },
];

pub(super) const INFO: GameInfo = GameInfo::new(
    "chameleon",
    "Chameleon",
    "join your two sides in either of two colours, which both players place",
    Boards::sides(3..=LARGEST, 10),
    [
        SeatInfo::new("vert", "joins row 1 to the last row", "Join the first and the last row."),
        SeatInfo::new("horz", "joins column a to the last column", "Join the first and the last column."),
    ],
)
.choices(&[Choice { word: "x", label: "x" }, Choice { word: "o", label: "o" }])
.notation(&[MoveSign::new("x", "put x on"), MoveSign::new("o", "put o on")], &[])
.endings(&[Ending::connection("a chain of one colour joins its two sides")])
.inputs(&CELL_INPUTS, &["size/14"])
.policy_planes(2)
.usual_plies(|cells| 2 * cells / 3)
.weak_levels([1.63, 1.35, 1.1])
.lesson(LESSON);
