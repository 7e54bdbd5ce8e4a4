"""Measures the memory that the largest pictures of each format take.

large_pictures.py SHEETSCAN FOLDER [--pixels 85000000] makes pictures of so many pixels with Pillow,
scans each by itself and prints its peak memory and what was said of it. Pictures that are refused
must be refused before they take more than the others.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import time

import PIL.Image

MAX_MEGABYTES = 600
# Bytes that are appended to a JPEG, as a phone appends a video.
APPENDED = 150_000_000


def noise(size, mode, bits=6):
    """A picture that is hard to compress: a tile of noise, repeated."""
    rng = random.Random(1)
    channels = len(PIL.Image.new(mode, (1, 1)).getbands())
    side = 512
    data = bytes(255 - (byte >> (8 - bits)) for byte in rng.randbytes(side * side * channels))
    tile = PIL.Image.frombytes(mode, (side, side), data)
    picture = PIL.Image.new(mode, size)
    for x in range(0, size[0], side):
        for y in range(0, size[1], side):
            picture.paste(tile, (x, y))
    return picture


def kinds(size):
    """Names, pictures and options of the files, one at a time."""
    rgb = noise(size, "RGB")
    yield "appended.jpg", rgb, {"quality": 90}
    yield "fine.jpg", rgb, {"quality": 100, "subsampling": 0}
    yield "progressive.jpg", rgb, {"quality": 90, "progressive": True}
    yield "a.bmp", rgb, {}
    yield "a.png", rgb, {"compress_level": 1}
    yield "a.tif", rgb, {"compression": "tiff_adobe_deflate"}
    yield "raw.tif", rgb, {}
    sides = tuple(min(side, 16383) for side in size)
    yield "lossless.webp", rgb.crop((0, 0, *sides)), {"lossless": True, "method": 0, "quality": 0}
    yield "lossy.webp", rgb.crop((0, 0, *sides)), {"method": 0}
    del rgb
    gray = noise(size, "L")
    yield "a.gif", gray.crop((0, 0, size[0], size[1] * 3 // 4)), {}
    yield "gray.jpg", gray, {}
    del gray
    yield "la.png", noise(size, "LA"), {"compress_level": 1}
    small = (size[0], size[1] * 3 // 4)
    yield "rgba.png", noise(small, "RGBA"), {"compress_level": 1}


def watch(child):
    """Peak memory in megabytes of a process until it ends. What the system tells at its end would
    count the memory of this one, which it comes from.
    """
    kilobytes = 0
    while child.poll() is None:
        status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
        peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
        kilobytes = max([kilobytes, *map(int, peaks)])
        time.sleep(0.01)
    return kilobytes / 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheetscan", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pixels", type=int, default=85_000_000)
    args = parser.parse_args()
    PIL.Image.MAX_IMAGE_PIXELS = None
    args.folder.mkdir(parents=True, exist_ok=True)
    height = int((args.pixels * 4 / 3) ** 0.5)
    faults = 0
    for name, picture, options in kinds((args.pixels // height, height)):
        path = args.folder / name
        picture.save(path, **options)
        if name == "appended.jpg":
            with open(path, "ab") as file:
                file.write(random.Random(2).randbytes(APPENDED))
        command = [args.sheetscan.resolve(), "scan", path, "--no-cache", "-q", "-o", os.devnull]
        with open(args.folder / "messages", "w+") as messages:
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=messages)
            megabytes = watch(child)
            messages.seek(0)
            text = messages.read().strip()
        faults += megabytes > MAX_MEGABYTES
        size = path.stat().st_size / 1e6
        told = text.replace(str(path), "")
        print(f"{name}\t{size:.0f} MB\tpeak {megabytes:.0f} MB\t{told}", flush=True)
        path.unlink()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
