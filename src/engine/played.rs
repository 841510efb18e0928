//! Moves as they are typed and told.

use crate::games::{Action, Change, InvalidMove, Pick, Position, Seat};

/// The longest text that is looked at as a move; names of moves are far shorter.
const LONGEST_MOVE: usize = 24;

/// A move that has been played, and what it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// Who played it.
    pub seat: Seat,
    /// The move.
    pub action: Action,
    /// Its name.
    pub name: String,
    /// The places whose pieces it took off the board, in ascending order.
    pub removed: Vec<usize>,
    /// Their names.
    pub captured: Vec<String>,
    /// All that it changed, in order.
    pub changes: Vec<Change>,
    /// The place to mark on the board: where a piece was put or went; none for a global action.
    pub place: Option<usize>,
}

impl Played {
    /// Plays a legal move.
    pub fn of(position: &mut Position, action: Action) -> Self {
        let (seat, name, picks) = (position.to_move(), position.action_name(action), position.picks(action));
        let is_global = position.global_action(action).is_some();
        let changes = position.play_noting(action);
        let mut removed: Vec<usize> = changes.iter().filter_map(|&change| removed(change)).collect();
        removed.sort_unstable();
        let captured = removed.iter().map(|&place| position.board().label(place).to_owned()).collect();
        // A move without a piece of its own, such as the choice of a colour, is where it was picked.
        let place =
            changes.iter().find_map(|&change| target(change)).or_else(|| picks.into_iter().rev().find_map(picked));
        Self { seat, action, name, removed, captured, place: place.filter(|_| !is_global), changes }
    }
}

fn removed(change: Change) -> Option<usize> {
    match change {
        Change::Removed(place) => Some(usize::from(place)),
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
