//! Moves, seats and endings in words: names them, parses moves, describes what a move changed.

use hexzero_games::{Action, Change, Game, GlobalAction, InvalidMove, Outcome, Pick, Position, Seat};

use super::Engine;

impl Engine {
    /// Returns the names of successive actions from the present position.
    pub fn names(&self, actions: &[Action]) -> Vec<String> {
        actions.iter().map(|&action| self.position().action_name(action)).collect()
    }

    /// Returns the legal global actions, such as the swap.
    pub fn global_actions(&self) -> Vec<&'static GlobalAction> {
        let (position, actions) = (self.position(), self.game().info().actions);
        let on = position.game_board();
        let legal = |number: &usize| position.check(on.global(*number)).is_ok();
        (0..actions.len()).filter(legal).map(|number| &actions[number]).collect()
    }

    /// Returns the name of a seat.
    pub fn seat_name(&self, seat: Seat) -> &'static str {
        self.game().seat_name(seat)
    }

    /// Draws the board as text, with the place of the last move marked.
    pub fn board(&self) -> String {
        let marked = self.played().last().and_then(|played| played.place);
        self.position().drawing(marked)
    }

    /// Describes how a finished game ended.
    pub fn ending(&self, outcome: Outcome) -> String {
        ending_in_words(self.game(), outcome)
    }
}

/// Describes how a finished game ended.
pub fn ending_in_words(game: Game, outcome: Outcome) -> String {
    let reason = game.ending(outcome.reason).map_or("the game is over", |ending| ending.words);
    match outcome.winner {
        Some(winner) => format!("{} wins: {reason}", game.seat_name(winner)),
        None => format!("draw: {reason}"),
    }
}

/// The longest text parsed as a move; names of moves are far shorter.
const MAX_MOVE_LENGTH: usize = 24;

/// A played move and its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The player.
    pub seat: Seat,
    /// The move.
    pub action: Action,
    /// The move's name.
    pub name: String,
    /// The places where it removed pieces of the opponent, or neutral ones, in ascending order.
    pub removed: Vec<usize>,
    /// The names of these places.
    pub captured: Vec<String>,
    /// The names of the places whose pieces the move turned from the opponent's to the mover's.
    pub turned: Vec<String>,
    /// All changes, in order.
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
        let (mut removed, mut turned, mut target) = (Vec::<usize>::new(), Vec::<usize>::new(), None);
        for change in &changes {
            match *change {
                Change::Removed(place) => removed.push(place.into()),
                Change::Recoloured(place) => turned.push(place.into()),
                Change::Placed(place) | Change::Moved(_, place) => _ = target.get_or_insert(usize::from(place)),
            }
        }
        removed.retain(|&place| owners[place] != Some(seat));
        removed.sort_unstable();
        let taken_over =
            |&place: &usize| owners[place] == Some(seat.opponent()) && owner(position, place) == Some(seat);
        turned.retain(|place| !is_global && taken_over(place));
        turned.sort_unstable();
        let names = |places: &[usize]| places.iter().map(|&place| position.board().label(place).to_owned()).collect();
        let (captured, turned) = (names(&removed), names(&turned));
        // A move without a piece of its own, such as the choice of a colour, is marked where it was picked.
        let place = target.or_else(|| picks.into_iter().rev().find_map(Pick::place));
        Self { seat, action, name, removed, captured, turned, place: place.filter(|_| !is_global), changes }
    }
}

/// Returns the action that `text` names in a position.
///
/// # Errors
/// If it names none, or one that may not be played now.
pub fn legal_action(position: &Position, text: &str) -> Result<Action, InvalidMove> {
    let action = if text.chars().count() <= MAX_MOVE_LENGTH {
        position.parse_action(text)?
    } else {
        let start: String = text.chars().take(MAX_MOVE_LENGTH).collect();
        position.parse_action(&format!("{start}…"))?
    };
    position.check(action)?;
    Ok(action)
}

#[cfg(test)]
mod tests {
    use hexzero_games::{EndReason, all_games};

    use super::*;

    #[test]
    fn swap_is_recognised_before_it_is_playable() {
        for game in all_games() {
            let swaps = !["hex-noswap", "dozer-noswap"].contains(&game.name())
                && (["cachex", "hex", "dozer"].contains(&game.name()) || game.name().ends_with("-swap"));
            assert_eq!(game.has_swap(), swaps, "{game:?}");
        }
    }

    #[test]
    fn endings_all_have_words() {
        for game in all_games() {
            let reasons = game.endings.iter().map(|ending| ending.reason).chain([EndReason::RESIGNATION]);
            for reason in reasons {
                let words = ending_in_words(game, Outcome { winner: Some(Seat::First), reason });
                assert!(words.starts_with(&format!("{} wins: ", game.seat_name(Seat::First))), "{words}");
            }
        }
    }
}
