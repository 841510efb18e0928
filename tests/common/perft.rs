//! Counting move sequences, the usual test of rules.

use hexzero::games::Position;

/// The number of move sequences of length `depth`. The last moves are counted and not played, which
/// makes the largest of these counts a matter of a second.
pub fn perft(position: &Position, depth: usize) -> u64 {
    let actions = position.legal();
    if depth == 1 {
        return actions.len() as u64;
    }
    let after = |action| {
        let mut position = position.clone();
        position.play(action);
        perft(&position, depth - 1)
    };
    actions.into_iter().map(after).sum()
}
