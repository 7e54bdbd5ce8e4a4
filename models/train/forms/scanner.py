"""What a flat-bed scanner does to a page: bright paper, dirt on the glass, two tones."""

import cv2
import numpy as np

# Smallest distance of a binary scan's threshold from the paper around it, in deviations of noise.
MIN_THRESHOLD_DEVIATIONS = 3.0
# Largest distance of that threshold, of 255. Beyond it, pale writing is lost.
MAX_THRESHOLD_DEPTH = 40.0
# Smallest share of a ruling that has to be black in a binary scan for it to be seen.
MIN_SEEN_SHARE = 0.15


def scan(picture, shot, noise):
    """Returns the picture (RGB, 8 bits) as a scanner saves it."""
    paper = np.percentile(picture[::8, ::8].reshape(-1, 3), 80, axis=0)
    levels = np.arange(256)[:, None] * (shot.white / np.maximum(paper, 120))
    table = np.clip(np.round(levels), 0, 255).astype(np.uint8)
    # The brightness of tinted paper is evened out, its colour half.
    if shot.scan == "colour":
        share = shot.white / max(paper.mean(), 120)
        even = np.clip(np.arange(256) * share, 0, 255)
        table = ((table + even[:, None]) / 2).astype(np.uint8)
    picture = cv2.LUT(picture, table[:, None])
    draw_dirt(picture, shot, noise)
    return to_black_and_white(picture, shot, noise) if shot.scan == "binary" else picture


def draw_dirt(picture, shot, noise):
    """Draws specks, hairs and streaks on the picture. A streak is the trace of one speck under the
    moving lamp.
    """
    height, width = picture.shape[:2]
    unit = max(height, width) / 1500
    for _ in range(shot.specks):
        place = noise.integers(0, (width, height))
        grey = int(20 + 215 * noise.random() ** 0.6)
        if noise.random() < 0.85:
            axes = noise.uniform(0.6, 2.6, 2) * unit * 16
            cv2.ellipse(
                picture,
                [int(v) * 16 for v in place],
                [max(8, int(v)) for v in axes],
                noise.uniform(0, 180),
                0,
                360,
                (grey,) * 3,
                -1,
                cv2.LINE_AA,
                4,
            )
        else:
            steps = noise.normal(0, 5 * unit, (6, 2)).cumsum(0) + place
            points = np.round(steps * 16).astype(np.int32)
            cv2.polylines(picture, [points], False, (grey,) * 3, 1, cv2.LINE_AA, 4)
    for _ in range(shot.streaks):
        x, breadth = int(noise.integers(width)), int(noise.integers(1, 3))
        change = noise.uniform(-14, 6)
        view = picture[:, x : x + breadth]
        np.copyto(view, np.clip(view + change, 0, 255).astype(np.uint8))


def to_black_and_white(picture, shot, noise):
    """Returns the picture in black and white, by a threshold below the brightness around."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    side = max(grey.shape) // 60 * 2 + 1
    around = cv2.blur(grey, (side, side)).astype(np.float32)
    # Beside large dark parts the mean says nothing about paper.
    around = np.maximum(around, shot.white * 0.8)
    depth = max(
        min(shot.threshold * shot.contrast_of_rulings, MAX_THRESHOLD_DEPTH),
        MIN_THRESHOLD_DEVIATIONS * shot.noise,
        5.0,
    )
    black = grey < np.minimum(around, 255) - depth
    if shot.specks > 12:
        black |= noise.random(black.shape, np.float32) < 2e-4
    return cv2.merge([np.where(black, 0, 255).astype(np.uint8)] * 3)


def spread_black(picture):
    """Returns where there is black within two pixels."""
    return cv2.erode(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.ones((5, 5), np.uint8)) < 160


def is_left(black, points):
    """Whether a ruling can be seen in a binary scan, from what `spread_black` says of it."""
    height, width = black.shape
    count = max(2, int(np.ptp(points, axis=0).max() / 3))
    place = np.linspace(0, len(points) - 1, count)
    x, y = (np.interp(place, np.arange(len(points)), points[:, axis]) for axis in (0, 1))
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    x, y = x[inside].astype(int), y[inside].astype(int)
    return len(x) > 0 and black[y, x].mean() >= MIN_SEEN_SHARE
