//! Standings from results: points, ratings and the cross table.

use serde::Serialize;

use super::results::Results;
use crate::rating::Ratings;

/// The standings of all players, on one board or on all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The player's name.
    pub name: String,
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
}

/// The results of two players against each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    #[serde(skip)]
    faults: [usize; 2],
}

impl Standings {
    /// Computes the standings from results, on one board or on all, with player number `anchor` rated 0.
    pub fn new(results: &Results, size: Option<usize>, anchor: usize) -> Self {
        let ratings = Ratings::fit(results.players().len(), &results.pair_results(size), anchor);
        let mut pairings: Vec<Pairing> = Vec::new();
        for ((a, b, _), tally) in results.tallies(size) {
            if pairings.last().is_none_or(|last| (last.a, last.b) != (a, b)) {
                pairings.push(Pairing {
                    a,
                    b,
                    games: 0,
                    wins_a: 0,
                    draws: 0,
                    wins_b: 0,
                    distinct_games: 0,
                    faults: [0; 2],
                });
            }
            if let Some(pairing) = pairings.last_mut() {
                pairing.games += tally.games;
                pairing.wins_a += tally.wins_a;
                pairing.draws += tally.draws;
                pairing.wins_b += tally.wins_b;
                pairing.distinct_games += tally.distinct_games;
                pairing.faults[0] += tally.faults_a;
                pairing.faults[1] += tally.faults_b;
            }
        }
        let mut players: Vec<Standing> = (results.players().iter().zip(results.thinking(size)).enumerate())
            .map(|(number, (player, thinking))| {
                let rating = ratings.difference(number, anchor);
                Standing {
                    name: player.name.clone(),
                    network: player.network.clone(),
                    games: 0,
                    wins: 0,
                    draws: 0,
                    losses: 0,
                    faults: 0,
                    elo: rating.map(|rating| rating.elo),
                    elo_low: rating.map(|rating| rating.low),
                    elo_high: rating.map(|rating| rating.high),
                    seconds_per_move: thinking.seconds_per_move(),
                }
            })
            .collect();
        for pairing in &pairings {
            let &Pairing { a, b, wins_a, wins_b, faults, .. } = pairing;
            for (number, wins, losses, faults) in [(a, wins_a, wins_b, faults[0]), (b, wins_b, wins_a, faults[1])] {
                let player = &mut players[number];
                player.games += pairing.games;
                player.wins += wins;
                player.draws += pairing.draws;
                player.losses += losses;
                player.faults += faults;
            }
        }
        Self { size, anchor, players, pairings }
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
