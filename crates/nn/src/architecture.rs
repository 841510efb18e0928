//! The size and depth of a network, and the names and shapes of its parameters, which a checkpoint must match.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::cell_order::TAPS;
use crate::kernels::OUTPUT_MULTIPLE;
use hexzero_games::NetworkView;

use super::tensors::NamedTensors;

/// Size and depth of a network: a stem, a tower of residual blocks, and heads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Architecture {
    /// Number of residual blocks, of two hexagonal convolutions each.
    pub blocks: usize,
    /// Number of channels of the tower, a multiple of 16.
    pub channels: usize,
    /// Interval, in blocks, at which the whole board is pooled into each cell; 0 for never.
    pub pool_every: usize,
    /// Number of channels of the policy head over the cells, a multiple of 16.
    pub policy_channels: usize,
    /// Width of the hidden layer of the heads over the whole position, a multiple of 16.
    pub value_channels: usize,
}

/// Keys that are gone, each with the value that turned its technique off: networks with another one cannot be read.
pub const RETIRED: [(&str, &str); 3] =
    [("pool_into", "output"), ("value_convolution", "false"), ("wide_stem", "false")];

/// The last version of the program with these keys.
pub const LAST_VERSION_WITH_RETIRED: &str = "0.2.0";

/// An error: the network cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("network: {field} = {value}; accepted: {accepted}")]
pub struct ArchitectureError {
    field: &'static str,
    value: usize,
    accepted: &'static str,
}

impl Architecture {
    /// Checks that the network can be built.
    ///
    /// # Errors
    /// Describes the first size that is out of range.
    pub fn validate(&self) -> Result<(), ArchitectureError> {
        let multiple = "a multiple of 16 from 16 to 512";
        let is_width = |width: usize| (16..=512).contains(&width) && width.is_multiple_of(OUTPUT_MULTIPLE);
        let checks = [
            ("blocks", self.blocks, (1..=40).contains(&self.blocks), "1 to 40"),
            ("channels", self.channels, is_width(self.channels), multiple),
            ("pool_every", self.pool_every, self.pool_every <= 40, "0 to 40"),
            ("policy_channels", self.policy_channels, is_width(self.policy_channels), multiple),
            ("value_channels", self.value_channels, is_width(self.value_channels), multiple),
        ];
        match checks.into_iter().find(|check| !check.2) {
            Some((field, value, _, accepted)) => Err(ArchitectureError { field, value, accepted }),
            None => Ok(()),
        }
    }

    /// Derives the sizes of a network from the shapes of its tensors, or returns `None` if a
    /// required tensor is missing. Whether the other tensors exist and fit is for
    /// `hexzero_graph::Network::from_named` to check.
    pub fn of_tensors(tensors: &NamedTensors) -> Option<Self> {
        let width = |name: &str| tensors.get(name)?.shape.last().copied();
        let blocks = (0..).take_while(|block| tensors.contains_key(&format!("blocks.{block}.first.bias"))).count();
        let first_pool = (0..blocks).find(|block| tensors.contains_key(&format!("blocks.{block}.pool.bias")));
        Some(Self {
            blocks,
            channels: width("stem.bias")?,
            pool_every: first_pool.map_or(0, |block| block + 1),
            policy_channels: width("policy.bias")?,
            value_channels: width("position.bias")?,
        })
    }

    /// Formats all sizes as in a recipe.
    pub fn in_full(&self) -> String {
        let Self { blocks, channels, pool_every, policy_channels, value_channels } = self;
        format!(
            "{{ blocks = {blocks}, channels = {channels}, pool_every = {pool_every}, \
             policy_channels = {policy_channels}, value_channels = {value_channels} }}"
        )
    }

    /// Returns true if a network of this architecture can grow to `larger` without changing its answers: no size is
    /// smaller, and the same blocks pool.
    pub fn can_grow_to(&self, larger: &Self) -> bool {
        self.blocks <= larger.blocks
            && self.channels <= larger.channels
            && self.pool_every == larger.pool_every
            && self.policy_channels <= larger.policy_channels
            && self.value_channels <= larger.value_channels
    }

    /// Returns true if block number `block`, from 0, pools the whole board.
    pub fn pools(&self, block: usize) -> bool {
        self.pool_every > 0 && (block + 1).is_multiple_of(self.pool_every)
    }
}

impl Default for Architecture {
    fn default() -> Self {
        Self { blocks: 4, channels: 32, pool_every: 2, policy_channels: 16, value_channels: 32 }
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b{}c{}", self.blocks, self.channels)
    }
}

/// Number of classes of a cell from the mover's point of view: an own stone, an enemy stone,
/// neither.
pub const CELL_CLASSES: usize = 3;

/// Returns true if the parameters have outputs for the opponent's reply beside those of the policy, as
/// in version 1 of checkpoints.
fn have_reply(view: &NetworkView, tensors: &NamedTensors) -> bool {
    tensors.get("policy.out.bias").is_some_and(|bias| bias.shape == [2 * view.policy_planes])
}

/// Leaves out the outputs for the opponent's reply, if the parameters have them. They are the last
/// ones of their layers, and nothing uses them any more.
pub fn without_reply<'a>(view: &NetworkView, tensors: &'a NamedTensors) -> Cow<'a, NamedTensors> {
    if !have_reply(view, tensors) {
        return Cow::Borrowed(tensors);
    }
    let mut tensors = tensors.clone();
    for (layer, outputs) in [("policy.out", view.policy_planes), ("position.out", 3 + 1 + view.global_actions)] {
        for parameter in ["weight", "bias"] {
            let Some(tensor) = tensors.get_mut(&format!("{layer}.{parameter}")) else { continue };
            let Some(width) = tensor.shape.last_mut().filter(|width| **width > outputs) else { continue };
            tensor.data = tensor.data.chunks(*width).flat_map(|row| &row[..outputs.min(row.len())]).copied().collect();
            *width = outputs;
        }
    }
    Cow::Owned(tensors)
}

/// Returns the name and shape of every parameter of a network, with or without outputs for the
/// opponent's reply.
pub(super) fn parameter_shapes(
    architecture: &Architecture,
    view: &NetworkView,
    reply: bool,
) -> Vec<(String, Vec<usize>)> {
    let policies = if reply { 2 } else { 1 };
    let Architecture { blocks, channels, policy_channels, value_channels, .. } = *architecture;
    let mut shapes = Vec::new();
    let mut layer = |name: &str, weight: Vec<usize>| {
        let outputs = weight.last().copied().unwrap_or_default();
        shapes.push((format!("{name}.weight"), weight));
        shapes.push((format!("{name}.bias"), vec![outputs]));
    };
    layer("stem", vec![TAPS, view.cell_inputs, channels]);
    for block in 0..blocks {
        layer(&format!("blocks.{block}.first"), vec![TAPS, channels, channels]);
        if architecture.pools(block) {
            layer(&format!("blocks.{block}.pool"), vec![2 * channels, channels]);
        }
        layer(&format!("blocks.{block}.second"), vec![TAPS, channels, channels]);
    }
    layer("policy", vec![channels, policy_channels]);
    layer("policy.out", vec![policy_channels, policies * view.policy_planes]);
    layer("position", vec![2 * channels, value_channels]);
    // Win, draw and loss; the moves left; the global actions.
    layer("position.out", vec![value_channels, 3 + 1 + policies * view.global_actions]);
    layer("ownership", vec![channels, CELL_CLASSES]);
    shapes.push(("stem.globals".to_owned(), vec![view.global_inputs, channels]));
    shapes.push(("policy.pool".to_owned(), vec![2 * channels, policy_channels]));
    shapes
}

/// Checks that `tensors` are the parameters of a network of this architecture and view; an error names one that is not.
pub(super) fn check_parameters(
    architecture: &Architecture,
    view: &NetworkView,
    tensors: &NamedTensors,
) -> Result<(), String> {
    let expected = parameter_shapes(architecture, view, have_reply(view, tensors));
    for (name, shape) in &expected {
        let tensor = tensors.get(name).ok_or_else(|| format!("tensor '{name}' is missing"))?;
        if tensor.shape != *shape {
            return Err(format!("tensor '{name}' has shape {:?}, expected {shape:?}", tensor.shape));
        }
    }
    match tensors.keys().find(|&name| !expected.iter().any(|(known, _)| known == name)) {
        Some(name) => Err(format!("tensor '{name}' is not part of this architecture")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_named() {
        assert_eq!(Architecture::default().validate(), Ok(()));
        let odd = Architecture { channels: 40, ..Architecture::default() }.validate().unwrap_err();
        assert_eq!(odd.to_string(), "network: channels = 40; accepted: a multiple of 16 from 16 to 512");
        let pooling = Architecture { pool_every: 2, ..Architecture::default() };
        assert_eq!([0, 1, 2, 3].map(|block| pooling.pools(block)), [false, true, false, true]);
    }
}
