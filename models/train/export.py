"""Exports a checkpoint as an ONNX model with golden inputs.

`python export.py --work DIR --out models/` writes reader.onnx and golden.bin. With `--name words
--model words --cells words-test` it writes words.onnx and golden-words.bin; with `--name
second_stage --model second_stage` it writes second_stage.onnx and golden-second_stage.bin. Weights
are stored in 8 and 16 bits (`quantize.py`).

The golden file is little-endian: u32 count of cells and of classes, then for each cell 48 x 192
bytes of luma, u32 count of frames, and frames x classes float32 log-posteriors. Its cells are
rendered, so that no real sheet is in the repository.
"""

import argparse
import os
import struct

import numpy as np
import onnx
import torch
from alphabet import CHARACTERS, CLASS_COUNT
from augment import PADDING_PX, normalize_ink, sample_window, simulate_capture
from model import HEIGHT, WIDTH, load_averaged
from quantize import quantize, run_network
from train import crop_patches


def make_golden_luma(work, cells, count):
    """Returns the luma of the first rendered cells as bytes [count, 1, 48, 192]."""
    generator = torch.Generator().manual_seed(3)
    pool = np.load(os.path.join(work, cells + ".npz"))
    ink = torch.from_numpy(pool["canvas"][:count]).float()[:, None] / 255
    luma = simulate_capture(sample_window(0.85 - 0.6 * ink, generator, 0.5), generator, 0.5)
    return (luma * 255).round().byte()


def write_golden(path, network, lumas, padding):
    """Writes a golden file: cells, and what the network in the ONNX file `network` says of them."""
    with open(path, "wb") as f:
        f.write(struct.pack("<II", len(lumas), CLASS_COUNT))
        for patch in lumas:
            [(_, ink)] = crop_patches(normalize_ink(patch[None].float() / 255), padding)
            logs = run_network(network, ink.numpy())[0]
            f.write(
                patch.numpy().tobytes()
                + struct.pack("<I", len(logs))
                + logs.astype("<f4").tobytes()
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="checkpoint")
    parser.add_argument(
        "--temperature", type=float, default=1.0, help="divides the logits; fitted on dev"
    )
    parser.add_argument(
        "--model",
        choices=("reader", "second_stage", "words"),
        default="reader",
        help="what is written",
    )
    parser.add_argument(
        "--cells", default="heldout", help="rendered cells of which the golden inputs are the first"
    )
    args = parser.parse_args()
    model = load_averaged(args.work, args.name)
    with torch.no_grad():
        model.head.weight /= args.temperature
        model.head.bias /= args.temperature
    path = os.path.join(args.out, args.model + ".onnx")
    padding = PADDING_PX.get(args.model)
    axes = None if padding is None else {"ink": {3: "width"}, "log_posteriors": {1: "frames"}}
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
    onnx.save(graph, path)
    quantize(path)
    lumas = make_golden_luma(args.work, args.cells, 12 if args.model == "reader" else 4)
    golden = "golden.bin" if args.model == "reader" else f"golden-{args.model}.bin"
    write_golden(os.path.join(args.out, golden), path, lumas, padding)
    print(path, os.path.getsize(path), "bytes;", CLASS_COUNT, "classes")


if __name__ == "__main__":
    main()
