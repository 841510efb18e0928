//! Y: on a triangle, both players want a chain that touches all three sides. The first to have one
//! wins.
//!
//! Black moves first. Stones never move, and a full board has exactly one winner. In the variant
//! with the swap, White may take over Black's first stone where it lies instead of placing one, and
//! Black moves again. The stone keeps its cell because both players have the same sides.

use std::ops::RangeInclusive;

use crate::shared::joining::{Joining, Kind};
use crate::shared::words;
use crate::shared::words::{BLACK, WHITE, joined};
use crate::{Boards, Ending, GameInfo, GlobalAction, LessonPart, Picture, SeatInfo};
use hexzero_board::Shape;

/// Y, with or without the swap, as a game about connecting sides.
#[derive(Debug, Clone)]
pub struct YKind<const SWAP: bool>;

/// Y without the swap.
pub type Y = Joining<YKind<false>>;
/// Y with the swap. Networks of [`Y`] play it.
pub type YWithSwap = Joining<YKind<true>>;

impl<const SWAP: bool> Kind for YKind<SWAP> {
    const INFO: GameInfo = if SWAP { WITH_SWAP } else { WITHOUT_SWAP.without_swap() };
    const SWAP: bool = SWAP;
    const SOLVED: RangeInclusive<usize> = 3..=5;

    fn shape(size: usize) -> Shape {
        Shape::Triangle { side: size }
    }
}

const CELL_INPUTS: [&str; 14] = joined(&[
    &["own", "enemy", "empty"],
    &["left_side", "right_side", "bottom_side"],
    &["own_joined_left", "enemy_joined_left", "own_joined_right", "enemy_joined_right"],
    &["own_joined_bottom", "enemy_joined_bottom"],
    &["own_wins", "enemy_wins"],
]);

const SWAP: GlobalAction = GlobalAction {
    foreign: "swap",
    offer: "Swap to take black's stone where it lies, or place a stone.",
    done: "swaps: the stone changes colour",
    suffered: "Your stone changed colour. Now it is your turn again.",
    ..words::SWAP
};

const GOAL: LessonPart = LessonPart {
    title: "Connect all three sides",
    text: "Take turns to place a stone on an empty cell. Black moves first. A chain of your stones that touches all \
           three sides of the triangle wins. Both players have the same goal.",
    pictures: &[Picture {
        pieces: &[("a3 b3 c3 c4 c5", BLACK), ("b2 d4 b4 b5", WHITE)],
        chain: "a3 b3 c3 c4 c5",
        label: "A chain of black from the left side to the right one, with an arm to the bottom",
        caption: "Black touches the left side at a3, the right at c3, the bottom at c5",
        ..Picture::empty(5)
    }],
};

const CORNERS: LessonPart = LessonPart {
    title: "Corners",
    text: "A corner cell lies on two sides at once. So a chain along a whole side touches all three.",
    pictures: &[Picture {
        pieces: &[("a4 b4 c4 d4", WHITE), ("a3 b3 c3 b2", BLACK)],
        chain: "a4 b4 c4 d4",
        label: "A chain of white along the bottom",
        caption: "White wins: a4 touches the left side, d4 the right",
        ..Picture::empty(4)
    }],
};

const SWAPPING: LessonPart = LessonPart {
    title: "Swap",
    text: "Moving first is an advantage. So white may take over the first stone instead of placing one: it stays where \
           it is and becomes white's. Then black moves again.",
    pictures: &[
        Picture { pieces: &[("b3", BLACK)], label: "black at b3", caption: "Black opens with b3", ..Picture::empty(5) },
        Picture { pieces: &[("b3", WHITE)], label: "white at b3", caption: "White swaps", ..Picture::empty(5) },
    ],
};

const ALSO: LessonPart = LessonPart {
    title: "Also",
    text: "Stones stay where they are, and there is no draw: on a full board exactly one player has joined all sides.",
    pictures: &[],
};

const WITHOUT_SWAP: GameInfo = GameInfo::new(
    "y",
    "Y",
    "connect all three sides of a triangle",
    Boards::sides(3..=15, 8),
    [
        SeatInfo::new("black", "connects all three sides", "Connect all three sides."),
        SeatInfo::new("white", "connects all three sides", "Connect all three sides."),
    ],
)
.actions(&[SWAP])
.endings(&[Ending::connection("the three sides are connected")])
.inputs(&CELL_INPUTS, &["swap_possible", "reply_may_swap", "size/15"])
.with_free_order()
.usual_plies(|cells| cells / 2)
.weak_levels([3.95, 2.34, 1.51])
.lesson(&[GOAL, CORNERS, ALSO]);

const WITH_SWAP: GameInfo = WITHOUT_SWAP
    .variant(
        "y-swap",
        "Y with the swap",
        "connect all three sides of a triangle; the second player may take over the first stone",
    )
    .lesson(&[GOAL, CORNERS, SWAPPING, ALSO]);
