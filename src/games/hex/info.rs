//! What Hex says of itself, with and without the swap.

use crate::games::{
    ActionKind, Boards, EndReason, Ending, GameInfo, GlobalAction, LessonPart, NetworkView, Picture, Piece, Seat,
    SeatInfo,
};

use super::LARGEST;

const BLACK: Piece = Piece::stone(Seat::First);
const WHITE: Piece = Piece::stone(Seat::Second);

/// The swap. Without it a network still has an output for it, which no position makes use of.
const SWAP: GlobalAction = GlobalAction {
    word: "swap",
    aliases: &["swap-pieces"],
    // Plain `swap` exchanges the colours of the players in other programs.
    foreign: "swap-pieces",
    kind: ActionKind::Swap,
    label: "Swap",
    offer: "Take over black's stone as your own, mirrored to your sides, or place a stone.",
    done: "swaps: the stone changes colour and place",
    suffered: "Your stone changed colour and place. Now it is your turn again.",
};

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "Take turns to place a stone on an empty cell. Black moves first. A chain of your stones between the two \
           sides of your colour wins.",
    pictures: &[Picture {
        size: 5,
        pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
        chain: "c1 c2 b3 b4 a5",
        label: "A chain of black from side to side",
        caption: "Black wins; white would have to join the other two sides",
        ..Picture::empty(4)
    }],
};

const SWAPPING: LessonPart = LessonPart {
    title: "Swap",
    text: "Moving first is an advantage. So white may take over the first stone instead of placing one: it becomes \
           white's, mirrored to white's sides. Then black moves again.",
    pictures: &[
        Picture { pieces: &[("c1", BLACK)], label: "black at c1", caption: "Black opens with c1", ..Picture::empty(4) },
        Picture { pieces: &[("a3", WHITE)], label: "white at a3", caption: "White swaps", ..Picture::empty(4) },
    ],
};

const ALSO: LessonPart =
    LessonPart { title: "Also", text: "Stones stay where they are, and there is no draw.", pictures: &[] };

pub(super) const fn info(swap: bool) -> GameInfo {
    GameInfo {
        id: if swap { "hex" } else { "hex-noswap" },
        title: if swap { "Hex" } else { "Hex without the swap" },
        summary: if swap {
            "join your two sides; the second player may take over the first stone"
        } else {
            "join your two sides; nobody may swap, as in solvers and handicap games"
        },
        network: "hex",
        boards: Boards { sizes: 2..=LARGEST, default: 7, meaning: "cells on a side" },
        seats: [
            SeatInfo { name: "black", goal: "joins row 1 to the last row", task: "Join the two black sides." },
            SeatInfo { name: "white", goal: "joins column a to the last column", task: "Join the two white sides." },
        ],
        actions: &[SWAP],
        choices: &[],
        endings: &[Ending { reason: EndReason::CONNECTION, key: "connection", words: "the two sides are connected" }],
        counts: &[],
        view: NetworkView { version: 1, cell_inputs: 13, global_inputs: 3, policy_planes: 1, global_actions: 1 },
        cell_inputs: &[
            "own",
            "enemy",
            "empty",
            "own_side_1",
            "own_side_2",
            "enemy_side_1",
            "enemy_side_2",
            "own_joined_1",
            "own_joined_2",
            "enemy_joined_1",
            "enemy_joined_2",
            "own_wins",
            "enemy_wins",
        ],
        global_inputs: &["swap_possible", "reply_may_swap", "size/19"],
        usual_plies: |cells| 2 * cells / 3,
        sgf: Some(11),
        lesson: if swap { &[GOAL, SWAPPING, ALSO] } else { &[GOAL, ALSO] },
    }
}
