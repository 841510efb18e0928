//! Describes Chameleon to the rest of the program.

use crate::shared::two_colours::{CELL_INPUTS, JOINED, O, SEATS, X};
use crate::{Boards, Choice, Ending, GameInfo, LessonPart, MoveSign, Picture};

use super::MAX_SIZE;

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
            JOINED,
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
    Boards::sides(3..=MAX_SIZE, 10),
    SEATS,
)
.choices(&[Choice { word: "x", label: "x" }, Choice { word: "o", label: "o" }])
.notation(&[MoveSign::new("x", "put x on"), MoveSign::new("o", "put o on")], &[])
.endings(&[Ending::connection("a chain of one colour joins its two sides")])
.inputs(&CELL_INPUTS, &["size/14"])
.policy_planes(2)
.usual_plies(|cells| 2 * cells / 3)
.weak_levels([1.63, 1.35, 1.1])
.lesson(LESSON);
