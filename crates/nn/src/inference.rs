//! The network for play: weights packed once, no allocation per position, one position at a time.
//!
//! On a processor core a batch of one is as fast as a large batch, because the weights of a layer
//! stay in the cache. So there is no batching here, and each thread evaluates its own positions.

use std::collections::BTreeMap;

use crate::kernels::{
    Activations, Aligned, Finish, Kernel, KnownRows, PackedLayer, Quantised, Taps, add_to_rows, pool_rows,
};
use crate::{Architecture, CELL_CLASSES, CellOrder, NamedTensors, Precision, TAPS};
use hexzero_board::Topology;
use hexzero_games::NetworkView;

#[derive(Debug, Clone)]
struct PackedBlock {
    first: PackedLayer<TAPS>,
    pool: Option<PackedLayer<1>>,
    second: PackedLayer<TAPS>,
}

/// A network packed for evaluation; shared between threads.
#[derive(Debug, Clone)]
pub struct Inference {
    view: NetworkView,
    channels: usize,
    kernel: Kernel,
    /// The tap of a layer over the whole position: its only row.
    one: Taps<'static, 1>,
    /// The stem without its bias, which [`Self::stem_bias`] gives.
    stem: PackedLayer<TAPS>,
    /// The layer from the global inputs to an addend of every cell, including the stem's bias.
    stem_bias: PackedLayer<1>,
    blocks: Vec<PackedBlock>,
    /// The policy without its bias, which [`Self::policy_bias`] gives.
    policy: PackedLayer<1>,
    /// The layer from the pooled tower to an addend of every cell, including the policy's bias.
    policy_bias: PackedLayer<1>,
    policy_out: PackedLayer<1>,
    hidden: PackedLayer<1>,
    position_out: PackedLayer<1>,
    ownership: PackedLayer<1>,
}

/// The buffers that one thread evaluates with. Inputs are written to `cells` and `globals`, results
/// are read from `policy` and `outcome`.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// The input planes of the cells, `[cells × cell inputs]`.
    pub cells: Vec<f32>,
    /// The global inputs.
    pub globals: Vec<f32>,
    /// The logits of all actions, in the order of the actions in the mover's frame.
    pub policy: Vec<f32>,
    /// The logits of win, draw and loss for the mover.
    pub outcome: [f32; 3],
    /// The plies until the end of the game, divided by the number of cells.
    pub moves_left: f32,
    /// The cell order of each board met so far, by the address of its topology, which lives
    /// forever.
    orders: BTreeMap<usize, CellOrder>,
    /// The board that the buffers were last prepared for.
    prepared: usize,
    quantised: Quantised,
    known: KnownRows,
    x: Activations,
    y: Activations,
    z: Activations,
    pooled: Vec<f32>,
    global: Vec<f32>,
    head: Aligned<f32>,
    planes: Aligned<f32>,
}

/// A stage of an evaluation. Those of the tower come once a block or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The stem.
    FirstLayer,
    /// The convolutions of a block.
    Tower,
    /// The pooled board in a block.
    Pooling,
    /// The logits of the actions on cells.
    Policy,
    /// The heads over the whole position.
    Outcome,
}

impl Stage {
    /// All stages, in the order of an evaluation.
    pub const ALL: [Self; 5] = [Self::FirstLayer, Self::Tower, Self::Pooling, Self::Policy, Self::Outcome];
}

fn address(topology: &'static Topology) -> usize {
    std::ptr::from_ref(topology).addr()
}

impl Inference {
    /// Packs a network whose tensors are known to fit the architecture (see
    /// `hexzero_graph::Network::from_named`). The head of the cells' owners costs nothing
    /// until it is used.
    ///
    /// # Panics
    /// If a tensor is missing or has the wrong shape.
    pub fn new(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
        kernel: Kernel,
        precision: Precision,
    ) -> Self {
        let channels = architecture.channels;
        let data = |name: &str| tensors[name].data.as_slice();
        let weights = |name: &str| (data(&format!("{name}.weight")), data(&format!("{name}.bias")));
        let conv = |name: &str, inputs: usize, precision: Precision| {
            let (weight, bias) = weights(name);
            PackedLayer::<TAPS>::new(weight, Some(bias), inputs, channels, kernel, precision)
        };
        let dense = |name: &str, inputs: usize, kept: usize| {
            let (weight, bias) = weights(name);
            PackedLayer::<1>::new(weight, Some(bias), inputs, kept, kernel, Precision::F32)
        };
        // A layer over the whole position, whose result is the bias of the layer over its cells.
        let bias_of = |layer: &str, name: &str, inputs, kept| {
            let (weight, bias) = (data(name), data(&format!("{layer}.bias")));
            PackedLayer::new(weight, Some(bias), inputs, kept, kernel, Precision::F32)
        };
        let blocks = (0..architecture.blocks).map(|block| PackedBlock {
            first: conv(&format!("blocks.{block}.first"), channels, precision),
            pool: architecture.pools(block).then(|| dense(&format!("blocks.{block}.pool"), 2 * channels, channels)),
            second: conv(&format!("blocks.{block}.second"), channels, precision),
        });
        let (policy_channels, value_channels) = (architecture.policy_channels, architecture.value_channels);
        Self {
            view: view.clone(),
            channels,
            kernel,
            one: Taps::grouped(vec![[0]], vec![1]),
            stem: conv("stem", view.cell_inputs, Precision::F32),
            stem_bias: bias_of("stem", "stem.globals", view.global_inputs, channels),
            blocks: blocks.collect(),
            policy: dense("policy", channels, policy_channels),
            policy_bias: bias_of("policy", "policy.pool", 2 * channels, policy_channels),
            policy_out: dense("policy.out", policy_channels, view.policy_planes),
            hidden: dense("position", 2 * channels, value_channels),
            position_out: dense("position.out", value_channels, 4 + view.global_actions),
            ownership: dense("ownership", channels, CELL_CLASSES),
        }
    }

    /// Resizes a workspace for a position on this board. A workspace belongs to one network.
    pub fn prepare(&self, workspace: &mut Workspace, topology: &'static Topology) {
        if std::mem::replace(&mut workspace.prepared, address(topology)) == address(topology) {
            return;
        }
        let cells = topology.cells();
        workspace.orders.entry(address(topology)).or_insert_with(|| CellOrder::new(&[topology]).laid_flat());
        let actions = cells * self.view.policy_planes + self.view.global_actions;
        let widest = self.policy.outputs().max(self.ownership.outputs());
        workspace.cells.resize(cells * self.view.cell_inputs, 0.0);
        workspace.globals.resize(self.view.global_inputs, 0.0);
        workspace.policy.resize(actions, 0.0);
        for buffer in [&mut workspace.x, &mut workspace.y, &mut workspace.z] {
            buffer.resize(cells * self.channels);
        }
        workspace.head.resize(cells * widest);
        workspace.planes.resize(cells * self.policy_out.outputs());
        workspace.pooled.resize(2 * self.channels, 0.0);
        let global =
            self.channels.max(self.hidden.outputs()).max(self.position_out.outputs()).max(self.policy.outputs());
        workspace.global.resize(2 * global, 0.0);
    }

    /// Evaluates the inputs of a prepared workspace.
    ///
    /// # Panics
    /// If the workspace was not prepared for this board.
    pub fn evaluate(&self, workspace: &mut Workspace, topology: &'static Topology) {
        self.evaluate_noting(workspace, topology, |_| ());
    }

    /// Does the same as [`Self::evaluate`] and calls `after` at the end of each stage.
    ///
    /// # Panics
    /// As [`Self::evaluate`].
    pub fn evaluate_noting(
        &self,
        workspace: &mut Workspace,
        topology: &'static Topology,
        mut after: impl FnMut(Stage),
    ) {
        assert_eq!(workspace.prepared, address(topology), "the workspace was prepared for another board");
        let _tiles = self.kernel.ready();
        self.run_tower(workspace, &mut after);
        self.run_heads(workspace, &mut after);
    }

    /// Computes the activations of the tower, `x`.
    fn run_tower(&self, workspace: &mut Workspace, after: &mut impl FnMut(Stage)) {
        let Workspace { cells, globals, orders, prepared, quantised, known, x, y, z, pooled, global, .. } = workspace;
        let (order, c, one) = (&orders[prepared], self.channels, &self.one);
        let (plain, relu) = (Finish::default(), Finish { relu: true, ..Finish::default() });
        self.stem_bias.run(globals, one, plain, quantised, &mut global[..c]);
        let finish = Finish { bias: Some(&global[..c]), ..relu };
        self.stem.run_sparse(cells, &order.input_taps, finish, known, x);
        after(Stage::FirstLayer);
        for block in &self.blocks {
            block.first.run_on(x, &order.taps, relu, quantised, y);
            after(Stage::Tower);
            if let Some(pool) = &block.pool {
                pool_rows(self.kernel, y, c, pooled);
                pool.run(pooled, one, plain, quantised, &mut global[..c]);
                add_to_rows(self.kernel, y, &global[..c]);
                after(Stage::Pooling);
            }
            block.second.run_on(y, &order.taps, Finish { residual: Some(x), ..relu }, quantised, z);
            after(Stage::Tower);
            std::mem::swap(x, z);
        }
    }

    /// Computes policy and outcome from the activations of the tower.
    fn run_heads(&self, workspace: &mut Workspace, after: &mut impl FnMut(Stage)) {
        let Workspace { orders, prepared, quantised, x, pooled, global, head, planes, .. } = workspace;
        let order = &orders[prepared];
        let (cells, identity, one) = (order.cells.len(), &order.identity, &self.one);
        let (plain, relu) = (Finish::default(), Finish { relu: true, ..Finish::default() });
        pool_rows(self.kernel, x, self.channels, pooled);
        let width = self.policy.outputs();
        self.policy_bias.run(pooled, one, plain, quantised, &mut global[..width]);
        let rows = &mut head[..cells * width];
        self.policy.run(x, identity, Finish { bias: Some(&global[..width]), ..relu }, quantised, rows);
        self.policy_out.run(rows, identity, plain, quantised, planes);
        let width = self.policy_out.outputs();
        for plane in 0..self.view.policy_planes {
            for (row, &cell) in order.cells.iter().enumerate() {
                workspace.policy[plane * cells + cell as usize] = planes[row * width + plane];
            }
        }
        after(Stage::Policy);
        let (hidden, out) = global.split_at_mut(self.hidden.outputs());
        let out = &mut out[..self.position_out.outputs()];
        self.hidden.run(pooled, one, relu, quantised, hidden);
        self.position_out.run(hidden, one, plain, quantised, out);
        workspace.outcome.copy_from_slice(&out[..3]);
        workspace.moves_left = out[3];
        workspace.policy[cells * self.view.policy_planes..].copy_from_slice(&out[4..4 + self.view.global_actions]);
        after(Stage::Outcome);
    }

    /// Returns the logits of the final content of each cell in the mover's frame (see
    /// [`CELL_CLASSES`]) for the position that was last evaluated in this workspace.
    pub fn ownership(&self, workspace: &mut Workspace) -> Vec<[f32; CELL_CLASSES]> {
        let Workspace { orders, prepared, quantised, x, head, .. } = workspace;
        let order = &orders[prepared];
        let (cells, width) = (order.cells.len(), self.ownership.outputs());
        let rows = &mut head[..cells * width];
        self.ownership.run(x, &order.identity, Finish::default(), quantised, rows);
        let mut owners = vec![[0.0; CELL_CLASSES]; cells];
        for (row, &cell) in rows.chunks_exact(width).zip(&order.cells) {
            owners[cell as usize].copy_from_slice(&row[..CELL_CLASSES]);
        }
        owners
    }
}
