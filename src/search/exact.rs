//! Exact results at the root, from the game's own solver of ends.

use crate::games::SolvedBoard;

use super::proof::Proof;
use super::settings::Exact;
use super::tree::NO_NODE;
use super::tree_search::{Search, decided};

impl Search {
    /// Turns the game's solver on or off. Turning it off clears the tree, which may hold its results.
    pub(super) fn use_exact_ends(&mut self, exact: bool) {
        self.wants_ends = exact;
        if exact {
            self.look_for_ends();
        } else if self.ends.take().is_some() {
            self.lost = None;
            self.forget();
        }
    }

    /// Gets a solver as soon as the game has one for what follows, and asks it whether the root is lost. To the solver all
    /// losing moves are equal; a search without it prefers those that are hard to answer. Not with the values of a whole board,
    /// which are asked for to play by them alone.
    pub(super) fn look_for_ends(&mut self) {
        if self.wants_ends && self.ends.is_none() {
            self.ends = self.settings.exact.solver(&self.position);
        }
        let is_open = self.winning_action.is_none() && self.position.outcome().is_none();
        let by_board = self.settings.exact == Exact::Board && SolvedBoard::of(&self.position).is_some();
        let solver = self.ends.as_mut().filter(|_| is_open && !by_board);
        let loser = Some(self.position.to_move().opponent());
        let lost = solver.and_then(|solver| solver.solve(&self.position)).filter(|end| end.winner == loser);
        if lost.is_some() && self.has_solved {
            self.forget();
        }
        self.lost = lost;
    }

    /// Proves the moves of the root, if its own result is exact. However few visits follow, the move played then keeps the
    /// result, and wins as fast as can be: otherwise the search could choose a longer win at every move and never finish.
    pub(super) fn prove_moves(&mut self) {
        let Some(root) = self.tree.nodes.first().filter(|_| self.lost.is_none()) else { return };
        let (player, edges, proof) = (root.to_move, root.edges(), root.proof);
        let Some(end) = self.ends.as_mut().filter(|_| proof == Proof::Unknown) else { return };
        let Some(end) = end.solve(&self.position) else { return };
        let wins = Proof::of(end.winner) == Proof::Win(player);
        let mut next = self.position.clone();
        // The first move that wins is played.
        let mut likeliest: Vec<usize> = edges.collect();
        likeliest.sort_by(|&a, &b| self.tree.edges[b].prior.total_cmp(&self.tree.edges[a].prior));
        for edge in likeliest {
            let known = self.tree.edges[edge].child;
            if self.tree.edges[edge].proof != Proof::Unknown {
                continue;
            }
            next.clone_from(&self.position);
            next.play(self.tree.edges[edge].action);
            let Some((proof, plies)) = decided(&next, self.ends.as_deref_mut()) else { continue };
            self.has_solved = true;
            if known == NO_NODE {
                self.tree.edges[edge].child = self.tree.add_proven(next.to_move(), proof, plies);
            } else {
                let node = &mut self.tree.nodes[known as usize];
                (node.proof, node.plies) = (proof, plies);
            }
            self.tree.edges[edge].proof = proof;
            if wins && proof == Proof::Win(player) && plies < end.plies {
                break;
            }
        }
        if let Some((proof, plies)) = self.decided_by_moves(0) {
            let root = &mut self.tree.nodes[0];
            (root.proof, root.plies) = (proof, plies);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::games::{Position, game_named};
    use crate::search::run::tests::judge;
    use crate::search::{Limits, SearchSettings};

    fn searched(position: &Position, exact: Exact) -> Search {
        let mut search = Search::new(position.clone(), SearchSettings { exact, ..SearchSettings::default() });
        search.run(&mut judge, &Limits::visits(100));
        search
    }

    #[test]
    fn what_is_won_is_played_at_once_and_what_is_lost_is_searched_without_the_solver() {
        // The first player wins Gale.
        let mut position = game_named("gale").unwrap().start(3).unwrap();
        let mut searches_of_lost_positions = 0;
        while position.outcome().is_none() && position.winning_action().is_none() {
            let search = searched(&position, Exact::Ends);
            assert!(search.is_proven());
            if position.to_move() == crate::games::Seat::First {
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
    fn a_tree_with_results_of_the_solver_is_not_kept_where_the_root_is_lost() {
        let mut position = game_named("gale").unwrap().start(3).unwrap();
        let mut search = Search::new(position.clone(), SearchSettings::default());
        search.use_exact_ends(false);
        search.run(&mut judge, &Limits::visits(100));
        // The tree has grown without the solver, which now proves its moves.
        search.use_exact_ends(true);
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
    fn a_tree_without_such_results_is_kept() {
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
    fn replies_to_what_is_lost_are_drawn_by_visits() {
        let mut search = Search::new(lost_position(), SearchSettings::default());
        search.run(&mut judge, &Limits::visits(20));
        let mut rng = crate::games::GameRng::seed_from_u64(1);
        let drawn: std::collections::BTreeSet<_> = (0..50).map(|_| search.varied_action(&mut rng).unwrap()).collect();
        assert!(drawn.len() > 1);
    }

    fn lost_position() -> Position {
        let mut position = game_named("gale").unwrap().start(4).unwrap();
        position.play(searched(&position, Exact::Ends).best_action().unwrap());
        position
    }
}
