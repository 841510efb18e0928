//! Remarks on the moves of a review.

use hexzero_engine::analysis::Proven;
use hexzero_engine::review::{Review, ReviewedMove};
use hexzero_games::Game;

/// The number of moves of a better line to show.
const LINE_SHOWN: usize = 6;

/// Describes a move's fault: the better move and the line that follows. Empty for a move without fault.
pub fn fault_remark(reviewed: &ReviewedMove) -> String {
    let Some(fault) = reviewed.fault else { return String::new() };
    let line = reviewed.line[..reviewed.line.len().min(LINE_SHOWN)].join(" ");
    let wins = match reviewed.proven_before {
        Some(proven) if proven.is_win() == Some(true) => format!(", which wins in {}", proven.plies()),
        _ => String::new(),
    };
    format!("{}: best was {}{wins} ({line})", fault.name(), reviewed.best)
}

/// Describes a proven result for `player`, as in `black wins in 5`.
fn proven_remark(game: Game, proven: Proven, player: &str) -> String {
    let other = game.seats.iter().map(|seat| seat.name).find(|&name| name != player).unwrap_or_default();
    let winner = match proven.is_win() {
        Some(true) => player,
        Some(false) => other,
        None => return "a certain draw".to_owned(),
    };
    format!("{winner} wins in {}", proven.plies())
}

/// Returns the remark on a move that turned a proven win into a proven loss, if it did.
fn loss_remark(reviewed: &ReviewedMove) -> Option<String> {
    let wins = |proven: Option<Proven>| proven.is_some_and(|proven| proven.is_win() == Some(true));
    let is_lost = wins(reviewed.proven_before) && wins(reviewed.proven_after) && reviewed.next != reviewed.player;
    is_lost.then(|| format!("{} loses a proven win", reviewed.name))
}

/// Describes move number `index` of a review: its fault, a proven win that it loses, and a result that is proven after
/// it.
pub fn remarks(game: Game, review: &Review, index: usize) -> String {
    let reviewed = &review.moves[index];
    let proven = reviewed.proven_after.map(|proven| proven_remark(game, proven, reviewed.next));
    let fault = Some(fault_remark(reviewed)).filter(|remark| !remark.is_empty());
    let remarks: Vec<String> = [fault, loss_remark(reviewed), proven].into_iter().flatten().collect();
    remarks.join("; ")
}
