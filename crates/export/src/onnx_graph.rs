//! Builds ONNX graphs.

use hexzero_nn::TAPS;

use super::onnx_messages::{
    Attribute, Dimension, FLOAT, Graph, INT, INT64, INTS, Length, Node, Shape, Tensor, TensorType, Type, ValueInfo,
};

/// The index of each tap of a hexagonal convolution in a 3 × 3 kernel: the cell itself, then its neighbours in the order of
/// [`hexzero_board::STEPS`].
const SQUARE_TAPS: [usize; TAPS] = [4, 6, 7, 5, 2, 1, 3];

/// A dimension of an input or output.
#[derive(Debug, Clone, Copy)]
pub(super) enum Axis {
    Fixed(usize),
    Named(&'static str),
}

/// A graph under construction. Values are identified by name; methods return the name of the value they add.
#[derive(Debug, Default)]
pub(super) struct GraphBuilder(Graph);

impl GraphBuilder {
    pub fn new(name: &str) -> Self {
        Self(Graph { name: name.to_owned(), ..Graph::default() })
    }

    pub fn finish(self) -> Graph {
        self.0
    }

    fn value(name: &str, axes: &[Axis], doc: &str) -> ValueInfo {
        let dim = axes.iter().map(|axis| match axis {
            Axis::Fixed(length) => Length::Fixed(*length as i64),
            Axis::Named(name) => Length::Named((*name).to_owned()),
        });
        let dim = dim.map(|length| Dimension { value: Some(length) }).collect();
        let tensor_type = TensorType { elem_type: FLOAT, shape: Some(Shape { dim }) };
        let r#type = Some(Type { tensor_type: Some(tensor_type) });
        ValueInfo { name: name.to_owned(), r#type, doc_string: doc.to_owned() }
    }

    /// Adds an input of the graph.
    pub fn input(&mut self, name: &str, axes: &[Axis], doc: &str) -> String {
        self.0.input.push(Self::value(name, axes, doc));
        name.to_owned()
    }

    /// Makes a value an output of the graph.
    pub fn output(&mut self, name: &str, axes: &[Axis], doc: &str) {
        self.0.output.push(Self::value(name, axes, doc));
    }

    fn constant(&mut self, name: String, dims: &[usize], data_type: i32, raw_data: Vec<u8>) -> String {
        let dims = dims.iter().map(|&length| length as i64).collect();
        self.0.initializer.push(Tensor { dims, data_type, name: name.clone(), raw_data });
        name
    }

    fn floats(&mut self, name: String, dims: &[usize], values: &[f32]) -> String {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(name, dims, FLOAT, bytes)
    }

    fn axes(&mut self, name: String, axes: &[i64]) -> String {
        let bytes = axes.iter().flat_map(|axis| axis.to_le_bytes()).collect();
        self.constant(name, &[axes.len()], INT64, bytes)
    }

    fn node(&mut self, op: &str, inputs: &[&str], output: &str, attribute: Vec<Attribute>) -> String {
        self.0.node.push(Node {
            input: inputs.iter().map(|&input| input.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: output.to_owned(),
            op_type: op.to_owned(),
            attribute,
        });
        output.to_owned()
    }

    /// Adds an operation without attributes.
    pub fn apply(&mut self, op: &str, inputs: &[&str], output: &str) -> String {
        self.node(op, inputs, output, Vec::new())
    }

    fn convolution(&mut self, x: &str, weight: &str, bias: Option<&[f32]>, side: i64, output: &str) -> String {
        let ints = |name: &str, ints: Vec<i64>| Attribute {
            name: name.to_owned(),
            ints,
            r#type: INTS,
            ..Attribute::default()
        };
        let attributes = vec![ints("kernel_shape", vec![side; 2]), ints("pads", vec![side / 2; 4])];
        let bias = bias.map(|bias| self.floats(format!("{output}.bias"), &[bias.len()], bias));
        let inputs: Vec<&str> = [x, weight].into_iter().chain(bias.as_deref()).collect();
        self.node("Conv", &inputs, output, attributes)
    }

    /// Adds a hexagonal convolution, as one of 3 × 3; `weight` is `[taps × inputs × outputs]`.
    pub fn hex_conv(&mut self, x: &str, weight: &[f32], bias: &[f32], output: &str) -> String {
        let outputs = bias.len();
        let inputs = weight.len() / TAPS / outputs;
        let mut square = vec![0.0; outputs * inputs * 9];
        for (tap, place) in SQUARE_TAPS.into_iter().enumerate() {
            for input in 0..inputs {
                for out in 0..outputs {
                    square[(out * inputs + input) * 9 + place] = weight[(tap * inputs + input) * outputs + out];
                }
            }
        }
        let weight = self.floats(format!("{output}.weight"), &[outputs, inputs, 3, 3], &square);
        self.convolution(x, &weight, Some(bias), 3, output)
    }

    /// Adds a dense layer on each cell, keeping only the outputs in `kept`; `weight` is `[inputs × outputs]`.
    pub fn dense(
        &mut self,
        x: &str,
        weight: &[f32],
        bias: Option<&[f32]>,
        inputs: usize,
        kept: std::ops::Range<usize>,
        output: &str,
    ) -> String {
        let outputs = weight.len() / inputs;
        let column = |out: usize| weight.iter().skip(out).step_by(outputs).copied();
        let square: Vec<f32> = kept.clone().flat_map(column).collect();
        let weight = self.floats(format!("{output}.weight"), &[kept.len(), inputs, 1, 1], &square);
        self.convolution(x, &weight, bias.map(|bias| &bias[kept]), 1, output)
    }

    /// Adds mean and maximum over the board, `[batch × 2·channels × 1 × 1]`.
    pub fn pooled(&mut self, x: &str, output: &str) -> String {
        let mean = self.apply("GlobalAveragePool", &[x], &format!("{output}.mean"));
        let max = self.apply("GlobalMaxPool", &[x], &format!("{output}.max"));
        let axis = Attribute { name: "axis".to_owned(), i: 1, r#type: INT, ..Attribute::default() };
        self.node("Concat", &[&mean, &max], output, vec![axis])
    }

    /// Adds or removes dimensions of length 1 (`op` is `Unsqueeze` or `Squeeze`).
    pub fn reshape(&mut self, op: &str, x: &str, axes: &[i64], output: &str) -> String {
        let axes = self.axes(format!("{output}.axes"), axes);
        self.apply(op, &[x, &axes], output)
    }
}
