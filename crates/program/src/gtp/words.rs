//! The names of colours, and errors of moves.

use hexzero_games::{Game, InvalidMove, Seat};

/// Returns the seat of this name: by the game's own names, or else black for the first and white for
/// the second as everywhere in the protocol, so that `b` is not blue.
pub(crate) fn seat_named(game: Game, name: &str) -> Option<Seat> {
    let word = name.to_ascii_lowercase();
    let is_named = |seat: &Seat| game.seat_name(*seat) == word;
    let is_coloured = |seat: &Seat| {
        let colour = game.protocol_colour(*seat);
        word == colour || word == colour[..1]
    };
    Seat::BOTH.into_iter().find(is_named).or_else(|| Seat::BOTH.into_iter().find(is_coloured))
}

/// Returns the seat that stands first in `arguments`.
pub(super) fn seat(game: Game, arguments: &[String]) -> Result<Seat, String> {
    let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
    let [black, white] = Seat::BOTH.map(|seat| game.protocol_colour(seat));
    arguments.first().and_then(|name| seat_named(game, name)).ok_or_else(|| {
        let also = |name: &str, colour: &str| match name == colour {
            true => format!("{name} (or {})", &colour[..1]),
            false => format!("{name} (or {colour}, {})", &colour[..1]),
        };
        format!("invalid colour: write {} or {}", also(first, black), also(second, white))
    })
}

/// Returns the error of a move that cannot be played.
pub(super) fn not_playable(error: InvalidMove) -> String {
    match error {
        InvalidMove::Unreadable { .. } => format!("invalid vertex: {error}"),
        _ => format!("illegal move: {error}"),
    }
}

/// Returns the error of a move out of turn, in games in which that matters.
pub(super) fn not_in_turn(game: Game, to_move: Seat) -> String {
    let mover = game.seat_name(to_move);
    format!("illegal move: it is {mover}'s turn, and a position of {} needs all its moves", game.name())
}
