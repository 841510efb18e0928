//! What 12* Hex says of itself.

use crate::games::shared::rhombus_sets::words::{BLACK, CONNECTION, SEATS, WHITE, input_names};
use crate::games::{Boards, GameInfo, LessonPart, NetworkView, Picture};

use super::{INPUTS, LARGEST};

const NAMES: [&str; INPUTS] = input_names(["first_stone", "first_group", "barred"]);

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "Black opens with one stone. From then on place two stones a turn, on any empty cells. A chain of your stones \
           between the two sides of your colour wins at once.",
    pictures: &[Picture {
        pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
        chain: "c1 c2 b3 b4 a5",
        label: "A chain of black from side to side",
        caption: "Black wins; white would have to join the other two sides",
        ..Picture::empty(5)
    }],
};

const GROUPS: LessonPart = LessonPart {
    title: "Two groups",
    text: "The two stones of a turn must not end up in one group of connected stones. So whatever you start with the \
           first stone, the second has to help you elsewhere.",
    pictures: &[
        Picture {
            pieces: &[("b2 b3 d4", BLACK), ("c2 d1", WHITE)],
            marked: "b1 c1 a2 a3 c3 a4 b4",
            label: "Two black stones that touch, and cells around them marked",
            caption: "Black has placed b3: the marked cells are barred now",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("b2 b3 d4 d3", BLACK), ("c2 d1", WHITE)],
            label: "Black has two groups, one of b2 and b3, one of d3 and d4",
            caption: "d3 joins the other group, so it may be the second stone",
            ..Picture::empty(5)
        },
    ],
};

const END: LessonPart = LessonPart {
    title: "No way on",
    text: "If there is no cell for the second stone, the turn is over after the first. There is no swap, for a single \
           stone is a small advantage, and there is no draw.",
    pictures: &[],
};

pub(super) const INFO: GameInfo = GameInfo {
    id: "12star",
    title: "12* Hex",
    summary: "join your two sides with two stones a turn, which must not end in one group",
    network: "12star",
    boards: Boards { sizes: 4..=LARGEST, default: 11, meaning: "cells on a side" },
    seats: SEATS,
    actions: &[],
    choices: &[],
    endings: &[CONNECTION],
    counts: &[],
    view: NetworkView { version: 1, cell_inputs: INPUTS, global_inputs: 3, policy_planes: 1, global_actions: 0 },
    cell_inputs: &NAMES,
    global_inputs: &["second_stone", "opening", "size/19"],
    usual_plies: |cells| 3 * cells / 4,
    sgf: None,
    lesson: &[GOAL, GROUPS, END],
};
