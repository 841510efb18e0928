//! Describes Tack to the rest of the program, with and without the swap.

use crate::shared::words::{BLACK, JOINED, SEATS, SWAP, SWAPPING, WHITE, input_names};
use crate::{Boards, Count, Counted, Ending, GameInfo, LessonPart, Picture};

use super::{INPUTS, MAX_SIZE};

const NAMES: [&str; INPUTS] = input_names(["own_brackets", "enemy_brackets", "own_takes", "enemy_takes"]);

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "Take turns to place a stone on an empty cell. Black moves first. A chain of your stones between the two \
           sides of your colour wins.",
    pictures: &[JOINED],
};

const BRACKETS: LessonPart = LessonPart {
    title: "Bracket two or three",
    text: "Enclose a straight line of exactly two or three enemy stones between the stone that you place and another of \
           yours: they become yours. This works in several directions at once.",
    pictures: &[
        Picture {
            pieces: &[("a3", BLACK), ("b3 c3", WHITE)],
            marked: "d3",
            label: "Two white stones in a row, a black one on their left",
            caption: "Black places d3 …",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("a3 b3 c3 d3", BLACK)],
            marked: "b3 c3",
            label: "Four black stones in a row",
            caption: "… and takes b3 and c3 over",
            ..Picture::empty(5)
        },
    ],
};

const SAFE: LessonPart = LessonPart {
    title: "What is safe",
    text: "A single stone, or a line of four and more, cannot be bracketed. A stone placed between two enemy stones is \
           safe too: only the stone just placed brackets, and what it has taken brackets nothing.",
    pictures: &[Picture {
        pieces: &[("a2 c2 a4 e1", BLACK), ("b2 b4 c4", WHITE)],
        marked: "b2 d4",
        label: "A single white stone between two black ones, and a white pair beside a black stone",
        caption: "b2 is safe; b4 and c4 are not: d4 takes them",
        ..Picture::empty(5)
    }],
};

const WITHOUT_SWAP: GameInfo = GameInfo::new(
    "tack",
    "Tack",
    "join your two sides; bracket two or three enemy stones to take them over",
    Boards::sides(3..=MAX_SIZE, 8),
    SEATS,
)
.actions(&[SWAP])
.endings(&[Ending::CONNECTION])
.counts(&[Count { key: "captures", title: "stones taken over", what: Counted::Recoloured }])
.inputs(&NAMES, &["swap_possible", "reply_may_swap", "size/13"])
.usual_plies(|cells| 2 * cells / 3)
.weak_levels([2.12, 1.57, 1.15])
.lesson(&[GOAL, BRACKETS, SAFE]);

const WITH_SWAP: GameInfo = WITHOUT_SWAP
    .variant("tack-swap", "Tack with the swap", "Tack in which the second player may take over the first stone")
    .lesson(&[GOAL, BRACKETS, SAFE, SWAPPING]);

pub(super) const fn info(swap: bool) -> GameInfo {
    if swap { WITH_SWAP } else { WITHOUT_SWAP }
}
