//! Chooses the most informative games.

use hexzero_arena::{PairResult, Ratings, score_from_elo};

/// A pairing of two players by their numbers.
pub(super) type Pairing = (usize, usize);

/// Lists the candidate pairings of `opponents` opponents and, numbered after these, `checkpoints` checkpoints:
/// opponents with checkpoints, and checkpoints with those 1, 2, 4, 8 … before them. Opponents do not meet each other:
/// such games would inform about the checkpoints only indirectly.
pub(super) fn pairings(opponents: usize, checkpoints: usize) -> Vec<Pairing> {
    let players = opponents + checkpoints;
    let with_opponents = (0..opponents).flat_map(|a| (opponents..players).map(move |b| (a, b)));
    let distances = std::iter::successors(Some(1), |distance| Some(2 * distance));
    let among = distances.take_while(|&distance| distance < checkpoints);
    with_opponents
        .chain(among.flat_map(|distance| (opponents + distance..players).map(move |b| (b - distance, b))))
        .collect()
}

/// Chooses at most `count` pairings whose next `games` games are most informative given what is known, one after the
/// other, each as if those before had ended as expected.
///
/// The value of a game is its Fisher information `p (1 - p)` times the variance of the difference that it measures:
/// high where the result is open and little is known. Players without games are assumed about as strong as their
/// neighbours, the next checkpoints, as by a single drawn game. Pairings of players not linked by games come first, so
/// that all players soon have a rating relative to the anchor.
pub(super) fn most_telling(
    players: usize,
    results: &[PairResult],
    pairings: &[Pairing],
    count: usize,
    games: f64,
) -> Vec<Pairing> {
    let assumed = (1..players).map(|b| PairResult { a: b - 1, b, score: 0.5, games: 1.0, variance: 0.125 });
    let mut known: Vec<PairResult> = results.iter().copied().chain(assumed).collect();
    let mut groups: Vec<usize> = (0..players).collect();
    results.iter().filter(|result| result.games > 0.0).for_each(|result| connect(&mut groups, result.a, result.b));
    let mut chosen = Vec::new();
    for _ in 0..count {
        let ratings = Ratings::fit(players, &known, 0);
        let gain = |&(a, b): &Pairing| {
            let difference = ratings.difference(a, b)?;
            let expected = score_from_elo(difference.elo);
            let information = expected * (1.0 - expected) * (difference.high - difference.low).powi(2);
            Some((groups[a] != groups[b], information))
        };
        let gains = pairings.iter().filter_map(|pairing| Some((gain(pairing)?, *pairing)));
        // The first of equals.
        let best = gains.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((_, (a, b))) = best else { break };
        let score = ratings.difference(a, b).map_or(0.5, |difference| score_from_elo(difference.elo));
        known.push(PairResult { a, b, score, games, variance: score * (1.0 - score) / 2.0 });
        connect(&mut groups, a, b);
        chosen.push((a, b));
    }
    chosen
}

/// Merges the groups of two players.
fn connect(groups: &mut [usize], a: usize, b: usize) {
    let (from, to) = (groups[a], groups[b]);
    groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(a: usize, b: usize, score: f64, games: f64) -> PairResult {
        PairResult { a, b, score, games, variance: score * (1.0 - score) / 2.0 }
    }

    #[test]
    fn neighbours_and_some_further_back_are_paired() {
        assert_eq!(pairings(2, 1), [(0, 2), (1, 2)]);
        let (with_opponents, among): (Vec<Pairing>, Vec<Pairing>) =
            pairings(2, 5).into_iter().partition(|&(a, _)| a < 2);
        assert_eq!(with_opponents, [0, 1].map(|a| [2, 3, 4, 5, 6].map(|b| (a, b))).concat());
        assert_eq!(among, [(2, 3), (3, 4), (4, 5), (5, 6), (2, 4), (3, 5), (4, 6), (2, 6)]);
        assert!(pairings(4, 0).is_empty());
    }

    #[test]
    fn newcomers_and_uncertain_pairings_come_first() {
        let all = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        // Player 3 has not played; 0 and 1 are known well.
        let known = [result(0, 1, 0.5, 400.0), result(1, 2, 0.5, 400.0)];
        let chosen = most_telling(4, &known, &all, 3, 4.0);
        assert!(chosen.iter().all(|&(_, b)| b == 3), "{chosen:?}");
        // 0 loses to all; between the others it is open who is stronger.
        let known = [result(0, 1, 0.01, 40.0), result(0, 2, 0.01, 40.0)];
        assert_eq!(most_telling(3, &known, &[(0, 1), (0, 2), (1, 2)], 1, 4.0), [(1, 2)]);
        // Chosen games count as played.
        let known = [result(0, 1, 0.5, 10.0), result(2, 3, 0.5, 10.0), result(1, 2, 0.5, 10.0)];
        let chosen = most_telling(4, &known, &[(0, 1), (2, 3)], 4, 4.0);
        assert_eq!(chosen.iter().filter(|&&pairing| pairing == (0, 1)).count(), 2, "{chosen:?}");
    }

    #[test]
    fn connecting_everybody_comes_first() {
        // 0 has not played and seems to be as weak as 1, so games against 3 would say little.
        let known = [result(1, 3, 0.003, 400.0), result(2, 3, 0.5, 4.0)];
        assert_eq!(most_telling(4, &known, &[(0, 3), (2, 3)], 2, 4.0), [(0, 3), (2, 3)]);
        // Enough pairings at the very beginning.
        for checkpoints in 1..5 {
            let mut groups: Vec<usize> = (0..4 + checkpoints).collect();
            let chosen = most_telling(groups.len(), &[], &pairings(4, checkpoints), groups.len() - 1, 4.0);
            chosen.into_iter().for_each(|(a, b)| connect(&mut groups, a, b));
            assert!(groups.iter().all(|group| *group == groups[0]), "{groups:?}");
        }
    }
}
