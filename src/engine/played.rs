//! Parses moves and describes what they changed.

use crate::games::{Action, Change, InvalidMove, Pick, Position, Seat};

/// The longest text parsed as a move; names of moves are far shorter.
const LONGEST_MOVE: usize = 24;

/// A played move and its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The player.
    pub seat: Seat,
    /// The move.
    pub action: Action,
    /// Its name.
    pub name: String,
    /// The places where it removed pieces of the opponent, or neutral ones, in ascending order.
    pub removed: Vec<usize>,
    /// Their names.
    pub captured: Vec<String>,
    /// The names of the places whose pieces it turned from the opponent's to the mover's.
    pub turned: Vec<String>,
    /// All that it changed, in order.
    pub changes: Vec<Change>,
    /// The place to mark on the board: where a piece was placed or moved to; none for a global action.
    pub place: Option<usize>,
}

impl Played {
    /// Plays a legal move.
    pub fn of(position: &mut Position, action: Action) -> Self {
        let (seat, name, picks) = (position.to_move(), position.action_name(action), position.picks(action));
        let is_global = position.global_action(action).is_some();
        let owner = |position: &Position, place: usize| position.piece(place).and_then(|piece| piece.owner);
        let owners: Vec<Option<Seat>> = (0..position.board().places().len()).map(|at| owner(position, at)).collect();
        let changes = position.play_noting(action);
        let mut removed: Vec<usize> = changes.iter().filter_map(|&change| removed(change)).collect();
        removed.retain(|&place| owners[place] != Some(seat));
        removed.sort_unstable();
        let mut turned: Vec<usize> = changes.iter().filter_map(|&change| recoloured(change)).collect();
        let taken_over =
            |&place: &usize| owners[place] == Some(seat.opponent()) && owner(position, place) == Some(seat);
        turned.retain(|place| !is_global && taken_over(place));
        turned.sort_unstable();
        let names = |places: &[usize]| places.iter().map(|&place| position.board().label(place).to_owned()).collect();
        let (captured, turned) = (names(&removed), names(&turned));
        // A move without a piece of its own, such as the choice of a colour, is marked where it was picked.
        let place =
            changes.iter().find_map(|&change| target(change)).or_else(|| picks.into_iter().rev().find_map(picked));
        Self { seat, action, name, removed, captured, turned, place: place.filter(|_| !is_global), changes }
    }
}

fn removed(change: Change) -> Option<usize> {
    match change {
        Change::Removed(place) => Some(usize::from(place)),
        _ => None,
    }
}

fn recoloured(change: Change) -> Option<usize> {
    match change {
        Change::Recoloured(place) => Some(usize::from(place)),
        _ => None,
    }
}

fn target(change: Change) -> Option<usize> {
    match change {
        Change::Placed(place) | Change::Moved(_, place) => Some(usize::from(place)),
        _ => None,
    }
}

fn picked(pick: Pick) -> Option<usize> {
    match pick {
        Pick::Place(place) => Some(usize::from(place)),
        _ => None,
    }
}

/// Returns the action that `text` names in a position.
///
/// # Errors
/// If it names none, or one that may not be played now.
pub fn legal_action(position: &Position, text: &str) -> Result<Action, InvalidMove> {
    let action = if text.chars().count() <= LONGEST_MOVE {
        position.parse_action(text)?
    } else {
        let start: String = text.chars().take(LONGEST_MOVE).collect();
        position.parse_action(&format!("{start}…"))?
    };
    position.check(action)?;
    Ok(action)
}
