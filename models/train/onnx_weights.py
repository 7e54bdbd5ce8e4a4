"""Puts the weights of an exported model back into the network of the trainer, so that training can
go on from what ships.

The export folds batch normalisation into the convolutions. Here each normalisation is set so that,
on the given pictures, the network computes what the ONNX file does, in training mode too.
"""

import onnx
import torch
from model import LeanReader, PretrainedReader, PrunedReader, Reader, TinyReader
from onnx import numpy_helper
from torch import nn


def open_graph(path):
    """Returns a graph and its weights by name. Weights that are stored in 8 or 16 bits have the
    name that the graph gives them in 32.
    """
    graph = onnx.load(path).graph
    weights = {
        tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy())
        for tensor in graph.initializer
    }
    weights |= {
        node.output[0]: weights[node.input[0]].float()
        for node in graph.node
        if node.op_type == "Cast" and node.input[0] in weights
    } | {
        node.output[0]: scale_channels(*(weights[name] for name in node.input), node.attribute[0].i)
        for node in graph.node
        if node.op_type == "DequantizeLinear"
    }
    return graph, weights


def scale_channels(integers, scales, axis):
    """Returns the weights that are stored as integers and a scale for each channel along `axis`."""
    return integers * scales.view([-1 if i == axis else 1 for i in range(integers.dim())])


def node_weights(graph, weights, kind):
    """Returns the weights of each node of a kind, in the order of the graph."""
    return [
        [weights[name] for name in node.input[1:4] if name in weights]
        for node in graph.node
        if node.op_type == kind
    ]


@torch.no_grad()
def load_reader(model, path, ink):
    """Fills `model` from the ONNX file at `path`. `ink` is a batch of normalised patches [N, 1, 48,
    192].
    """
    graph, weights = open_graph(path)
    squeeze = next(weights[node.input[1]] for node in graph.node if node.op_type == "MatMul")
    model.squeeze[0].weight.copy_(squeeze.T)
    model.squeeze[0].bias.copy_(weights["squeeze.0.bias"])
    load_recurrent_layers(model, path)
    load_convolutions(model, path, ink)


def load_network(path, ink):
    """Returns the exported reader as a network of the architecture that has its convolutions."""
    shapes = sorted(weight.shape for weight, *_ in node_weights(*open_graph(path), "Conv"))
    for architecture in (Reader, LeanReader, PretrainedReader, PrunedReader, TinyReader):
        model = architecture()
        if (
            sorted(layer.weight.shape for layer in model.modules() if isinstance(layer, nn.Conv2d))
            == shapes
        ):
            load_reader(model, path, ink)
            return model.eval()
    raise ValueError(f"{path} has other convolutions than any reader of model.py")


@torch.no_grad()
def graft(model, path, batches):
    """Sets the layers behind the convolutions of `model` from the ONNX file at `path`.

    The recurrent layers and the head are copied. The squeeze is fitted by least squares over the
    normalised patches of `batches`: from the convolutions of `model` it has to make what the
    squeeze of the file makes from its own.
    """
    load_recurrent_layers(model, path)
    exported = load_network(path, batches[0])
    model.eval()
    input_count = model.squeeze[0].in_features + 1
    gram, cross = (
        torch.zeros(input_count, input_count, dtype=torch.double),
        torch.zeros(input_count, model.squeeze[0].out_features, dtype=torch.double),
    )

    def stem_columns(stem, x):
        return stem(x).permute(0, 3, 1, 2).flatten(2).flatten(0, 1)

    for ink in batches:
        ours, target = (
            stem_columns(model.stem, ink),
            exported.squeeze[0](stem_columns(exported.stem, ink)),
        )
        ours = nn.functional.pad(ours, (0, 1), value=1.0).double()
        gram += ours.T @ ours
        cross += ours.T @ target.double()
    gram += 1e-3 * gram.diagonal().mean() * torch.eye(input_count)
    fitted = torch.linalg.solve(gram, cross).float()
    model.squeeze[0].weight.copy_(fitted[:-1].T)
    model.squeeze[0].bias.copy_(fitted[-1])
    model.train()


@torch.no_grad()
def load_recurrent_layers(model, path):
    """Fills the recurrent layers and the head."""
    graph, weights = open_graph(path)
    lstms = node_weights(graph, weights, "LSTM")
    head = [weights[node.input[1]] for node in graph.node if node.op_type == "MatMul"][1]
    model.head.weight.copy_(head.T)
    model.head.bias.copy_(weights["head.bias"])
    # ONNX orders the gates input, output, forget, cell; PyTorch orders them input, forget, cell,
    # output.
    gates = [
        0,
        2,
        3,
        1,
    ]
    for layer, (input_weight, recurrent_weight, bias) in enumerate(lstms):
        for direction, suffix in enumerate(("", "_reverse")):

            def reorder_gates(tensor):
                return tensor.unflatten(0, (4, -1))[gates].flatten(0, 1)

            getattr(model.lstm, f"weight_ih_l{layer}{suffix}").copy_(
                reorder_gates(input_weight[direction])
            )
            getattr(model.lstm, f"weight_hh_l{layer}{suffix}").copy_(
                reorder_gates(recurrent_weight[direction])
            )
            half = bias.shape[1] // 2
            getattr(model.lstm, f"bias_ih_l{layer}{suffix}").copy_(
                reorder_gates(bias[direction, :half])
            )
            getattr(model.lstm, f"bias_hh_l{layer}{suffix}").copy_(
                reorder_gates(bias[direction, half:])
            )


@torch.no_grad()
def load_convolutions(model, path, pictures):
    """Fills the convolutions of `model`, and the normalisations behind them, from the ONNX file at
    `path`.
    """
    convolutions = node_weights(*open_graph(path), "Conv")
    layers_in_order = []
    handles = [
        layer.register_forward_hook(lambda layer, *_: layers_in_order.append(layer))
        for layer in model.modules()
        if isinstance(layer, (nn.Conv2d, nn.BatchNorm2d))
    ]
    model.eval()
    model(pictures)
    for handle in handles:
        handle.remove()
    norm_after = {
        layer_before: b
        for layer_before, b in zip(layers_in_order, layers_in_order[1:])
        if isinstance(b, nn.BatchNorm2d)
    }

    def make_norm_hook(norm, bias):
        def hook(_, __, output):
            mean, var = output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            norm.weight.copy_((var + norm.eps).sqrt())
            norm.bias.copy_(mean + bias)

        return hook

    handles = []
    for convolution, (weight, *b) in zip(
        [layer for layer in layers_in_order if isinstance(layer, nn.Conv2d)],
        convolutions,
        strict=True,
    ):
        convolution.weight.copy_(weight)
        if convolution in norm_after:
            handles.append(
                convolution.register_forward_hook(make_norm_hook(norm_after[convolution], *b))
            )
        elif b:
            convolution.bias.copy_(*b)
    model(pictures)
    for handle in handles:
        handle.remove()
    model.train()
