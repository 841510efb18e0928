//! Describes Fan to the rest of the program, with and without the swap.

use crate::shared::rhombus_sets::DIRECTION_NAMES;
use crate::shared::words::{BLACK, JOINED, SEATS, STAY, SWAP, SWAPPING, WHITE, input_names};
use crate::{Boards, Count, Counted, Ending, GameInfo, GlobalAction, LessonPart, MoveSign, Picture};

use super::{INPUTS, MAX_SIZE};

const NAMES: [&str; INPUTS] =
    input_names(["just_placed", "own_steps", "enemy_steps", "own_captures", "enemy_captures"]);

const GOAL: LessonPart = LessonPart {
    title: "Connect your two sides",
    text: "Place a stone on an empty cell. A chain of your stones between the two sides of your colour wins.",
    pictures: &[JOINED],
};

const APPROACH: LessonPart = LessonPart {
    title: "Capture by approach",
    text: "After placing you may move another of your stones one cell, if that captures. Moving towards an enemy \
           stone, so that it is right ahead of the new cell, takes it over.",
    pictures: &[
        Picture {
            pieces: &[("a3 e1", BLACK), ("c3", WHITE)],
            marked: "b3",
            label: "A black stone, an empty cell, a white stone in a row",
            caption: "Black has placed e1 and moves a3 to b3 …",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("b3 c3 e1", BLACK)],
            taken: "a3",
            marked: "c3",
            label: "Two black stones",
            caption: "… which takes c3 over",
            ..Picture::empty(5)
        },
    ],
};

const WITHDRAWAL: LessonPart = LessonPart {
    title: "Capture by withdrawal",
    text: "Moving straight away from an enemy stone takes it over too. If there is one behind and one ahead, both are \
           taken. A move that captures nothing is not allowed, and the stone just placed may not move.",
    pictures: &[
        Picture {
            pieces: &[("b3 e1", BLACK), ("a3 d3", WHITE)],
            marked: "c3",
            label: "White, black, an empty cell, and white in a row",
            caption: "Black moves b3 to c3 …",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("c3 a3 d3 e1", BLACK)],
            taken: "b3",
            marked: "a3 d3",
            label: "Four black stones",
            caption: "… and takes a3 behind and d3 ahead",
            ..Picture::empty(5)
        },
    ],
};

/// The action that ends a turn without a step.
const NO_STEP: GlobalAction = GlobalAction {
    label: "No step",
    offer: "Click another stone to capture with a step, or end your turn.",
    done: "takes no step",
    suffered: "No step was taken. Now it is your turn.",
    ..STAY
};

pub(super) const WITHOUT_SWAP: GameInfo = GameInfo::new(
    "fan",
    "Fan",
    "connect your two sides; after placing, a step of another stone captures by approach or withdrawal",
    Boards::sides(3..=MAX_SIZE, 7),
    SEATS,
)
.actions(&[NO_STEP, SWAP])
.notation(&[MoveSign::new("m", "step from")], &DIRECTION_NAMES)
.endings(&[Ending::CONNECTION])
.counts(&[
    Count { key: "steps", title: "capturing steps", what: Counted::Moved },
    Count { key: "captures", title: "stones taken over", what: Counted::Recoloured },
])
.inputs(&NAMES, &["step_may_follow", "swap_possible", "reply_may_swap", "size/11"])
.policy_planes(7)
.usual_plies(|cells| 6 * cells / 5)
.weak_levels([3.39, 2.03, 1.26])
.lesson(&[GOAL, APPROACH, WITHDRAWAL]);

pub(super) const WITH_SWAP: GameInfo = WITHOUT_SWAP
    .variant("fan-swap", "Fan with the swap", "Fan in which the second player may take over the first stone")
    .lesson(&[GOAL, APPROACH, WITHDRAWAL, SWAPPING]);
