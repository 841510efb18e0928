//! Positions of recorded games as what the network sees and what it should say.

use std::sync::Arc;

use candle_core::{Device, Result, Tensor};
use rayon::prelude::*;

use crate::board::Topology;
use crate::games::{Action, Game, Outcome, Player, WinDrawLoss};
use crate::network::{Boards, OWNERSHIP_CLASSES};
use crate::replay::{GameRecord, Position};

/// A position and its targets, in the mover's frame and under one symmetry.
#[derive(Debug, Clone)]
pub struct Sample {
    topology: &'static Topology,
    cells: Vec<f32>,
    globals: Vec<f32>,
    /// The legal actions where the network has their logits, and the share of the visits of each.
    policy: Vec<(usize, f32)>,
    /// The visits of the opponent's reply, if it was searched in full.
    reply: Vec<(usize, f32)>,
    outcome: [f32; 3],
    /// For each cell 0 for an own stone at the end, 1 for an enemy's, 2 for nothing.
    ownership: Vec<u8>,
    /// In units of the number of cells.
    moves_left: f32,
}

/// Visits as shares of their sum, by the place of each action's logit in the frame of `frame`. None if
/// they are no visits of legal actions of `at`.
fn shares<G: Game>(visits: &[(Action, u32)], at: &G, frame: &G, symmetry: usize) -> Option<Vec<(usize, f32)>> {
    let total: u64 = visits.iter().map(|visit| u64::from(visit.1)).sum();
    if !visits.is_empty() && (total == 0 || visits.iter().any(|visit| at.check(visit.0).is_err())) {
        return None;
    }
    let share =
        |&(action, count): &(Action, u32)| (frame.network_action(action, symmetry), count as f32 / total as f32);
    Some(visits.iter().map(share).collect())
}

fn outcome_for(outcome: Outcome, player: Player) -> WinDrawLoss {
    match outcome.winner {
        None => WinDrawLoss::DRAW,
        Some(winner) => WinDrawLoss::certain(if winner == player { 1.0 } else { -1.0 }),
    }
}

impl Sample {
    /// Plays the game again up to the position and on to its end.
    ///
    /// `search_value_share` is the weight of the search's value in the outcome's target. None if the
    /// record does not follow the rules.
    pub fn new<G: Game>(record: &GameRecord, turn: usize, symmetry: usize, search_value_share: f32) -> Option<Self> {
        let mut game = G::new(record.size as usize).ok()?;
        for played in record.turns.get(..turn)? {
            game.check(played.action).ok()?;
            game.play(played.action);
        }
        let (position, mover, topology) = (game.clone(), game.to_move(), game.topology());
        let searched = record.turns.get(turn)?.search.as_ref();
        // The opponent's next move, which in some games is not the next one.
        let mut reply = None;
        for (number, played) in record.turns.iter().enumerate().skip(turn) {
            if reply.is_none() && game.to_move() != mover {
                reply = Some((number, game.clone()));
            }
            game.check(played.action).ok()?;
            game.play(played.action);
        }
        if game.outcome() != Some(record.outcome) {
            return None;
        }

        let inputs = G::VIEW.cell_inputs;
        let place = |cell: usize| position.symmetric(symmetry, position.in_movers_frame(cell));
        let mut framed = vec![0.0; topology.cells() * inputs];
        let mut globals = vec![0.0; G::VIEW.global_inputs];
        position.encode(&mut framed, &mut globals);
        let mut cells = vec![0.0; framed.len()];
        for (cell, planes) in framed.chunks_exact(inputs).enumerate() {
            let there = &mut cells[position.symmetric(symmetry, cell) * inputs..][..inputs];
            for (plane, &value) in planes.iter().enumerate() {
                there[position.symmetric_input(symmetry, plane)] = value;
            }
        }

        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        let visits = shares(record.policy(turn).unwrap_or_default(), &position, &position, symmetry)?;
        let reply = match &reply {
            Some((number, at)) => shares(record.policy(*number).unwrap_or_default(), at, &position, symmetry)?,
            None => Vec::new(),
        };
        let share = |place: usize| visits.iter().find(|visit| visit.0 == place).map_or(0.0, |visit| visit.1);
        let places = legal.iter().map(|&action| position.network_action(action, symmetry));
        let policy = places.map(|place| (place, share(place))).collect();

        let mut ownership = vec![0; topology.cells()];
        for cell in 0..topology.cells() {
            ownership[place(cell)] = match game.stone(cell) {
                Some(owner) if owner == mover => 0,
                Some(_) => 1,
                None => 2,
            };
        }
        let result = outcome_for(record.outcome, mover);
        let searched = searched.map_or(result, |search| search.outcome);
        let chances = [searched.win, searched.draw, searched.loss];
        if !chances.iter().all(|chance| (-1e-3..=1.001).contains(chance)) {
            return None;
        }
        let mix = |result: f32, searched: f32| result + search_value_share * (searched - result);
        Some(Self {
            topology,
            cells,
            globals,
            policy,
            reply,
            outcome: [mix(result.win, searched.win), mix(result.draw, searched.draw), mix(result.loss, searched.loss)],
            ownership,
            moves_left: (record.turns.len() - turn) as f32 / topology.cells() as f32,
        })
    }
}

/// Samples as tensors.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The boards.
    pub boards: Boards,
    /// `[cells × cell inputs]`.
    pub cells: Tensor,
    /// `[positions × global inputs]`.
    pub globals: Tensor,
    /// For each legal action of each position the index of its logit among those of all cells (and,
    /// within a cell, planes) and after them all global actions.
    pub policy_places: Tensor,
    /// Where each position's legal actions begin, and their number at the end.
    pub policy_starts: Arc<[usize]>,
    /// The share of the visits of each legal action.
    pub policy: Tensor,
    /// As [`Batch::policy_places`], for every action of each position.
    pub reply_places: Tensor,
    /// As [`Batch::policy_starts`].
    pub reply_starts: Arc<[usize]>,
    /// The share of the reply's visits of each action, nothing for positions without a searched reply.
    pub reply: Tensor,
    /// Positions with a searched reply.
    pub replies: usize,
    /// `[positions × 3]`.
    pub outcome: Tensor,
    /// One of three for each cell, `[cells × 3]`.
    pub ownership: Tensor,
    /// `[positions]`.
    pub moves_left: Tensor,
}

impl Batch {
    /// The samples of these positions, each under the symmetry beside it. Positions of records that do
    /// not follow the rules are left out. None if nothing is left.
    ///
    /// # Errors
    /// If candle fails.
    pub fn new<G: Game>(positions: &[(Position, usize)], search_value_share: f32) -> Result<Option<Self>> {
        let samples: Vec<Sample> = positions
            .par_iter()
            .filter_map(|(position, symmetry)| {
                Sample::new::<G>(&position.record, position.turn, *symmetry, search_value_share)
            })
            .collect();
        if samples.is_empty() { Ok(None) } else { Self::pack::<G>(&samples).map(Some) }
    }

    fn pack<G: Game>(samples: &[Sample]) -> Result<Self> {
        let view = G::VIEW;
        let boards = Boards::new(&samples.iter().map(|sample| sample.topology).collect::<Vec<_>>());
        let all_cells = boards.cells();
        let device = &Device::Cpu;

        let (mut policy_places, mut policy, mut policy_starts) = (Vec::new(), Vec::new(), vec![0]);
        let (mut reply_places, mut reply, mut reply_starts) = (Vec::new(), Vec::new(), vec![0]);
        let mut first_cell = 0;
        for (number, sample) in samples.iter().enumerate() {
            let cells = sample.topology.cells();
            let on_cells = cells * view.policy_planes;
            let place = |action: usize| {
                let index = if action < on_cells {
                    (first_cell + action % cells) * view.policy_planes + action / cells
                } else {
                    all_cells * view.policy_planes + number * view.global_actions + action - on_cells
                };
                index as u32
            };
            policy_places.extend(sample.policy.iter().map(|entry| place(entry.0)));
            policy.extend(sample.policy.iter().map(|entry| entry.1));
            policy_starts.push(policy.len());
            let from = reply.len();
            reply_places.extend((0..on_cells + view.global_actions).map(place));
            reply.resize(reply_places.len(), 0f32);
            for &(action, share) in &sample.reply {
                reply[from + action] = share;
            }
            reply_starts.push(reply.len());
            first_cell += cells;
        }
        let gather = |part: fn(&Sample) -> &[f32]| samples.iter().flat_map(part).copied().collect::<Vec<f32>>();
        let mut ownership = vec![0f32; all_cells * OWNERSHIP_CLASSES];
        for (cell, &class) in samples.iter().flat_map(|sample| &sample.ownership).enumerate() {
            ownership[cell * OWNERSHIP_CLASSES + class as usize] = 1.0;
        }
        let count = samples.len();
        Ok(Self {
            cells: Tensor::from_vec(gather(|sample| &sample.cells), (all_cells, view.cell_inputs), device)?,
            globals: Tensor::from_vec(gather(|sample| &sample.globals), (count, view.global_inputs), device)?,
            policy_places: Tensor::new(policy_places, device)?,
            policy_starts: policy_starts.into(),
            policy: Tensor::new(policy, device)?,
            reply_places: Tensor::new(reply_places, device)?,
            reply_starts: reply_starts.into(),
            reply: Tensor::new(reply, device)?,
            replies: samples.iter().filter(|sample| !sample.reply.is_empty()).count(),
            outcome: Tensor::from_vec(gather(|sample| &sample.outcome), (count, 3), device)?,
            ownership: Tensor::from_vec(ownership, (all_cells, OWNERSHIP_CLASSES), device)?,
            moves_left: Tensor::new(samples.iter().map(|sample| sample.moves_left).collect::<Vec<_>>(), device)?,
            boards,
        })
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.boards.positions()
    }
}
