"""What happens to writing between the pen and the reader, as tensor operations, so that it runs where the network runs: jitter of the
crop, a smooth warp, pens and pencils, light, noise, photographs from far away and their compression; and made paper.
"""

import math
import random

import torch
import torch.nn.functional as F
from crops import CANVAS_H, CANVAS_W, MX, MY
from model import HEIGHT, WIDTH, WIDTHS

PATCH_MX, PATCH_MY = 4, 7  # As in src/cell.rs.
BESIDE = {
    "reader": 16,
    "careful": 24,
}  # Pixels of paper that a model is shown on either side of the writing, as in src/reader/network.rs.
SHADE, WRITING, FAINT, NOISE, DARKEST, WRITTEN = (
    15,
    0.2,
    0.4,
    0.1,
    66,
    3,
)  # What writing is, as in src/reader/shown.rs.


def chance(seed):
    """Chance for tensors, on the device where they are made by default, and for numbers."""
    return torch.Generator(torch.get_default_device()).manual_seed(seed), random.Random(seed)


def normalise(luma):
    """Ink from luma (N x 1 x 48 x 192, 0 to 1): paper 0, the darkest ink 1. The same as `ink` in src/reader/shown.rs."""
    inner = luma[
        :, 0, PATCH_MY + 3 : HEIGHT - PATCH_MY - 3, PATCH_MX + 4 : WIDTH - PATCH_MX - 4
    ].flatten(1)
    order = inner[:, ::3].sort(1).values
    n = order.shape[1]
    paper, dark = order[:, n * 3 // 4], order[:, n // 200]
    span = (paper - dark).clamp(min=32 / 255)
    return ((paper[:, None, None, None] - luma) / span[:, None, None, None]).clamp(-0.25, 1.25)


def narrowed(ink, beside, parts=None):
    """Normalised patches cut to their writing and at least so many pixels on either side, by width: which they are, and
    what is left of them. The same as `shown` in src/reader/shown.rs; with `parts`, in so many equal parts, each as wide as its widest."""
    soft = F.avg_pool2d(ink, 3, 1, 1)[:, 0, PATCH_MY + 3 : HEIGHT - PATCH_MY - 3]
    shade = F.avg_pool2d(soft[:, None], (1, 2 * SHADE + 1), 1, (0, SHADE))[:, 0]
    margin = PATCH_MX + 4
    darker = (soft - shade)[:, :, margin : WIDTH - margin]
    order = darker.flatten(1)[:, ::3].sort(1).values
    n = order.shape[1]
    least = (FAINT * order[:, n - n // DARKEST]).clamp(NOISE, WRITING)
    dark = F.pad((darker > least[:, None, None]).sum(1), (margin, margin)) >= WRITTEN
    some, widths = dark.any(1), torch.tensor(WIDTHS)
    left = torch.where(some, dark.int().argmax(1), WIDTH // 2)
    end = torch.where(some, WIDTH - dark.flip(1).int().argmax(1), WIDTH // 2)
    width = widths[torch.bucketize(end - left + 2 * beside, widths).clamp(max=len(widths) - 1)]
    for which in (
        width.argsort().chunk(parts)
        if parts
        else [(width == w).nonzero().flatten() for w in WIDTHS]
    ):
        if len(which):
            w = int(width[which].max())
            start = ((left + end)[which] - w).clamp(min=0) // 2
            start = start.clamp(max=WIDTH - w) // 4 * 4
            which = which.tolist()
            yield (
                which,
                torch.stack([ink[i, :, :, x : x + w] for i, x in zip(which, start.tolist())]),
            )


def window(canvas, generator, strength, size=(HEIGHT, WIDTH)):
    """Samples the patch from the wider canvas with jitter in place, scale, slant, rotation and a smooth warp."""
    n = len(canvas)

    def u(low, high):
        return torch.rand(n, generator=generator) * (high - low) + low

    s = strength
    sx, sy = torch.exp(u(-0.32, 0.25) * s), torch.exp(u(-0.24, 0.18) * s)
    shear, angle = u(-0.45, 0.45) * s, u(-0.06, 0.06) * s
    dx, dy = u(-6, 6) * s, u(-4, 4) * s
    # From patch pixels about the centre to canvas pixels about the centre; the canvas has the patch's scale.
    ys, xs = torch.meshgrid(
        torch.arange(size[0]) + 0.5 - size[0] / 2,
        torch.arange(size[1]) + 0.5 - size[1] / 2,
        indexing="ij",
    )
    x = xs[None] * sx[:, None, None] + ys[None] * shear[:, None, None] + dx[:, None, None]
    y = ys[None] * sy[:, None, None] + xs[None] * angle[:, None, None] * 0.6 + dy[:, None, None]
    if s > 0:
        bend = torch.randn(n, 2, 4, 12, generator=generator) * u(0.6, 2.0)[:, None, None, None] * s
        bend = F.interpolate(bend, size=size, mode="bicubic", align_corners=False)
        x, y = x + bend[:, 0], y + bend[:, 1]
    grid = torch.stack([x / (CANVAS_W / 2), y / (CANVAS_H / 2)], -1)
    return F.grid_sample(canvas, grid, padding_mode="border", align_corners=False)


def around(luma, of):
    """`of` (torch.minimum or maximum) over the 3 x 3 pixels around each; a third of the time of max_pool2d on a CPU."""
    out = F.pad(luma, (1, 1, 1, 1), mode="replicate")
    for way in (2, 3):
        before, here, behind = (out.narrow(way, k, luma.shape[way]) for k in range(3))
        out = of(of(before, here), behind)
    return out


def photograph(luma, generator, s):
    """Stroke width, blur, shade, noise and contrast."""
    n = len(luma)

    def u(low, high):
        return (torch.rand(n, generator=generator) * (high - low) + low)[:, None, None, None]

    thick, thin = around(luma, torch.minimum), around(luma, torch.maximum)
    w = u(-0.45, 0.65) * s * (u(0, 1) < 0.6)
    luma = luma + w.clamp(min=0) * (thick - luma) + (-w).clamp(min=0) * (thin - luma)
    wet, felt = u(0, 0.9) * s, u(0, 1) < 0.08  # A felt pen.
    luma = torch.where(felt, luma + wet * (around(luma, torch.minimum) - luma), luma)
    soft = F.avg_pool2d(
        F.avg_pool2d(luma, 3, 1, 1, count_include_pad=False), 3, 1, 1, count_include_pad=False
    )
    luma = luma + u(0, 0.8) * s * (u(0, 1) < 0.5) * (soft - luma)
    ramp = torch.linspace(-1, 1, WIDTH)[None, None, None] * u(-0.12, 0.12) + torch.linspace(
        -1, 1, luma.shape[2]
    )[None, None, :, None] * u(-0.08, 0.08)
    # Pencil and carbon: ink hardly darker than the paper, and the noise of both stays.
    paper = luma[:, :, ::3, ::3].flatten(1).median(1).values[:, None, None, None]
    luma = paper + (luma - paper) * (1 - u(0, 0.75) * s * (u(0, 1) < 0.3))
    # A carbon copy took the pen here and missed it there.
    pressed = F.interpolate(
        torch.randn(n, 1, HEIGHT // 6, WIDTH // 8, generator=generator),
        size=luma.shape[2:],
        mode="bilinear",
        align_corners=False,
    )
    luma = paper + (luma - paper) * (
        1 - s * (u(0, 1) < 0.2) * torch.sigmoid((pressed - u(0, 1.2)) * 5) * u(0.3, 0.9)
    )
    # Something lies over a part of the cell, or the pen gave nothing.
    at, half = u(0, WIDTH), u(2, 7)
    over = ((torch.arange(WIDTH)[None, None, None] - at).abs() < half) & (u(0, 1) < 0.2 * s)
    luma = torch.where(over, paper, luma)
    # A scanner set to black and white, or a photocopy.
    hard = torch.sigmoid((luma - paper + u(0.08, 0.35)) * u(8, 40))
    luma = torch.where(u(0, 1) < 0.15 * s, hard, luma)
    noise = torch.randn(luma.shape, generator=generator) * u(0, 0.035) * (u(0, 1) < 0.6)
    cloud = F.interpolate(
        torch.randn(n, 1, HEIGHT // 4, WIDTH // 4, generator=generator),
        size=luma.shape[2:],
        mode="bilinear",
        align_corners=False,
    )
    noise = noise + cloud * u(0, 0.02) * (u(0, 1) < 0.4)
    return (luma * (1 + ramp * s) + noise * s).clamp(0, 1)


# The luminance table of the JPEG standard (ITU-T T.81, K.1).
QUANTA = (
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
COSINES = (
    torch.cos(math.pi / 8 * torch.arange(8)[:, None] * (torch.arange(8)[None] + 0.5))
    * torch.tensor([0.125**0.5] + [0.5] * 7)[:, None]
)


def compressed(luma, quality):
    """Luma as JPEG of these qualities (10 to 95, one a picture) gives it back."""
    n, _, h, w = luma.shape
    y = F.pad(luma, (0, -w % 8, 0, -h % 8), mode="replicate")
    blocks = y.unfold(2, 8, 8).unfold(3, 8, 8)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)
    quanta, cosines = QUANTA.to(luma.device), COSINES.to(luma.device)
    step = (quanta * scale[:, None, None]).clamp(min=1 / 255)[:, None, None, None]
    waves = torch.round(cosines @ (blocks - 0.5) @ cosines.T / step) * step
    back = cosines.T @ waves @ cosines + 0.5
    return back.transpose(3, 4).reshape(y.shape)[:, :, :h, :w].clamp(0, 1)


def small(luma, generator, dice):
    """As taken from far away: rows of 13 to 34 pixels where the cell has 34, compressed as such, and enlarged again."""
    u = dice.uniform  # Of all the pictures; a number taken from a GPU would have to be waited for.
    factor = u(0.0, 0.9)
    size = [round(side / math.exp(max(0.0, factor + u(-0.4, 0.4)))) for side in luma.shape[2:]]
    less = F.interpolate(luma, size=size, mode="bilinear", antialias=True, align_corners=False)
    if u(0, 1) < 0.3:
        soft = F.avg_pool2d(less, 3, 1, 1, count_include_pad=False)
        less = less + u(-0.6, 0.7) * (soft - less)  # Out of focus, or sharpened by the telephone.
    less = less + torch.randn(less.shape, generator=generator) * u(0, 0.03)
    if u(0, 1) < 0.8:
        top, left = int(u(0, 8)), int(u(0, 8))
        quality = torch.rand(len(less), generator=generator) * 60 + 35
        less = compressed(F.pad(less, (left, 0, top, 0), mode="replicate"), quality)[
            :, :, top:, left:
        ]
    return F.interpolate(less, size=luma.shape[2:], mode="bilinear", align_corners=False)


def far(luma, generator, dice, share):
    """That share of the pictures `small`, a few at each size, in at most a dozen sizes."""
    taken = torch.randperm(len(luma), generator=generator)[: round(share * len(luma))]
    for part in taken.split(max(4, len(luma) // 24)):
        luma[part] = small(luma[part], generator, dice)
    return luma


def made_paper(n, g):
    """Plain or shaded paper with rulings near the cell's edges and printed digits' room at one side."""

    def u(low, high, *shape):
        return torch.rand(n, *shape, generator=g) * (high - low) + low

    base = u(0.55, 1.0)[:, None, None].expand(n, CANVAS_H, CANVAS_W).clone()
    ys, xs = torch.arange(CANVAS_H)[None, :, None], torch.arange(CANVAS_W)[None, None, :]
    for edge in (MY, CANVAS_H - MY):
        at = (
            edge
            + u(-2.5, 2.5)[:, None, None]
            + u(-0.012, 0.012)[:, None, None] * (xs - CANVAS_W / 2)
        )
        dark = (u(0, 0.8) * (u(0, 1) < 0.9))[:, None, None]
        base = base * (1 - dark * (1.0 + u(-0.3, 0.8)[:, None, None] - (ys - at).abs()).clamp(0, 1))
    for edge in (MX, CANVAS_W - MX):
        at = edge + u(-5, 5)[:, None, None]
        dark = (u(0, 0.8) * (u(0, 1) < 0.8))[:, None, None]
        base = base * (1 - dark * (1.0 + u(-0.3, 0.8)[:, None, None] - (xs - at).abs()).clamp(0, 1))
    band = ((xs < MX + u(-8, 4)[:, None, None]) & (u(0, 1) < 0.3)[:, None, None]).float()
    return base * (1 - band * u(0, 0.3)[:, None, None])
