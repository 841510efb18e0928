//! Describes Hex to the rest of the program, with and without the swap.

use crate::games::{ActionKind, Boards, Ending, GameInfo, GlobalAction, LessonPart, Picture, Piece, Seat, SeatInfo};

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
        pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
        chain: "c1 c2 b3 b4 a5",
        label: "A chain of black from side to side",
        caption: "Black wins; white would have to join the other two sides",
        ..Picture::empty(5)
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

const WITH_SWAP: GameInfo = GameInfo::new(
    "hex",
    "Hex",
    "join your two sides; the second player may take over the first stone",
    Boards::sides(2..=LARGEST, 11),
    [
        SeatInfo::new("black", "joins row 1 to the last row", "Join the two black sides."),
        SeatInfo::new("white", "joins column a to the last column", "Join the two white sides."),
    ],
)
.actions(&[SWAP])
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
    ],
    &["swap_possible", "reply_may_swap", "size/19"],
)
.usual_plies(|cells| 2 * cells / 3)
.sgf(11)
.weak_levels([1.51, 1.29, 1.05])
.lesson(&[GOAL, SWAPPING, ALSO]);

const WITHOUT_SWAP: GameInfo = WITH_SWAP
    .variant(
        "hex-noswap",
        "Hex without the swap",
        "join your two sides; nobody may swap, as in solvers and handicap games",
    )
    .lesson(&[GOAL, ALSO]);

pub(super) const fn info(swap: bool) -> GameInfo {
    if swap { WITH_SWAP } else { WITHOUT_SWAP }
}
