//! Training examples: positions of recorded games with their targets, as batches of tensors.

mod batch;
mod step_parts;
mod targets;

use hexzero_board::Topology;
use hexzero_games::{Action, Game, Position, WinDrawLoss};
use hexzero_selfplay::shards::{GameRecord, SearchRecord};

use targets::rest_of_game;

pub use batch::Batch;
pub use step_parts::StepParts;
pub use targets::ExactTargets;

/// The mix of search value and game result in the outcome's target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchValue {
    /// The weight of the search's value against the result.
    pub share: f32,
    /// True if a proven value of the search is the target.
    pub proven: bool,
}

impl SearchValue {
    /// Returns the outcome's target, the chances of win, draw and loss: the exact value if it is known, else the mix of the
    /// search's value and the game's result.
    fn target(self, result: WinDrawLoss, exact: Option<WinDrawLoss>, search: Option<&SearchRecord>) -> [f32; 3] {
        let (searched, share) = match (exact, search) {
            (Some(certain), _) => (certain, 1.0),
            (None, None) => (result, 0.0),
            (None, Some(search)) if search.proven && self.proven => (search.outcome, 1.0),
            (None, Some(search)) => (search.outcome, self.share),
        };
        let mix = |result: f32, searched: f32| result + share * (searched - result);
        [mix(result.win, searched.win), mix(result.draw, searched.draw), mix(result.loss, searched.loss)]
    }
}

/// A position and its targets, in the mover's frame and under one symmetry.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    topology: &'static Topology,
    cells: Vec<f32>,
    globals: Vec<f32>,
    /// The places of the legal actions' logits, and the share of the visits of each.
    policy: Vec<(usize, f32)>,
    outcome: [f32; 3],
    /// The class of each cell at the end.
    ownership: Vec<u8>,
    /// The moves left in units of the number of cells, unless a player resigned.
    moves_left: Option<f32>,
}

/// Converts visits to shares of their sum, by the place of each action's logit. Returns none if an
/// action is not legal.
fn shares(visits: &[(Action, u32)], at: &Position, symmetry: usize) -> Option<Vec<(usize, f32)>> {
    let total: u64 = visits.iter().map(|visit| u64::from(visit.1)).sum();
    if !visits.is_empty() && (total == 0 || visits.iter().any(|visit| at.check(visit.0).is_err())) {
        return None;
    }
    let share = |&(action, count): &(Action, u32)| (at.network_action(action, symmetry), count as f32 / total as f32);
    Some(visits.iter().map(share).collect())
}

impl Sample {
    /// Replays the game up to the position and on to its end. Returns none if the record breaks the
    /// rules.
    pub fn new(
        game: Game,
        record: &GameRecord,
        turn: usize,
        symmetry: usize,
        value: SearchValue,
        exact: &ExactTargets,
    ) -> Option<Self> {
        let position = record.position_before(game, turn)?;
        let searched = record.turns.get(turn)?.search.as_ref();
        let (owners, moves_left) = rest_of_game(record, turn, &position)?;

        let topology = position.topology();
        let (frame, transform) = (position.frame(), &position.game_board().symmetries()[symmetry]);
        let (cells, globals) = position.encoded_through(transform);

        let exact = exact.of(&position);
        let best = exact.as_ref().filter(|(_, best)| !best.is_empty());
        let best = best.map(|(_, best)| best.iter().map(|&action| (action, 1)).collect::<Vec<_>>());
        let policy = best.as_deref().or(record.policy(turn)).unwrap_or_default();
        let visits = shares(policy, &position, symmetry)?;
        let legal = position.legal();
        let mut share_at = vec![0.0; topology.cells() * game.view.policy_planes + game.view.global_actions];
        visits.into_iter().rev().for_each(|(place, share)| share_at[place] = share);
        let places = legal.iter().map(|&action| position.network_action(action, symmetry));
        let policy = places.map(|place| (place, share_at[place])).collect();

        let mut ownership = vec![0; topology.cells()];
        for (cell, class) in owners.into_iter().enumerate() {
            ownership[transform.cells.apply(frame.cells.apply(cell))] = class;
        }

        let result = WinDrawLoss::certain(record.outcome.value_for(position.to_move()));
        let outcome = value.target(result, exact.map(|(certain, _)| certain), searched);
        Some(Self {
            topology,
            cells,
            globals,
            policy,
            outcome,
            ownership,
            moves_left: moves_left.map(|plies| plies as f32 / topology.cells() as f32),
        })
    }
}
