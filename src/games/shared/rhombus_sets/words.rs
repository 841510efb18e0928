//! Parts of the descriptions of these games: the seats, the swap, the names of the input planes.

use crate::games::{ActionKind, GlobalAction, LessonPart, Picture, Piece, Seat, SeatInfo};

/// A stone of the first player.
pub const BLACK: Piece = Piece::stone(Seat::First);
/// A stone of the second player.
pub const WHITE: Piece = Piece::stone(Seat::Second);

/// Black joins row 1 to the last row, White column a to the last column.
pub const SEATS: [SeatInfo; 2] = [
    SeatInfo::new("black", "joins row 1 to the last row", "Join the two black sides."),
    SeatInfo::new("white", "joins column a to the last column", "Join the two white sides."),
];

/// The names of the input planes that come first.
const PLANE_NAMES: [&str; super::PLANES] = [
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
    "own_completes",
    "enemy_completes",
];

/// The names of all input planes, from those of the game's own.
///
/// # Panics
/// If there are more planes than names.
pub const fn input_names<const OWN: usize, const ALL: usize>(own: [&'static str; OWN]) -> [&'static str; ALL] {
    assert!(super::PLANES + OWN == ALL, "a name for each plane");
    let mut names = [""; ALL];
    let mut plane = 0;
    while plane < ALL {
        names[plane] = if plane < super::PLANES { PLANE_NAMES[plane] } else { own[plane - super::PLANES] };
        plane += 1;
    }
    names
}

/// The swap. Without it a network still has an output for it, which no position makes use of.
pub const SWAP: GlobalAction = GlobalAction {
    word: "swap",
    aliases: &["swap-pieces"],
    // Plain `swap` exchanges the colours of the players in other programs.
    foreign: "swap-pieces",
    kind: ActionKind::Swap,
    label: "Swap",
    offer: "Take over black's stone as your own, mirrored to your sides, or make a move of your own.",
    done: "swaps: the stone changes colour and place",
    suffered: "Your stone changed colour and place. Now it is your turn again.",
};

/// No movement after the placement, in games where a movement may follow.
pub const STAY: GlobalAction = GlobalAction {
    word: "-",
    aliases: &["stay"],
    foreign: "-",
    kind: ActionKind::Pass,
    label: "Move nothing",
    offer: "Move one of your stones, or end your turn without a movement.",
    done: "moves nothing",
    suffered: "Nothing was moved. Now it is your turn.",
};

/// A chain of black from side to side.
pub const JOINED: Picture = Picture {
    pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
    chain: "c1 c2 b3 b4 a5",
    label: "A chain of black from side to side",
    caption: "Black wins; white would have to join the other two sides",
    ..Picture::empty(5)
};

/// The lesson part about the swap.
pub const SWAPPING: LessonPart = LessonPart {
    title: "Swap",
    text: "Moving first is an advantage. So white may take over the first stone instead of a first turn of white's own: \
           the stone becomes white's, mirrored to white's sides. Then black moves again.",
    pictures: &[
        Picture { pieces: &[("c1", BLACK)], label: "black at c1", caption: "Black opens with c1", ..Picture::empty(4) },
        Picture { pieces: &[("a3", WHITE)], label: "white at a3", caption: "White swaps", ..Picture::empty(4) },
    ],
};
