//! Grows a trained network to a larger architecture without changing its answers.

use candle_core::Result;
use rand::Rng;

use crate::Network;
use hexzero_games::NetworkView;
use hexzero_nn::{Architecture, NamedTensors, TensorData, without_reply};

/// Returns parameters of the architecture `larger` that give the same answers as `tensors` (function-preserving growth:
/// Chen, Goodfellow and Shlens 2016, Net2Net). New channels start at random, and old outputs do not read them; new
/// blocks start as the identity, because the second convolution of a random block is zero.
///
/// # Errors
/// If candle fails.
///
/// # Panics
/// If `tensors` are not those of a network that [`can_grow_to`](Architecture::can_grow_to) `larger`.
pub fn grown(
    tensors: &NamedTensors,
    larger: &Architecture,
    view: &NetworkView,
    rng: &mut (impl Rng + Send),
) -> Result<NamedTensors> {
    let (_, parameters) = Network::random(larger, view, rng)?;
    let mut grown = parameters.to_named()?;
    for (name, old) in without_reply(view, tensors).iter() {
        // Layers after a pool read the means of all channels, then their maxima.
        let is_pooled = name.ends_with("pool.weight") || matches!(&**name, "policy.pool" | "position.weight");
        let new = grown.get_mut(name).expect("a larger network has all layers of the smaller one");
        embed(old, new, if is_pooled { 2 } else { 1 });
    }
    Ok(grown)
}

/// Copies weights, `[… × inputs × outputs]`, or biases, `[outputs]`, into those of a larger layer, whose outputs then
/// read the old inputs only. Both inputs consist of `groups` of channels, each with the old channels first.
fn embed(old: &TensorData, new: &mut TensorData, groups: usize) {
    let [(old_inputs, old_outputs), (new_inputs, new_outputs)] = [old, &*new].map(|tensor| match tensor.shape[..] {
        [.., inputs, outputs] => (inputs, outputs),
        [outputs] => (1, outputs),
        [] => unreachable!("no parameter is a scalar"),
    });
    let (old_group, new_group) = (old_inputs / groups, new_inputs / groups);
    for (row, weights) in new.data.chunks_exact_mut(new_outputs).enumerate() {
        let (tap, input) = (row / new_inputs, row % new_inputs);
        let (group, channel) = (input / new_group, input % new_group);
        let weights = &mut weights[..old_outputs];
        if channel < old_group {
            let row = tap * old_inputs + group * old_group + channel;
            weights.copy_from_slice(&old.data[row * old_outputs..][..old_outputs]);
        } else {
            weights.fill(0.0);
        }
    }
}
