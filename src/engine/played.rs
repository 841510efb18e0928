//! Moves as they are typed and told.

use crate::games::{Action, Game, Position, InvalidMove, Seat};

/// The longest text that is looked at as a move; names of moves are far shorter.
const LONGEST_MOVE: usize = 24;

/// A move that has been played, for telling of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// Who played it.
    pub player: Seat,
    /// The move.
    pub action: Action,
    /// Its name.
    pub name: String,
    /// The cells whose stones it captured.
    pub captured: Vec<String>,
    /// The cell to mark on the board, if the move has one.
    pub cell: Option<usize>,
}

impl Played {
    /// Plays a legal move and tells of it.
    pub fn of(game: &mut Position, action: Action) -> Self {
        let before = game.clone();
        game.play(action);
        Self::between(&before, action, game)
    }

    /// What there is to tell of a move, from the positions before and after it.
    pub(super) fn between(before: &Position, action: Action, after: &Position) -> Self {
        let cells = before.topology().cells();
        let places = before.global_action(action).is_none();
        // A global action such as the swap may move stones about without capturing any.
        let gone = |&cell: &usize| places && before.symbol(cell) != '.' && after.symbol(cell) == '.';
        Self {
            player: before.to_move(),
            action,
            name: before.action_name(action),
            captured: (0..cells).filter(gone).map(|cell| before.cell_name(cell)).collect(),
            cell: places.then_some(action.index() % cells),
        }
    }
}

/// The action that `text` names in a position.
///
/// # Errors
/// If it names none, or one that may not be played now.
pub fn legal_action(game: &Position, text: &str) -> Result<Action, InvalidMove> {
    let action = if text.chars().count() <= LONGEST_MOVE {
        game.parse_action(text)?
    } else {
        let start: String = text.chars().take(LONGEST_MOVE).collect();
        game.parse_action(&format!("{start}…"))?
    };
    game.check(action)?;
    Ok(action)
}
