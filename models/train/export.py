"""Exports a checkpoint: `python export.py --work DIR --out models/` writes reader.onnx and golden inputs with the trainer's logits;
with `--name words --model words --cells words-test` it writes words.onnx and golden-words.bin, with `--name careful --model careful`
careful.onnx, its weights in 16 bits, and golden-careful.bin.

The golden file is little-endian: u32 cells, classes; then for each cell 48 x 192 bytes of luma, u32 frames and
frames x classes float32 log-posteriors. Its cells are rendered, so that no real sheet is in the repository.
"""

import argparse
import os
import struct

import numpy as np
import onnx
import torch
from alphabet import CHARACTERS, CLASSES
from augment import BESIDE, normalise, photograph, window
from model import HEIGHT, WIDTH, trained
from onnx import numpy_helper
from train import shown


def golden_luma(work, cells, count):
    g = torch.Generator().manual_seed(3)
    pool = np.load(os.path.join(work, cells + ".npz"))
    ink = torch.from_numpy(pool["canvas"][:count]).float()[:, None] / 255
    luma = photograph(window(0.85 - 0.6 * ink, g, 0.5), g, 0.5)
    return (luma * 255).round().byte()


def halve(graph):
    """Keeps the weights of a graph in 16 bits; a cast before each gives them back in 32."""
    casts = []
    for t in graph.initializer:
        values = numpy_helper.to_array(t)
        if values.dtype == np.float32 and values.size > 64:
            name = t.name
            t.CopyFrom(numpy_helper.from_array(values.astype(np.float16), name + ".half"))
            casts.append(onnx.helper.make_node("Cast", [t.name], [name], to=onnx.TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--name", default="checkpoint")
    a.add_argument(
        "--temperature", type=float, default=1.0, help="divides the logits; fitted on dev"
    )
    a.add_argument(
        "--model", choices=("reader", "careful", "words"), default="reader", help="what is written"
    )
    a.add_argument(
        "--cells", default="heldout", help="rendered cells of which the golden inputs are the first"
    )
    o = a.parse_args()
    model = trained(o.work, o.name)
    with torch.no_grad():
        model.head.weight /= o.temperature
        model.head.bias /= o.temperature
        if o.model == "careful":
            for p in model.parameters():
                p.copy_(p.half())
    path = os.path.join(o.out, o.model + ".onnx")
    beside = BESIDE.get(o.model)
    axes = None if beside is None else {"ink": {3: "width"}, "log_posteriors": {1: "frames"}}
    torch.onnx.export(
        model,
        torch.zeros(1, 1, HEIGHT, WIDTH),
        path,
        opset_version=17,
        input_names=["ink"],
        output_names=["log_posteriors"],
        dynamic_axes=axes,
        dynamo=False,
    )
    graph = onnx.load(path)
    del graph.graph.value_info[:]
    graph.metadata_props.add(key="alphabet", value=CHARACTERS)
    if o.model == "careful":
        halve(graph.graph)
    onnx.save(graph, path)
    lumas = golden_luma(o.work, o.cells, 12 if o.model == "reader" else 4)
    with (
        open(
            os.path.join(o.out, "golden.bin" if o.model == "reader" else f"golden-{o.model}.bin"),
            "wb",
        ) as f,
        torch.no_grad(),
    ):
        f.write(struct.pack("<II", len(lumas), CLASSES))
        for b in lumas:
            [(_, ink)] = shown(normalise(b[None].float() / 255), beside)
            y = model(ink)[0].numpy()
            f.write(b.numpy().tobytes() + struct.pack("<I", len(y)) + y.astype("<f4").tobytes())
    print(path, os.path.getsize(path), "bytes;", CLASSES, "classes")


if __name__ == "__main__":
    main()
