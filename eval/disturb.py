"""Twelve small disturbances of a picture, each with the affine map from the picture to its
disturbed copy. It needs numpy and opencv.

What is random is seeded by the name of the picture. A map is ((a, b, c), (d, e, f)): a point goes
to (a x + b y + c, d x + e y + f).
"""

import math
import random

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
# Share of each side that the margin takes or adds.
MARGIN = 0.05
# Standard deviation of the noise in levels of grey out of 255.
NOISE_LEVELS = 6.0
# Names with what they do: the function of `disturb` and its values.
DISTURBANCES = {
    "JPEG 70": ("jpeg", 70),
    "JPEG 85": ("jpeg", 85),
    "JPEG 95": ("jpeg", 95),
    "turned -3": ("turn", -3.0),
    "turned -1.2": ("turn", -1.2),
    "turned +2": ("turn", 2.0),
    "scaled 0.6": ("scale", 0.6),
    "scaled 1.3": ("scale", 1.3),
    # Gamma, then gain of the contrast around grey 128. Neither makes white of a pale ruling.
    "brighter 0.8, contrast 1.1": ("light", (0.8, 1.1)),
    "darker 1.25, contrast 0.8": ("light", (1.25, 0.8)),
    "noise": ("noise", NOISE_LEVELS),
    "margin": ("margin", MARGIN),
}


def apply_map(matrix, point):
    """Maps a point."""
    (a, b, c), (d, e, f) = matrix
    x, y = point
    return a * x + b * y + c, d * x + e * y + f


def invert_map(matrix):
    """Returns the map back."""
    (a, b, c), (d, e, f) = matrix
    determinant = a * e - b * d
    a, b, d, e = e / determinant, -b / determinant, -d / determinant, a / determinant
    return (a, b, -(a * c + b * f)), (d, e, -(d * c + e * f))


def scale_map(factor, width, height):
    """Returns the map that scales a picture, and the new size in whole pixels. The centres of
    pixels have whole coordinates.
    """
    size = round(width * factor), round(height * factor)
    x, y = size[0] / width, size[1] / height
    return ((x, 0.0, (x - 1) / 2), (0.0, y, (y - 1) / 2)), size


def turn_map(angle_deg, width, height):
    """Returns the map that turns a picture clockwise, and the size that holds all of it."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    new_width = math.ceil(round(width * abs(cos) + height * abs(sin), 6))
    new_height = math.ceil(round(width * abs(sin) + height * abs(cos), 6))
    x, y = (width - 1) / 2, (height - 1) / 2
    c = (new_width - 1) / 2 - (cos * x - sin * y)
    f = (new_height - 1) / 2 - (sin * x + cos * y)
    return ((cos, -sin, c), (sin, cos, f)), (new_width, new_height)


def margin_map(name, width, height, corners):
    """Returns the map that cuts off a margin on all sides or adds one, and the new size.

    Half of the pictures are cut. Where a corner of a cell lies in the margin, or where no cell is
    known, the margin is added.
    """
    left, top = round(MARGIN * width), round(MARGIN * height)
    inside = all(left < x < width - left and top < y < height - top for x, y in corners)
    if corners and inside and random.Random(f"margin {name}").random() < 0.5:
        left, top = -left, -top
    return ((1.0, 0.0, left), (0.0, 1.0, top)), (width + 2 * left, height + 2 * top)


def rim_colour(picture):
    """Returns the median colour of the outermost pixels, which fills what is added."""
    import numpy as np

    rim = [picture[0], picture[-1], picture[:, 0], picture[:, -1]]
    return tuple(float(v) for v in np.median(np.concatenate(rim), axis=0))


def disturb(picture, name, disturbance, corners):
    """Returns the disturbed picture, its file suffix and parameters for cv2.imwrite, and the map.

    `picture` is [H, W, 3], `name` seeds what is random, and `corners` are those of all cells that
    are found without a disturbance. Only the JPEG disturbances lose anything when they are saved.
    """
    import cv2
    import numpy as np

    kind, value = DISTURBANCES[disturbance]
    height, width = picture.shape[:2]
    matrix = IDENTITY
    if kind == "jpeg":
        return picture, ".jpg", [cv2.IMWRITE_JPEG_QUALITY, value], IDENTITY
    if kind == "scale":
        matrix, size = scale_map(value, width, height)
        method = cv2.INTER_AREA if value < 1 else cv2.INTER_CUBIC
        picture = cv2.resize(picture, size, interpolation=method)
    elif kind == "light":
        gamma, gain = value
        levels = ((np.arange(256) / 255) ** gamma * 255 - 128) * gain + 128
        picture = cv2.LUT(picture, np.round(np.clip(levels, 0, 255)).astype(np.uint8))
    elif kind == "noise":
        seed = random.Random(f"noise {name}").getrandbits(32)
        noise = np.random.default_rng(seed).standard_normal(picture.shape, np.float32)
        picture = np.clip(picture + noise * value + 0.5, 0, 255).astype(np.uint8)
    else:
        turn = kind == "turn"
        matrix, size = (
            turn_map(value, width, height) if turn else margin_map(name, width, height, corners)
        )
        method = cv2.INTER_CUBIC if turn else cv2.INTER_NEAREST
        picture = cv2.warpAffine(
            picture, np.array(matrix), size, flags=method, borderValue=rim_colour(picture)
        )
    return picture, ".png", [cv2.IMWRITE_PNG_COMPRESSION, 1], matrix
