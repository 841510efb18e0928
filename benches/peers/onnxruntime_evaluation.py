"""Evaluation against ONNX Runtime: the same trunk as a graph of 3×3 convolutions, on one thread.

    python3 -m venv .venv && .venv/bin/pip install numpy onnx onnxruntime
    cargo build --release
    .venv/bin/python benches/peers/onnxruntime_evaluation.py target/release/hexzero [ROUNDS]

ONNX Runtime gets the trunk alone (stem and residual blocks in float32, random weights); hexzero evaluates the
whole network, with pooling and heads. A hexagonal convolution has seven taps; a general runtime computes nine,
two of them zero. The two run in turn, and the ratios of the medians over all rounds are printed.
"""

import collections
import json
import statistics
import subprocess
import sys
import time

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

PLANES = 16
STANDARD = [(4, 32, 7), (6, 64, 9), (10, 128, 11)]
BATCHES = [1, 64]
MEASURED_SECONDS = 1.0


def trunk(blocks, channels, size):
    """Returns a session of the trunk for input [batch, PLANES, size, size]."""
    random = np.random.default_rng(1)
    weights, nodes = [], []

    def convolution(inputs, x, out):
        kernel = random.standard_normal((channels, inputs, 3, 3)).astype(np.float32) * 0.05
        # Two corners of the square are no neighbours on a hexagonal board.
        kernel[:, :, 0, 0] = kernel[:, :, 2, 2] = 0
        weights.append(numpy_helper.from_array(kernel, f"{out}.weight"))
        weights.append(numpy_helper.from_array(np.zeros(channels, np.float32), f"{out}.bias"))
        operands = [x, f"{out}.weight", f"{out}.bias"]
        nodes.append(helper.make_node("Conv", operands, [out], kernel_shape=[3, 3], pads=[1, 1, 1, 1]))
        return out

    def node(kind, operands, out):
        nodes.append(helper.make_node(kind, operands, [out]))
        return out

    x = node("Relu", [convolution(PLANES, "planes", "stem")], "x")
    for block in range(blocks):
        y = node("Relu", [convolution(channels, x, f"first{block}")], f"y{block}")
        z = node("Add", [convolution(channels, y, f"second{block}"), x], f"z{block}")
        x = node("Relu", [z], f"x{block}")
    shape = ["batch", None, size, size]
    shape_in, shape_out = shape.copy(), shape.copy()
    shape_in[1], shape_out[1] = PLANES, channels
    graph = helper.make_graph(
        nodes,
        "trunk",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, shape_in)],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, shape_out)],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def positions_per_second(session, batch, size):
    planes = np.random.default_rng(2).random((batch, PLANES, size, size), dtype=np.float32)
    session.run(None, {"planes": planes})
    runs, start = 0, time.perf_counter()
    while time.perf_counter() - start < MEASURED_SECONDS:
        session.run(None, {"planes": planes})
        runs += 1
    return runs * batch / (time.perf_counter() - start)


def main():
    hexzero = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    sessions = {f"b{blocks}c{channels}": (trunk(blocks, channels, size), size) for blocks, channels, size in STANDARD}
    rates = collections.defaultdict(list)
    for _ in range(rounds):
        for network, (session, size) in sessions.items():
            for batch in BATCHES:
                rates[network, batch, "onnxruntime", "f32"].append(positions_per_second(session, batch, size))
        report = subprocess.run([hexzero, "bench", "--part", "evaluations", "--json"], capture_output=True, check=True)
        for speed in json.loads(report.stdout)["evaluations"]:
            if speed["threads"] == 1:
                key = speed["network"], speed["batch"], speed["kernel"], speed["precision"]
                rates[key].append(speed["positions_per_second"])
    print(f"onnxruntime {onnxruntime.__version__}, one thread, medians of {rounds} rounds in turn")
    for key, measured in sorted(rates.items()):
        network, batch, kernel, precision = key
        peer = statistics.median(rates[network, batch, "onnxruntime", "f32"])
        median = statistics.median(measured)
        spread = f"{min(measured):.0f} to {max(measured):.0f}"
        print(f"{network:8} batch {batch:2}  {kernel:11} {precision:4} {median:9.0f} positions/s ({spread}), {median / peer:.2f} times")


if __name__ == "__main__":
    main()
