//! Pieces on places of the board.

use serde::{Serialize, Serializer};

use super::seat::Seat;

/// A piece on a place. As JSON `{"owner":0,"symbol":"x","number":3}`, where `owner` is 0, 1 or null, and `symbol` and
/// `number` are left out if it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Piece {
    /// Its owner; none for neutral pieces.
    #[serde(serialize_with = "seat_number")]
    pub owner: Option<Seat>,
    /// Its kind: its character in text. None for the initial of its owner's name.
    #[serde(rename = "symbol", skip_serializing_if = "Option::is_none")]
    pub kind: Option<char>,
    /// A number that it shows, such as the height of a tower; 0 for none.
    #[serde(skip_serializing_if = "is_none")]
    pub number: u8,
}

fn seat_number<S: Serializer>(owner: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    owner.map(Seat::index).serialize(serializer)
}

fn is_none(number: &u8) -> bool {
    *number == 0
}

impl Piece {
    /// A plain stone of a seat.
    pub const fn stone(owner: Seat) -> Self {
        Self { owner: Some(owner), kind: None, number: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_as_json() {
        let json = |piece: &Piece| serde_json::to_string(piece).unwrap();
        assert_eq!(json(&Piece::stone(Seat::Second)), r#"{"owner":1}"#);
        assert_eq!(json(&Piece { number: 3, ..Piece::stone(Seat::First) }), r#"{"owner":0,"number":3}"#);
        assert_eq!(json(&Piece { owner: None, kind: Some('x'), number: 0 }), r#"{"owner":null,"symbol":"x"}"#);
    }
}
