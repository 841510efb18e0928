//! Describes 12* Hex to the rest of the program.

use crate::shared::words::{BLACK, JOINED, SEATS, WHITE, input_names};
use crate::{Boards, Ending, GameInfo, LessonPart, Picture};

use super::{INPUTS, MAX_SIZE};

const NAMES: [&str; INPUTS] = input_names(["first_stone", "first_group", "barred"]);

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "Black opens with one stone. From then on place two stones a turn, on any empty cells. A chain of your stones \
           between the two sides of your colour wins at once.",
    pictures: &[JOINED],
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

pub(super) const INFO: GameInfo = GameInfo::new(
    "12star",
    "12* Hex",
    "join your two sides with two stones a turn, which must not end in one group",
    Boards::sides(4..=MAX_SIZE, 11),
    SEATS,
)
.endings(&[Ending::CONNECTION])
.inputs(&NAMES, &["second_stone", "opening", "size/19"])
.usual_plies(|cells| 3 * cells / 4)
.weak_levels([1.39, 1.18, 0.91])
.lesson(&[GOAL, GROUPS, END]);
