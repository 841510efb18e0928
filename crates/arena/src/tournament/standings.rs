//! Standings from results: points, ratings and the cross table.

use serde::Serialize;

use super::games::Tournament;
use super::stored_game::Conditions;
use crate::rating::{EloEstimate, Ratings};

/// The standings of all players, on one board or on all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// The conditions of the games.
    #[serde(skip)]
    pub conditions: Conditions,
    /// The board's size; none for all boards.
    pub size: Option<usize>,
    /// The number of the anchor, the player rated 0.
    pub anchor: usize,
    /// The players, in the order of their numbers.
    pub players: Vec<Standing>,
    /// The pairings that were played.
    pub pairings: Vec<Pairing>,
}

/// The standing of a player.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Standing {
    /// The player's name.
    pub name: String,
    /// The training step of a checkpoint of the run that is rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// A checksum of its network, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Games.
    pub games: usize,
    /// Games won.
    pub wins: usize,
    /// Drawn games.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// Games lost by a fault.
    pub faults: usize,
    /// The rating relative to the anchor; none if not linked to the anchor by games.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval.
    pub elo_high: Option<f64>,
    /// The mean time of a move; none without moves.
    pub seconds_per_move: Option<f64>,
}

impl Standing {
    /// Returns the points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the rating with its interval, if there is one.
    pub fn rating(&self) -> Option<EloEstimate> {
        Some(EloEstimate { elo: self.elo?, low: self.elo_low?, high: self.elo_high? })
    }
}

/// The results of two players against each other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Pairing {
    /// The number of player `a`.
    pub a: usize,
    /// The number of player `b`.
    pub b: usize,
    /// Games.
    pub games: usize,
    /// Games that `a` won.
    pub wins_a: usize,
    /// Drawn games.
    pub draws: usize,
    /// Games that `b` won.
    pub wins_b: usize,
    /// Distinct games.
    pub distinct_games: usize,
    /// Pairs in which each won a game.
    pub pairs_split: usize,
    /// Pairs in which one scored more.
    pub pairs_decided: usize,
}

impl Standings {
    /// Computes the standings on one board or on all, with player number `anchor` rated 0.
    pub fn new(games: &Tournament, size: Option<usize>, anchor: usize) -> Self {
        let ratings = Ratings::fit(games.players.len(), &games.pair_results(size), anchor);
        let mut players: Vec<Standing> = (games.players.iter().zip(games.thinking(size)).enumerate())
            .map(|(number, (player, thinking))| {
                let rating = ratings.difference(number, anchor);
                Standing {
                    name: player.name.clone(),
                    step: player.step(),
                    network: player.network.clone(),
                    elo: rating.map(|rating| rating.elo),
                    elo_low: rating.map(|rating| rating.low),
                    elo_high: rating.map(|rating| rating.high),
                    seconds_per_move: thinking.seconds_per_move(),
                    ..Standing::default()
                }
            })
            .collect();
        let mut pairings: Vec<Pairing> = Vec::new();
        for ((a, b, _), tally) in games.tallies(size) {
            if pairings.last().is_none_or(|last| (last.a, last.b) != (a, b)) {
                pairings.push(Pairing { a, b, ..Pairing::default() });
            }
            if let Some(pairing) = pairings.last_mut() {
                pairing.games += tally.games;
                pairing.wins_a += tally.wins_a;
                pairing.draws += tally.draws;
                pairing.wins_b += tally.wins_b;
                pairing.distinct_games += tally.distinct_games;
                pairing.pairs_split += tally.pairs_split();
                pairing.pairs_decided += tally.pairs_decided();
            }
            let [of_a, of_b] = [(tally.wins_a, tally.faults_a), (tally.wins_b, tally.faults_b)];
            for (number, (wins, faults), (losses, _)) in [(a, of_a, of_b), (b, of_b, of_a)] {
                let player = &mut players[number];
                player.games += tally.games;
                player.wins += wins;
                player.draws += tally.draws;
                player.losses += losses;
                player.faults += faults;
            }
        }
        Self { conditions: games.conditions.clone(), size, anchor, players, pairings }
    }

    /// Returns the name of the anchor.
    pub fn anchor_name(&self) -> &str {
        &self.players[self.anchor].name
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.pairings.iter().map(|pairing| pairing.games).sum()
    }

    /// Returns the name of the board; none for all boards.
    pub fn board(&self) -> Option<String> {
        self.size.map(|size| self.conditions.game.board_name(size))
    }

    /// Returns the numbers of the players, the strongest first; those without a rating last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        let rating = |number: usize| self.players[number].elo.unwrap_or(f64::NEG_INFINITY);
        ranking.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        ranking
    }

    /// Returns a player's wins, draws and losses against another; none if they did not meet.
    pub fn between(&self, player: usize, other: usize) -> Option<[usize; 3]> {
        self.pairings.iter().find_map(|pairing| match (pairing.a, pairing.b) {
            (a, b) if (a, b) == (player, other) => Some([pairing.wins_a, pairing.draws, pairing.wins_b]),
            (a, b) if (b, a) == (player, other) => Some([pairing.wins_b, pairing.draws, pairing.wins_a]),
            _ => None,
        })
    }
}
