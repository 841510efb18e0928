//! The words of colours, and what is said of moves that cannot be played.

use crate::games::{Game, InvalidMove, Seat};

/// The seat whose colour stands first in `arguments`: by the game's own names, or black for the first and white for the
/// second as everywhere in the protocol, so that `b` is not blue.
pub(super) fn seat(game: Game, arguments: &[String]) -> Result<Seat, String> {
    let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
    let word = arguments.first().map(|word| word.to_ascii_lowercase()).unwrap_or_default();
    match word.as_str() {
        "black" | "b" => Ok(Seat::First),
        "white" | "w" => Ok(Seat::Second),
        word if word == first => Ok(Seat::First),
        word if word == second => Ok(Seat::Second),
        _ => Err(format!("invalid colour: write {first} (or black, b) or {second} (or white, w)")),
    }
}

/// What is said of a move that cannot be played.
pub(super) fn not_playable(error: &InvalidMove) -> String {
    match error {
        InvalidMove::Unreadable { .. } => format!("invalid vertex: {error}"),
        _ => format!("illegal move: {error}"),
    }
}

/// What is said of a seat that is not to move where that matters.
pub(super) fn not_in_turn(game: Game, to_move: Seat) -> String {
    let mover = game.seat_name(to_move);
    format!("illegal move: it is {mover}'s turn, and a position of {} needs all its moves", game.name())
}
