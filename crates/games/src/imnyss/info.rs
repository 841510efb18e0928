//! Describes Imnyss to the rest of the program.

use crate::shared::two_colours::{CELL_INPUTS, JOINED, O, SEATS, X};
use crate::{ActionKind, Boards, Ending, GameInfo, GlobalAction, LessonPart, Picture};

use super::MAX_SIZE;

const NOMINATE_X: GlobalAction = GlobalAction {
    word: "n:x",
    aliases: &["nominate-x"],
    foreign: "n:x",
    kind: ActionKind::Choose,
    label: "Nominate x",
    offer: "Choose the colour of the next stone.",
    done: "nominates x",
    suffered: "Place an x.",
};

const NOMINATE_O: GlobalAction = GlobalAction {
    word: "n:o",
    aliases: &["nominate-o"],
    foreign: "n:o",
    label: "Nominate o",
    offer: "Choose the colour of the next stone.",
    done: "nominates o",
    suffered: "Place an o.",
    ..NOMINATE_X
};

const LESSON: &[LessonPart] = &[
    LessonPart {
        title: "Place what you are told",
        text: "There are stones of two colours, x and o, without owners. Place a stone of the colour that \
               your opponent has nominated, on any empty cell. Then nominate a colour for your opponent. Vert moves \
               first and chooses the colour of the first stone.",
        pictures: &[Picture {
            pieces: &[("c2", X)],
            label: "An x at c2",
            caption: "Vert has chosen x, placed it, and nominates: o, say. Horz has to place an o",
            ..Picture::empty(4)
        }],
    },
    LessonPart {
        title: "Connect your two sides",
        text: "A chain of one colour from row 1 to the last row wins for vert, one from column a to the last column \
               for horz, whoever completes it.",
        pictures: &[
            JOINED,
            Picture {
                pieces: &[("c1 c2 b4", X), ("a2 b2 d3", O)],
                marked: "b3",
                label: "x at c1, c2 and b4, b3 empty",
                caption: "Horz must not nominate x now: vert would place it on b3",
                ..Picture::empty(4)
            },
        ],
    },
    LessonPart {
        title: "Never join all four",
        text: "A stone that joins both pairs of sides at once loses for the player who places it. So a stone that you \
               are forced to place can be your last.",
        pictures: &[Picture {
            pieces: &[("c1 c2 d2 a3 b4", X), ("b2 c3", O)],
            marked: "b3",
            label: "x at c1, c2, d2, a3 and b4, b3 empty",
            caption: "A player who places an x on b3 loses",
            ..Picture::empty(4)
        }],
    },
];

pub(super) const INFO: GameInfo = GameInfo::new(
    "imnyss",
    "Imnyss",
    "connect your two sides in either of two colours; your opponent says which one you place",
    Boards::sides(3..=MAX_SIZE, 9),
    SEATS,
)
.actions(&[NOMINATE_X, NOMINATE_O])
.endings(&[Ending::connection("its sides are joined, or its opponent has joined all four")])
.inputs(&CELL_INPUTS, &["x_nominated", "o_nominated", "to_nominate", "first_nomination", "size/13"])
// Each stone comes with a nomination.
.usual_plies(|cells| 4 * cells / 3)
.weak_levels([1.5, 1.19, 0.96])
.lesson(LESSON);
