//! Parts of the descriptions that games share: the seats, the swap, the names of the input planes.

use crate::{ActionKind, GlobalAction, LessonPart, Picture, Piece, Seat, SeatInfo};

use super::rhombus_sets;

/// A stone of the first player.
pub const BLACK: Piece = Piece::stone(Seat::First);
/// A stone of the second player.
pub const WHITE: Piece = Piece::stone(Seat::Second);

/// The seats: Black connects row 1 to the last row, White column a to the last column.
pub const SEATS: [SeatInfo; 2] = [
    SeatInfo::new("black", "connects the first and last row", "Connect the two black sides."),
    SeatInfo::new("white", "connects the first and last column", "Connect the two white sides."),
];

/// The names of the input planes of the mover's two sides and the enemy's two, and of the stones connected to each.
pub const SIDES: [&str; 8] = joined(&[
    &["own_side_1", "own_side_2", "enemy_side_1", "enemy_side_2"],
    &["own_joined_1", "own_joined_2", "enemy_joined_1", "enemy_joined_2"],
]);

/// Returns the names of all input planes, given a few at a time.
///
/// # Panics
/// If there are more or fewer than `ALL`.
pub const fn joined<const ALL: usize>(parts: &[&[&'static str]]) -> [&'static str; ALL] {
    let mut names = [""; ALL];
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        let mut name = 0;
        while name < parts[part].len() {
            names[count] = parts[part][name];
            (count, name) = (count + 1, name + 1);
        }
        part += 1;
    }
    assert!(count == ALL, "a name for each plane");
    names
}

/// Returns the names of the planes of [`rhombus_sets::Stones::encode`]; the last ones are the game's own.
///
/// # Panics
/// If there are more planes than names.
pub const fn input_names<const OWN: usize, const ALL: usize>(own: [&'static str; OWN]) -> [&'static str; ALL] {
    assert!(rhombus_sets::PLANES + OWN == ALL, "a name for each plane");
    joined(&[&["own", "enemy", "empty"], &SIDES, &["own_completes", "enemy_completes"], &own])
}

/// The swap. Without the swap rule, the network still has an output for it, which no position uses.
pub const SWAP: GlobalAction = GlobalAction {
    word: "swap",
    aliases: &["swap-pieces"],
    // In other programs, plain `swap` exchanges the colours of the players.
    foreign: "swap-pieces",
    kind: ActionKind::Swap,
    label: "Swap",
    offer: "Swap to take black's stone, mirrored to your sides, or make a move of your own.",
    done: "swaps: the stone changes colour and place",
    suffered: "Your stone changed colour and place. Now it is your turn again.",
};

/// The action that ends a turn without a movement, in games where one may follow the placement.
pub const STAY: GlobalAction = GlobalAction {
    word: "-",
    aliases: &["stay"],
    foreign: "-",
    kind: ActionKind::Pass,
    label: "Move nothing",
    offer: "Click one of your stones to move it, or end your turn without moving.",
    done: "moves nothing",
    suffered: "Nothing was moved. Now it is your turn.",
};

/// A picture of a black chain from side to side.
pub const JOINED: Picture = Picture {
    pieces: &[("c1 c2 b3 b4 a5", BLACK), ("b2 d2 d1 a4", WHITE)],
    chain: "c1 c2 b3 b4 a5",
    label: "A chain of black from side to side",
    caption: "Black wins; white would have to connect the other two sides",
    ..Picture::empty(5)
};

/// The first part of the lesson of a game whose turn is a stone.
pub const GOAL: LessonPart = LessonPart {
    title: "Connect your two sides",
    text: "Take turns to place a stone on an empty cell. Black moves first. A chain of your stones between the two \
           sides of your colour wins.",
    pictures: &[JOINED],
};

/// The part of the lesson about the swap.
pub const SWAPPING: LessonPart = LessonPart {
    title: "Swap",
    text: "Moving first is an advantage. So white may take over the first stone instead of a first turn of white's \
           own: the stone becomes white's, mirrored to white's sides. Then black moves again.",
    pictures: &[
        Picture { pieces: &[("c1", BLACK)], label: "black at c1", caption: "Black opens with c1", ..Picture::empty(4) },
        Picture { pieces: &[("a3", WHITE)], label: "white at a3", caption: "White swaps", ..Picture::empty(4) },
    ],
};
