//! The score of games that are decided by counting.

use serde::Serialize;

use super::seat::Seat;

/// The score so far in a game decided by counting, such as captured cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The things counted, such as "captured cells".
    pub what: &'static str,
    /// The counts of the first and the second seat.
    pub points: [u32; 2],
}

impl Score {
    /// Returns the score in words: "captured cells: red 3, blue 2".
    pub fn in_words(&self, seat_name: impl Fn(Seat) -> &'static str) -> String {
        let [first, second] = self.points;
        format!("{}: {} {first}, {} {second}", self.what, seat_name(Seat::First), seat_name(Seat::Second))
    }
}
