//! Exact results at the root, from the game's own endgame solver.

use hexzero_games::SolvedBoard;

use super::settings::Exact;
use super::statistics::Proof;
use super::tree_search::{Search, decided};

impl Search {
    /// Turns the game's solver on or off; a move does not turn it on again. Turning it off clears the
    /// tree, which may hold its results.
    pub fn use_endgame_solver(&mut self, on: bool) {
        let was_on = std::mem::replace(&mut self.use_endgame_solver, on);
        if on && !was_on {
            self.find_endgame_solver();
        } else if !on && (self.endgame_solver.take().is_some() | self.root_proof.take().is_some()) {
            self.proven_loss = None;
            self.forget();
        }
    }

    /// Creates a solver as soon as the game offers one for the position, and asks it whether the
    /// root is lost. A lost root is searched without the solver: to the solver all losing moves are
    /// equal, while the search prefers those that are hard to answer. This does not apply if the
    /// values of the whole board were requested, which are to be played exactly.
    pub(super) fn find_endgame_solver(&mut self) {
        if self.use_endgame_solver && self.endgame_solver.is_none() {
            self.endgame_solver = self.settings.exact.solver(&self.position);
        }
        let is_open = self.winning_action.is_none() && self.position.outcome().is_none();
        let by_board = self.settings.exact == Exact::Board && SolvedBoard::of(&self.position).is_some();
        let solver = self.endgame_solver.as_mut().filter(|_| is_open && !by_board);
        let loser = Some(self.position.to_move().opponent());
        let lost = solver.and_then(|solver| solver.solve(&self.position)).filter(|end| end.winner == loser);
        if lost.is_some() && self.tree_has_solver_results {
            self.forget();
        }
        self.proven_loss = lost;
    }

    /// Proves the moves of the root if its own result is exact. The move played then keeps the
    /// result however few visits follow, and wins as fast as possible; otherwise the search could
    /// pick a longer win at every move and never finish.
    pub(super) fn prove_moves(&mut self) {
        let Some(root) = self.tree.nodes.first().filter(|_| self.proven_loss.is_none()) else { return };
        let (player, proof) = (root.to_move, root.proof);
        let Some(end) = self.endgame_solver.as_mut().filter(|_| proof == Proof::Unknown) else { return };
        let Some(end) = end.solve(&self.position) else { return };
        let wins = Proof::of(end.winner) == Proof::Win(player);
        let mut next = self.position.clone();
        // The first winning move is played, so try the moves in the order of their priors.
        let mut likeliest = self.tree.moves_of(0).to_vec();
        likeliest.sort_unstable_by(|a, b| b.cmp(a));
        for candidate in likeliest {
            let known = self.tree.child(0, candidate.action());
            if known.is_some_and(|child| self.tree.nodes[child as usize].proof != Proof::Unknown) {
                continue;
            }
            next.clone_from(&self.position);
            next.play(candidate.action());
            let Some((proof, plies)) = decided(&next, self.endgame_solver.as_deref_mut()) else { continue };
            self.tree_has_solver_results = true;
            let place = self.tree.moves_of(0).iter().position(|&found| found == candidate);
            let Some(child) = known.or_else(|| place.map(|place| self.tree.open(0, place))) else { continue };
            self.tree.set_proof(child, proof, plies);
            if wins && proof == Proof::Win(player) && plies < end.plies {
                break;
            }
        }
        if let Some((proof, plies)) = self.decided_by_moves(0) {
            self.tree.set_proof(0, proof, plies);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::run::tests::judge;
    use crate::{Limits, SearchSettings};
    use hexzero_games::{Position, game_named};

    fn searched(position: &Position, exact: Exact) -> Search {
        let mut search = Search::new(position.clone(), SearchSettings { exact, ..SearchSettings::default() });
        search.run(&mut judge, &Limits::visits(100));
        search
    }

    #[test]
    fn solver_plays_wins_and_leaves_losses_to_search() {
        // The first player wins Gale.
        let mut position = game_named("gale").unwrap().start(3).unwrap();
        let mut searches_of_lost_positions = 0;
        while position.outcome().is_none() && position.winning_action().is_none() {
            let search = searched(&position, Exact::Ends);
            assert!(search.is_proven());
            if position.to_move() == hexzero_games::Seat::First {
                assert_eq!((search.visits(), search.root_outcome().value()), (1, 1.0));
                assert!(search.root_moves()[0].is_proven_win());
            } else {
                let alone = searched(&position, Exact::Off);
                let visits = |search: &Search| -> Vec<_> {
                    search.root_moves().iter().map(|found| (found.action, found.visits)).collect()
                };
                assert_eq!(visits(&search), visits(&alone));
                assert_eq!(search.root_outcome().value(), -1.0);
                assert!(search.root_moves().iter().all(|found| found.is_proven_loss()));
                searches_of_lost_positions += usize::from(search.visits() == 100);
            }
            position.play(search.best_action().unwrap());
        }
        assert!(searches_of_lost_positions > 0);
    }

    #[test]
    fn tree_with_solver_results_is_dropped_if_lost() {
        let mut position = game_named("gale").unwrap().start(3).unwrap();
        let mut search = Search::new(position.clone(), SearchSettings::default());
        search.use_endgame_solver(false);
        search.run(&mut judge, &Limits::visits(100));
        // The tree was grown without the solver, which now proves the moves of the root.
        search.use_endgame_solver(true);
        search.run(&mut judge, &Limits::visits(100));
        let best = search.best_action().unwrap();
        search.advance(best);
        position.play(best);
        search.run(&mut judge, &Limits::visits(100));
        let fresh = searched(&position, Exact::Ends);
        assert_eq!(fresh.visits(), 100);
        assert_eq!(search.root_moves(), fresh.root_moves());
    }

    #[test]
    fn tree_without_solver_results_is_kept() {
        let mut search = searched(&lost_position(), Exact::Ends);
        let reply = search.best_action().unwrap();
        search.advance(reply);
        let [before, after] = [search.visits(), {
            let answer = search.root_moves()[0].action;
            search.advance(answer);
            search.visits()
        }];
        assert!(before > 1 && after > 0, "{before} and {after} visits kept");
    }

    #[test]
    fn replies_in_lost_positions_follow_the_visits() {
        let mut search = Search::new(lost_position(), SearchSettings::default());
        search.run(&mut judge, &Limits::visits(20));
        let mut rng = hexzero_games::GameRng::seed_from_u64(1);
        let drawn: std::collections::BTreeSet<_> = (0..50).map(|_| search.varied_action(&mut rng).unwrap()).collect();
        assert!(drawn.len() > 1);
    }

    fn lost_position() -> Position {
        let mut position = game_named("gale").unwrap().start(4).unwrap();
        position.play(searched(&position, Exact::Ends).best_action().unwrap());
        position
    }
}
