//! Standings of a ladder.

use serde::Serialize;

use crate::arena::{Conditions, GameStore, PlayerId, Results, Standing, Standings, StoreError, StoredGame};
use crate::players::PlayerSpec;
use crate::training::RunFolder;

use super::rated::{ANCHOR, OPPONENTS, step_of};

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
    /// Its games and its rating, with the interval.
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
