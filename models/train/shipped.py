"""The weights of an exported model back in the trainer's network, so that training can go on from what ships.

The export folds batch normalisation into the convolutions; here each normalisation is set so that, on the pictures given, the
network computes what the ONNX file does, in training mode too.
"""

import onnx
import torch
from model import LeanReader, PretrainedReader, PrunedReader, Reader, TinyReader
from onnx import numpy_helper
from torch import nn


def opened(path):
    """A graph, and its weights by name; those kept in 16 bits by the name that the graph gives them in 32."""
    graph = onnx.load(path).graph
    weights = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    weights |= {
        n.output[0]: weights[n.input[0]].float()
        for n in graph.node
        if n.op_type == "Cast" and n.input[0] in weights
    }
    return graph, weights


def inputs(graph, weights, kind):
    return [
        [weights[name] for name in n.input[1:4] if name in weights]
        for n in graph.node
        if n.op_type == kind
    ]


@torch.no_grad()
def load(model, path, ink):
    """Fills `model` from the ONNX file at `path`; `ink` is a batch of normalised patches (N x 1 x 48 x 192)."""
    graph, weights = opened(path)
    squeeze = next(weights[n.input[1]] for n in graph.node if n.op_type == "MatMul")
    model.squeeze[0].weight.copy_(squeeze.T)
    model.squeeze[0].bias.copy_(weights["squeeze.0.bias"])
    recur(model, path)
    convolve(model, path, ink)


def network(path, ink):
    """The exported reader as a network that reads, of the architecture with such convolutions."""
    shapes = sorted(w.shape for w, *_ in inputs(*opened(path), "Conv"))
    for architecture in (Reader, LeanReader, PretrainedReader, PrunedReader, TinyReader):
        model = architecture()
        if sorted(m.weight.shape for m in model.modules() if isinstance(m, nn.Conv2d)) == shapes:
            load(model, path, ink)
            return model.eval()
    raise ValueError(f"{path} has other convolutions than any reader of model.py")


@torch.no_grad()
def graft(model, path, batches):
    """Sets what lies behind the convolutions of `model` from the ONNX file at `path`: the recurrent layers and the head as they
    are there, the squeeze so that from the convolutions of `model` it makes what the file's makes from its own, as nearly as a
    linear map can (least squares over the normalised patches of `batches`)."""
    recur(model, path)
    file = network(path, batches[0])
    model.eval()
    size = model.squeeze[0].in_features + 1
    inner, outer = (
        torch.zeros(size, size, dtype=torch.double),
        torch.zeros(size, model.squeeze[0].out_features, dtype=torch.double),
    )

    def columns(stem, x):
        return stem(x).permute(0, 3, 1, 2).flatten(2).flatten(0, 1)

    for ink in batches:
        seen, wanted = columns(model.stem, ink), file.squeeze[0](columns(file.stem, ink))
        seen = nn.functional.pad(seen, (0, 1), value=1.0).double()
        inner += seen.T @ seen
        outer += seen.T @ wanted.double()
    inner += 1e-3 * inner.diagonal().mean() * torch.eye(size)
    fitted = torch.linalg.solve(inner, outer).float()
    model.squeeze[0].weight.copy_(fitted[:-1].T)
    model.squeeze[0].bias.copy_(fitted[-1])
    model.train()


@torch.no_grad()
def recur(model, path):
    """Fills the recurrent layers and the head."""
    graph, weights = opened(path)
    lstms = inputs(graph, weights, "LSTM")
    head = [weights[n.input[1]] for n in graph.node if n.op_type == "MatMul"][1]
    model.head.weight.copy_(head.T)
    model.head.bias.copy_(weights["head.bias"])
    gates = [
        0,
        2,
        3,
        1,
    ]  # ONNX has input, output, forget, cell; PyTorch input, forget, cell, output.
    for layer, (w, r, b) in enumerate(lstms):
        for way, suffix in enumerate(("", "_reverse")):

            def order(t):
                return t.unflatten(0, (4, -1))[gates].flatten(0, 1)

            getattr(model.lstm, f"weight_ih_l{layer}{suffix}").copy_(order(w[way]))
            getattr(model.lstm, f"weight_hh_l{layer}{suffix}").copy_(order(r[way]))
            half = b.shape[1] // 2
            getattr(model.lstm, f"bias_ih_l{layer}{suffix}").copy_(order(b[way, :half]))
            getattr(model.lstm, f"bias_hh_l{layer}{suffix}").copy_(order(b[way, half:]))


@torch.no_grad()
def convolve(model, path, pictures):
    """Fills the convolutions of `model`, and the normalisations behind them, from the ONNX file at `path`."""
    convolutions = inputs(*opened(path), "Conv")
    run = []
    hooks = [
        m.register_forward_hook(lambda m, *_: run.append(m))
        for m in model.modules()
        if isinstance(m, (nn.Conv2d, nn.BatchNorm2d))
    ]
    model.eval()
    model(pictures)
    for h in hooks:
        h.remove()
    behind = {a: b for a, b in zip(run, run[1:]) if isinstance(b, nn.BatchNorm2d)}

    def settle(norm, bias):
        def hook(_, __, output):
            mean, var = output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            norm.weight.copy_((var + norm.eps).sqrt())
            norm.bias.copy_(mean + bias)

        return hook

    hooks = []
    for convolution, (w, *b) in zip(
        [m for m in run if isinstance(m, nn.Conv2d)], convolutions, strict=True
    ):
        convolution.weight.copy_(w)
        if convolution in behind:
            hooks.append(convolution.register_forward_hook(settle(behind[convolution], *b)))
        elif b:
            convolution.bias.copy_(*b)
    model(pictures)
    for h in hooks:
        h.remove()
    model.train()
