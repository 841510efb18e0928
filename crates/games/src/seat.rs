//! The two seats, their pieces, the outcome of a game and its score.

use serde::{Deserialize, Serialize, Serializer};

/// One of the two sides of a game; the first one moves first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// Moves first.
    #[default]
    First,
    /// Moves second.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns the other seat.
    #[inline]
    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 1 for the first seat and -1 for the second, the factor between a value to the first
    /// seat and one to this seat.
    #[inline]
    pub fn sign(self) -> f32 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }

    /// Returns 0 for the first seat and 1 for the second.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner, or `None` for a draw.
    pub winner: Option<Seat>,
    /// The reason for the end.
    pub reason: EndReason,
}

impl Outcome {
    /// Returns the win by a chain that connects the winner's sides.
    pub const fn connection(winner: Seat) -> Self {
        Self { winner: Some(winner), reason: EndReason::CONNECTION }
    }

    /// Returns the value to a seat: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn value_for(self, seat: Seat) -> f32 {
        match self.winner {
            None => 0.0,
            Some(winner) if winner == seat => 1.0,
            Some(_) => -1.0,
        }
    }
}

/// The reason for a game's end: the number of one of the game's own [`super::Ending`]s, or a
/// resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EndReason(pub u8);

impl EndReason {
    /// A chain connected its owner's sides. Every connection game uses this number.
    pub const CONNECTION: Self = Self(0);
    /// A player resigned. Rules never end a game in this way: its last position is unfinished.
    /// Games must number their own endings around this value, because stored games contain it.
    pub const RESIGNATION: Self = Self(3);
}

/// A piece on a place. As JSON `{"owner":0,"symbol":"x","number":3}`, where `owner` is 0, 1 or
/// null, and `symbol` and `number` are left out if the piece has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Piece {
    /// The owner of the piece, or `None` for neutral pieces.
    #[serde(serialize_with = "seat_number")]
    pub owner: Option<Seat>,
    /// The kind of the piece, as its character in text, or `None` for the initial of its owner's
    /// name.
    #[serde(rename = "symbol", skip_serializing_if = "Option::is_none")]
    pub kind: Option<char>,
    /// A number shown on the piece, such as the height of a tower; 0 for none.
    #[serde(skip_serializing_if = "is_zero")]
    pub number: u8,
}

fn seat_number<S: Serializer>(owner: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    owner.map(Seat::index).serialize(serializer)
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl Piece {
    /// Returns a plain stone of a seat.
    pub const fn stone(owner: Seat) -> Self {
        Self { owner: Some(owner), kind: None, number: 0 }
    }
}

/// The score so far in a game decided by counting, such as captured cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Score {
    /// What is counted, such as "captured cells".
    pub what: &'static str,
    /// The counts of the first and the second seat.
    pub points: [u32; 2],
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
