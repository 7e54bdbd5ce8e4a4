"""How well a reader reads rendered cells of fonts and writers that trained nothing, language by language.

`python measure.py --work DIR --reader models/reader.onnx`, or `--program target/release/examples/read_patches` for the reader as the
program has it, n-grams included, reads DIR/test-LANG.npz (`render.py --held-out --language LANG`), puts
the ink on made paper with moderate light, blur and noise, always the same, and prints a line a language: cells read (as
eval/score.py compares), and of the cells that begin with a letter A to H in either case and are read with that letter, the
share that has its case.
"""

import argparse
import glob
import os
import subprocess

import numpy as np
import onnxruntime
import torch
from augment import BESIDE, made_paper, normalise, photograph, window
from model import HEIGHT, WIDTH
from train import greedy, norm, shown

REACH = 8  # Rows above and below a patch that the program may look at, as in src/cell.rs.
JITTER, LIGHT = 0.1, 0.4  # Strength of the crop's jitter, and of blur, fading and noise.


def on_paper(z):
    """Batches of luma, REACH rows higher and lower than a patch, and of normalised patches of a test file."""
    g = torch.Generator().manual_seed(11)
    for k in range(0, len(z["text"]), 200):
        ink = torch.from_numpy(z["canvas"][k : k + 200]).float() / 255
        dark = torch.rand(len(ink), 1, 1, generator=g) * 0.6 + 0.3
        canvas = (made_paper(len(ink), g) * (1 - ink * dark))[:, None]
        luma = photograph(window(canvas, g, JITTER, (HEIGHT + 2 * REACH, WIDTH)), g, LIGHT)
        yield luma, normalise(luma[:, :, REACH : REACH + HEIGHT])


def read(path, batches):
    """Best-path strings of a reader, reader.onnx or careful.onnx, for batches of normalised patches."""
    reader = onnxruntime.InferenceSession(path)
    beside = BESIDE[os.path.basename(path).removesuffix(".onnx")]
    out = []
    for x in batches:
        texts = [""] * len(x)
        for which, part in shown(x, beside):
            for i, patch in zip(which, part):
                [texts[i]] = greedy(
                    torch.from_numpy(reader.run(None, {"ink": patch[None].numpy()})[0])
                )
        out += texts
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    reader = a.add_mutually_exclusive_group(required=True)
    reader.add_argument("--reader", help="reader.onnx or careful.onnx: its best path alone")
    reader.add_argument("--program", help="the example read_patches, built")
    o = a.parse_args()
    torch.set_num_threads(1)
    print("language\tcells\tread\tcased\tcase right")
    for path in sorted(glob.glob(os.path.join(o.work, "test-*.npz"))):
        z, got = np.load(path), []
        if o.program:
            for luma, _ in on_paper(z):
                patches = (luma * 255).round().byte().numpy().tobytes()
                got += (
                    subprocess.run([o.program], input=patches, stdout=subprocess.PIPE, check=True)
                    .stdout.decode()
                    .splitlines()
                )
        else:
            got = read(o.reader, (x for _, x in on_paper(z)))
        pairs = [(str(t), r) for t, r in zip(z["text"], got)]
        right = sum(norm(t) == norm(r) for t, r in pairs)
        cased = [
            t[0] == r[0]
            for t, r in pairs
            if r and t[0].upper() in "ABCDEFGH" and t[0].upper() == r[0].upper()
        ]
        name = os.path.basename(path)[5:-4]
        print(
            f"{name}\t{len(pairs)}\t{100 * right / len(pairs):.1f} %\t{len(cased)}\t{100 * sum(cased) / max(1, len(cased)):.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
