//! How a game that is decided by counting stands.

use serde::Serialize;

use super::seat::Seat;

/// What each seat has so far of what decides the game, such as captured cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// What is counted, such as "captured cells".
    pub what: &'static str,
    /// How much the first and the second seat have.
    pub points: [u32; 2],
}

impl Standing {
    /// Returns the standing in words: "captured cells: red 3, blue 2".
    pub fn in_words(&self, seat_name: impl Fn(Seat) -> &'static str) -> String {
        let [first, second] = self.points;
        format!("{}: {} {first}, {} {second}", self.what, seat_name(Seat::First), seat_name(Seat::Second))
    }
}
