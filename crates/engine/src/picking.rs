//! Moves as paths of picks: what the user may pick next, and which move the picks make.

use hexzero_board::Board;
use hexzero_games::{Action, Pick, Position};

/// The picks of a move being entered, in any game.
#[derive(Debug, Clone, Default)]
pub struct Picking {
    /// The legal actions and their paths.
    paths: Vec<(Action, Vec<Pick>)>,
    picks: Vec<Pick>,
}

impl Picking {
    /// Begins a move in a position. Nothing can be picked once the game is over.
    pub fn new(position: &Position) -> Self {
        let legal = position.legal();
        let paths = legal.into_iter().map(|action| (action, position.picks(action))).collect();
        Self { paths, picks: Vec::new() }
    }

    /// Returns the picks so far.
    pub fn picks(&self) -> &[Pick] {
        &self.picks
    }

    /// Iterates over the legal actions that begin with the picks so far, with the remaining picks
    /// of each.
    fn rest(&self) -> impl Iterator<Item = (Action, &[Pick])> {
        self.paths.iter().filter_map(|(action, path)| Some((*action, path.strip_prefix(&self.picks[..])?)))
    }

    /// Lists the possible next picks in ascending order, each once.
    pub fn candidates(&self) -> Vec<Pick> {
        let mut next: Vec<Pick> = self.rest().filter_map(|(_, rest)| rest.first().copied()).collect();
        next.sort_unstable();
        next.dedup();
        next
    }

    /// Returns the action that the picks so far make, even if further picks would make another.
    pub fn action(&self) -> Option<Action> {
        self.rest().find(|(_, rest)| rest.is_empty()).map(|(action, _)| action)
    }

    /// Adds a pick, if it is one of the candidates. Returns the action once the picks make one and no further pick is
    /// possible.
    pub fn add(&mut self, pick: Pick) -> Option<Action> {
        if !self.rest().any(|(_, rest)| rest.first() == Some(&pick)) {
            return None;
        }
        self.picks.push(pick);
        self.action().filter(|_| self.candidates().is_empty())
    }

    /// Takes the last pick back and returns it.
    pub fn back(&mut self) -> Option<Pick> {
        self.picks.pop()
    }
}

/// Returns the place where a path of picks ends: the place picked last, or the one that directions lead to from there.
/// None for paths without a place, or if they lead off the board.
pub fn end_of_path(board: &Board, picks: &[Pick]) -> Option<usize> {
    picks.iter().fold(None, |at: Option<usize>, &pick| match pick {
        Pick::Place(place) => Some(usize::from(place)),
        Pick::Direction(direction) => {
            board.places()[at?].arrows.directions.get(usize::from(direction)).copied().flatten().map(usize::from)
        }
        Pick::Choice(_) | Pick::Button(_) => at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_board::Shape;
    use hexzero_games::{all_games, game_named};

    /// Picks every legal action of positions on the way through a game.
    #[test]
    fn legal_actions_can_all_be_picked() {
        for game in all_games() {
            let mut position = game.start(*game.boards.sizes.start().max(&3)).unwrap();
            for _ in 0..6 {
                let legal = position.legal();
                for &action in &legal {
                    let mut picking = Picking::new(&position);
                    let path = position.picks(action);
                    let (last, first) = path.split_last().unwrap();
                    for &pick in first {
                        assert!(picking.candidates().contains(&pick));
                        assert_eq!(picking.add(pick), None);
                    }
                    assert!(picking.candidates().contains(last));
                    assert_eq!(picking.add(*last), Some(action), "{game:?}");
                    assert_eq!(picking.action(), Some(action));
                }
                match legal.get(legal.len() / 3) {
                    Some(&action) if position.outcome().is_none() => position.play(action),
                    _ => break,
                }
            }
        }
    }

    #[test]
    fn swap_is_a_button_and_taken_places_are_out() {
        let mut position = game_named("cachex").unwrap().start(3).unwrap();
        let places = |picking: &Picking| picking.candidates().iter().filter(|p| matches!(p, Pick::Place(_))).count();
        let start = Picking::new(&position);
        // The first move may not take the centre.
        assert_eq!((start.candidates().len(), places(&start)), (8, 8));
        position.play_named("a1").unwrap();
        let mut picking = Picking::new(&position);
        assert_eq!((picking.candidates().len(), places(&picking)), (9, 8));
        assert_eq!(picking.add(Pick::Place(0)), None);
        assert_eq!(picking.picks(), []);
        let swap = picking.add(Pick::Button(0)).unwrap();
        assert_eq!(position.action_name(swap), "swap");
    }

    /// Builds a picking from paths as they occur in games with sources, directions, targets and
    /// choices.
    fn of_paths(paths: &[&[Pick]]) -> Picking {
        let paths = (0..).map(Action).zip(paths.iter().map(|path| path.to_vec())).collect();
        Picking { paths, picks: Vec::new() }
    }

    #[test]
    fn picks_narrow_down_and_are_taken_back() {
        use Pick::{Choice, Direction, Place};
        let mut picking = of_paths(&[
            &[Place(5)],
            &[Place(1), Direction(2)],
            &[Place(1), Direction(0)],
            &[Place(1), Place(4), Choice(1)],
            &[Place(1), Place(4)],
        ]);
        assert_eq!(picking.candidates(), [Place(1), Place(5)]);
        assert_eq!(picking.add(Place(1)), None);
        assert_eq!(picking.candidates(), [Place(4), Direction(0), Direction(2)]);
        assert_eq!(picking.action(), None);
        // The move could end here or continue.
        assert_eq!(picking.add(Place(4)), None);
        assert_eq!((picking.action(), picking.candidates()), (Some(Action(4)), vec![Choice(1)]));
        assert_eq!(picking.back(), Some(Place(4)));
        assert_eq!(picking.add(Direction(0)), Some(Action(2)));
        assert_eq!((picking.back(), picking.back(), picking.back()), (Some(Direction(0)), Some(Place(1)), None));
        assert_eq!(picking.add(Place(5)), Some(Action(0)));
        assert_eq!(Picking::default().candidates(), []);
    }

    #[test]
    fn paths_end_where_they_lead() {
        use Pick::{Button, Choice, Direction, Place};
        let (torus, rhombus) = (Board::of(&Shape::Torus { side: 3 }), Board::of(&Shape::Rhombus { side: 3 }));
        assert_eq!(end_of_path(rhombus, &[Place(4), Choice(1)]), Some(4));
        // East, and east again.
        assert_eq!(end_of_path(rhombus, &[Place(3), Direction(2), Direction(2)]), Some(5));
        assert_eq!(end_of_path(rhombus, &[Place(5), Direction(2)]), None);
        assert_eq!(end_of_path(torus, &[Place(5), Direction(2)]), Some(3));
        assert_eq!(end_of_path(torus, &[Button(0)]), None);
    }
}
