"""Measures how well a reader reads rendered cells of fonts and writers that trained nothing,
language by language.

`python measure.py --work DIR --reader models/reader.onnx` reads DIR/test-LANG.npz (`render.py
--held-out --language LANG`) by best path. With `--program target/release/examples/read_patches` the
cells are read as the program does, n-grams included. The ink is put on made paper with moderate
light, blur and noise, always the same. It prints one line a language: the cells read (as
eval/score.py compares), and the share with the right case among the cells that begin with a letter
A to H in either case and are read with that letter.
"""

import argparse
import glob
import os
import subprocess

import numpy as np
import onnxruntime
import torch
from augment import PADDING_PX, make_paper, normalize_ink, sample_window, simulate_capture
from model import HEIGHT, WIDTH
from train import crop_patches, decode_greedy, normalize_reading

# Rows above and below a patch, and columns left and right of it, that the program may look at, as
# in src/cell.rs.
EXTRA_ROWS, EXTRA_COLUMNS = 8, 16
# Strength of the jitter of the crop, and of blur, fading and noise.
JITTER_STRENGTH, CAPTURE_STRENGTH = (
    0.1,
    0.4,
)


def crop_patch(luma):
    """Returns the patch in the middle of a cell's picture."""
    return luma[..., EXTRA_ROWS : EXTRA_ROWS + HEIGHT, EXTRA_COLUMNS : EXTRA_COLUMNS + WIDTH]


def draw_on_paper(archive):
    """Yields batches of luma of cells' pictures, which are larger than a patch on each side, and of
    normalised patches of a test file.
    """
    generator = torch.Generator().manual_seed(11)
    for start in range(0, len(archive["text"]), 200):
        ink = torch.from_numpy(archive["canvas"][start : start + 200]).float() / 255
        dark = torch.rand(len(ink), 1, 1, generator=generator) * 0.6 + 0.3
        canvas = (make_paper(len(ink), generator) * (1 - ink * dark))[:, None]
        luma = simulate_capture(
            sample_window(
                canvas,
                generator,
                JITTER_STRENGTH,
                (HEIGHT + 2 * EXTRA_ROWS, WIDTH + 2 * EXTRA_COLUMNS),
            ),
            generator,
            CAPTURE_STRENGTH,
        )
        yield luma, normalize_ink(crop_patch(luma))


def read_patches(path, batches):
    """Returns the best-path strings of a reader (reader.onnx or second_stage.onnx) for batches of
    normalised patches.
    """
    reader = onnxruntime.InferenceSession(path)
    padding = PADDING_PX[os.path.basename(path).removesuffix(".onnx")]
    readings = []
    for batch in batches:
        texts = [""] * len(batch)
        for indices, part in crop_patches(batch, padding):
            for i, patch in zip(indices, part):
                [texts[i]] = decode_greedy(
                    torch.from_numpy(reader.run(None, {"ink": patch[None].numpy()})[0])
                )
        readings += texts
    return readings


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    reader = parser.add_mutually_exclusive_group(required=True)
    reader.add_argument("--reader", help="reader.onnx or second_stage.onnx: its best path alone")
    reader.add_argument("--program", help="the example read_patches, built")
    args = parser.parse_args()
    torch.set_num_threads(1)
    print("language\tcells\tread\tcased\tcase right")
    for path in sorted(glob.glob(os.path.join(args.work, "test-*.npz"))):
        archive, readings = np.load(path), []
        if args.program:
            for luma, _ in draw_on_paper(archive):
                patches = (luma * 255).round().byte().numpy().tobytes()
                readings += (
                    subprocess.run(
                        [args.program], input=patches, stdout=subprocess.PIPE, check=True
                    )
                    .stdout.decode()
                    .splitlines()
                )
        else:
            readings = read_patches(args.reader, (ink for _, ink in draw_on_paper(archive)))
        pairs = [(str(text), reading) for text, reading in zip(archive["text"], readings)]
        right_count = sum(
            normalize_reading(text) == normalize_reading(reading) for text, reading in pairs
        )
        case_right = [
            text[0] == reading[0]
            for text, reading in pairs
            if reading and text[0].upper() in "ABCDEFGH" and text[0].upper() == reading[0].upper()
        ]
        name = os.path.basename(path)[5:-4]
        read_share = 100 * right_count / len(pairs)
        case_share = 100 * sum(case_right) / max(1, len(case_right))
        print(
            f"{name}\t{len(pairs)}\t{read_share:.1f} %\t{len(case_right)}\t{case_share:.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
