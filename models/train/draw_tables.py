"""Draws what table.onnx sees on pages and the table that sheetscan finds on them:
`python draw_tables.py --model table.onnx --out PICTURE.jpg SHEETSCAN PAGE...`.

Each page makes a row of three pictures: the page; its maps, with White's cells blue, Black's green,
edges of rows and outlines of columns white, printed numbers red; the cells that the program cuts,
White's blue and Black's green. A page lies upright. The network looks at the whole page, where the
program looks closely at the table.
"""

import argparse
import os
import sys

import cv2
import numpy as np
import onnxruntime
from table_net import STRIDE
from table_windows import BLACK, COLUMN, NUMBERS, ROW, WHITE, standardize

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "eval"))
import cells  # noqa: E402

# Longer side of a page for the network, and the multiple of pixels that both sides must be.
LONGEST, MULTIPLE = 1024, 32
# Height of a drawn page, width of the margin around it, in pixels.
HEIGHT, MARGIN = 360, 5
# Colours of White and Black (BGR).
COLOURS = {"white": (200, 60, 0), "black": (0, 130, 0)}
# Channels of the network that are drawn, and the colour of each (BGR).
CHANNEL_COLOURS = {
    WHITE: (230, 80, 0),
    BLACK: (0, 160, 0),
    NUMBERS: (40, 40, 220),
    ROW: (255, 255, 255),
    COLUMN: (255, 255, 255),
}


def draw_maps(session, luma):
    """Returns a picture of the maps, of a quarter of the size at which the network looks."""
    factor = LONGEST / max(luma.shape)
    luma = cv2.resize(luma, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    height, width = luma.shape
    values = standardize(luma.astype(np.float32) / 255)
    values = np.pad(values, [(0, -side % MULTIPLE) for side in luma.shape])
    log_odds = session.run(None, {"luma": values[None, None]})[0][0]
    maps = 1 / (1 + np.exp(-log_odds))[:, : height // STRIDE, : width // STRIDE]
    picture = np.zeros((*maps.shape[1:], 3), np.float32)
    for channel, colour in CHANNEL_COLOURS.items():
        share = maps[channel][..., None]
        picture = picture * (1 - share) + np.float32(colour) * share
    return picture.astype(np.uint8)


def draw_cells(page, found):
    """Returns the page with the outlines of its cells."""
    picture = page.copy()
    thickness = max(1, round(max(page.shape[:2]) / 500))
    for cell in found:
        corners = np.round(np.array(cell.quad)).astype(np.int32)
        cv2.polylines(picture, [corners], True, COLOURS[cell.side], thickness, cv2.LINE_AA)
    return picture


def scale_to_height(picture):
    """Returns the picture in the height of all, with a white margin."""
    factor = HEIGHT / picture.shape[0]
    picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    border = [MARGIN] * 4
    return cv2.copyMakeBorder(picture, *border, cv2.BORDER_CONSTANT, value=(255, 255, 255))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default=os.path.join(HERE, "..", "table.onnx"))
    parser.add_argument("--out", required=True)
    parser.add_argument("sheetscan")
    parser.add_argument("pages", nargs="+")
    args = parser.parse_args()
    session = onnxruntime.InferenceSession(args.model, providers=["CPUExecutionProvider"])
    found = cells.find_cells(args.sheetscan, args.pages)
    rows = []
    for path in args.pages:
        page = cv2.imread(path)
        maps = draw_maps(session, cv2.cvtColor(page, cv2.COLOR_BGR2GRAY))
        pictures = (page, maps, draw_cells(page, found[path]))
        rows.append(np.hstack([scale_to_height(picture) for picture in pictures]))
    width = max(row.shape[1] for row in rows)
    rows = [np.pad(r, ((0, 0), (0, width - r.shape[1]), (0, 0)), constant_values=255) for r in rows]
    half = (len(rows) + 1) // 2
    columns = [np.vstack(rows[i : i + half]) for i in range(0, len(rows), half)]
    cv2.imwrite(args.out, np.hstack(columns), [cv2.IMWRITE_JPEG_QUALITY, 82])


if __name__ == "__main__":
    main()
