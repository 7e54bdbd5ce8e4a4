"""Makes the golden files anew: the inputs that they have, with what the networks say of them now.

`python golden.py models/` reads and rewrites golden*.bin in that folder, by onnxruntime.
"""

import os
import struct
import sys

import digits
import export
import numpy as np
import table
import torch
from augment import PADDING_PX
from model import HEIGHT, WIDTH


def read_cells(path):
    """Returns the luma of the cells in a golden file of a reader, [count, 1, 48, 192]."""
    data, offset = open(path, "rb").read(), 8
    count, classes = struct.unpack_from("<II", data)
    cells = []
    for _ in range(count):
        luma = np.frombuffer(data, np.uint8, HEIGHT * WIDTH, offset).reshape(1, HEIGHT, WIDTH)
        cells.append(torch.from_numpy(luma.copy()))
        offset += HEIGHT * WIDTH
        offset += 4 + 4 * classes * struct.unpack_from("<I", data, offset)[0]
    return torch.stack(cells)


def read_strips(path):
    """Returns the luma of the strips in golden-numbers.bin, [count, height, width]."""
    data = open(path, "rb").read()
    count, classes = struct.unpack_from("<II", data)
    rows = np.frombuffer(data, np.uint8, offset=8).reshape(count, -1)[:, : -4 * classes]
    strips = rows.reshape(count, digits.STRIP_HEIGHT, digits.STRIP_WIDTH)
    return torch.from_numpy(strips.copy())


def main():
    folder = sys.argv[1]
    for name in ("reader", "second_stage", "words"):
        golden = "golden.bin" if name == "reader" else f"golden-{name}.bin"
        path = os.path.join(folder, golden)
        network = os.path.join(folder, name + ".onnx")
        export.write_golden(path, network, read_cells(path), PADDING_PX.get(name))
    path = os.path.join(folder, "golden-numbers.bin")
    digits.write_golden(path, os.path.join(folder, "numbers.onnx"), read_strips(path))
    table.write_golden(os.path.join(folder, "golden-table.bin"), os.path.join(folder, "table.onnx"))


if __name__ == "__main__":
    main()
