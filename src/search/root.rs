//! Policies special to the root.

use serde::{Deserialize, Serialize};

/// Distribution of the visits at the root of a training search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RootMethod {
    /// PUCT, as at every other node.
    Puct,
    /// Sequential halving among the moves with the best prior plus noise (Danihelka et al., *Policy
    /// improvement by planning with Gumbel*, 2022). Needs the number of visits in advance.
    Gumbel,
}

/// The method of the root and its constants.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RootPolicy {
    /// Distribution of the visits.
    pub method: RootMethod,
    /// PUCT: each visited move gets at least `√(forced_playouts · prior · visits)` visits; those that it would
    /// not have got otherwise are left out of the policy target (Wu, *Accelerating self-play learning in Go*,
    /// 2019). 0 for none.
    pub forced_playouts: f32,
    /// Gumbel: the number of moves considered at first.
    pub considered: u32,
    /// Gumbel: values are multiplied by `(visit_offset + visits of the most visited move) · value_scale` to
    /// compare with logarithms of priors.
    pub visit_offset: f32,
    /// See [`RootPolicy::visit_offset`].
    pub value_scale: f32,
}

impl Default for RootPolicy {
    fn default() -> Self {
        Self { method: RootMethod::Puct, forced_playouts: 0.0, considered: 16, visit_offset: 50.0, value_scale: 1.0 }
    }
}

/// No board has more moves.
const MOST_MOVES: u32 = 65_536;

impl RootPolicy {
    /// Describes the invalid constants and the accepted ones; returns none if all are valid.
    pub fn problem(&self) -> Option<String> {
        let [forced, offset, scale] = [self.forced_playouts, self.visit_offset, self.value_scale];
        if !(0.0..=100.0).contains(&forced) {
            return Some(format!("forced_playouts = {forced}; accepted: 0 to 100"));
        }
        if !(1..=MOST_MOVES).contains(&self.considered) {
            return Some(format!("considered = {}; accepted: 1 to {MOST_MOVES}", self.considered));
        }
        let wrong = !(0.0..=1e6).contains(&offset) || !(0.0..=1e3).contains(&scale);
        wrong.then(|| "accepted: visit_offset from 0 to 1000000 and value_scale from 0 to 1000".to_owned())
    }
}
