"""Photographs a page: the paper bends, a camera looks at it askew, light falls on it, and points follow exactly.

A page point goes forward through `Bend.forward` and a homography; a pixel comes back through their exact inverses.
"""

import dataclasses
import math

import cv2
import numpy as np


@dataclasses.dataclass
class Shot:
    """How a picture was taken."""

    pixels: float  # millions
    source: str  # "photo" or "scan"
    framing: str  # "desk", "page" or "table"
    turn: int  # quarter turns, clockwise, in degrees
    rotation: float  # degrees
    tilt: float  # of the camera, degrees
    curl: float  # share of the page's height
    desk: str  # "wood", "cloth", "plain", "board" or "dark"
    light: float  # darkest over brightest
    shadow: float  # how deep, 0 for none
    contrast: float
    blur: float  # pixels
    motion: float  # pixels
    noise: float
    grey: bool
    fold: bool
    through: bool  # the back's print shows
    fingers: bool  # hold the page at its edge
    quality: int


def draw(rng, spread=False):
    """A shot with all drawn."""

    def pick(**shares):
        return rng.choices(list(shares), list(shares.values()))[0]

    pixels = rng.choices(
        (rng.uniform(0.8, 1.5), rng.uniform(1.5, 3), rng.uniform(3, 4.5), rng.uniform(8, 12)),
        (20, 57, 21, 2),
    )[0]
    scan = rng.random() < 0.16 and not spread
    rotation = rng.gauss(0, 2.2) if rng.random() < 0.85 else rng.uniform(-15, 15)
    tilt = (
        0.0
        if scan
        else rng.choices(
            (rng.uniform(0, 8), rng.uniform(8, 22), rng.uniform(22, 42)), (50, 36, 14)
        )[0]
    )
    curl = (
        0.0
        if scan or rng.random() < 0.45
        else rng.choice(
            (rng.uniform(0.002, 0.01), rng.uniform(0.002, 0.012), rng.uniform(0.01, 0.03))
        )
    )
    return Shot(
        pixels=pixels,
        source="scan" if scan else "photo",
        framing="page" if scan else pick(desk=58, page=22, table=20),
        turn=rng.choices((0, 90, 180, 270), (89, 4, 4, 3))[0],
        rotation=rotation * (0.25 if scan else 1),
        tilt=tilt,
        curl=max(curl, 0.012 if spread else 0),
        desk=pick(wood=34, cloth=18, plain=22, board=10, dark=16),
        light=rng.uniform(0.97, 1) if scan else rng.uniform(0.45, 1),
        shadow=0.0 if scan or rng.random() < 0.62 else rng.uniform(0.1, 0.5),
        contrast=rng.uniform(0.75, 1.0) if rng.random() < 0.85 else rng.uniform(0.45, 0.75),
        blur=rng.uniform(0.3, 0.8)
        if scan
        else rng.choice((rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9), rng.uniform(0.8, 1.6))),
        motion=0.0 if scan or rng.random() < 0.9 else rng.uniform(1.5, 4),
        noise=rng.uniform(0.3, 2) if scan else rng.choice((rng.uniform(0.8, 3), rng.uniform(2, 7))),
        grey=rng.random() < (0.45 if scan else 0.07),
        fold=rng.random() < 0.14,
        through=rng.random() < 0.1,
        fingers=not scan and rng.random() < 0.07,
        quality=rng.randint(40, 95),
    )


class Bend:
    """A page that does not lie flat. Unit square coordinates; both ways are exact.

    Forward: x1 = g(x), y1 = c + (y - c)(1 + b(x)) + a(x), then x2 = x1 + e(y1). The rise of a cylinder seen from above
    widens (b) and shifts (a) its columns and narrows them where it slopes (g).
    """

    def __init__(self, curl, spread, rng):
        x = np.linspace(-0.5, 1.5, 1025)
        if spread:  # Two pages that rise to both sides of the gutter.
            d = np.abs(x - 0.5)
            rise = np.sqrt(np.clip(d, 0, None)) * np.exp(-3.2 * d) * 2.4 * curl
        else:
            phase, waves = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.0)
            rise = curl * np.sin(2 * math.pi * waves * x + phase)
            if rng.random() < 0.5:  # One side is bound.
                d = x if rng.random() < 0.5 else 1 - x
                rise = curl * 2 * np.exp(-np.clip(d, -0.5, 2) * rng.uniform(2, 5))
        slope = np.gradient(rise, x)
        width = np.sqrt(np.clip(1 - np.clip(slope * 2, -0.8, 0.8) ** 2, 0.2, 1))
        along = np.concatenate([[0], np.cumsum((width[1:] + width[:-1]) / 2 * np.diff(x))])
        zero, one = np.interp(0, x, along), np.interp(1, x, along)
        self.x, self.g = x, (along - zero) / (one - zero)
        self.b, self.a = rise * rng.uniform(0.2, 1.2), rise * rng.uniform(-1.2, 1.2)
        self.c = rng.uniform(0.2, 0.8)
        self.sway, self.waves, self.phase = (
            rng.uniform(-0.25, 0.25) * curl,
            rng.uniform(0.3, 1),
            rng.uniform(0, 6),
        )
        self.slope = slope

    def e(self, y):
        return self.sway * np.sin(2 * math.pi * self.waves * y + self.phase)

    def forward(self, p):
        p = np.asarray(p, np.float64)
        x, y = p[..., 0], p[..., 1]
        x1 = np.interp(x, self.x, self.g)
        y1 = (
            self.c
            + (y - self.c) * (1 + np.interp(x, self.x, self.b))
            + np.interp(x, self.x, self.a)
        )
        return np.stack([x1 + self.e(y1), y1], -1)

    def inverse(self, x2, y1):
        """Page coordinates of bent ones; float32 arrays of one shape."""
        x = np.interp(x2 - self.e(y1), self.g, self.x)
        return x, (y1 - np.interp(x, self.x, self.a) - self.c) / (
            1 + np.interp(x, self.x, self.b)
        ) + self.c


def camera(shot, aspect, rng):
    """Homography from the unit page to the picture's plane: a pinhole that looks at the page's middle, tilted and rolled."""
    azimuth, roll, tilt = (
        rng.uniform(0, 2 * math.pi),
        math.radians(shot.rotation),
        math.radians(shot.tilt),
    )
    azimuth = rng.choice((math.pi / 2, math.pi / 2, azimuth))  # Mostly the top is farther away.
    axis = np.array([math.sin(azimuth), -math.cos(azimuth), 0]) * tilt
    turn, _ = cv2.Rodrigues(axis)
    spin = np.array(
        [[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]
    )
    r = turn @ spin
    distance = rng.uniform(1.3, 2.6)
    place = np.array(
        [[aspect, 0, -aspect / 2], [0, 1, -0.5], [0, 0, 0]]
    )  # Unit page to the plane, height 1.
    m = r @ place
    m[2] += np.array([0, 0, distance])
    return m / m[2, 2]


def carry(matrix, p):
    q = p @ matrix[:, :2].T + matrix[:, 2]
    return q[..., :2] / q[..., 2:]


def take(page, points, keep, shot, rng, spread=False, seed=0):
    """The picture (RGB) of a page and the points (n, 2; page pixels) in it; the points `keep` are in the picture whatever is cut."""
    h, w = page.shape[:2]
    bend = Bend(shot.curl, spread, rng)
    matrix = camera(shot, w / h, rng)
    unit = np.asarray(points, np.float64) / (w, h)
    border = np.linspace(0, 1, 21)
    rim = np.array([p for t in border for p in ((t, 0), (t, 1), (0, t), (1, t))])
    inner = np.concatenate([unit, np.asarray(keep, np.float64).reshape(-1, 2) / (w, h)])
    table, paper = (carry(matrix, bend.forward(p)) for p in (inner if len(inner) else rim, rim))
    (cx0, cy0), (cx1, cy1) = table.min(0), table.max(0)
    (px0, py0), (px1, py1) = paper.min(0), paper.max(0)
    span = max(px1 - px0, py1 - py0)
    if shot.framing == "desk":
        around = [rng.uniform(0.02, 0.2) * span for _ in range(4)]
        frame = [px0 - around[0], py0 - around[1], px1 + around[2], py1 + around[3]]
    else:
        # Inside the paper's own box, never nearer to the table than a little.
        low = 0.85 if shot.framing == "page" else 0.0
        share = [
            0.97 if shot.source == "scan" else rng.uniform(low, 1.0 if low else 0.35)
            for _ in range(4)
        ]
        little = 0.012 * span
        ends = ((cx0 - little, px0), (cy0 - little, py0), (cx1 + little, px1), (cy1 + little, py1))
        frame = [c + (p - c) * s for (c, p), s in zip(ends, share)]
    width, height = frame[2] - frame[0], frame[3] - frame[1]
    k = math.sqrt(shot.pixels * 1e6 / (width * height))
    size = (round(width * k), round(height * k))
    matrix = np.array([[k, 0, -frame[0] * k], [0, k, -frame[1] * k], [0, 0, 1]]) @ matrix

    back = np.linalg.inv(matrix)
    # The inverse is smooth: it is computed on every fourth pixel, exactly, and drawn out between.
    step = 4
    gx, gy = np.meshgrid(
        np.arange(0, size[0] + step, step, dtype=np.float64),
        np.arange(0, size[1] + step, step, dtype=np.float64),
    )
    q = np.stack([gx, gy, np.ones_like(gx)], -1) @ back.T
    u, v = bend.inverse(q[..., 0] / q[..., 2], q[..., 1] / q[..., 2])
    coarse = np.stack([u * w - 0.5, v * h - 0.5], -1).astype(np.float32)
    grow = np.array([[step, 0, 0], [0, step, 0]], np.float32)
    maps = cv2.warpAffine(
        coarse, grow, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    shrink = max(0.0, h / (np.ptp(paper[:, 1]) * k) - 0.6)
    soft = cv2.GaussianBlur(page, (0, 0), 0.5 * shrink) if shrink > 0.3 else page
    if shot.through:
        soft = cv2.addWeighted(soft, 1.0, cv2.GaussianBlur(soft[:, ::-1], (0, 0), 1.5), 0.1, -24)
    noise = np.random.default_rng(seed)
    soft = texture(soft, shot, noise, rng)
    picture = cv2.remap(
        soft, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    u, v = u.astype(np.float32), v.astype(np.float32)
    outside = np.maximum.reduce(
        [-u * w, (u - 1) * w, -v * h, (v - 1) * h]
    )  # In page pixels; below 0 on paper.
    outside = cv2.warpAffine(
        outside, grow, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if outside.max() > 0:
        on = np.clip(0.5 - outside / 2, 0, 1)[..., None]
        under = (
            (1 - 0.5 * np.exp(-np.clip(outside, 0, None) / (0.012 * h)))[..., None]
            if shot.source == "photo"
            else 1.0
        )
        picture = picture * on + desk(size, shot, noise, rng) * under * (1 - on)
    else:
        picture = picture.astype(np.float32)
    if shot.fingers:
        fingers(picture, rng)
    picture *= lighting(size, shot, rng, bend, u, spread)[..., None]
    if shot.source == "photo":
        picture *= np.array(
            [rng.uniform(0.95, 1), rng.uniform(0.94, 0.99), rng.uniform(0.82, 1.0)], np.float32
        )
    picture = 128 * (1 - shot.contrast) * 1.1 + picture * shot.contrast
    picture = lens(picture, shot, noise)
    at = carry(matrix, bend.forward(unit)) if len(unit) else np.zeros((0, 2))
    turns = shot.turn // 90
    for _ in range(turns):  # Clockwise.
        at = np.stack([picture.shape[0] - 1 - at[:, 1], at[:, 0]], -1)
        picture = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
    return picture, at


def texture(page, shot, noise, rng):
    """Paper's clouds and folds."""
    h, w = page.shape[:2]
    cloud = cv2.resize(
        noise.normal(1, 0.01, (14, 10)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
    )
    if shot.fold:
        across = (
            np.arange(h, dtype=np.float32)[:, None] / h,
            np.arange(w, dtype=np.float32)[None] / w,
        )
        for d in rng.choice((across, across[:1], across[1:])):
            at = rng.choice((0.5, 0.5, 0.33, rng.uniform(0.3, 0.7)))
            cloud *= (
                1
                - rng.uniform(0.02, 0.1) * (d > at)
                - rng.uniform(-0.15, 0.2) * np.exp(-(((d - at) / 0.0015) ** 2))
            )
    return cv2.multiply(page, cv2.merge([cloud] * 3), dtype=cv2.CV_8U)


def desk(size, shot, noise, rng):
    """What the sheet lies on."""
    w, h = size
    if shot.source == "scan":
        return np.full((h, w, 3), rng.choice((255, 250, 235, 30)), np.float32)
    small = (max(8, w // 2), max(8, h // 2))
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
        p = rng.uniform(3, 8)
        tone += (
            0.08
            * np.sin(2 * math.pi * (x + y * rng.uniform(-0.2, 0.2)) / p)
            * np.sin(2 * math.pi * y / p)
        )
        tone += cv2.resize(
            noise.normal(0, 0.06, (6, 6)).astype(np.float32), small, interpolation=cv2.INTER_CUBIC
        )
    elif shot.desk == "board":
        y, x = np.mgrid[0 : small[1], 0 : small[0]].astype(np.float32)
        a, p = rng.uniform(-0.5, 0.5), small[1] / rng.uniform(5, 10)
        i, j = (
            np.floor((x * math.cos(a) - y * math.sin(a)) / p),
            np.floor((x * math.sin(a) + y * math.cos(a)) / p),
        )
        tone -= 0.6 * ((i + j) % 2)
        tone = cv2.GaussianBlur(tone, (0, 0), 1)
    tone += noise.normal(0, 0.03, tone.shape).astype(np.float32)
    tone = cv2.resize(tone, (w, h), interpolation=cv2.INTER_LINEAR)
    return base * tone[..., None]


def fingers(picture, rng):
    """One to three finger tips that come in from the lower edge or the right one."""
    h, w = picture.shape[:2]
    skin, thick = (
        np.array(rng.choice(((222, 178, 150), (190, 140, 110), (120, 82, 60)))),
        min(w, h) * rng.uniform(0.05, 0.09),
    )
    mask, below, at = np.zeros((h, w), np.float32), rng.random() < 0.7, rng.uniform(0.15, 0.8)
    for i in range(rng.randint(1, 3)):
        along, deep = (at + i * 1.1 * thick / w) * w, rng.uniform(0.03, 0.1) * h
        tip = (along, h - deep) if below else (w - deep, along * h / w)
        end = (
            (tip[0] + rng.uniform(-0.1, 0.1) * w, h + thick)
            if below
            else (w + thick, tip[1] + rng.uniform(-0.1, 0.1) * h)
        )
        cv2.line(mask, tuple(map(round, tip)), tuple(map(round, end)), 1.0 - 0.12 * i, round(thick))
    mask = cv2.GaussianBlur(mask, (0, 0), max(1.0, thick / 14))[..., None]
    on = np.clip(mask * 3, 0, 1)
    picture *= 1 - on
    picture += on * skin.astype(np.float32) * (0.55 + 0.45 * mask)


def lighting(size, shot, rng, bend, u, spread):
    """Brightness: a slope, a lamp, a shadow or two, and the slope of the paper."""
    w, h = size
    s = (max(2, w // 8), max(2, h // 8))
    corners = np.array([rng.uniform(shot.light, 1) for _ in range(4)], np.float32).reshape(2, 2)
    corners *= 1 / corners.max()
    light = cv2.resize(corners, s, interpolation=cv2.INTER_LINEAR)
    light = (
        cv2.resize(np.repeat(np.repeat(corners, 2, 0), 2, 1), s, interpolation=cv2.INTER_CUBIC)
        if rng.random() < 0.5
        else light
    )
    if shot.curl:
        along = cv2.resize(u, s)
        light *= 1 - np.clip(
            np.interp(along, bend.x, bend.slope) * rng.uniform(-1.5, 1.5), -0.2, 0.35
        ).astype(np.float32)
        if spread:
            light *= 1 - 0.45 * np.exp(-np.abs(along - 0.5) / 0.02).astype(np.float32)
    if shot.shadow:
        shade = np.zeros((s[1], s[0]), np.float32)
        for _ in range(rng.choice((1, 1, 2))):
            c, n = (
                np.array(
                    [
                        rng.choice((0, 1, rng.random())) * s[0],
                        rng.choice((0, 1, rng.random())) * s[1],
                    ]
                ),
                rng.randint(3, 6),
            )
            angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
            shape = [
                c + max(s) * rng.uniform(0.25, 0.7) * np.array([math.cos(t), math.sin(t)])
                for t in angles
            ]
            cv2.fillPoly(shade, [np.array(shape).astype(np.int32)], 1.0)
        light *= 1 - shot.shadow * cv2.GaussianBlur(
            shade, (0, 0), max(s) * rng.uniform(0.004, 0.05)
        )
    return cv2.resize(light.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)


def lens(picture, shot, noise):
    """Blur, noise and eight bits."""
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if shot.motion:
        n = int(shot.motion) * 2 + 1
        kernel = np.zeros((n, n), np.float32)
        cv2.line(kernel, (0, int(noise.integers(n))), (n - 1, int(noise.integers(n))), 1.0)
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
