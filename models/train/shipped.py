"""The weights of an exported reader back in the trainer's network, so that training can go on from what ships.

The export folds batch normalisation into the convolutions; here each normalisation is set so that, on the cells given, the
network computes what the ONNX file does, in training mode too.
"""

import onnx
import torch
from onnx import numpy_helper
from torch import nn


@torch.no_grad()
def load(model, path, ink):
    """Fills `model` from the ONNX file at `path`; `ink` is a batch of normalised patches (N x 1 x 48 x 192)."""
    graph = onnx.load(path).graph
    weights = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    inputs = lambda kind: [[weights[name] for name in n.input[1:4] if name in weights] for n in graph.node if n.op_type == kind]
    convolutions, lstms = inputs("Conv"), inputs("LSTM")
    squeeze, head = [w for n in graph.node if n.op_type == "MatMul" for w in (weights[n.input[1]],)]
    model.squeeze[0].weight.copy_(squeeze.T)
    model.squeeze[0].bias.copy_(weights["squeeze.0.bias"])
    model.head.weight.copy_(head.T)
    model.head.bias.copy_(weights["head.bias"])
    gates = [0, 2, 3, 1]  # ONNX has input, output, forget, cell; PyTorch input, forget, cell, output.
    for layer, (w, r, b) in enumerate(lstms):
        for way, suffix in enumerate(("", "_reverse")):
            order = lambda t: t.unflatten(0, (4, -1))[gates].flatten(0, 1)
            getattr(model.lstm, f"weight_ih_l{layer}{suffix}").copy_(order(w[way]))
            getattr(model.lstm, f"weight_hh_l{layer}{suffix}").copy_(order(r[way]))
            half = b.shape[1] // 2
            getattr(model.lstm, f"bias_ih_l{layer}{suffix}").copy_(order(b[way, :half]))
            getattr(model.lstm, f"bias_hh_l{layer}{suffix}").copy_(order(b[way, half:]))
    units = [m for m in model.modules() if isinstance(m, nn.Sequential) and len(m) == 3 and isinstance(m[1], nn.BatchNorm2d)]

    def settle(unit, bias):
        def hook(module, args, output):
            mean, var = output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False)
            module_bn = unit[1]
            module_bn.running_mean.copy_(mean)
            module_bn.running_var.copy_(var)
            module_bn.weight.copy_((var + module_bn.eps).sqrt())
            module_bn.bias.copy_(mean + bias)
        return unit[0].register_forward_hook(hook)

    hooks = []
    for unit, (w, b) in zip(units, convolutions, strict=True):
        unit[0].weight.copy_(w)
        hooks.append(settle(unit, b))
    model.eval()
    model(ink)
    for h in hooks:
        h.remove()
    model.train()
