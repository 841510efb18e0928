//! What Tack says of itself, with and without the swap.

use crate::games::shared::rhombus_sets::words::{BLACK, CONNECTION, SEATS, SWAP, SWAPPING, WHITE, input_names};
use crate::games::{Boards, Count, Counted, GameInfo, LessonPart, NetworkView, Picture};

use super::{INPUTS, LARGEST};

const NAMES: [&str; INPUTS] = input_names(["own_brackets", "enemy_brackets", "own_takes", "enemy_takes"]);

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "Take turns to place a stone on an empty cell. Black moves first. A chain of your stones between the two \
           sides of your colour wins.",
    pictures: &[Picture {
        pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
        chain: "c1 c2 b3 b4 a5",
        label: "A chain of black from side to side",
        caption: "Black wins; white would have to join the other two sides",
        ..Picture::empty(5)
    }],
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

pub(super) const fn info(swap: bool) -> GameInfo {
    GameInfo {
        id: if swap { "tack-swap" } else { "tack" },
        title: if swap { "Tack with the swap" } else { "Tack" },
        summary: if swap {
            "Tack in which the second player may take over the first stone"
        } else {
            "join your two sides; bracket two or three enemy stones to take them over"
        },
        network: "tack",
        boards: Boards { sizes: 3..=LARGEST, default: 8, meaning: "cells on a side" },
        seats: SEATS,
        actions: &[SWAP],
        choices: &[],
        endings: &[CONNECTION],
        counts: &[Count { key: "captures", title: "stones taken over", what: Counted::Recoloured }],
        view: NetworkView { version: 1, cell_inputs: INPUTS, global_inputs: 3, policy_planes: 1, global_actions: 1 },
        cell_inputs: &NAMES,
        global_inputs: &["swap_possible", "reply_may_swap", "size/13"],
        usual_plies: |cells| 2 * cells / 3,
        sgf: None,
        lesson: if swap { &[GOAL, BRACKETS, SAFE, SWAPPING] } else { &[GOAL, BRACKETS, SAFE] },
    }
}
