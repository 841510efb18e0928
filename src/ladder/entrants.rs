//! Who is rated.

use crate::arena::{Contestant, Participant, PlayerOptions, PlayerSpec};
use crate::games::Game;
use crate::network::{Checkpoint, CheckpointError};
use crate::search::Limits;
use crate::training::RunFolder;

/// The built-in opponents, the weakest first.
pub const OPPONENTS: [PlayerSpec; 4] = [
    PlayerSpec::Random,
    PlayerSpec::AlphaBeta { depth: 2 },
    PlayerSpec::AlphaBeta { depth: 3 },
    PlayerSpec::Mcts { playouts: 1000 },
];

/// Which of them is the anchor, with a rating of 0.
pub(super) const ANCHOR: PlayerSpec = PlayerSpec::AlphaBeta { depth: 2 };

/// Mebibytes for the answers of a network: many of them may play at the same time.
const CACHE: u32 = 4;

/// Somebody who can play in a ladder.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entrant {
    BuiltIn(PlayerSpec),
    /// The checkpoint after a step.
    Checkpoint(u64),
}

/// The training step of the checkpoint with this name in a ladder; none if it is a built-in opponent's.
pub fn step_of(name: &str) -> Option<u64> {
    name.strip_prefix("step-")?.parse().ok()
}

impl Entrant {
    /// The built-in opponents, and the checkpoints of a run up to a step, the earliest first.
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

    /// The one that plays.
    pub fn contestant(&self, game: Game, folder: &RunFolder, limits: Limits) -> Result<Contestant, CheckpointError> {
        match self {
            Self::BuiltIn(spec) => Ok(Contestant::built_in(spec.clone())),
            Self::Checkpoint(step) => {
                let checkpoint = Checkpoint::read(&folder.checkpoint(*step))?;
                Contestant::network(game, self.name(), &checkpoint, PlayerOptions::default(), limits, CACHE)
            }
        }
    }

    /// The same for the file of games.
    pub fn participant(&self, folder: &RunFolder) -> Result<Participant, CheckpointError> {
        let network = match self {
            Self::BuiltIn(_) => None,
            Self::Checkpoint(step) => Some(Checkpoint::read(&folder.checkpoint(*step))?.digest()?),
        };
        Ok(Participant { name: self.name(), network })
    }
}
