//! What Link says of itself, with and without the swap.

use crate::board::DIRECTIONS;
use crate::games::shared::rhombus_sets::words::{BLACK, CONNECTION, SEATS, STAY, SWAP, SWAPPING, WHITE, input_names};
use crate::games::{Boards, Count, Counted, GameInfo, LessonPart, NetworkView, Picture};

use super::{FARTHEST, INPUTS, LARGEST};

const NAMES: [&str; INPUTS] = input_names(["own_movers", "enemy_movers", "own_pushes", "enemy_pushes"]);

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "Place a stone on an empty cell; then you may move stones of yours in a line. A chain of your stones between \
           the two sides of your colour wins, at once after the placement or after the movement.",
    pictures: &[Picture {
        pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
        chain: "c1 c2 b3 b4 a5",
        label: "A chain of black from side to side",
        caption: "Black wins; white would have to join the other two sides",
        ..Picture::empty(5)
    }],
};

const MOVE: LessonPart = LessonPart {
    title: "Move a line",
    text: "Stones in an unbroken straight line move along it together, up to as many cells as they are. You may take \
           the front part of a line alone. A single stone moves one cell in any direction. Click the last stone that \
           is to move, then the cell where it ends up.",
    pictures: &[
        Picture {
            size: 6,
            pieces: &[("a3 b3", BLACK)],
            marked: "b3 c3",
            label: "Two black stones in a row",
            caption: "The last stone, a3, may go to b3 or to c3 …",
            ..Picture::empty(5)
        },
        Picture {
            size: 6,
            pieces: &[("c3 d3", BLACK)],
            label: "Two black stones two cells further right",
            caption: "… here it went two cells, and b3 with it",
            ..Picture::empty(5)
        },
    ],
};

const PUSH: LessonPart = LessonPart {
    title: "Push fewer",
    text: "Enemy stones that are met on the way are pushed along, wherever they stand in the line, if they are fewer \
           than the stones that move. Nothing is pushed off the board, and stones of your own are in the way.",
    pictures: &[
        Picture {
            size: 8,
            pieces: &[("a4 b4 c4", BLACK), ("e4 g4", WHITE)],
            marked: "a4",
            label: "Three black stones in a row, and two white ones further on with gaps",
            caption: "Black moves three cells from a4 …",
            ..Picture::empty(5)
        },
        Picture {
            size: 8,
            pieces: &[("d4 e4 f4", BLACK), ("g4 h4", WHITE)],
            label: "Three black stones in a row, right behind them two white ones",
            caption: "… and pushes both white stones along",
            ..Picture::empty(5)
        },
    ],
};

const END: LessonPart = LessonPart {
    title: "Take care",
    text: "If your movement joins the enemy's sides and not your own, the enemy wins. You need not move: press \u{201c}Move \
           nothing\u{201d}.",
    pictures: &[],
};

pub(super) const fn info(swap: bool) -> GameInfo {
    GameInfo {
        id: if swap { "link-swap" } else { "link" },
        title: if swap { "Link with the swap" } else { "Link" },
        summary: if swap {
            "Link in which the second player may take over the first stone"
        } else {
            "join your two sides; after placing, stones in a line move and push fewer enemy stones"
        },
        network: "link",
        boards: Boards { sizes: 3..=LARGEST, default: 6, meaning: "cells on a side" },
        seats: SEATS,
        actions: &[STAY, SWAP],
        choices: &[],
        endings: &[CONNECTION],
        counts: &[Count { key: "moves", title: "stones moved", what: Counted::Moved }],
        view: NetworkView {
            version: 1,
            cell_inputs: INPUTS,
            global_inputs: 4,
            policy_planes: 1 + DIRECTIONS * FARTHEST,
            global_actions: 2,
        },
        cell_inputs: &NAMES,
        global_inputs: &["movement_next", "swap_possible", "reply_may_swap", "size/9"],
        usual_plies: |cells| 4 * cells / 3,
        sgf: None,
        lesson: if swap { &[GOAL, MOVE, PUSH, SWAPPING, END] } else { &[GOAL, MOVE, PUSH, END] },
    }
}
