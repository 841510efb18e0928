//! Describes 3-Connection to the rest of the program.

use crate::shared::words::{BLACK, WHITE, joined};
use crate::{Boards, Ending, GameInfo, LessonPart, Picture, SeatInfo};

const CELL_INPUTS: [&str; 40] = joined(&[
    &["own", "enemy", "empty"],
    &["y_left_side", "y_right_side", "y_bottom_side"],
    &["gale_own_side_1", "gale_own_side_2", "gale_enemy_side_1", "gale_enemy_side_2"],
    &["hex_own_side_1", "hex_own_side_2", "hex_enemy_side_1", "hex_enemy_side_2"],
    &["y_own_joined_left", "y_enemy_joined_left", "y_own_joined_right", "y_enemy_joined_right"],
    &["y_own_joined_bottom", "y_enemy_joined_bottom"],
    &["gale_own_joined_1", "gale_own_joined_2", "gale_enemy_joined_1", "gale_enemy_joined_2"],
    &["hex_own_joined_1", "hex_own_joined_2", "hex_enemy_joined_1", "hex_enemy_joined_2"],
    &["own_joins", "enemy_joins"],
    &["own_bridge_leads_down", "y", "gale", "hex", "open_now", "first_move_here"],
    &["own_game", "enemy_game", "own_left_out", "enemy_left_out"],
]);

const GAMES: LessonPart = LessonPart {
    title: "Three games",
    text: "In Y, on the left, a chain of your stones that touches all three sides wins. In Gale, in the middle, build \
           bridges between your dots, and in Hex, on the right, place stones: in both black joins top and bottom, \
           white left and right. The player who wins two of the three games wins.",
    pictures: &[Picture {
        pieces: &[
            ("Ya3 Yb3 Yc4 Yd4 Yb4 Yb5 Yb6", BLACK),
            ("Yc3 Yd5 Yc5 Ya5 Yb2", WHITE),
            ("G1,1 G5,1 G2,4 G4,2", BLACK),
            ("G3,1 G2,2 G1,3 G1,5", WHITE),
            ("Hc3 Hd2 Hb3 He1 Ha5", BLACK),
            ("Hb4 Hc4 Ha4", WHITE),
        ],
        chain: "Ya3 Yb3 Yc4 Yd4 Yb4 Yb5 Yb6",
        label: "Black has won Y, white has won Gale, Hex goes on",
        caption: "Black has won Y and white Gale: Hex decides",
        ..Picture::empty(5)
    }],
};

const TURNS: LessonPart = LessonPart {
    title: "Two moves in two games",
    text: "Black begins with one move in any game. After that a turn is two moves in two different games.",
    pictures: &[Picture {
        pieces: &[("Hc3", BLACK), ("G3,3 Yc5", WHITE)],
        marked: "Hc3 G3,3 Yc5",
        label: "A stone of black in Hex, a bridge of white in Gale and a stone of white in Y",
        caption: "Black began in Hex; white then moved in Gale and in Y",
        ..Picture::empty(5)
    }],
};

const PAIRS: LessonPart = LessonPart {
    title: "Another pair each time",
    text: "Your two games may not be the same pair as in your turn before; what your opponent chose does not matter. \
           As soon as one game is won pairs are free. In a game that is won no more moves are made, and if only one is \
           left a turn is one move.",
    pictures: &[Picture {
        pieces: &[("Hc3 Yb5 G3,1", BLACK), ("G3,3 Yc5", WHITE)],
        marked: "Yb5 G3,1",
        label: "Black's second turn was in Y and in Gale",
        caption: "Black has just played in Y and Gale: next time Hex must be one of the two",
        ..Picture::empty(5)
    }],
};

pub(super) const INFO: GameInfo = GameInfo::new(
    "3connection",
    "3-Connection",
    "Y, Gale and Hex side by side, two moves a turn; win two of the three",
    Boards::new(5..=5, 5, "cells on a side of the Hex board"),
    [
        SeatInfo::new(
            "black",
            "wins two games: all three sides in Y, the first and last row in Gale and Hex",
            "Win two games: connect all sides in Y, the two black sides in Gale and in Hex.",
        ),
        SeatInfo::new(
            "white",
            "wins two games: all three sides in Y, the first and last column in Gale and Hex",
            "Win two games: connect all sides in Y, the two white sides in Gale and in Hex.",
        ),
    ],
)
.endings(&[Ending::connection("two of the three games are won")])
.inputs(&CELL_INPUTS, &["first_turn", "second_move", "pairs_are_free", "own_games", "enemy_games"])
.usual_plies(|cells| 3 * cells / 5)
.weak_levels([2.8, 1.9, 1.32])
.lesson(&[GAMES, TURNS, PAIRS]);
