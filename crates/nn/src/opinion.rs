//! What a network thinks of a position, for people to look at.

use serde::Serialize;

use hexzero_games::{Action, Evaluator, Pick, Piece, Position, Seat};

/// The opinion of a network on a position, without a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Opinion {
    /// The first player's expected score, from 0 to 1.
    pub value: f32,
    /// The moves with their probabilities, each with the place that a player picks first, if any; none after the end.
    pub policy: Vec<(String, Option<usize>, f32)>,
    /// The pieces of the position with their places.
    pub pieces: Vec<(usize, Piece)>,
}

impl Opinion {
    /// Asks about a position, which may be over.
    pub fn of(position: &Position, network: &mut impl Evaluator) -> Self {
        let legal = position.legal();
        let (value, priors) = match position.outcome() {
            Some(outcome) => (outcome.value_for(Seat::First), Vec::new()),
            None => {
                let found = network.evaluate(position, &legal);
                (position.to_move().sign() * found.outcome.value(), found.priors)
            }
        };
        let named = |(&action, prior)| (position.action_name(action), first_place(position, action), prior);
        let places = 0..position.board().places().len();
        Self {
            value: (value + 1.0) / 2.0,
            policy: legal.iter().zip(priors).map(named).collect(),
            pieces: places.filter_map(|place| Some((place, position.piece(place)?))).collect(),
        }
    }
}

/// Returns the place that a player picks first for an action, if there is one.
pub fn first_place(position: &Position, action: Action) -> Option<usize> {
    position.picks(action).into_iter().find_map(Pick::place)
}
