//! What stands on a place of the board.

use serde::Serialize;

use super::seat::Seat;

/// What stands on a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Piece {
    /// Whose it is; none for pieces that belong to nobody.
    pub owner: Option<Seat>,
    /// Its kind: the character that stands for it in text. None for the initial of its owner's name.
    pub kind: Option<char>,
    /// A number that it shows, such as the height of a tower; 0 for none.
    pub number: u8,
}

impl Piece {
    /// A plain stone of a seat.
    pub const fn stone(owner: Seat) -> Self {
        Self { owner: Some(owner), kind: None, number: 0 }
    }
}
