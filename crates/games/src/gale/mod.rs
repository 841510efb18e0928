//! Gale, also known as Bridg-It: the dots of the two players form interlocking grids. A turn is a
//! bridge between two neighbouring own dots, which blocks the enemy's bridge at that crossing. The
//! first player connects the top row of own dots to the bottom one, the second the left column to
//! the right one.
//!
//! When all crossings are taken, exactly one player has won.

mod trees;

use std::ops::RangeInclusive;

use crate::shared::joining::{Joining, Kind, Links};
use crate::shared::words::{SIDES, joined};
use crate::{Boards, EndgameSolver, Ending, GameInfo, LessonPart, Picture, Piece, Seat, SeatInfo, flag};
use hexzero_board::Shape;

/// Gale as a game about connecting sides.
#[derive(Debug, Clone)]
pub struct GaleKind;

/// A position of Gale.
pub type Gale = Joining<GaleKind>;

impl Kind for GaleKind {
    const INFO: GameInfo = INFO;
    const SOLVED: RangeInclusive<usize> = 2..=3;

    fn shape(size: usize) -> Shape {
        Shape::Crossings { size }
    }

    fn endgame_solver(position: &Gale) -> Option<Box<dyn EndgameSolver>> {
        Some(Box::new(trees::Trees::new(position.stones().links().board())))
    }

    /// Writes whether the mover's bridge leads down and the enemy's across, which the neighbours do
    /// not show.
    fn encode_more(links: &Links, cell: usize, inputs: &mut [f32]) {
        inputs[0] = flag(links.is_upright(cell));
    }
}

const RED: Piece = Piece::stone(Seat::First);
const BLUE: Piece = Piece::stone(Seat::Second);

const CELL_INPUTS: [&str; 14] =
    joined(&[&["own", "enemy", "empty"], &SIDES, &["own_wins", "enemy_wins", "own_bridge_leads_down"]]);

const BRIDGES: LessonPart = LessonPart {
    title: "Build bridges",
    text: "Red and blue have dots of their own. Take turns to build a bridge between two neighbouring dots of your \
           colour, down or across. Red moves first. Bridges never cross: where one of yours is, your opponent cannot \
           build.",
    pictures: &[Picture {
        pieces: &[("2,2", RED), ("3,3", BLUE)],
        marked: "2,4",
        label: "A bridge of red at 2,2, one of blue at 3,3",
        caption: "At the marked crossing red would build across and blue down",
        ..Picture::empty(3)
    }],
};

const GOAL: LessonPart = LessonPart {
    title: "Connect your two sides",
    text: "A way over red bridges from the top row of red dots to the bottom row wins for red. A way over blue bridges \
           from the left column of blue dots to the right column wins for blue.",
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
    text: "Each crossing is worth as much to either player: a bridge that blocks is also one that leads on. There is \
           no draw, because the only thing that cuts one player off is a way of the other.",
    pictures: &[],
};

const INFO: GameInfo = GameInfo::new(
    "gale",
    "Gale",
    "build bridges between your dots and connect your two sides; also known as Bridg-It",
    Boards::new(2..=8, 5, "dots of a player in a row"),
    [
        SeatInfo::new("red", "connects the first and last row", "Connect the two red sides by a path of bridges."),
        SeatInfo::new("blue", "connects the first and last column", "Connect the two blue sides by a path of bridges."),
    ],
)
.endings(&[Ending::CONNECTION])
.inputs(&CELL_INPUTS, &["size/8"])
.usual_plies(|cells| 3 * cells / 4)
.weak_levels([4.66, 2.18, 1.38])
.lesson(&[BRIDGES, GOAL, BLOCKING]);
