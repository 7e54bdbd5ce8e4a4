"""Labels the rulings of pictures with a general table network: `python ruling_teacher.py --model
cycle_center_net_v2.onnx --out DIR PICTURE...`.

The network is that of the PyPI package wired_table_rec 1.0.0 (Apache 2.0), which has learned on
tables of all kinds. For every picture DIR/NAME.png gets 1 where a ruling along rows is, 2 where one
along columns is, else 0. A picture is enlarged or reduced to a longer side of 1024 pixels for the
network, and its labels have that size.
"""

import argparse
import os

import cv2
import numpy as np
import onnxruntime

# Longer side of a picture in pixels, and the multiple of pixels that both sides must be.
LONGEST, MULTIPLE = 1024, 32
# Mean and deviation of the colours (RGB) of ImageNet, with which the network was trained.
MEAN, DEVIATION = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)


def label_rulings(session, picture):
    """Returns the labels of a picture (BGR), of the size at which the network looks at it."""
    factor = LONGEST / max(picture.shape[:2])
    interpolation = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=interpolation)
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB).astype(np.float32)
    colours = (colours - np.float32(MEAN)) / np.float32(DEVIATION)
    height, width = picture.shape[:2]
    padding = [(0, -side % MULTIPLE) for side in (height, width)]
    planes = np.pad(colours, (*padding, (0, 0))).transpose(2, 0, 1)[None]
    labels = session.run(None, {"input": planes})[0][0, 0]
    return labels[:height, :width].astype(np.uint8)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("pictures", nargs="+")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(args.model, options, ["CPUExecutionProvider"])
    for path in args.pictures:
        target = os.path.join(args.out, os.path.splitext(os.path.basename(path))[0] + ".png")
        if not os.path.exists(target):
            cv2.imwrite(target, label_rulings(session, cv2.imread(path)))


if __name__ == "__main__":
    main()
