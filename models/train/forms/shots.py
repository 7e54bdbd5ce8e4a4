"""Describes how a picture of a form is taken: the parameters of camera or scanner."""

import dataclasses

from picking import pick_one


@dataclasses.dataclass
class Shot:
    """How a picture was taken."""

    # Megapixels of the picture.
    pixels: float
    # Source: "photo" or "scan".
    source: str
    # What the frame shows: "desk", "page" or "table"; "bed" for a scanner's bed that the page does
    # not fill.
    framing: str
    # Rotation by quarter turns, clockwise, in degrees.
    turn: int
    rotation: float  # degrees
    # Tilt of the camera in degrees.
    tilt: float
    # Rise of the paper as a share of the page's height.
    curl: float
    # Background: "wood", "cloth", "plain", "board" or "dark".
    desk: str
    # Brightness of the darkest corner divided by that of the brightest one.
    light: float
    # Depth of the shadow; 0 for none.
    shadow: float
    contrast: float
    blur: float  # pixels
    motion: float  # pixels
    noise: float
    grey: bool
    # How a scanner saves: "colour", "grey", or "binary" for black and white alone; "none" on
    # photographs.
    scan: str
    # Luma of the paper on a scan after the scanner has evened it out; at most 255 is visible.
    white: float
    # Brightness of the scanner's lid, and darkness of the paper's edge against it.
    lid: int
    edge: float
    # Numbers of specks and of streaks of dirt on the scanner's glass.
    specks: int
    streaks: int
    # Threshold of a binary scan as a share of the contrast of the form's rulings. Above 0.8 they
    # begin to break.
    threshold: float
    fold: bool
    # Whether the print of the back shows through.
    through: bool
    # Whether fingers hold the page at its edge.
    fingers: bool
    quality: int
    # Quality with which the picture was saved before, or 0.
    first_quality: int
    # How much darker than paper the form's rulings are, of 255; the sheet sets it.
    contrast_of_rulings: float = 60.0


# Share of scans among the shots of single pages.
SCAN_SHARE = 0.28


def draw_shot(rng, spread=False):
    """Draws all parameters of a shot."""
    scan_share = SCAN_SHARE if not spread else SCAN_SHARE / 4
    return draw_scan(rng) if rng.random() < scan_share else draw_photo(rng, spread)


def draw_pixels(rng):
    return rng.choices(
        (rng.uniform(0.8, 1.5), rng.uniform(1.5, 3), rng.uniform(3, 4.5), rng.uniform(8, 12)),
        (20, 57, 21, 2),
    )[0]


def draw_first_quality(rng):
    return rng.randint(25, 95) if rng.random() < 0.3 else 0


def draw_photo(rng, spread):
    """Draws all parameters of a photograph."""
    curl = (
        0.0
        if rng.random() < 0.45
        else rng.choice(
            (rng.uniform(0.002, 0.01), rng.uniform(0.002, 0.012), rng.uniform(0.01, 0.03))
        )
    )
    return Shot(
        pixels=draw_pixels(rng),
        source="photo",
        framing=pick_one(rng, desk=58, page=22, table=20),
        turn=rng.choices((0, 90, 180, 270), (89, 4, 4, 3))[0],
        rotation=rng.gauss(0, 2.2) if rng.random() < 0.85 else rng.uniform(-15, 15),
        tilt=rng.choices(
            (rng.uniform(0, 8), rng.uniform(8, 22), rng.uniform(22, 42)), (50, 36, 14)
        )[0],
        curl=max(curl, 0.012 if spread else 0),
        desk=pick_one(rng, wood=34, cloth=18, plain=22, board=10, dark=16),
        light=rng.uniform(0.45, 1),
        shadow=0.0 if rng.random() < 0.62 else rng.uniform(0.1, 0.5),
        contrast=rng.uniform(0.75, 1.0) if rng.random() < 0.85 else rng.uniform(0.45, 0.75),
        blur=rng.choice((rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9), rng.uniform(0.8, 1.6))),
        motion=0.0 if rng.random() < 0.9 else rng.uniform(1.5, 4),
        noise=rng.choice((rng.uniform(0.8, 3), rng.uniform(2, 7))),
        grey=rng.random() < 0.07,
        scan="none",
        white=0.0,
        lid=0,
        edge=0.0,
        specks=0,
        streaks=0,
        threshold=0.0,
        fold=rng.random() < 0.14,
        through=rng.random() < 0.1,
        fingers=rng.random() < 0.07,
        quality=rng.randint(25, 95),
        first_quality=draw_first_quality(rng),
    )


def draw_scan(rng):
    """Draws all parameters of a flat-bed scan."""
    scan = rng.choices(("colour", "grey", "binary"), (55, 25, 20))[0]
    return Shot(
        pixels=draw_pixels(rng),
        source="scan",
        framing=rng.choices(("page", "bed"), (60, 40))[0],
        turn=rng.choices((0, 90, 180, 270), (91, 3, 3, 3))[0],
        rotation=rng.choice((0.0, rng.gauss(0, 0.5), rng.gauss(0, 1.5))),
        tilt=0.0,
        curl=0.0,
        desk="plain",
        light=rng.uniform(0.97, 1),
        shadow=0.0,
        contrast=1.0,
        blur=rng.uniform(0.3, 0.7),
        motion=0.0,
        noise=rng.uniform(0.0, 2),
        grey=scan != "colour",
        scan=scan,
        white=rng.choice((rng.uniform(250, 254), rng.uniform(254, 266), rng.uniform(235, 250))),
        lid=rng.choice((255, 255, 252, 245, 225, 30)),
        edge=rng.choice((0.0, rng.uniform(0.03, 0.3), rng.uniform(0.2, 0.8))),
        specks=rng.choice((0, rng.randint(2, 12), rng.randint(10, 40))),
        streaks=rng.choice((0, 0, 0, 1, 2, 4)),
        threshold=rng.uniform(0.3, 0.75) if rng.random() < 0.7 else rng.uniform(0.75, 1.1),
        fold=rng.random() < 0.14,
        through=rng.random() < 0.1,
        fingers=False,
        quality=rng.randint(25, 95),
        first_quality=draw_first_quality(rng),
    )
