//! Exploration noise for the root of self-play searches.

use rand::Rng;
use rand_distr::{Distribution, Gamma};
use serde::{Deserialize, Serialize};

/// Dirichlet noise mixed into the root's priors (Silver et al. 2017).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RootNoise {
    /// The concentration, shared out over the legal moves: each has `concentration / moves`.
    /// AlphaZero's 0.03 for Go is about 10.8 in this form, which is KataGo's.
    pub concentration: f32,
    /// The weight of the noise in the mixture, from 0 to 1.
    pub fraction: f32,
}

impl Default for RootNoise {
    fn default() -> Self {
        Self { concentration: 8.0, fraction: 0.25 }
    }
}

impl RootNoise {
    /// Draws from the symmetric Dirichlet distribution over `moves` moves.
    pub(super) fn draw(&self, moves: usize, rng: &mut impl Rng) -> Vec<f32> {
        let alpha = (self.concentration / moves as f32).max(1e-3);
        let Ok(gamma) = Gamma::new(alpha, 1.0) else {
            return vec![1.0 / moves as f32; moves];
        };
        let mut noise: Vec<f32> = (0..moves).map(|_| gamma.sample(rng)).collect();
        let sum: f32 = noise.iter().sum();
        if sum > 0.0 {
            noise.iter_mut().for_each(|share| *share /= sum);
        } else {
            noise.fill(1.0 / moves as f32);
        }
        noise
    }
}
