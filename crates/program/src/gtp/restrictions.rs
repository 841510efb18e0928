//! Moves that a search is not to begin with, or alone is to begin with.

use hexzero_games::{Action, InvalidMove, Position, Seat};

/// Moves of a player: at the root only these are searched, or all but these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Restriction {
    pub seat: Seat,
    pub moves: Vec<String>,
    /// Whether only these moves are searched.
    pub allows: bool,
}

/// Returns the legal moves of a position that are not to be searched.
///
/// # Errors
/// If a move cannot be read: the restriction that names it, and why.
pub(crate) fn left_out<'r>(
    restrictions: &'r [Restriction],
    position: &Position,
) -> Result<Vec<Action>, (&'r Restriction, InvalidMove)> {
    let (mut avoided, mut allowed) = (Vec::new(), None);
    for restriction in restrictions.iter().filter(|of| of.seat == position.to_move()) {
        // Clients of Go often list a pass, which most games do not have.
        let names = restriction.moves.iter().filter(|name| !name.eq_ignore_ascii_case("pass"));
        let named: Result<Vec<Action>, _> = names.map(|name| position.parse_action(name)).collect();
        let list = if restriction.allows { allowed.get_or_insert_default() } else { &mut avoided };
        list.extend(named.map_err(|error| (restriction, error))?);
    }
    let mut legal = position.legal();
    legal.retain(|action| {
        avoided.contains(action) || allowed.as_ref().is_some_and(|allowed: &Vec<Action>| !allowed.contains(action))
    });
    Ok(legal)
}
