//! Sequential halving at the root, and the improved policy (Danihelka, Guez, Schrittwieser and Silver, *Policy
//! improvement by planning with Gumbel*, 2022).

use hexzero_games::Seat;

use super::puct::Puct;
use super::settings::RootPolicy;
use super::tree::{Edge, Node};

/// Sequential halving: the moves with the best scores get equally many visits, then the better half
/// of them, and so on until two are left. The score of a move is its Gumbel noise plus the
/// logarithm of its prior plus its transformed value.
#[derive(Debug, Clone)]
pub(super) struct Halving {
    policy: RootPolicy,
    /// For each remaining visit, how many visits the move to visit must have received before.
    schedule: Vec<u32>,
    /// Noise plus log prior of each move.
    scores: Vec<f32>,
    /// The visits of the moves and of the root before this plan.
    visits_before: Vec<u32>,
    root_visits_before: u32,
}

impl Halving {
    /// Plans `visits` visits. `noise` holds a number for each move, or is empty.
    pub fn new(policy: RootPolicy, root: &Node, edges: &[Edge], noise: &[f32], visits: u32) -> Self {
        let open = edges.iter().filter(|edge| edge.proof.rank(root.to_move) > 0).count() as u32;
        let noise = noise.iter().copied().chain(std::iter::repeat(0.0));
        Self {
            policy,
            schedule: schedule(policy.considered.min(open).min(visits).max(1), visits),
            scores: edges.iter().zip(noise).map(|(edge, noise)| log_prior(edge) + noise).collect(),
            visits_before: edges.iter().map(Edge::begun).collect(),
            root_visits_before: root.statistics.visits,
        }
    }

    /// Returns the index of the move to visit next.
    pub fn choose(&self, puct: &Puct, root: &Node, edges: &[Edge]) -> usize {
        let begun = root.statistics.visits + u32::from(root.in_flight) - self.root_visits_before;
        let turn = self.schedule.get(begun as usize).or(self.schedule.last()).copied().unwrap_or(0);
        self.best(puct, root, edges, |visits| visits == turn)
            // The candidate has been proven to lose, or is being searched by other threads.
            .or_else(|| self.best(puct, root, edges, |visits| visits > 0))
            .or_else(|| self.best(puct, root, edges, |_| true))
            .unwrap_or(0)
    }

    /// Returns the index of the move to play: the best of those with the most visits.
    pub fn winner(&self, puct: &Puct, root: &Node, edges: &[Edge]) -> usize {
        let candidates = (0..edges.len()).filter(|&index| edges[index].proof.rank(root.to_move) > 0);
        let most = candidates.map(|index| self.new_visits(edges, index)).max().unwrap_or(0);
        self.best(puct, root, edges, |visits| visits == most).unwrap_or(0)
    }

    /// Returns the visits of a move since the plan was made.
    fn new_visits(&self, edges: &[Edge], index: usize) -> u32 {
        edges[index].begun() - self.visits_before[index]
    }

    /// Returns the move with the best score among those whose number of new visits is `wanted`.
    fn best(&self, puct: &Puct, root: &Node, edges: &[Edge], wanted: impl Fn(u32) -> bool) -> Option<usize> {
        weighted_values(&self.policy, puct, root, edges)
            .enumerate()
            .filter(|&(index, _)| edges[index].proof.rank(root.to_move) > 0 && wanted(self.new_visits(edges, index)))
            .map(|(index, value)| (index, self.scores[index] + value))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(index, _)| index)
    }
}

/// Returns, for each of `visits` visits, how many visits its move has received before, starting
/// with `considered` candidates.
fn schedule(considered: u32, visits: u32) -> Vec<u32> {
    if considered <= 1 {
        return (0..visits).collect();
    }
    let phases = considered.next_power_of_two().ilog2();
    let mut schedule = Vec::with_capacity(visits as usize);
    let (mut left, mut had) = (considered, 0);
    while schedule.len() < visits as usize {
        let each = (visits / (phases * left)).max(1);
        for round in had..had + each {
            schedule.extend(std::iter::repeat_n(round, left as usize));
        }
        had += each;
        left = (left / 2).max(2);
    }
    schedule.truncate(visits as usize);
    schedule
}

fn log_prior(edge: &Edge) -> f32 {
    edge.prior.max(f32::MIN_POSITIVE).ln()
}

/// Returns a move's value from a player's point of view, scaled to 0 to 1.
fn share(puct: &Puct, edge: &Edge, player: Seat) -> f32 {
    let value = match edge.proof.rank(player) {
        2 => 1.0,
        0 => -1.0,
        _ => puct.mean(&edge.statistics, player),
    };
    (value + 1.0) / 2.0
}

/// Returns the transformed completed values on the scale of log priors. A move without visits takes
/// a mean of the root's value and the visited moves' values, weighted by prior.
fn weighted_values(policy: &RootPolicy, puct: &Puct, root: &Node, edges: &[Edge]) -> impl Iterator<Item = f32> {
    let player = root.to_move;
    let visited = || edges.iter().filter(|edge| edge.statistics.visits > 0);
    let most = visited().map(|edge| edge.statistics.visits).max().unwrap_or(0);
    let scale = (policy.visit_offset + most as f32) * policy.value_scale;
    let priors: f32 = visited().map(|edge| edge.prior).sum();
    let mean =
        visited().map(|edge| edge.prior * share(puct, edge, player)).sum::<f32>() / priors.max(f32::MIN_POSITIVE);
    let visits: u32 = visited().map(|edge| edge.statistics.visits).sum();
    let own = (puct.mean(&root.statistics, player) + 1.0) / 2.0;
    let completed = (own + visits as f32 * mean) / (1 + visits) as f32;
    edges.iter().map(move |edge| {
        let known = edge.statistics.visits > 0;
        scale * if known { share(puct, edge, player) } else { completed }
    })
}

/// Returns the improved policy: the softmax of the log prior plus the transformed completed value.
pub(super) fn improved_policy(policy: &RootPolicy, puct: &Puct, root: &Node, edges: &[Edge]) -> Vec<f32> {
    let values = weighted_values(policy, puct, root, edges);
    let logits: Vec<f32> = values.zip(edges).map(|(value, edge)| log_prior(edge) + value).collect();
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Statistics, Tree};
    use super::*;
    use hexzero_games::Action;

    #[test]
    fn schedules_by_hand() {
        // Four moves, two phases, 16 visits: 16 / (2 · 4) = 2 each, then 16 / (2 · 2) = 4 each for two.
        assert_eq!(schedule(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        // Five moves are three phases; 7 / 15 rounds to 0, so each gets one, and two remain.
        assert_eq!(schedule(5, 7), [0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(schedule(1, 3), [0, 1, 2]);
        assert_eq!(schedule(2, 5), [0, 0, 1, 1, 2]);
    }

    fn tree(priors: &[f32]) -> Tree {
        let mut tree = Tree::default();
        tree.add(Seat::First, priors.iter().map(|&prior| Edge::new(Action(0), prior)));
        tree
    }

    /// Simulates the visits of a root whose moves always return the same values.
    fn visits(priors: &[f32], values: &[f32], noise: &[f32], count: u32) -> (Vec<u32>, usize) {
        let mut tree = tree(priors);
        let policy = RootPolicy { considered: 4, ..RootPolicy::default() };
        let halving = Halving::new(policy, &tree.nodes[0], &tree.edges, noise, count);
        for _ in 0..count {
            let edge = halving.choose(&Puct::PLAIN, &tree.nodes[0], &tree.edges);
            let statistics = |edge: usize| {
                move |statistics: &mut Statistics| {
                    statistics.visits += 1;
                    statistics.value_sum += values[edge];
                }
            };
            statistics(edge)(&mut tree.edges[edge].statistics);
            statistics(edge)(&mut tree.nodes[0].statistics);
        }
        let winner = halving.winner(&Puct::PLAIN, &tree.nodes[0], &tree.edges);
        (tree.edges.iter().map(|edge| edge.statistics.visits).collect(), winner)
    }

    #[test]
    fn better_half_goes_on() {
        // The four moves with the best priors get two visits each; the two of them with the best
        // values get four more.
        let priors = [0.3, 0.25, 0.2, 0.15, 0.1];
        assert_eq!(visits(&priors, &[0.0, 0.9, 0.1, 0.8, 1.0], &[], 16), (vec![2, 6, 2, 6, 0], 1));
        // Noise makes the fifth a candidate, and its value makes it win.
        let noise = [0.0, 0.0, 0.0, 0.0, 3.0];
        assert_eq!(visits(&priors, &[0.0, 0.9, 0.1, 0.8, 1.0], &noise, 16), (vec![2, 6, 2, 0, 6], 4));
    }

    #[test]
    fn improved_policy_by_hand() {
        // One visit of value 1 for the first move: scale (1 + 1) · 0.5 = 1; its share is 1. The other is given
        // the mean of the root's ½ and of 1, which is 0.75. Logits ln ½ + 1 and ln ½ + 0.75.
        let mut tree = tree(&[0.5, 0.5]);
        tree.edges[0].statistics = Statistics { visits: 1, value_sum: 1.0, square_sum: 1.0, draw_sum: 0.0 };
        let policy = RootPolicy { visit_offset: 1.0, value_scale: 0.5, ..RootPolicy::default() };
        let improved = improved_policy(&policy, &Puct::PLAIN, &tree.nodes[0], &tree.edges);
        let expected = 1.0 / (1.0 + (-0.25f32).exp());
        assert!((improved[0] - expected).abs() < 1e-6, "{improved:?}");
        assert!((improved.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}
