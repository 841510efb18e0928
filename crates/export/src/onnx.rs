//! Writes a checkpoint's network as ONNX. It computes the same as [`hexzero_graph::Network`], for boards of any size: a
//! hexagonal convolution is one of 3 × 3 with two zero corners.

use prost::Message;
use serde_json::json;

use hexzero_board::Shape;
use hexzero_games::{Game, Position};
use hexzero_nn::{CELL_CLASSES, Checkpoint, Metadata};

use super::error::ExportError;
use super::onnx_graph::{Axis, GraphBuilder};
use super::onnx_messages::{Entry, Graph, Model, OperatorSet};

/// The versions of the file format and of the operators. ONNX Runtime has both since 1.12 (2022).
const IR_VERSION: i64 = 8;
const OPERATORS: i64 = 17;

const BATCH: Axis = Axis::Named("batch");
const ROWS: Axis = Axis::Named("rows");
const COLUMNS: Axis = Axis::Named("columns");

/// Returns the number of rows, and of columns, of a position's board, from which exported networks find the neighbours of a cell.
pub(super) fn rows(position: &Position) -> Result<usize, ExportError> {
    match position.board().shape() {
        Shape::Rhombus { side } => Ok(*side),
        _ => Err(ExportError::OtherShape { game: position.game().name() }),
    }
}

/// Encodes the network of a checkpoint, which must be one for `game`, as an ONNX file.
///
/// # Errors
/// If the game's boards have no rows and columns.
pub fn onnx_model(game: Game, checkpoint: &Checkpoint) -> Result<Vec<u8>, ExportError> {
    rows(&game.start(game.boards.default)?)?;
    let Metadata { game: network, view, architecture, step, .. } = &checkpoint.metadata;
    let entry = |key: &str, value: String| Entry { key: key.to_owned(), value };
    let model = Model {
        ir_version: IR_VERSION,
        producer_name: env!("CARGO_PKG_NAME").to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc_string: format!("A network of hexzero for {network}; docs/python.md of hexzero describes it."),
        graph: Some(graph(checkpoint)),
        opset_import: vec![OperatorSet { version: OPERATORS }],
        metadata_props: vec![
            entry("game", network.clone()),
            entry("inputs_version", view.version.to_string()),
            entry("cell_inputs", json!(game.cell_inputs).to_string()),
            entry("global_inputs", json!(game.global_inputs).to_string()),
            entry("global_actions", json!(game.action_words()).to_string()),
            entry("network", architecture.to_string()),
            entry("step", step.to_string()),
        ],
    };
    Ok(model.encode_to_vec())
}

/// Builds tower and heads, step by step as in [`hexzero_graph::NetworkInGraph::forward`].
fn graph(checkpoint: &Checkpoint) -> Graph {
    let Metadata { game, view, architecture, .. } = &checkpoint.metadata;
    let channels = architecture.channels;
    let data = |name: &str| checkpoint.tensors[name].data.as_slice();
    let layer = |name: &str| (data(&format!("{name}.weight")), data(&format!("{name}.bias")));
    let mut graph = GraphBuilder::new(game);

    let cells = [BATCH, Axis::Fixed(view.cell_inputs), ROWS, COLUMNS];
    let cells = graph.input("cells", &cells, "Input planes in the mover's frame; their names are in the metadata");
    let globals = [BATCH, Axis::Fixed(view.global_inputs)];
    let globals = graph.input("globals", &globals, "Inputs that belong to the whole position");

    let (weight, bias) = layer("stem");
    let stem = graph.hex_conv(&cells, weight, bias, "stem");
    let globals = graph.reshape("Unsqueeze", &globals, &[2, 3], "globals.per_cell");
    let addend = graph.dense(&globals, data("stem.globals"), None, view.global_inputs, 0..channels, "stem.globals");
    let sum = graph.apply("Add", &[&stem, &addend], "stem.sum");
    let mut x = graph.apply("Relu", &[&sum], "stem.relu");

    for block in 0..architecture.blocks {
        let name = format!("blocks.{block}");
        let (weight, bias) = layer(&format!("{name}.first"));
        let first = graph.hex_conv(&x, weight, bias, &format!("{name}.first"));
        let mut y = graph.apply("Relu", &[&first], &format!("{name}.first.relu"));
        if architecture.pools(block) {
            let (weight, bias) = layer(&format!("{name}.pool"));
            let pooled = graph.pooled(&y, &format!("{name}.pooled"));
            let addend = graph.dense(&pooled, weight, Some(bias), 2 * channels, 0..channels, &format!("{name}.pool"));
            y = graph.apply("Add", &[&y, &addend], &format!("{name}.first.sum"));
        }
        let (weight, bias) = layer(&format!("{name}.second"));
        let second = graph.hex_conv(&y, weight, bias, &format!("{name}.second"));
        let sum = graph.apply("Add", &[&x, &second], &format!("{name}.sum"));
        x = graph.apply("Relu", &[&sum], &name);
    }

    let pooled = graph.pooled(&x, "pooled");
    let (weight, bias) = layer("policy");
    let width = architecture.policy_channels;
    let policy = graph.dense(&x, weight, Some(bias), channels, 0..width, "policy");
    let addend = graph.dense(&pooled, data("policy.pool"), None, 2 * channels, 0..width, "policy.pool");
    let policy = graph.apply("Add", &[&policy, &addend], "policy.sum");
    let policy = graph.apply("Relu", &[&policy], "policy.relu");
    let (weight, bias) = layer("policy.out");
    let planes = view.policy_planes;
    let per_cell = |count: usize| [BATCH, Axis::Fixed(count), ROWS, COLUMNS];
    graph.dense(&policy, weight, Some(bias), width, 0..planes, "cell_policy");
    graph.output("cell_policy", &per_cell(planes), "Logits of the actions on each cell");

    let width = architecture.value_channels;
    let (weight, bias) = layer("position");
    let hidden = graph.dense(&pooled, weight, Some(bias), 2 * channels, 0..width, "position");
    let hidden = graph.apply("Relu", &[&hidden], "position.relu");
    let (weight, bias) = layer("position.out");
    let actions = view.global_actions;
    for (name, first, count, doc) in [
        ("outcome", 0, 3, "Logits of win, draw and loss for the player to move"),
        ("global_policy", 4, actions, "Logits of the actions that belong to no cell"),
    ] {
        if count > 0 {
            let head = format!("{name}.head");
            let head = graph.dense(&hidden, weight, Some(bias), width, first..first + count, &head);
            graph.reshape("Squeeze", &head, &[2, 3], name);
            graph.output(name, &[BATCH, Axis::Fixed(count)], doc);
        }
    }
    let length = graph.dense(&hidden, weight, Some(bias), width, 3..4, "moves_left.head");
    graph.reshape("Squeeze", &length, &[1, 2, 3], "moves_left");
    graph.output("moves_left", &[BATCH], "Plies until the end, divided by the number of cells");

    let (weight, bias) = layer("ownership");
    graph.dense(&x, weight, Some(bias), channels, 0..CELL_CLASSES, "ownership");
    let doc = "Logits of what each cell holds at the end: an own stone, an enemy stone, nothing";
    graph.output("ownership", &per_cell(CELL_CLASSES), doc);
    graph.finish()
}
