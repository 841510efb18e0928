//! What any number of results say about the players: points, ratings and the cross table.

use serde::Serialize;

use super::pool_rating::Ratings;
use super::results::Results;

/// Where the players stand, on one board or on all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standings {
    /// The board's size; none if it is all of them.
    pub size: Option<usize>,
    /// The number of the player whose rating is 0.
    pub anchor: usize,
    /// The players, in the order of their numbers.
    pub players: Vec<Standing>,
    /// The pairings that were played.
    pub pairings: Vec<Pairing>,
}

/// Where a player stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// What he is called.
    pub name: String,
    /// A checksum of his network, if he has one.
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
    /// His rating less the anchor's; none if no chain of games connects them.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval.
    pub elo_high: Option<f64>,
    /// The mean time of his moves; none if he has not moved.
    pub seconds_per_move: Option<f64>,
}

impl Standing {
    /// His points: a draw is half of one.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// What two players did against each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pairing {
    /// The number of the one player.
    pub a: usize,
    /// The number of the other.
    pub b: usize,
    /// Games.
    pub games: usize,
    /// Games that `a` won.
    pub wins_a: usize,
    /// Drawn games.
    pub draws: usize,
    /// Games that `b` won.
    pub wins_b: usize,
    /// Games that are not repetitions of others.
    pub distinct_games: usize,
}

impl Standings {
    /// Where the players stand after these results, on one board or on all, if the rating of the player with the
    /// number `anchor` is 0.
    pub fn new(results: &Results, size: Option<usize>, anchor: usize) -> Self {
        let ratings = Ratings::fit(results.players().len(), &results.pair_results(size), anchor);
        let mut pairings: Vec<Pairing> = Vec::new();
        for ((a, b, _), tally) in results.tallies(size) {
            if pairings.last().is_none_or(|last| (last.a, last.b) != (a, b)) {
                pairings.push(Pairing { a, b, games: 0, wins_a: 0, draws: 0, wins_b: 0, distinct_games: 0 });
            }
            if let Some(pairing) = pairings.last_mut() {
                pairing.games += tally.games;
                pairing.wins_a += tally.wins_a;
                pairing.draws += tally.draws;
                pairing.wins_b += tally.wins_b;
                pairing.distinct_games += tally.distinct_games;
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
                    elo: rating.map(|rating| rating.elo),
                    elo_low: rating.map(|rating| rating.low),
                    elo_high: rating.map(|rating| rating.high),
                    seconds_per_move: thinking.seconds_per_move(),
                }
            })
            .collect();
        for pairing in &pairings {
            let ways = [(pairing.a, pairing.wins_a, pairing.wins_b), (pairing.b, pairing.wins_b, pairing.wins_a)];
            for (number, wins, losses) in ways {
                let player = &mut players[number];
                player.games += pairing.games;
                player.wins += wins;
                player.draws += pairing.draws;
                player.losses += losses;
            }
        }
        Self { size, anchor, players, pairings }
    }

    /// The numbers of the players, the strongest first; those without a rating last.
    pub fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.players.len()).collect();
        let rating = |number: usize| self.players[number].elo.unwrap_or(f64::NEG_INFINITY);
        ranking.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        ranking
    }

    /// What one player did against another, from his point of view: games won, drawn and lost. None if they did not
    /// meet.
    pub fn between(&self, player: usize, other: usize) -> Option<[usize; 3]> {
        self.pairings.iter().find_map(|pairing| match (pairing.a, pairing.b) {
            (a, b) if (a, b) == (player, other) => Some([pairing.wins_a, pairing.draws, pairing.wins_b]),
            (a, b) if (b, a) == (player, other) => Some([pairing.wins_b, pairing.draws, pairing.wins_a]),
            _ => None,
        })
    }
}
