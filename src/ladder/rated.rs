//! The players that a ladder rates.

use crate::arena::PlayerId;
use crate::games::Game;
use crate::network::{Checkpoint, CheckpointError};
use crate::players::{PlayerOptions, PlayerSource, PlayerSpec};
use crate::search::Limits;
use crate::training::RunFolder;

/// The built-in opponents, the weakest first.
pub const OPPONENTS: [PlayerSpec; 4] = [
    PlayerSpec::Random,
    PlayerSpec::AlphaBeta { depth: 2 },
    PlayerSpec::AlphaBeta { depth: 3 },
    PlayerSpec::Mcts { playouts: 1000 },
];

/// The index of the anchor, rated 0.
pub(super) const ANCHOR: PlayerSpec = PlayerSpec::AlphaBeta { depth: 2 };

/// Mebibytes of each network's evaluation cache: many may play at the same time.
const CACHE: u32 = 4;

/// A player that a ladder rates.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RatedPlayer {
    BuiltIn(PlayerSpec),
    /// The checkpoint after a step.
    Checkpoint(u64),
}

/// Returns the training step of the checkpoint with this name in a ladder; none for a built-in opponent.
pub fn step_of(name: &str) -> Option<u64> {
    name.strip_prefix("step-")?.parse().ok()
}

impl RatedPlayer {
    /// Lists the built-in opponents, and the checkpoints of a run up to a step, the earliest first.
    pub fn of(folder: &RunFolder, last_step: u64) -> Vec<Self> {
        let checkpoints = folder.checkpoint_steps().into_iter().filter(|&step| step <= last_step);
        OPPONENTS.into_iter().map(Self::BuiltIn).chain(checkpoints.map(Self::Checkpoint)).collect()
    }

    pub fn name(&self) -> String {
        match self {
            Self::BuiltIn(spec) => spec.to_string(),
            Self::Checkpoint(step) => format!("step-{step:08}"),
        }
    }

    /// Returns the source of the player.
    pub fn source(&self, game: Game, folder: &RunFolder, limits: Limits) -> Result<PlayerSource, CheckpointError> {
        match self {
            Self::BuiltIn(spec) => Ok(PlayerSource::built_in(spec.clone())),
            Self::Checkpoint(step) => {
                let checkpoint = Checkpoint::read(&folder.checkpoint(*step))?;
                PlayerSource::network(game, self.name(), &checkpoint, PlayerOptions::default(), limits, CACHE)
            }
        }
    }

    /// Returns its name in the file of games.
    pub fn id(&self, folder: &RunFolder) -> Result<PlayerId, CheckpointError> {
        let network = match self {
            Self::BuiltIn(_) => None,
            Self::Checkpoint(step) => Some(Checkpoint::read(&folder.checkpoint(*step))?.digest()?),
        };
        Ok(PlayerId { name: self.name(), network })
    }
}
