//! Describes Link to the rest of the program, with and without the swap.

use crate::shared::rhombus_sets::DIRECTION_NAMES;
use crate::shared::words::{BLACK, JOINED, SEATS, STAY, SWAP, SWAPPING, WHITE, input_names};
use crate::{Boards, Count, Counted, Ending, GameInfo, LessonPart, MoveSign, Picture};
use hexzero_board::DIRECTIONS;

use super::{FARTHEST, INPUTS, MAX_SIZE};

const NAMES: [&str; INPUTS] = input_names(["own_movers", "enemy_movers", "own_pushes", "enemy_pushes"]);

const GOAL: LessonPart = LessonPart {
    title: "Connect your two sides",
    text: "Place a stone on an empty cell; then you may move stones of yours in a line. A chain of your stones between \
           the two sides of your colour wins, at once after the placement or after the movement.",
    pictures: &[JOINED],
};

const MOVE: LessonPart = LessonPart {
    title: "Move a line",
    text: "Stones in an unbroken straight line move along it together, up to as many cells as they are. You may take \
           the front part of a line alone. A single stone moves one cell in any direction. Click the last stone that \
           is to move, then the cell where it ends up.",
    pictures: &[
        Picture {
            pieces: &[("a3 b3", BLACK)],
            marked: "b3 c3",
            label: "Two black stones in a row",
            caption: "The last stone, a3, may go to b3 or to c3 …",
            ..Picture::empty(6)
        },
        Picture {
            pieces: &[("c3 d3", BLACK)],
            label: "Two black stones two cells further right",
            caption: "… here it went two cells, and b3 with it",
            ..Picture::empty(6)
        },
    ],
};

const PUSH: LessonPart = LessonPart {
    title: "Push fewer",
    text: "Enemy stones that are met on the way are pushed along, wherever they stand in the line, if they are fewer \
           than the stones that move. Nothing is pushed off the board, and stones of your own are in the way.",
    pictures: &[
        Picture {
            pieces: &[("a4 b4 c4", BLACK), ("e4 g4", WHITE)],
            marked: "a4",
            label: "Three black stones in a row, and two white ones further on with gaps",
            caption: "Black moves three cells from a4 …",
            ..Picture::empty(8)
        },
        Picture {
            pieces: &[("d4 e4 f4", BLACK), ("g4 h4", WHITE)],
            label: "Three black stones in a row, right behind them two white ones",
            caption: "… and pushes both white stones along",
            ..Picture::empty(8)
        },
    ],
};

const END: LessonPart = LessonPart {
    title: "Take care",
    text: "If your movement joins the enemy's sides and not your own, the enemy wins. You need not move: press \
           \u{201c}Move nothing\u{201d}.",
    pictures: &[],
};

pub(super) const WITHOUT_SWAP: GameInfo = GameInfo::new(
    "link",
    "Link",
    "connect your two sides; after placing, stones in a line move and push fewer enemy stones",
    Boards::sides(3..=MAX_SIZE, 6),
    SEATS,
)
.actions(&[STAY, SWAP])
.notation(&[MoveSign::new("m", "move from")], &DIRECTION_NAMES)
.endings(&[Ending::CONNECTION])
.counts(&[Count { key: "moves", title: "stones moved", what: Counted::Moved }])
.inputs(&NAMES, &["movement_next", "swap_possible", "reply_may_swap", "size/9"])
.policy_planes(1 + DIRECTIONS * FARTHEST)
.usual_plies(|cells| 4 * cells / 3)
.weak_levels([2.63, 1.69, 1.1])
.lesson(&[GOAL, MOVE, PUSH, END]);

pub(super) const WITH_SWAP: GameInfo = WITHOUT_SWAP
    .variant("link-swap", "Link with the swap", "Link in which the second player may take over the first stone")
    .lesson(&[GOAL, MOVE, PUSH, SWAPPING, END]);
