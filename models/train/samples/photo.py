"""Photographs a sheet: curl, perspective, a desk, light and shadow, a lens and a sensor."""

import dataclasses

import cv2
import numpy as np


@dataclasses.dataclass(frozen=True)
class Shot:
    """How a photograph was taken."""

    height: int = 1900
    # Corners of the sheet as shares of the picture.
    corners: tuple = (
        (0.05, 0.04),
        (0.95, 0.05),
        (0.97, 0.97),
        (0.03, 0.96),
    )
    # Sag of the middle of the paper as a share of its height.
    curl: float = 0.0
    desk: tuple = (96, 72, 52)
    # Brightness at the corners, clockwise from the top left.
    light: tuple = (1.0, 0.8, 0.95, 0.75)
    tint: tuple = (1.0, 0.98, 0.94)
    # Corners of the object that casts a shadow, as shares of the picture.
    shadow: tuple = ()
    # Darkness of that shadow.
    deep: float = 0.3
    blur: float = 0.8
    noise: float = 2.5
    quality: int = 85


def take_picture(sheet, shot, rng):
    """Returns the picture (RGB) and the function that carries points of the sheet into it."""
    height, page_width = sheet.shape[:2]
    corners = np.array(shot.corners, np.float32)
    span = np.linalg.norm(corners[3] - corners[0])
    width = round(
        shot.height * span * page_width / height / np.linalg.norm(corners[1] - corners[0])
    )
    target = corners * (width, shot.height)
    source = np.array([(0, 0), (page_width, 0), (page_width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))

    def carry(points):
        points = np.array(points, np.float32)
        points[:, 1] += paper_sag(points[:, 0] / page_width, shot) * height
        return cv2.perspectiveTransform(points[None], matrix)[0]

    x, y = np.meshgrid(np.arange(page_width, dtype=np.float32), np.arange(height, dtype=np.float32))
    paper = np.clip(sheet * make_texture((height, page_width), rng)[..., None], 0, 255).astype(
        np.float32
    )
    bent = cv2.remap(
        paper,
        x,
        y - (paper_sag(x / page_width, shot) * height).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    # The photograph has fewer pixels than the drawing, so what a lens would average is averaged
    # here.
    bent = cv2.GaussianBlur(bent, (0, 0), 0.45 * height / (shot.height * span))
    size = (width, shot.height)
    on_desk = cv2.warpPerspective(bent, matrix, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.ones((height, page_width), np.float32), matrix, size)[..., None]
    under = cv2.GaussianBlur(mask, (0, 0), shot.height / 150)[..., None] * 0.5
    picture = on_desk * mask + make_desk(size, shot, rng) * (1 - under) * (1 - mask)
    picture *= make_lighting(size, shot)[..., None] * np.array(shot.tint, np.float32)
    picture = cv2.GaussianBlur(picture, (0, 0), shot.blur)
    picture += rng.normal(0, shot.noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8), carry


def paper_sag(x, shot):
    return shot.curl * np.sin(np.pi * x)


def make_texture(shape, rng):
    """Returns the fibres and clouds of paper, around 1."""
    height, width = shape
    fine = cv2.GaussianBlur(rng.normal(0, 1, shape).astype(np.float32), (0, 0), 1.5)
    clouds = cv2.resize(
        rng.normal(0, 1, (12, 9)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    return 1 + 0.012 * fine / fine.std() + 0.008 * clouds


def make_desk(size, shot, rng):
    """Draws a table top with a grain along the picture."""
    width, height = size
    grain = rng.normal(0, 1, (height, 6)).astype(np.float32)
    grain = cv2.GaussianBlur(
        cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC), (0, 0), 3
    )
    fine = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 1)
    tone = 1 + 0.10 * grain / grain.std() + 0.04 * fine / fine.std()
    return np.array(shot.desk, np.float32) * tone[..., None]


def make_lighting(size, shot):
    """Returns the brightness of the picture: a window on one side, and something that stands in its
    way.
    """
    width, height = size
    top_left, top_right, bottom_right, bottom_left = shot.light
    light = cv2.resize(
        np.array([[top_left, top_right], [bottom_left, bottom_right]], np.float32),
        (width, height),
        interpolation=cv2.INTER_LINEAR,
    )
    if shot.shadow:
        shade = np.zeros((height, width), np.float32)
        cv2.fillPoly(
            shade, [np.round(np.array(shot.shadow) * (width, height)).astype(np.int32)], 1.0
        )
        light *= 1 - shot.deep * cv2.GaussianBlur(shade, (0, 0), height / 40)
    return light
