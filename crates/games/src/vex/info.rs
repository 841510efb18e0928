//! Describes Vex to the rest of the program.

use crate::shared::words::{SIDES, STAY, joined};
use crate::{Boards, Choice, Ending, GameInfo, GlobalAction, LessonPart, MoveSign, Picture, Piece, Seat, SeatInfo};

use super::{FULL, MAX_SIZE};

/// The piece for the neutral stone.
pub(super) const NEUTRAL: Piece = Piece { owner: None, kind: Some('*'), number: 0 };
const WHITE: Piece = Piece::stone(Seat::First);
const BLACK: Piece = Piece::stone(Seat::Second);

const CELL_INPUTS: [&str; 14] = joined(&[&["own", "enemy", "neutral", "empty"], &SIDES, &["own_wins", "enemy_wins"]]);

const KEEP: GlobalAction = GlobalAction {
    aliases: &["keep"],
    label: "Keep the neutral stone",
    offer: "Put the neutral stone on the board now, or keep it for a later turn.",
    done: "keeps the neutral stone",
    suffered: "Black keeps the neutral stone. Place your first stone.",
    ..STAY
};

const LESSON: &[LessonPart] = &[
    LessonPart {
        title: "Connect your two sides",
        text: "Take turns to place a stone on an empty cell. White moves first. A chain of your stones between the two \
               sides of your colour wins.",
        pictures: &[Picture {
            pieces: &[("c1 c2 b3 b4", WHITE), ("a2 b2 d2", BLACK)],
            chain: "c1 c2 b3 b4",
            label: "A chain of white from row 1 to row 4",
            caption: "White wins",
            ..Picture::empty(4)
        }],
    },
    LessonPart {
        title: "The neutral stone",
        text: "Black owns one neutral stone. It may be put on any empty cell once: before white's first stone, or in a \
               turn of black's, just before black's own stone. It has no owner and blocks both players.",
        pictures: &[
            Picture {
                pieces: &[("b3", NEUTRAL)],
                label: "The neutral stone at b3",
                caption: "Black puts it down before the first stone: n:b3",
                ..Picture::empty(4)
            },
            Picture {
                pieces: &[("c1 c2 c4", WHITE), ("b2", BLACK), ("b4", NEUTRAL), ("c3", BLACK)],
                marked: "b4 c3",
                label: "The neutral stone at b4, black at c3",
                caption: "Black may block twice in one turn: the neutral stone on b4, a stone on c3",
                ..Picture::empty(4)
            },
        ],
    },
    LessonPart {
        title: "Draws",
        text: "With the neutral stone in the way it may be impossible to join two sides. A full board without a winner \
               is a draw.",
        pictures: &[Picture {
            pieces: &[("b2", NEUTRAL), ("a1 a3 c1 b3", WHITE), ("b1 a2 c2 c3", BLACK)],
            label: "A full board of side 3 with the neutral stone in the middle",
            caption: "Draw: neither player is joined",
            ..Picture::empty(3)
        }],
    },
];

pub(super) const INFO: GameInfo = GameInfo::new(
    "vex",
    "Vex",
    "Hex with a neutral stone, which the second player may put in the way of both",
    Boards::sides(3..=MAX_SIZE, 7),
    [
        SeatInfo::new("white", "connects the first and last row", "Connect the two white sides."),
        SeatInfo::new("black", "connects the first and last column", "Connect the two black sides."),
    ],
)
.actions(&[KEEP])
.choices(&[
    Choice { word: "own", label: "A stone of your own" },
    Choice { word: "neutral", label: "The neutral stone" },
])
.notation(&[MoveSign::new("n", "put the neutral stone on")], &[])
.endings(&[Ending::CONNECTION, Ending::new(FULL, "full", "the board is full and neither player is connected")])
.inputs(
    &CELL_INPUTS,
    &["own_neutral", "enemy_neutral", "neutral_possible", "decision", "neutral_just_placed", "size/11"],
)
.policy_planes(2)
.usual_plies(|cells| 2 * cells / 3)
.weak_levels([2.47, 1.75, 1.2])
.lesson(LESSON);
