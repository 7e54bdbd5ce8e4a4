"""The photograph: curl, perspective, a desk, light and shadow, a lens and a sensor."""

import dataclasses

import cv2
import numpy as np


@dataclasses.dataclass(frozen=True)
class Shot:
    """How a photograph was taken."""

    height: int = 1900
    corners: tuple = (
        (0.05, 0.04),
        (0.95, 0.05),
        (0.97, 0.97),
        (0.03, 0.96),
    )  # of the sheet, in shares of the picture
    curl: float = 0.0  # sag of the paper's middle, in shares of its height
    desk: tuple = (96, 72, 52)
    light: tuple = (1.0, 0.8, 0.95, 0.75)  # brightness at the corners, clockwise from top left
    tint: tuple = (1.0, 0.98, 0.94)
    shadow: tuple = ()  # corners of what throws a shadow, in shares of the picture
    deep: float = 0.3  # how dark that shadow is
    blur: float = 0.8
    noise: float = 2.5
    quality: int = 85


def take(sheet, shot, rng):
    """The picture (RGB) and the function that carries points of the sheet into it."""
    h, w = sheet.shape[:2]
    corners = np.array(shot.corners, np.float32)
    span = np.linalg.norm(corners[3] - corners[0])
    width = round(shot.height * span * w / h / np.linalg.norm(corners[1] - corners[0]))
    target = corners * (width, shot.height)
    source = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))

    def carry(points):
        points = np.array(points, np.float32)
        points[:, 1] += sag(points[:, 0] / w, shot) * h
        return cv2.perspectiveTransform(points[None], matrix)[0]

    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    paper = np.clip(sheet * texture((h, w), rng)[..., None], 0, 255).astype(np.float32)
    bent = cv2.remap(
        paper,
        x,
        y - (sag(x / w, shot) * h).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    # The photograph has fewer pixels than the drawing: what a lens would average must be averaged here.
    bent = cv2.GaussianBlur(bent, (0, 0), 0.45 * h / (shot.height * span))
    size = (width, shot.height)
    on_desk = cv2.warpPerspective(bent, matrix, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), matrix, size)[..., None]
    under = cv2.GaussianBlur(mask, (0, 0), shot.height / 150)[..., None] * 0.5
    picture = on_desk * mask + desk(size, shot, rng) * (1 - under) * (1 - mask)
    picture *= lighting(size, shot)[..., None] * np.array(shot.tint, np.float32)
    picture = cv2.GaussianBlur(picture, (0, 0), shot.blur)
    picture += rng.normal(0, shot.noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8), carry


def sag(x, shot):
    return shot.curl * np.sin(np.pi * x)


def texture(shape, rng):
    """Fibres and clouds of paper, around 1."""
    h, w = shape
    fine = cv2.GaussianBlur(rng.normal(0, 1, shape).astype(np.float32), (0, 0), 1.5)
    clouds = cv2.resize(
        rng.normal(0, 1, (12, 9)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
    )
    return 1 + 0.012 * fine / fine.std() + 0.008 * clouds


def desk(size, shot, rng):
    """A table top with a grain along the picture."""
    w, h = size
    grain = rng.normal(0, 1, (h, 6)).astype(np.float32)
    grain = cv2.GaussianBlur(cv2.resize(grain, (w, h), interpolation=cv2.INTER_CUBIC), (0, 0), 3)
    fine = cv2.GaussianBlur(rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), 1)
    tone = 1 + 0.10 * grain / grain.std() + 0.04 * fine / fine.std()
    return np.array(shot.desk, np.float32) * tone[..., None]


def lighting(size, shot):
    """Brightness over the picture: a window on one side, and something that stands in its way."""
    w, h = size
    a, b, c, d = shot.light
    light = cv2.resize(
        np.array([[a, b], [d, c]], np.float32), (w, h), interpolation=cv2.INTER_LINEAR
    )
    if shot.shadow:
        shade = np.zeros((h, w), np.float32)
        cv2.fillPoly(shade, [np.round(np.array(shot.shadow) * (w, h)).astype(np.int32)], 1.0)
        light *= 1 - shot.deep * cv2.GaussianBlur(shade, (0, 0), h / 40)
    return light
