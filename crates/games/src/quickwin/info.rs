//! Describes Quickwin Hex to the rest of the program.

use crate::{Boards, Ending, GameInfo, LessonPart, Picture, Piece, Seat, SeatInfo};

use super::MAX_SIZE;

const BLACK: Piece = Piece::stone(Seat::First);
const WHITE: Piece = Piece::stone(Seat::Second);

const BOARDS: LessonPart = LessonPart {
    title: "Two boards",
    text: "Each player joins two opposite sides of a board. On board L black joins left and right and white top and \
           bottom; on board R it is the other way round. Whoever joins top and bottom has four stones there from the \
           start, in the two wide corners.",
    pictures: &[Picture {
        pieces: &[("Ld1 Le1 La5 Lb5", WHITE), ("Rd1 Re1 Ra5 Rb5", BLACK)],
        label: "Four white stones on board L, four black ones on board R",
        caption: "The start on boards of side 5",
        ..Picture::empty(5)
    }],
};

const TURNS: LessonPart = LessonPart {
    title: "A stone on each board",
    text: "Black begins with one stone on board L. After that a turn is two stones: first one on board L, then one on \
           board R.",
    pictures: &[Picture {
        pieces: &[("Ld1 Le1 La5 Lb5 Lb4", WHITE), ("Lc3", BLACK), ("Rd1 Re1 Ra5 Rb5", BLACK), ("Rc3", WHITE)],
        marked: "Lc3 Lb4 Rc3",
        label: "Black has played c3 on board L, white b4 on board L and c3 on board R",
        caption: "Black's first turn, then white's: now black plays on L, then on R",
        ..Picture::empty(5)
    }],
};

const GOAL: LessonPart = LessonPart {
    title: "One board is enough",
    text: "The first to join two sides on either board wins at once, even with the first stone of a turn.",
    pictures: &[Picture {
        pieces: &[
            ("Ld1 Le1 La5 Lb5 Ld2 Lb4", WHITE),
            ("La4 Lb3 Lc3 Ld3 Le2", BLACK),
            ("Rd1 Re1 Ra5 Rb5 Rb4 Rc4 Re2", BLACK),
            ("Rb3 Rc3 Rd2 Ra4", WHITE),
        ],
        chain: "La4 Lb3 Lc3 Ld3 Le2",
        label: "A chain of black from left to right on board L",
        caption: "Black has joined left and right on board L and wins the game",
        ..Picture::empty(5)
    }],
};

pub(super) const INFO: GameInfo = GameInfo::new(
    "quickwin",
    "Quickwin Hex",
    "Hex on two boards at once, with stones in the corners; joining your sides on either wins",
    Boards::new(4..=MAX_SIZE, 7, "cells on a side of each board"),
    [
        SeatInfo::new(
            "black",
            "joins column a to the last column on board L, or row 1 to the last row on board R",
            "Join the two black sides on either board.",
        ),
        SeatInfo::new(
            "white",
            "joins row 1 to the last row on board L, or column a to the last column on board R",
            "Join the two white sides on either board.",
        ),
    ],
)
.endings(&[Ending::CONNECTION])
// On the first board of the frame the mover connects left and right, on the second top and bottom.
.inputs(
    &[
        "own",
        "enemy",
        "empty",
        "enemy_side_1_of_1",
        "enemy_side_2_of_1",
        "own_side_1_of_1",
        "own_side_2_of_1",
        "own_side_1_of_2",
        "own_side_2_of_2",
        "enemy_side_1_of_2",
        "enemy_side_2_of_2",
        "enemy_joined_1_of_1",
        "enemy_joined_2_of_1",
        "own_joined_1_of_1",
        "own_joined_2_of_1",
        "own_joined_1_of_2",
        "own_joined_2_of_2",
        "enemy_joined_1_of_2",
        "enemy_joined_2_of_2",
        "own_wins",
        "enemy_wins",
        "own_sides_are_top_and_bottom",
        "stone_goes_here",
    ],
    &["second_stone", "size/9"],
)
.usual_plies(|cells| cells / 3)
.weak_levels([2.19, 1.63, 1.2])
.lesson(&[BOARDS, TURNS, GOAL]);
