"""Photographs or scans a page: the paper bends, a camera looks at it askew, light falls on it, and
points follow exactly.

A page point goes forward through `PageBend.forward` and a homography; a pixel comes back through
their exact inverses.
"""

import math

import cv2
import numpy as np
import scanner


class PageBend:
    """A page that does not lie flat, in coordinates of the unit square. Both directions are exact.

    Forward: x1 = g(x), y1 = c + (y - c)(1 + b(x)) + a(x), then x2 = x1 + sway(y1). The rise of a
    cylinder seen from above widens (b) and shifts (a) its columns, and narrows them where it slopes
    (g).
    """

    def __init__(self, curl, spread, rng):
        x = np.linspace(-0.5, 1.5, 1025)
        # Two pages rise on both sides of the gutter.
        if spread:
            distance = np.abs(x - 0.5)
            rise = np.sqrt(np.clip(distance, 0, None)) * np.exp(-3.2 * distance) * 2.4 * curl
        else:
            phase, waves = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.0)
            rise = curl * np.sin(2 * math.pi * waves * x + phase)
            # Half of the single pages are bound on one side.
            if rng.random() < 0.5:
                distance = x if rng.random() < 0.5 else 1 - x
                rise = curl * 2 * np.exp(-np.clip(distance, -0.5, 2) * rng.uniform(2, 5))
        slope = np.gradient(rise, x)
        width = np.sqrt(np.clip(1 - np.clip(slope * 2, -0.8, 0.8) ** 2, 0.2, 1))
        along = np.concatenate([[0], np.cumsum((width[1:] + width[:-1]) / 2 * np.diff(x))])
        at_zero, at_one = np.interp(0, x, along), np.interp(1, x, along)
        self.x, self.g = x, (along - at_zero) / (at_one - at_zero)
        self.b, self.a = rise * rng.uniform(0.2, 1.2), rise * rng.uniform(-1.2, 1.2)
        self.c = rng.uniform(0.2, 0.8)
        self.sway, self.waves, self.phase = (
            rng.uniform(-0.25, 0.25) * curl,
            rng.uniform(0.3, 1),
            rng.uniform(0, 6),
        )
        self.slope = slope

    def sway_at(self, y):
        return self.sway * np.sin(2 * math.pi * self.waves * y + self.phase)

    def forward(self, points):
        points = np.asarray(points, np.float64)
        x, y = points[..., 0], points[..., 1]
        x1 = np.interp(x, self.x, self.g)
        y1 = (
            self.c
            + (y - self.c) * (1 + np.interp(x, self.x, self.b))
            + np.interp(x, self.x, self.a)
        )
        return np.stack([x1 + self.sway_at(y1), y1], -1)

    def inverse(self, x2, y1):
        """Returns the page coordinates of bent ones; all are float32 arrays of one shape."""
        x = np.interp(x2 - self.sway_at(y1), self.g, self.x)
        return x, (y1 - np.interp(x, self.x, self.a) - self.c) / (
            1 + np.interp(x, self.x, self.b)
        ) + self.c


def draw_camera(shot, aspect, rng):
    """Returns the homography from the unit page to the plane of the picture, for a pinhole camera
    that looks at the middle of the page, tilted and rolled.
    """
    azimuth, roll, tilt = (
        rng.uniform(0, 2 * math.pi),
        math.radians(shot.rotation),
        math.radians(shot.tilt),
    )
    # In two of three pictures the top of the page is farther away.
    azimuth = rng.choice((math.pi / 2, math.pi / 2, azimuth))
    axis = np.array([math.sin(azimuth), -math.cos(azimuth), 0]) * tilt
    turn, _ = cv2.Rodrigues(axis)
    spin = np.array(
        [[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]
    )
    rotation = turn @ spin
    distance = rng.uniform(1.3, 2.6)
    # The unit page is mapped to a plane of height 1.
    page_to_plane = np.array([[aspect, 0, -aspect / 2], [0, 1, -0.5], [0, 0, 0]])
    matrix = rotation @ page_to_plane
    matrix[2] += np.array([0, 0, distance])
    return matrix / matrix[2, 2]


def project(matrix, points):
    """Applies a homography to points."""
    homogeneous = points @ matrix[:, :2].T + matrix[:, 2]
    return homogeneous[..., :2] / homogeneous[..., 2:]


def draw_frame(paper, table, shot, rng):
    """Returns the limits (x0, y0, x1, y1) of the picture, from the outlines of paper and table."""
    (cx0, cy0), (cx1, cy1) = table.min(0), table.max(0)
    (px0, py0), (px1, py1) = paper.min(0), paper.max(0)
    span = max(px1 - px0, py1 - py0)
    if shot.framing == "desk":
        around = [rng.uniform(0.02, 0.2) * span for _ in range(4)]
        return [px0 - around[0], py0 - around[1], px1 + around[2], py1 + around[3]]
    if shot.framing == "bed":
        around = [rng.uniform(0.0, 0.04) * span, rng.uniform(0.0, 0.04) * span]
        around += [rng.choice((0.02, rng.uniform(0, 0.7))) * span for _ in range(2)]
        return [px0 - around[0], py0 - around[1], px1 + around[2], py1 + around[3]]
    # The frame lies inside the bounding box of the paper and keeps a small distance from the
    # table.
    min_share = 0.85 if shot.framing == "page" else 0.0
    share = [
        0.97 if shot.source == "scan" else rng.uniform(min_share, 1.0 if min_share else 0.35)
        for _ in range(4)
    ]
    min_gap = 0.012 * span
    limits = (
        (cx0 - min_gap, px0),
        (cy0 - min_gap, py0),
        (cx1 + min_gap, px1),
        (cy1 + min_gap, py1),
    )
    return [c + (p - c) * s for (c, p), s in zip(limits, share)]


def take_picture(page, points, keep, shot, rng, spread=False, seed=0):
    """Returns the picture (RGB) of a page and the positions in it of `points` ([n, 2], page
    pixels). The points `keep` lie inside the picture whatever is cut off; they outline the table.
    """
    page_height, page_width = page.shape[:2]
    bend = PageBend(shot.curl, spread, rng)
    matrix = draw_camera(shot, page_width / page_height, rng)
    unit = np.asarray(points, np.float64) / (page_width, page_height)
    border = np.linspace(0, 1, 21)
    page_rim = np.array([p for t in border for p in ((t, 0), (t, 1), (0, t), (1, t))])
    inner = np.asarray(keep, np.float64).reshape(-1, 2) / (page_width, page_height)
    table, paper = (
        project(matrix, bend.forward(p)) for p in (inner if len(inner) else page_rim, page_rim)
    )
    frame = draw_frame(paper, table, shot, rng)
    width, height = frame[2] - frame[0], frame[3] - frame[1]
    px_per_unit = math.sqrt(shot.pixels * 1e6 / (width * height))
    size = (round(width * px_per_unit), round(height * px_per_unit))
    matrix = (
        np.array(
            [
                [px_per_unit, 0, -frame[0] * px_per_unit],
                [0, px_per_unit, -frame[1] * px_per_unit],
                [0, 0, 1],
            ]
        )
        @ matrix
    )

    shrink = max(0.0, page_height / (np.ptp(paper[:, 1]) * px_per_unit) - 0.6)
    noise = np.random.default_rng(seed)
    picture, page_x = draw_on_desk(page, bend, matrix, size, shrink, shot, noise, rng)
    if shot.fingers:
        draw_fingers(picture, rng)
    picture *= draw_lighting(size, shot, rng, bend, page_x, spread)[..., None]
    if shot.source == "photo":
        picture *= np.array(
            [rng.uniform(0.95, 1), rng.uniform(0.94, 0.99), rng.uniform(0.82, 1.0)], np.float32
        )
    if shot.contrast < 1:
        picture = 128 * (1 - shot.contrast) * 1.1 + picture * shot.contrast
    picture = apply_lens(picture, shot, noise)
    if shot.source == "scan":
        picture = scanner.scan(picture, shot, noise)
    positions = project(matrix, bend.forward(unit)) if len(unit) else np.zeros((0, 2))
    turns = shot.turn // 90
    # Each turn is a quarter clockwise.
    for _ in range(turns):
        positions = np.stack([picture.shape[0] - 1 - positions[:, 1], positions[:, 0]], -1)
        picture = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
    return picture, positions


def shrink_picture(picture, positions, longest):
    """Returns the picture and the positions in it, scaled so that no side is longer than `longest`
    pixels. None leaves them as they are.
    """
    factor = (longest or math.inf) / max(picture.shape[:2])
    if factor >= 1:
        return picture, positions
    height, width = (max(1, round(side * factor)) for side in picture.shape[:2])
    share = (width / picture.shape[1], height / picture.shape[0])
    picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return picture, (positions + 0.5) * share - 0.5


def draw_on_desk(page, bend, matrix, size, shrink, shot, noise, rng):
    """Returns the picture of the bent page on what it lies on, and the page's x of coarse pixels.

    `matrix` is the homography from the bent unit page to the picture. The page is blurred first
    where `shrink`, how many page pixels become one of the picture less 0.6, is above 0.3.
    """
    page_height, page_width = page.shape[:2]
    inverse = np.linalg.inv(matrix)
    # The inverse is smooth, so it is computed exactly on every fourth pixel and interpolated
    # between them.
    step = 4
    gx, gy = np.meshgrid(
        np.arange(0, size[0] + step, step, dtype=np.float64),
        np.arange(0, size[1] + step, step, dtype=np.float64),
    )
    homogeneous = np.stack([gx, gy, np.ones_like(gx)], -1) @ inverse.T
    u, v = bend.inverse(
        homogeneous[..., 0] / homogeneous[..., 2], homogeneous[..., 1] / homogeneous[..., 2]
    )
    coarse = np.stack([u * page_width - 0.5, v * page_height - 0.5], -1).astype(np.float32)
    enlargement = np.array([[step, 0, 0], [0, step, 0]], np.float32)
    maps = cv2.warpAffine(
        coarse, enlargement, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    blurred = cv2.GaussianBlur(page, (0, 0), 0.5 * shrink) if shrink > 0.3 else page
    if shot.through:
        blurred = cv2.addWeighted(
            blurred, 1.0, cv2.GaussianBlur(blurred[:, ::-1], (0, 0), 1.5), 0.1, -24
        )
    blurred = add_texture(blurred, shot, noise, rng)
    picture = cv2.remap(
        blurred, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    u, v = u.astype(np.float32), v.astype(np.float32)
    # Distances from the paper in page pixels, negative on the paper.
    outside = np.maximum.reduce(
        [-u * page_width, (u - 1) * page_width, -v * page_height, (v - 1) * page_height]
    )
    outside = cv2.warpAffine(
        outside, enlargement, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if outside.max() > 0:
        on_paper = np.clip(0.5 - outside / 2, 0, 1)
        away = np.clip(outside, 0, None)
        # On a scan the edge of the paper throws a thin shadow on the lid.
        contact_shadow = (
            1 - 0.5 * np.exp(-away / (0.012 * page_height))
            if shot.source == "photo"
            else 1 - shot.edge * np.exp(-away / 2)
        )
        desk = draw_desk(size, shot, noise, rng).astype(np.float32)
        desk = cv2.multiply(desk, cv2.merge([contact_shadow * (1 - on_paper)] * 3))
        picture = cv2.multiply(picture, cv2.merge([on_paper] * 3), dtype=cv2.CV_32F)
        picture = cv2.add(picture, desk)
    else:
        picture = picture.astype(np.float32)
    return picture, u


def add_texture(page, shot, noise, rng):
    """Adds the clouds and folds of paper."""
    height, width = page.shape[:2]
    cloud = cv2.resize(
        noise.normal(1, 0.01, (14, 10)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    if shot.fold:
        across = (
            np.arange(height, dtype=np.float32)[:, None] / height,
            np.arange(width, dtype=np.float32)[None] / width,
        )
        for place in rng.choice((across, across[:1], across[1:])):
            fold = rng.choice((0.5, 0.5, 0.33, rng.uniform(0.3, 0.7)))
            cloud *= (
                1
                # On a scanner both sides of a fold lie flat.
                - rng.uniform(0.02, 0.1) * (place > fold) * (shot.source == "photo")
                - rng.uniform(-0.15, 0.2) * np.exp(-(((place - fold) / 0.0015) ** 2))
            )
    return cv2.multiply(page, cv2.merge([cloud] * 3), dtype=cv2.CV_8U)


def draw_desk(size, shot, noise, rng):
    """Draws what the sheet lies on."""
    width, height = size
    if shot.source == "scan":
        return np.full((height, width, 3), shot.lid, np.float32)
    small = (max(8, width // 2), max(8, height // 2))
    tone = np.ones((small[1], small[0]), np.float32)
    colour = {
        "wood": ((130, 90, 55), (170, 130, 90), (96, 62, 40), (200, 165, 120)),
        "cloth": ((40, 72, 58), (60, 60, 90), (150, 140, 120), (110, 30, 35)),
        "plain": ((170, 170, 168), (120, 125, 130), (210, 205, 195), (225, 225, 225)),
        "board": ((190, 150, 105), (205, 200, 170)),
        "dark": ((26, 26, 28), (45, 40, 36), (20, 24, 40)),
    }[shot.desk]
    base = np.array(rng.choice(colour), np.float32)
    if shot.desk == "wood":
        grain = noise.normal(0, 1, (small[1] // 2, 5)).astype(np.float32)
        grain = cv2.GaussianBlur(
            cv2.resize(grain, small, interpolation=cv2.INTER_CUBIC), (0, 0), 1.5
        )
        if rng.random() < 0.5:
            grain = cv2.resize(grain.T, small)
        tone += 0.09 * grain / max(grain.std(), 1e-6)
        planks = rng.randint(0, 5)
        for i in range(planks):
            y = round(small[1] * (i + rng.random()) / planks)
            cv2.line(
                tone,
                (0, y),
                (small[0], y + rng.randint(-8, 8)),
                0.45,
                rng.randint(1, 3),
                cv2.LINE_AA,
            )
    elif shot.desk == "cloth":
        y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32)
        period = rng.uniform(3, 8)
        tone += (
            0.08
            * np.sin(2 * math.pi * (x + y * rng.uniform(-0.2, 0.2)) / period)
            * np.sin(2 * math.pi * y / period)
        )
        tone += cv2.resize(
            noise.normal(0, 0.06, (6, 6)).astype(np.float32), small, interpolation=cv2.INTER_CUBIC
        )
    elif shot.desk == "board":
        y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32)
        angle, period = rng.uniform(-0.5, 0.5), small[1] / rng.uniform(5, 10)
        i, j = (
            np.floor((x * math.cos(angle) - y * math.sin(angle)) / period),
            np.floor((x * math.sin(angle) + y * math.cos(angle)) / period),
        )
        tone -= 0.6 * ((i + j) % 2)
        tone = cv2.GaussianBlur(tone, (0, 0), 1)
    tone += noise.normal(0, 0.03, tone.shape).astype(np.float32)
    tone = cv2.resize(tone, (width, height), interpolation=cv2.INTER_LINEAR)
    return base * tone[..., None]


def draw_fingers(picture, rng):
    """Draws one to three finger tips that come in from the lower or the right edge."""
    height, width = picture.shape[:2]
    skin, thickness = (
        np.array(rng.choice(((222, 178, 150), (190, 140, 110), (120, 82, 60)))),
        min(width, height) * rng.uniform(0.05, 0.09),
    )
    mask, below, start = (
        np.zeros((height, width), np.float32),
        rng.random() < 0.7,
        rng.uniform(0.15, 0.8),
    )
    for i in range(rng.randint(1, 3)):
        along, depth = (
            (start + i * 1.1 * thickness / width) * width,
            rng.uniform(0.03, 0.1) * height,
        )
        tip = (along, height - depth) if below else (width - depth, along * height / width)
        end = (
            (tip[0] + rng.uniform(-0.1, 0.1) * width, height + thickness)
            if below
            else (width + thickness, tip[1] + rng.uniform(-0.1, 0.1) * height)
        )
        cv2.line(
            mask, tuple(map(round, tip)), tuple(map(round, end)), 1.0 - 0.12 * i, round(thickness)
        )
    mask = cv2.GaussianBlur(mask, (0, 0), max(1.0, thickness / 14))[..., None]
    cover = np.clip(mask * 3, 0, 1)
    picture *= 1 - cover
    picture += cover * skin.astype(np.float32) * (0.55 + 0.45 * mask)


def draw_lighting(size, shot, rng, bend, page_x, spread):
    """Returns the brightness: a gradient, a lamp, a shadow or two, and the slope of the paper."""
    width, height = size
    small = (max(2, width // 8), max(2, height // 8))
    corners = np.array([rng.uniform(shot.light, 1) for _ in range(4)], np.float32).reshape(2, 2)
    corners *= 1 / corners.max()
    light = cv2.resize(corners, small, interpolation=cv2.INTER_LINEAR)
    light = (
        cv2.resize(np.repeat(np.repeat(corners, 2, 0), 2, 1), small, interpolation=cv2.INTER_CUBIC)
        if rng.random() < 0.5
        else light
    )
    if shot.curl:
        along = cv2.resize(page_x, small)
        light *= 1 - np.clip(
            np.interp(along, bend.x, bend.slope) * rng.uniform(-1.5, 1.5), -0.2, 0.35
        ).astype(np.float32)
        if spread:
            light *= 1 - 0.45 * np.exp(-np.abs(along - 0.5) / 0.02).astype(np.float32)
    if shot.shadow:
        shade = np.zeros((small[1], small[0]), np.float32)
        for _ in range(rng.choice((1, 1, 2))):
            centre, corner_count = (
                np.array(
                    [
                        rng.choice((0, 1, rng.random())) * small[0],
                        rng.choice((0, 1, rng.random())) * small[1],
                    ]
                ),
                rng.randint(3, 6),
            )
            angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(corner_count))
            shape = [
                centre
                + max(small) * rng.uniform(0.25, 0.7) * np.array([math.cos(angle), math.sin(angle)])
                for angle in angles
            ]
            cv2.fillPoly(shade, [np.array(shape).astype(np.int32)], 1.0)
        light *= 1 - shot.shadow * cv2.GaussianBlur(
            shade, (0, 0), max(small) * rng.uniform(0.004, 0.05)
        )
    return cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)


def apply_lens(picture, shot, noise):
    """Applies blur, noise and rounding to eight bits."""
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if shot.motion:
        side = int(shot.motion) * 2 + 1
        kernel = np.zeros((side, side), np.float32)
        cv2.line(kernel, (0, int(noise.integers(side))), (side - 1, int(noise.integers(side))), 1.0)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    picture = cv2.GaussianBlur(picture, (0, 0), shot.blur)
    grain = np.empty(picture.shape[:2], np.int16)
    cv2.setRNGSeed(int(noise.integers(1 << 30)))
    cv2.randn(grain, 0, max(1.0, shot.noise))
    grain = cv2.merge([grain] * 3)
    picture = cv2.add(picture, grain, dtype=cv2.CV_8U)
    if shot.grey:
        picture = cv2.merge([cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)] * 3)
    return picture
