"""Stores the weights of an exported network in 8 and 16 bits.

`python quantize.py models/reader.onnx` rewrites the file; the exports of all networks do so too.
A network computes in 32 bits all the same: the program converts the weights when it loads them, and
so does a node of the graph in any other runtime. A file that is small already stays as it is. The
golden files have what the small network says (`golden.py` makes them anew).
"""

import argparse
import os

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, numpy_helper

# Largest number of weights of a tensor that stays in 16 bits. The convolutions lose most by 8 bits,
# and only the largest of them are much of a file: with all tensors in 8 bits the first stage was
# 0.0019 nats a cell from the trained network (Kullback-Leibler divergence, 1,405 cells of HCS dev),
# with tensors of over 40,000 weights 0.0008 (every fifth of these cells), with this 0.0003.
MAX_SIZE_IN_16_BITS = 75_000
# Smallest number of weights of a tensor that is not left in 32 bits.
MIN_SIZE_IN_16_BITS = 65
# Largest integer of 8 bits that is used, so that zero is in the middle.
MAX_INTEGER = 127
# What the largest weight of a channel may be clipped to, as a share of it; the share with the least
# mean squared error is taken.
CLIPPING_SHARES = np.linspace(0.6, 1.0, 41)
# The axis of the output channels in the weights of an operator, which each have a scale, by the
# operator and the place of the weights among its inputs. The layers of this project store the
# matrix of a Gemm transposed.
CHANNEL_AXES = {("Conv", 1): 0, ("MatMul", 1): 1, ("Gemm", 1): 0, ("LSTM", 1): 1, ("LSTM", 2): 1}


def round_to_8_bits(weights, axis):
    """Returns the weights as integers and a scale for each channel along `axis`, so that their
    product is close to the weights (symmetric linear quantization).
    """
    rows = np.moveaxis(weights, axis, 0).reshape(weights.shape[axis], -1)
    largest = np.abs(rows).max(1)
    largest[largest == 0] = 1
    best_scales, least_error = largest / MAX_INTEGER, np.full(len(rows), np.inf)
    for share in CLIPPING_SHARES:
        scales = share * largest / MAX_INTEGER
        error = ((round_rows(rows, scales) * scales[:, None] - rows) ** 2).sum(1)
        best_scales = np.where(error < least_error, scales, best_scales)
        least_error = np.minimum(error, least_error)
    integers = np.moveaxis(weights, axis, -1) / best_scales
    integers = np.moveaxis(np.clip(np.rint(integers), -MAX_INTEGER, MAX_INTEGER), -1, axis)
    return integers.astype(np.int8), best_scales.astype(np.float32)


def round_rows(rows, scales):
    return np.clip(np.rint(rows / scales[:, None]), -MAX_INTEGER, MAX_INTEGER)


def store_small(graph):
    """Stores the weights of a graph in 8 or 16 bits. A node before their use converts them to 32
    bits, under the name that they had.
    """
    channel_axis, scales_before = {}, set()
    for node in graph.node:
        if node.op_type == "DequantizeLinear":
            scales_before.add(node.input[1])
        for place, name in enumerate(node.input):
            channel_axis.setdefault(name, CHANNEL_AXES.get((node.op_type, place)))
    conversions, scales_of_all = [], []
    for tensor in graph.initializer:
        weights = numpy_helper.to_array(tensor)
        is_small = weights.dtype != np.float32 or weights.size < MIN_SIZE_IN_16_BITS
        if is_small or tensor.name in scales_before:
            continue
        name, axis = tensor.name, channel_axis.get(tensor.name)
        if axis is None or weights.size <= MAX_SIZE_IN_16_BITS:
            tensor.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), name + ".half"))
            conversions.append(
                onnx.helper.make_node("Cast", [tensor.name], [name], to=TensorProto.FLOAT)
            )
        else:
            integers, scales = round_to_8_bits(weights, axis)
            tensor.CopyFrom(numpy_helper.from_array(integers, name + ".int8"))
            scales_of_all.append(numpy_helper.from_array(scales, name + ".scales"))
            conversions.append(
                onnx.helper.make_node(
                    "DequantizeLinear", [tensor.name, name + ".scales"], [name], axis=axis
                )
            )
    graph.initializer.extend(scales_of_all)
    nodes = conversions + list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)


def quantize(path):
    """Rewrites the ONNX file at `path` with smaller weights."""
    model = onnx.load(path)
    store_small(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def run_network(path, values):
    """Returns the first output of the network in an ONNX file, computed by onnxruntime as the graph
    says. Its optimised graphs are off by 0.02 nats where weights are stored in 8 bits (1.32.0).
    """
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: values})[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", metavar="FILE", help="an ONNX file")
    for path in parser.parse_args().paths:
        size = os.path.getsize(path)
        quantize(path)
        print(path, size, "->", os.path.getsize(path), "bytes")


if __name__ == "__main__":
    main()
