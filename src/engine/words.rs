//! Names of moves, seats and endings.

use crate::games::{Action, Game, GameBoard, GlobalAction, Outcome, Position, Seat};

use super::Engine;

impl Engine {
    /// Returns the names of successive actions from the present position.
    pub fn names(&self, actions: &[Action]) -> Vec<String> {
        actions.iter().map(|&action| self.position().action_name(action)).collect()
    }

    /// Returns the legal global actions, such as the swap.
    pub fn global_actions(&self) -> Vec<&'static GlobalAction> {
        legal_global_actions(self.position())
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

/// The global actions, such as the swap, that may be played in a position.
pub(crate) fn legal_global_actions(position: &Position) -> Vec<&'static GlobalAction> {
    let on = position.on();
    let legal = |number: &usize| position.check(on.global(*number)).is_ok();
    let actions = position.game().info().actions;
    (0..actions.len()).filter(legal).map(|number| &actions[number]).collect()
}

/// Describes how a finished game ended.
pub fn ending_in_words(game: Game, outcome: Outcome) -> String {
    let reason = game.ending(outcome.reason).map_or("the game is over", |ending| ending.words);
    match outcome.winner {
        Some(winner) => format!("{} wins: {reason}", game.seat_name(winner)),
        None => format!("draw: {reason}"),
    }
}

/// Returns whether the second player may swap after some first move. A game may list a swap that is never legal, so that its
/// network has the outputs of another game's.
pub fn has_swap(on: &'static GameBoard) -> bool {
    let Some(swap) = on.swap() else { return false };
    let Ok(start) = on.game().start(on.size()) else { return false };
    ends_before(swap, &start)
}

/// Returns whether the present turn may end with this action as the opponent's next move.
fn ends_before(swap: Action, position: &Position) -> bool {
    let (mover, mut legal) = (position.to_move(), Vec::new());
    position.legal_actions(&mut legal);
    legal.into_iter().any(|action| {
        let mut after = position.clone();
        after.play(action);
        // A turn may have several plies.
        after.check(swap).is_ok() || after.to_move() == mover && ends_before(swap, &after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{EndReason, all_games};

    #[test]
    fn a_swap_that_is_listed_need_not_be_playable() {
        for game in all_games() {
            let swaps = !["hex-noswap", "dozer-noswap"].contains(&game.name())
                && (["cachex", "hex", "dozer"].contains(&game.name()) || game.name().ends_with("-swap"));
            assert_eq!(has_swap(game.on(game.boards.default).unwrap()), swaps, "{game:?}");
        }
    }

    #[test]
    fn every_ending_has_words() {
        for game in all_games() {
            let reasons = game.endings.iter().map(|ending| ending.reason).chain([EndReason::RESIGNATION]);
            for reason in reasons {
                let words = ending_in_words(game, Outcome { winner: Some(Seat::First), reason });
                assert!(words.starts_with(&format!("{} wins: ", game.seat_name(Seat::First))), "{words}");
            }
        }
    }
}
