//! Describes Cachex to the rest of the program, and to the network.

use crate::shared::words::{SIDES, SWAP, joined};
use crate::{
    Boards, Count, Counted, Ending, GameInfo, GlobalAction, LessonPart, Picture, Piece, Rules, Seat, SeatInfo, flag,
};
use hexzero_board::RhombusSet;

use super::{Cachex, REPETITION, REPETITION_LIMIT, TURN_LIMIT, TURNS};

const RED: Piece = Piece::stone(Seat::First);
const BLUE: Piece = Piece::stone(Seat::Second);

const CELL_INPUTS: [&str; 16] = joined(&[
    &["own", "enemy", "empty", "own_captures", "enemy_captures", "captured"],
    &SIDES,
    &["own_wins", "enemy_wins"],
]);

pub(super) const INFO: GameInfo = GameInfo::new(
    "cachex",
    "Cachex",
    "Hex in which closing a diamond captures two stones",
    Boards::sides(3..=15, 7),
    [
        SeatInfo::new("red", "connects the first and last row", "Connect the two red sides."),
        SeatInfo::new("blue", "connects the first and last column", "Connect the two blue sides."),
    ],
)
.actions(&[GlobalAction {
    aliases: &["steal", "swap-pieces"],
    foreign: "swap",
    offer: "Swap to take red's stone, mirrored to your sides, or place a stone.",
    ..SWAP
}])
.endings(&[
    Ending::CONNECTION,
    Ending::new(REPETITION, "repetition", "the position has occurred too often"),
    Ending::new(TURNS, "turns", "the turn limit has been reached"),
])
.counts(&[Count { key: "captures", title: "stones captured", what: Counted::Removed }])
.inputs(&CELL_INPUTS, &["swap_possible", "first_move", "turns/343", "occurrences/7", "size/15"])
// Captures free cells.
.usual_plies(|cells| (3 * cells / 2).min(160))
.weak_levels([1.73, 1.34, 1.05])
.lesson(&[
    LessonPart {
        title: "Connect your two sides",
        text: "Take turns to place a stone on an empty cell. Red moves first. A chain of your stones between the \
                   two sides of your colour wins.",
        pictures: &[Picture {
            pieces: &[("c1 c2 b3 b4 a5", RED), ("b2 d2 d1 a4", BLUE)],
            chain: "c1 c2 b3 b4 a5",
            label: "A chain of red from side to side",
            caption: "Red wins; blue would have to connect the other two sides",
            ..Picture::empty(5)
        }],
    },
    LessonPart {
        title: "Capture",
        text: "Four cells that touch in a diamond hold two pairs of opposite corners. Complete a pair of your own \
               around a pair of the enemy, and both enemy stones leave the board. Your own move never loses stones of \
               yours.",
        pictures: &[
            Picture {
                pieces: &[("c1", RED), ("b2 c2", BLUE)],
                marked: "b3",
                label: "Red at c1, blue at b2 and c2; red may play b3",
                caption: "Red plays b3 …",
                ..Picture::empty(4)
            },
            Picture {
                pieces: &[("c1 b3", RED)],
                taken: "b2 c2",
                label: "Red at c1 and b3; the stones at b2 and c2 are gone",
                caption: "… and takes both blue stones",
                ..Picture::empty(4)
            },
            Picture {
                pieces: &[("c1 b2", RED), ("c2 b3", BLUE)],
                label: "Red at c1 and b2, blue at c2 and b3: no capture",
                caption: "Beside, not opposite: nothing happens",
                ..Picture::empty(4)
            },
        ],
    },
    LessonPart {
        title: "Swap",
        text: "Moving first is an advantage. So blue may take over the first stone instead of placing one: it \
                   becomes blue's, mirrored to blue's sides. Then red moves again.",
        pictures: &[
            Picture { pieces: &[("c1", RED)], label: "red at c1", caption: "Red opens with c1", ..Picture::empty(4) },
            Picture { pieces: &[("a3", BLUE)], label: "blue at a3", caption: "Blue swaps", ..Picture::empty(4) },
        ],
    },
    LessonPart {
        title: "Also",
        text: "The first move may not take the exact centre. A position that occurs for the seventh time, and \
                   move 343, make a draw.",
        pictures: &[],
    },
]);

/// Planes: own stones, enemy stones, empty cells; cells where the mover and where the enemy would
/// capture; cells just captured; the mover's two sides and the enemy's two; stones connected to
/// each of these four; cells where the mover and where the enemy completes a chain.
///
/// Globals: swap possible, first move, turn / 343, occurrences / 7, size / 15.
pub(super) fn encode(game: &Cachex, cells: &mut [f32], globals: &mut [f32]) {
    let mover = game.to_move;
    let mut planes = [RhombusSet::EMPTY; CELL_INPUTS.len()];
    (planes[2], planes[5]) = (game.stones.empty(), game.captured);
    for (index, player) in [mover, mover.opponent()].into_iter().enumerate() {
        planes[index] = game.stones.of(player);
        planes[3 + index] = game.capturing(player);
        planes[6 + 2 * index..][..2].copy_from_slice(&game.stones.edges(player));
        planes[10 + 2 * index..][..2].copy_from_slice(&game.joined[player.index()]);
        planes[14 + index] = game.completing(player);
    }
    game.stones.write(mover, &planes, cells);
    globals.copy_from_slice(&[
        flag(game.swap().is_some()),
        flag(game.turns() == 0),
        game.turns() as f32 / TURN_LIMIT as f32,
        f32::from(game.occurrences) / f32::from(REPETITION_LIMIT),
        game.stones.side() as f32 / *INFO.boards.sizes.end() as f32,
    ]);
}
