"""Simulates what happens to writing between the pen and the reader, as tensor operations that run
where the network runs.

The steps are jitter of the crop, a smooth warp, pens and pencils, light, noise, photographs from
far away, and JPEG compression. The module also makes paper.
"""

import math
import random

import torch
import torch.nn.functional as F
from crops import CANVAS_H, CANVAS_W, MARGIN_X, MARGIN_Y
from model import HEIGHT, WIDTH, WIDTHS

# Margins of a patch [48, 192] around the cell in pixels, as in src/cell.rs.
PATCH_MARGIN_X, PATCH_MARGIN_Y = 4, 7
# Pixels of paper that each model is shown on either side of the writing, as in
# src/reader/network.rs.
PADDING_PX = {
    "reader": 16,
    "second_stage": 24,
}
# A pixel is ink where it is darker than the mean of its row within SHADE_RADIUS_PX by more than
# clamp(INK_THRESHOLD_SHARE * d, MIN_INK_THRESHOLD, MAX_INK_THRESHOLD), where d is the difference
# that one pixel in DARKEST_FRACTION exceeds. A column is written where at least MIN_INK_ROWS rows
# have ink. src/reader/preprocess.rs uses the same numbers.
SHADE_RADIUS_PX = 15
INK_THRESHOLD_SHARE = 0.4
MIN_INK_THRESHOLD, MAX_INK_THRESHOLD = 0.1, 0.2
DARKEST_FRACTION = 66
MIN_INK_ROWS = 3


def random_sources(seed):
    """Returns a tensor generator on the default device and a generator of plain numbers, both
    seeded.
    """
    return torch.Generator(torch.get_default_device()).manual_seed(seed), random.Random(seed)


def normalize_ink(luma):
    """Returns ink from luma [N, 1, 48, 192] in 0 to 1: paper becomes 0 and the darkest ink 1.

    `normalize_ink` of src/reader/preprocess.rs does the same.
    """
    inner = luma[
        :,
        0,
        PATCH_MARGIN_Y + 3 : HEIGHT - PATCH_MARGIN_Y - 3,
        PATCH_MARGIN_X + 4 : WIDTH - PATCH_MARGIN_X - 4,
    ].flatten(1)
    order = inner[:, ::3].sort(1).values
    count = order.shape[1]
    paper, dark = order[:, count * 3 // 4], order[:, count // 200]
    span = (paper - dark).clamp(min=32 / 255)
    return ((paper[:, None, None, None] - luma) / span[:, None, None, None]).clamp(-0.25, 1.25)


def crop_to_ink(ink, padding, parts=None):
    """Crops normalised patches to their writing and `padding` pixels on either side.

    Yields groups as (indices, patches), one for each width of WIDTHS, or `parts` equal groups that
    are each as wide as their widest patch. `crop_to_ink` of src/reader/preprocess.rs does the same.
    """
    smoothed = F.avg_pool2d(ink, 3, 1, 1)[:, 0, PATCH_MARGIN_Y + 3 : HEIGHT - PATCH_MARGIN_Y - 3]
    shade = F.avg_pool2d(smoothed[:, None], (1, 2 * SHADE_RADIUS_PX + 1), 1, (0, SHADE_RADIUS_PX))[
        :, 0
    ]
    margin = PATCH_MARGIN_X + 4
    darker = (smoothed - shade)[:, :, margin : WIDTH - margin]
    ascending = darker.flatten(1)[:, ::3].sort(1).values
    count = ascending.shape[1]
    threshold = (INK_THRESHOLD_SHARE * ascending[:, count - count // DARKEST_FRACTION]).clamp(
        MIN_INK_THRESHOLD, MAX_INK_THRESHOLD
    )
    ink_columns = (
        F.pad((darker > threshold[:, None, None]).sum(1), (margin, margin)) >= MIN_INK_ROWS
    )
    has_ink, widths = ink_columns.any(1), torch.tensor(WIDTHS)
    left = torch.where(has_ink, ink_columns.int().argmax(1), WIDTH // 2)
    end = torch.where(has_ink, WIDTH - ink_columns.flip(1).int().argmax(1), WIDTH // 2)
    width = widths[torch.bucketize(end - left + 2 * padding, widths).clamp(max=len(widths) - 1)]
    for indices in (
        width.argsort().chunk(parts)
        if parts
        else [(width == shown_width).nonzero().flatten() for shown_width in WIDTHS]
    ):
        if len(indices):
            shown_width = int(width[indices].max())
            start = ((left + end)[indices] - shown_width).clamp(min=0) // 2
            start = start.clamp(max=WIDTH - shown_width) // 4 * 4
            indices = indices.tolist()
            yield (
                indices,
                torch.stack(
                    [ink[i, :, :, x : x + shown_width] for i, x in zip(indices, start.tolist())]
                ),
            )


def sample_window(canvas, generator, strength, size=(HEIGHT, WIDTH)):
    """Samples the patch from the wider canvas with jitter in place, scale, slant and rotation, and
    with a smooth warp.
    """
    count = len(canvas)

    def uniform(low, high):
        return torch.rand(count, generator=generator) * (high - low) + low

    scale = strength
    scale_x, scale_y = (
        torch.exp(uniform(-0.32, 0.25) * scale),
        torch.exp(uniform(-0.24, 0.18) * scale),
    )
    shear, angle = uniform(-0.45, 0.45) * scale, uniform(-0.06, 0.06) * scale
    shift_x, shift_y = uniform(-6, 6) * scale, uniform(-4, 4) * scale
    # These are canvas pixels about the centre for patch pixels about the centre. The canvas has the
    # scale of the patch.
    ys, xs = torch.meshgrid(
        torch.arange(size[0]) + 0.5 - size[0] / 2,
        torch.arange(size[1]) + 0.5 - size[1] / 2,
        indexing="ij",
    )
    x = xs[None] * scale_x[:, None, None] + ys[None] * shear[:, None, None] + shift_x[:, None, None]
    y = (
        ys[None] * scale_y[:, None, None]
        + xs[None] * angle[:, None, None] * 0.6
        + shift_y[:, None, None]
    )
    if scale > 0:
        bend = (
            torch.randn(count, 2, 4, 12, generator=generator)
            * uniform(0.6, 2.0)[:, None, None, None]
            * scale
        )
        bend = F.interpolate(bend, size=size, mode="bicubic", align_corners=False)
        x, y = x + bend[:, 0], y + bend[:, 1]
    grid = torch.stack([x / (CANVAS_W / 2), y / (CANVAS_H / 2)], -1)
    return F.grid_sample(canvas, grid, padding_mode="border", align_corners=False)


def write_beside(canvas, asides, generator):
    """Writes an aside, such as a clock time, beside the writing of each canvas [N, CANVAS_H,
    CANVAS_W]. The writing is narrowed to make room.

    `asides` is ink of the same shape, 0 to 1, which begins at the left side of the cell. It is
    written before three quarters of the writings and behind the others, about as dark as they are.
    """
    count, cell_width = len(canvas), CANVAS_W - 2 * MARGIN_X

    def uniform(low, high):
        return torch.rand(count, generator=generator) * (high - low) + low

    aside_width = CANVAS_W - MARGIN_X - asides.flip(2).any(1).int().argmax(1)
    aside_scale = uniform(0.55, 1.0).minimum(0.5 * cell_width / aside_width.clamp(min=1))
    room = aside_width * aside_scale + uniform(-4, 16)
    scale = (1 - room / cell_width).clamp(0.45, 0.97)
    is_before = torch.rand(count, generator=generator) < 0.75

    def resample(source, x, padding_mode):
        y = torch.linspace(-1, 1, CANVAS_H)[None, :, None].expand(count, -1, CANVAS_W)
        x = (x * (2 / (CANVAS_W - 1)) - 1)[:, None].expand(-1, CANVAS_H, -1)
        grid = torch.stack([x, y], -1)
        return F.grid_sample(source[:, None], grid, padding_mode=padding_mode, align_corners=True)[
            :, 0
        ]

    x = torch.arange(CANVAS_W)[None] + 0.0
    right = CANVAS_W - MARGIN_X
    fixed = torch.where(is_before, right, MARGIN_X)[:, None]
    aside_left = torch.where(is_before, MARGIN_X, right - aside_width * aside_scale)[:, None]
    written = resample(canvas, fixed + (x - fixed) / scale[:, None], "border")
    ink = resample(asides, MARGIN_X + (x - aside_left) / aside_scale[:, None], "zeros")
    luma = canvas.flatten(1)[:, ::7].sort(1).values
    darkness = 1 - luma[:, luma.shape[1] // 200] / luma[:, luma.shape[1] * 3 // 4].clamp(min=0.05)
    return written * (1 - ink * (darkness * uniform(0.7, 1.2)).clamp(0.1, 0.9)[:, None, None])


def filter_3x3(luma, reduce):
    """Applies `reduce` (torch.minimum or torch.maximum) over the 3 x 3 pixels around each pixel. On
    a CPU this takes a third of the time of max_pool2d.
    """
    result = F.pad(luma, (1, 1, 1, 1), mode="replicate")
    for axis in (2, 3):
        before, middle, after = (result.narrow(axis, k, luma.shape[axis]) for k in range(3))
        result = reduce(reduce(before, middle), after)
    return result


def simulate_capture(luma, generator, strength):
    """Changes stroke width, blur, shade, noise and contrast of luma as pens, paper, cameras and
    scanners do.
    """
    count = len(luma)

    def uniform(low, high):
        return (torch.rand(count, generator=generator) * (high - low) + low)[:, None, None, None]

    dilated, eroded = filter_3x3(luma, torch.minimum), filter_3x3(luma, torch.maximum)
    width_change = uniform(-0.45, 0.65) * strength * (uniform(0, 1) < 0.6)
    luma = (
        luma
        + width_change.clamp(min=0) * (dilated - luma)
        + (-width_change).clamp(min=0) * (eroded - luma)
    )
    # Eight percent of the pictures are written with a felt pen.
    felt_strength, is_felt_pen = uniform(0, 0.9) * strength, uniform(0, 1) < 0.08
    luma = torch.where(
        is_felt_pen, luma + felt_strength * (filter_3x3(luma, torch.minimum) - luma), luma
    )
    blurred = F.avg_pool2d(
        F.avg_pool2d(luma, 3, 1, 1, count_include_pad=False), 3, 1, 1, count_include_pad=False
    )
    luma = luma + uniform(0, 0.8) * strength * (uniform(0, 1) < 0.5) * (blurred - luma)
    height, width = luma.shape[2:]
    across = torch.linspace(-1, 1, width)[None, None, None]
    down = torch.linspace(-1, 1, height)[None, None, :, None]
    ramp = across * uniform(-0.12, 0.12) + down * uniform(-0.08, 0.08)
    # With pencil and carbon the ink is hardly darker than the paper, and the noise of both stays.
    paper = luma[:, :, ::3, ::3].flatten(1).median(1).values[:, None, None, None]
    luma = paper + (luma - paper) * (1 - uniform(0, 0.75) * strength * (uniform(0, 1) < 0.3))
    # A carbon copy takes the pen in some places and misses it in others.
    pressure = F.interpolate(
        torch.randn(count, 1, HEIGHT // 6, WIDTH // 8, generator=generator),
        size=luma.shape[2:],
        mode="bilinear",
        align_corners=False,
    )
    luma = paper + (luma - paper) * (
        1
        - strength
        * (uniform(0, 1) < 0.2)
        * torch.sigmoid((pressure - uniform(0, 1.2)) * 5)
        * uniform(0.3, 0.9)
    )
    # Something may cover a part of the cell, or the pen may give no ink there.
    centre, half_width = uniform(0, width), uniform(2, 7)
    covered = ((torch.arange(width)[None, None, None] - centre).abs() < half_width) & (
        uniform(0, 1) < 0.2 * strength
    )
    luma = torch.where(covered, paper, luma)
    # The scanner may be set to black and white, or the page may be a photocopy.
    thresholded = torch.sigmoid((luma - paper + uniform(0.08, 0.35)) * uniform(8, 40))
    luma = torch.where(uniform(0, 1) < 0.15 * strength, thresholded, luma)
    noise = torch.randn(luma.shape, generator=generator) * uniform(0, 0.035) * (uniform(0, 1) < 0.6)
    cloud = F.interpolate(
        torch.randn(count, 1, HEIGHT // 4, WIDTH // 4, generator=generator),
        size=luma.shape[2:],
        mode="bilinear",
        align_corners=False,
    )
    noise = noise + cloud * uniform(0, 0.02) * (uniform(0, 1) < 0.4)
    return (luma * (1 + ramp * strength) + noise * strength).clamp(0, 1)


# The luminance quantisation table of the JPEG standard (ITU-T T.81, table K.1).
JPEG_QUANTIZATION = (
    torch.tensor(
        [
            16,
            11,
            10,
            16,
            24,
            40,
            51,
            61,
            12,
            12,
            14,
            19,
            26,
            58,
            60,
            55,
            14,
            13,
            16,
            24,
            40,
            57,
            69,
            56,
            14,
            17,
            22,
            29,
            51,
            87,
            80,
            62,
            18,
            22,
            37,
            56,
            68,
            109,
            103,
            77,
            24,
            35,
            55,
            64,
            81,
            104,
            113,
            92,
            49,
            64,
            78,
            87,
            103,
            121,
            120,
            101,
            72,
            92,
            95,
            98,
            112,
            100,
            103,
            99,
        ]
    ).view(8, 8)
    / 255
)
DCT_MATRIX = (
    torch.cos(math.pi / 8 * torch.arange(8)[:, None] * (torch.arange(8)[None] + 0.5))
    * torch.tensor([0.125**0.5] + [0.5] * 7)[:, None]
)


def compress_jpeg(luma, quality):
    """Returns luma as a JPEG of the given qualities (10 to 95, one a picture) reproduces it."""
    count, _, height, width = luma.shape
    padded = F.pad(luma, (0, -width % 8, 0, -height % 8), mode="replicate")
    blocks = padded.unfold(2, 8, 8).unfold(3, 8, 8)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)
    quanta, cosines = JPEG_QUANTIZATION.to(luma.device), DCT_MATRIX.to(luma.device)
    step = (quanta * scale[:, None, None]).clamp(min=1 / 255)[:, None, None, None]
    waves = torch.round(cosines @ (blocks - 0.5) @ cosines.T / step) * step
    decoded = cosines.T @ waves @ cosines + 0.5
    return decoded.transpose(3, 4).reshape(padded.shape)[:, :, :height, :width].clamp(0, 1)


def simulate_distance(luma, generator, dice):
    """Simulates a photograph from far away: rows of 13 to 34 pixels where the cell has 34,
    compressed at that size and enlarged again.
    """
    # These numbers hold for all pictures of the call, since a number taken from a GPU would have to
    # be waited for.
    uniform = dice.uniform
    log_factor = uniform(0.0, 0.9)
    size = [
        round(side / math.exp(max(0.0, log_factor + uniform(-0.4, 0.4)))) for side in luma.shape[2:]
    ]
    reduced = F.interpolate(luma, size=size, mode="bilinear", antialias=True, align_corners=False)
    if uniform(0, 1) < 0.3:
        blurred = F.avg_pool2d(reduced, 3, 1, 1, count_include_pad=False)
        # The picture is out of focus, or the telephone has sharpened it.
        reduced = reduced + uniform(-0.6, 0.7) * (blurred - reduced)
    reduced = reduced + torch.randn(reduced.shape, generator=generator) * uniform(0, 0.03)
    if uniform(0, 1) < 0.8:
        top, left = int(uniform(0, 8)), int(uniform(0, 8))
        quality = torch.rand(len(reduced), generator=generator) * 60 + 35
        reduced = compress_jpeg(F.pad(reduced, (left, 0, top, 0), mode="replicate"), quality)[
            :, :, top:, left:
        ]
    return F.interpolate(reduced, size=luma.shape[2:], mode="bilinear", align_corners=False)


def simulate_distance_for_share(luma, generator, dice, share):
    """Applies `simulate_distance` to a share of the pictures, a few at each size, in at most a
    dozen sizes.
    """
    chosen = torch.randperm(len(luma), generator=generator)[: round(share * len(luma))]
    for part in chosen.split(max(4, len(luma) // 24)):
        luma[part] = simulate_distance(luma[part], generator, dice)
    return luma


def make_paper(count, generator):
    """Makes plain or shaded paper with rulings near the edges of the cell and room for printed
    digits at one side.
    """

    def uniform(low, high, *shape):
        return torch.rand(count, *shape, generator=generator) * (high - low) + low

    base = uniform(0.55, 1.0)[:, None, None].expand(count, CANVAS_H, CANVAS_W).clone()
    ys, xs = torch.arange(CANVAS_H)[None, :, None], torch.arange(CANVAS_W)[None, None, :]
    for edge in (MARGIN_Y, CANVAS_H - MARGIN_Y):
        position = (
            edge
            + uniform(-2.5, 2.5)[:, None, None]
            + uniform(-0.012, 0.012)[:, None, None] * (xs - CANVAS_W / 2)
        )
        darkness = (uniform(0, 0.8) * (uniform(0, 1) < 0.9))[:, None, None]
        base = base * (
            1
            - darkness
            * (1.0 + uniform(-0.3, 0.8)[:, None, None] - (ys - position).abs()).clamp(0, 1)
        )
    for edge in (MARGIN_X, CANVAS_W - MARGIN_X):
        position = edge + uniform(-5, 5)[:, None, None]
        darkness = (uniform(0, 0.8) * (uniform(0, 1) < 0.8))[:, None, None]
        base = base * (
            1
            - darkness
            * (1.0 + uniform(-0.3, 0.8)[:, None, None] - (xs - position).abs()).clamp(0, 1)
        )
    band = (
        (xs < MARGIN_X + uniform(-8, 4)[:, None, None]) & (uniform(0, 1) < 0.3)[:, None, None]
    ).float()
    return base * (1 - band * uniform(0, 0.3)[:, None, None])
