//! Describes Dozer Hex to the rest of the program, with and without the swap.

use crate::shared::rhombus_sets::DIRECTION_NAMES;
use crate::shared::words::{BLACK, JOINED, SEATS, SWAP, SWAPPING, WHITE, input_names};
use crate::{Boards, Count, Counted, Ending, GameInfo, LessonPart, MoveSign, Picture};

use super::{INPUTS, MAX_SIZE, REPETITION, TURNS};

const NAMES: [&str; INPUTS] = input_names(["own_lines", "enemy_lines", "own_pushes_off", "enemy_pushes_off"]);

const GOAL: LessonPart = LessonPart {
    title: "Connect your two sides",
    text: "A turn is a stone placed on an empty cell, or a push. A chain of your stones between the two sides of your \
           colour wins.",
    pictures: &[JOINED],
};

const PUSH: LessonPart = LessonPart {
    title: "Push with the longer line",
    text: "Move a whole straight line of your stones along itself. If it has more stones than the enemy line right in \
           front of it, it shoves that along, as many cells as it has more stones. Click the last stone of the line, \
           then the cell where that stone ends up.",
    pictures: &[
        Picture {
            pieces: &[("a3 b3 c3", BLACK), ("d3 b5", WHITE)],
            marked: "a3",
            label: "Three black stones in a row, then a white one",
            caption: "Three against one: the line may move two cells …",
            ..Picture::empty(6)
        },
        Picture {
            pieces: &[("c3 d3 e3", BLACK), ("f3 b5", WHITE)],
            marked: "c3",
            label: "All four stones two cells further right",
            caption: "… and the white stone with it",
            ..Picture::empty(6)
        },
    ],
};

const EDGE: LessonPart = LessonPart {
    title: "Over the edge",
    text: "Enemy stones that are shoved over the edge are off the board. Your own line stops when its front is at the \
           edge, or when any other stone is in the way. Without an enemy in front a line may move too, up to as many \
           cells as it has stones.",
    pictures: &[
        Picture {
            pieces: &[("b3 c3 d3", BLACK), ("e3", WHITE)],
            marked: "b3",
            label: "Three black stones in a row, then a white one at the edge",
            caption: "Black pushes from b3 …",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("c3 d3 e3", BLACK)],
            taken: "b3",
            label: "Three black stones up to the edge",
            caption: "… e3 is off, and the line stops at the edge",
            ..Picture::empty(5)
        },
    ],
};

const END: LessonPart = LessonPart {
    title: "How it ends",
    text: "A push can join the enemy's sides too: then the enemy has won, unless your own sides are joined as well. \
           The third time that the same position comes up with the same player to move is a draw.",
    pictures: &[],
};

pub(super) const WITH_SWAP: GameInfo = GameInfo::new(
    "dozer",
    "Dozer Hex",
    "connect your two sides; a line of stones may push a shorter enemy line, even off the board",
    Boards::sides(3..=MAX_SIZE, 8),
    SEATS,
)
.actions(&[SWAP])
.notation(&[MoveSign::new("p", "push from")], &DIRECTION_NAMES)
.endings(&[
    Ending::CONNECTION,
    Ending::new(REPETITION, "repetition", "the position has occurred for the third time"),
    Ending::new(TURNS, "turns", "the turn limit has been reached"),
])
.counts(&[
    Count { key: "moves", title: "stones moved", what: Counted::Moved },
    Count { key: "falls", title: "stones pushed off the board", what: Counted::Removed },
])
.inputs(&NAMES, &["swap_possible", "reply_may_swap", "turns/limit", "occurrences/3", "size/11"])
.policy_planes(7)
.usual_plies(|cells| 3 * cells / 2)
.weak_levels([1.86, 1.45, 1.05])
.lesson(&[GOAL, PUSH, EDGE, SWAPPING, END]);

pub(super) const WITHOUT_SWAP: GameInfo = WITH_SWAP
    .variant("dozer-noswap", "Dozer Hex without the swap", "Dozer Hex without the swap")
    .lesson(&[GOAL, PUSH, EDGE, END]);
