//! Describes Gale to the rest of the program.

use crate::games::{Boards, Ending, GameInfo, LessonPart, Picture, Piece, Seat, SeatInfo};

const RED: Piece = Piece::stone(Seat::First);
const BLUE: Piece = Piece::stone(Seat::Second);

const BRIDGES: LessonPart = LessonPart {
    title: "Build bridges",
    text: "Red and blue have dots of their own. Take turns to build a bridge between two neighbouring dots of your colour, \
           down or across. Red moves first. Bridges never cross: where one of yours is, your opponent cannot build.",
    pictures: &[Picture {
        pieces: &[("2,2", RED), ("3,3", BLUE)],
        marked: "2,4",
        label: "A bridge of red at 2,2, one of blue at 3,3",
        caption: "At the marked crossing red would build across and blue down",
        ..Picture::empty(3)
    }],
};

const GOAL: LessonPart = LessonPart {
    title: "Join your two sides",
    text: "A way over red bridges from the top row of red dots to the bottom row wins for red. A way over blue bridges from \
           the left column of blue dots to the right column wins for blue.",
    pictures: &[
        Picture {
            pieces: &[("1,1 2,2 3,3 5,3", RED), ("1,3 3,1 4,4", BLUE)],
            chain: "1,1 2,2 3,3 5,3",
            label: "A way of red from top to bottom",
            caption: "Red wins",
            ..Picture::empty(3)
        },
        Picture {
            pieces: &[("1,1 3,3 5,1 4,4", RED), ("3,1 2,2 1,3 1,5", BLUE)],
            chain: "3,1 2,2 1,3 1,5",
            label: "A way of blue from left to right",
            caption: "Blue wins",
            ..Picture::empty(3)
        },
    ],
};

const BLOCKING: LessonPart = LessonPart {
    title: "Block and build",
    text: "Each crossing is worth as much to either player: a bridge that blocks is also one that leads on. There is no \
           draw, because the only thing that cuts one player off is a way of the other.",
    pictures: &[],
};

pub(super) const INFO: GameInfo = GameInfo::new(
    "gale",
    "Gale",
    "build bridges between your dots and join your two sides; also known as Bridg-It",
    Boards::new(2..=8, 5, "dots of a player in a row"),
    [
        SeatInfo::new("red", "joins row 1 to the last row", "Join the two red sides by a way of bridges."),
        SeatInfo::new("blue", "joins column 1 to the last column", "Join the two blue sides by a way of bridges."),
    ],
)
.endings(&[Ending::CONNECTION])
.inputs(
    &[
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
        "own_bridge_leads_down",
    ],
    &["size/8"],
)
.usual_plies(|cells| 3 * cells / 4)
.weak_levels([4.66, 2.18, 1.38])
.lesson(&[BRIDGES, GOAL, BLOCKING]);
