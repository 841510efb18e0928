//! The network for playing: weights packed once, no allocation a position, one position at a time.
//!
//! On a processor core a batch of one is as fast as a batch of many, since the weights of a layer
//! stay in the cache; so there is no batching here, and each thread evaluates its own positions.

use std::collections::HashMap;

use crate::board::Topology;
use crate::games::NetworkView;

use super::architecture::Architecture;
use super::boards::{TAPS, board_taps};
use super::elementwise::add_to_rows;
use super::kernels::{Kernel, Layer, OUTPUT_MULTIPLE};
use super::segments::pool_rows;
use super::tensors::NamedTensors;

/// A layer's weights `[T × inputs × outputs]` and bias, with the outputs padded for the kernels.
#[derive(Debug, Clone)]
struct Packed<const T: usize> {
    weights: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
    outputs: usize,
}

impl<const T: usize> Packed<T> {
    /// Packs the first `kept` outputs of a layer.
    fn new(weight: &[f32], bias: Option<&[f32]>, inputs: usize, kept: usize) -> Self {
        let width = weight.len() / (T * inputs);
        let outputs = kept.next_multiple_of(OUTPUT_MULTIPLE);
        let mut weights = vec![0.0; T * inputs * outputs];
        for (to, from) in weights.chunks_exact_mut(outputs).zip(weight.chunks_exact(width)) {
            to[..kept].copy_from_slice(&from[..kept]);
        }
        let mut padded_bias = vec![0.0; outputs];
        if let Some(bias) = bias {
            padded_bias[..kept].copy_from_slice(&bias[..kept]);
        }
        Self { weights, bias: padded_bias, inputs, outputs }
    }

    fn run(&self, kernel: Kernel, x: &[f32], taps: &[[u32; T]], residual: Option<&[f32]>, relu: bool, out: &mut [f32]) {
        let Self { inputs, outputs, .. } = *self;
        let layer = Layer { weights: &self.weights, bias: Some(&self.bias), inputs, outputs, relu };
        layer.run(kernel, &x[..x.len() / inputs * inputs], taps, residual, &mut out[..taps.len() * outputs]);
    }
}

#[derive(Debug, Clone)]
struct PackedBlock {
    first: Packed<TAPS>,
    pool: Option<Packed<1>>,
    second: Packed<TAPS>,
}

/// A network packed for evaluation; shared between threads.
#[derive(Debug, Clone)]
pub struct Inference {
    kernel: Kernel,
    view: NetworkView,
    channels: usize,
    stem: Packed<TAPS>,
    stem_globals: Packed<1>,
    blocks: Vec<PackedBlock>,
    policy: Packed<1>,
    policy_pool: Packed<1>,
    policy_out: Packed<1>,
    hidden: Packed<1>,
    position_out: Packed<1>,
}

/// The buffers that one thread evaluates with. Inputs are written to `cells` and `globals`, results
/// are read from `policy` and `outcome`.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// Input planes of the cells, `[cells × cell inputs]`.
    pub cells: Vec<f32>,
    /// Global inputs.
    pub globals: Vec<f32>,
    /// Logits of all actions, in the order of the actions in the mover's frame.
    pub policy: Vec<f32>,
    /// Logits of win, draw and loss for the mover.
    pub outcome: [f32; 3],
    /// The taps of each kind of board met so far, by the address of its topology, which lives for ever.
    taps: HashMap<usize, Vec<[u32; TAPS]>>,
    /// The board that the buffers were last prepared for.
    prepared: usize,
    identity: Vec<[u32; 1]>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    pooled: Vec<f32>,
    global: Vec<f32>,
    head: Vec<f32>,
}

fn address(topology: &'static Topology) -> usize {
    std::ptr::from_ref(topology).addr()
}

fn relu(x: &mut [f32]) {
    x.iter_mut().for_each(|x| *x = x.max(0.0));
}

impl Inference {
    /// Packs a network whose tensors are known to fit the architecture (see
    /// [`super::Network::from_named`]). The auxiliary heads are left out.
    ///
    /// # Panics
    /// If a tensor is missing or has another shape.
    pub fn new(architecture: &Architecture, view: &NetworkView, tensors: &NamedTensors, kernel: Kernel) -> Self {
        let channels = architecture.channels;
        let data = |name: &str| tensors[name].data.as_slice();
        let weights = |name: &str| (data(&format!("{name}.weight")), data(&format!("{name}.bias")));
        let conv = |name: &str, inputs: usize| {
            let (weight, bias) = weights(name);
            Packed::<TAPS>::new(weight, Some(bias), inputs, channels)
        };
        let dense = |name: &str, inputs: usize, kept: usize| {
            let (weight, bias) = weights(name);
            Packed::<1>::new(weight, Some(bias), inputs, kept)
        };
        let blocks = (0..architecture.blocks).map(|block| PackedBlock {
            first: conv(&format!("blocks.{block}.first"), channels),
            pool: architecture.pools(block).then(|| dense(&format!("blocks.{block}.pool"), 2 * channels, channels)),
            second: conv(&format!("blocks.{block}.second"), channels),
        });
        let (policy_channels, value_channels) = (architecture.policy_channels, architecture.value_channels);
        Self {
            kernel,
            view: view.clone(),
            channels,
            stem: conv("stem", view.cell_inputs),
            stem_globals: Packed::new(data("stem.globals"), None, view.global_inputs, channels),
            blocks: blocks.collect(),
            policy: dense("policy", channels, policy_channels),
            policy_pool: Packed::new(data("policy.pool"), None, 2 * channels, policy_channels),
            policy_out: dense("policy.out", policy_channels, view.policy_planes),
            hidden: dense("position", 2 * channels, value_channels),
            position_out: dense("position.out", value_channels, 4 + view.global_actions),
        }
    }

    /// Makes room in a workspace for a position on this board. A workspace belongs to one network.
    pub fn prepare(&self, workspace: &mut Workspace, topology: &'static Topology) {
        if std::mem::replace(&mut workspace.prepared, address(topology)) == address(topology) {
            return;
        }
        let cells = topology.cells();
        workspace.taps.entry(address(topology)).or_insert_with(|| board_taps(topology, 0).collect());
        let actions = cells * self.view.policy_planes + self.view.global_actions;
        let widest = self.channels.max(self.policy.outputs).max(self.policy_out.outputs);
        workspace.cells.resize(cells * self.view.cell_inputs, 0.0);
        workspace.globals.resize(self.view.global_inputs, 0.0);
        workspace.policy.resize(actions, 0.0);
        workspace.identity.resize_with(cells, Default::default);
        workspace.identity.iter_mut().enumerate().for_each(|(i, tap)| *tap = [i as u32]);
        for buffer in [&mut workspace.x, &mut workspace.z] {
            buffer.resize(cells * self.channels, 0.0);
        }
        for buffer in [&mut workspace.y, &mut workspace.head] {
            buffer.resize(cells * widest, 0.0);
        }
        workspace.pooled.resize(2 * self.channels, 0.0);
        let global = self.channels.max(self.hidden.outputs).max(self.position_out.outputs).max(self.policy.outputs);
        workspace.global.resize(2 * global, 0.0);
    }

    /// Evaluates the inputs of a prepared workspace.
    ///
    /// # Panics
    /// If the workspace was not prepared for this board.
    pub fn evaluate(&self, workspace: &mut Workspace, topology: &'static Topology) {
        assert_eq!(workspace.prepared, address(topology), "the workspace was prepared for another board");
        let Workspace {
            cells: inputs, globals, policy, outcome, taps, identity, x, y, z, pooled, global, head, ..
        } = workspace;
        let taps = &taps[&address(topology)][..];
        let (kernel, c, cells) = (self.kernel, self.channels, taps.len());
        let one = [[0]];

        self.stem_globals.run(kernel, globals, &one, None, false, global);
        self.stem.run(kernel, inputs, taps, None, false, x);
        add_to_rows(x, &global[..c]);
        relu(x);
        for block in &self.blocks {
            block.first.run(kernel, x, taps, None, true, y);
            let y = &mut y[..cells * c];
            if let Some(pool) = &block.pool {
                pool_rows(y, c, pooled);
                pool.run(kernel, pooled, &one, None, false, global);
                add_to_rows(y, &global[..c]);
            }
            block.second.run(kernel, y, taps, Some(x), true, z);
            std::mem::swap(x, z);
        }

        pool_rows(x, c, pooled);
        let width = self.policy.outputs;
        self.policy_pool.run(kernel, pooled, &one, None, false, global);
        self.policy.run(kernel, x, identity, None, false, head);
        add_to_rows(&mut head[..cells * width], &global[..width]);
        relu(&mut head[..cells * width]);
        // The tower is done with y.
        let planes = self.policy_out.outputs;
        self.policy_out.run(kernel, &head[..cells * width], identity, None, false, y);
        for plane in 0..self.view.policy_planes {
            for cell in 0..cells {
                policy[plane * cells + cell] = y[cell * planes + plane];
            }
        }
        let half = global.len() / 2;
        let (hidden, out) = global.split_at_mut(half);
        self.hidden.run(kernel, pooled, &one, None, true, hidden);
        self.position_out.run(kernel, &hidden[..self.hidden.outputs], &one, None, false, out);
        outcome.copy_from_slice(&out[..3]);
        policy[cells * self.view.policy_planes..].copy_from_slice(&out[4..4 + self.view.global_actions]);
    }
}
