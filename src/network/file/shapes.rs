//! The parameters of a network by name and shape: what a checkpoint must hold.

use crate::games::NetworkView;
use crate::network::batch::TAPS;

use super::architecture::Architecture;
use super::tensors::NamedTensors;

/// Classes of a cell, to the mover: an own stone, an enemy stone, neither.
pub const CELL_CLASSES: usize = 3;

/// Lists the name and shape of every parameter of a network.
fn parameter_shapes(architecture: &Architecture, view: &NetworkView) -> Vec<(String, Vec<usize>)> {
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
    // Planes of the policy, then of the opponent's reply.
    layer("policy.out", vec![policy_channels, 2 * view.policy_planes]);
    layer("position", vec![2 * channels, value_channels]);
    // Win, draw, loss; the moves left; global actions of the policy and of the reply.
    layer("position.out", vec![value_channels, 3 + 1 + 2 * view.global_actions]);
    layer("ownership", vec![channels, CELL_CLASSES]);
    shapes.push(("stem.globals".to_owned(), vec![view.global_inputs, channels]));
    shapes.push(("policy.pool".to_owned(), vec![2 * channels, policy_channels]));
    shapes
}

/// Checks that `tensors` are the parameters of a network of this architecture and view.
///
/// # Errors
/// If one is missing, has another shape, or is not part of the architecture; the message names it.
pub(super) fn check_parameters(
    architecture: &Architecture,
    view: &NetworkView,
    tensors: &NamedTensors,
) -> Result<(), String> {
    let expected = parameter_shapes(architecture, view);
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
