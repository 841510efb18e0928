//! The players that a ladder rates, and their standings.

use serde::Serialize;

use hexzero_arena::players::{PlayerOptions, PlayerSource, PlayerSpec};
use hexzero_arena::{Conditions, GameStore, PlayerId, Results, Standing, Standings, StoreError, StoredGame};
use hexzero_games::Game;
use hexzero_nn::{Backend, Checkpoint, CheckpointError};
use hexzero_search::Limits;
use hexzero_train::RunFolder;

/// The ratings on one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LadderStandings {
    /// The game's name.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The checkpoints' limits for a move, such as `visits=50`.
    pub limits: String,
    /// The opponent rated 0.
    pub anchor: String,
    /// All players with games: the opponents, then the checkpoints by their steps.
    #[serde(rename = "entrants")]
    pub players: Vec<LadderStanding>,
}

/// A player of a ladder.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LadderStanding {
    /// The training step of the checkpoint; none if it is a built-in opponent.
    pub step: Option<u64>,
    /// The player's games and rating, with the interval.
    #[serde(flatten)]
    pub standing: Standing,
}

/// Rates a run's checkpoints by all games of its ladder, for each board size; none before the first game. Other
/// processes may be adding games meanwhile.
///
/// # Errors
/// If the file of the games cannot be read or holds something else.
pub fn read(folder: &RunFolder) -> Result<Vec<LadderStandings>, StoreError> {
    let games = GameStore::read(&folder.ladder())?;
    let Some(first) = games.first() else { return Ok(Vec::new()) };
    let mut results = Results::new(known(&games));
    results.add_stored(&folder.ladder(), &first.conditions, &games)?;
    Ok(results.sizes().into_iter().map(|size| LadderStandings::new(&results, &first.conditions, size)).collect())
}

impl LadderStandings {
    /// Rates the players on a board by the results of a ladder.
    pub(super) fn new(results: &Results, conditions: &Conditions, size: usize) -> Self {
        let players = results.players();
        let anchor = players.iter().position(|player| player.name == ANCHOR.to_string()).unwrap_or(0);
        let standings = Standings::new(results, Some(size), anchor);
        let played = standings.players.iter().filter(|standing| standing.games > 0);
        let rated = played.map(|standing| LadderStanding { step: step_of(&standing.name), standing: standing.clone() });
        Self {
            game: conditions.game.clone(),
            size,
            limits: conditions.limits.clone(),
            anchor: players[anchor].name.clone(),
            players: rated.collect(),
        }
    }
}

/// Lists the built-in opponents and the players of these games, the checkpoints by their steps.
pub(super) fn known(games: &[StoredGame]) -> Vec<PlayerId> {
    let opponent = |spec: &PlayerSpec| PlayerId { name: spec.to_string(), network: None };
    let mut known: Vec<PlayerId> = OPPONENTS.iter().map(opponent).collect();
    let mut others: Vec<&PlayerId> = games.iter().flat_map(|game| [&game.a, &game.b]).collect();
    others.sort_by_key(|player| (step_of(&player.name), player.name.clone()));
    for player in others {
        if known.iter().all(|one| one.name != player.name) {
            known.push(player.clone());
        }
    }
    known
}

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
    pub fn source(
        &self,
        game: Game,
        folder: &RunFolder,
        limits: Limits,
        backend: &Backend,
    ) -> Result<PlayerSource, CheckpointError> {
        match self {
            Self::BuiltIn(spec) => Ok(PlayerSource::built_in(spec.clone())),
            Self::Checkpoint(step) => {
                let checkpoint = Checkpoint::read(&folder.checkpoint(*step))?;
                PlayerSource::network(game, self.name(), &checkpoint, backend, PlayerOptions::default(), limits, CACHE)
            }
        }
    }

    /// Returns the player's name in the file of games.
    pub fn id(&self, folder: &RunFolder) -> Result<PlayerId, CheckpointError> {
        let network = match self {
            Self::BuiltIn(_) => None,
            Self::Checkpoint(step) => Some(Checkpoint::read(&folder.checkpoint(*step))?.digest()?),
        };
        Ok(PlayerId { name: self.name(), network })
    }
}
