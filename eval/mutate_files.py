"""Feeds damaged files of every kind to the program, and counts what goes wrong.

mutate_files.py SHEETSCAN FOLDER [--count 10000] [--seed 1] makes damaged copies of small files: the
pictures and texts of tests/data, and pictures made of a sample, one in each format that Pillow
writes. They go through the program in batches. It prints a line for each fault: a panic, also one
that was caught, an exit status that is none of the program's, more than 600 MB, or more than 10 s
of processor time for a file; then a line of counts. The files of a fault stay in FOLDER. It needs
Pillow, and pillow-heif for HEIC.
"""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import time

import PIL.Image

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 100
MAX_SECONDS = 10
MAX_MEGABYTES = 600
# Width in pixels of the pictures that are made of a sample: small ones are read quickly.
WIDTH = 120
CAUGHT = ("panicked", "failed on this sheet", "please report", "overflowed its stack")
NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF)


def make_pictures(folder):
    """Writes a small picture in each format; returns the paths."""
    sample = PIL.Image.open(ROOT / "samples/06_partita_1_it.jpg").convert("L")
    sample = sample.resize((WIDTH, sample.height * WIDTH // sample.width))
    colour = sample.convert("RGB")
    bilevel = sample.convert("1")
    kinds = [
        ("gray.jpg", sample, {}),
        ("colour.jpg", colour, {}),
        ("progressive.jpg", colour, {"progressive": True}),
        ("gray.png", sample, {}),
        ("alpha.png", colour.convert("RGBA"), {}),
        ("palette.png", colour.convert("P"), {}),
        ("lossy.webp", colour, {}),
        ("lossless.webp", colour, {"lossless": True}),
        ("a.bmp", colour, {}),
        ("a.gif", sample, {}),
        ("raw.tif", sample, {}),
        ("lzw.tif", colour, {"compression": "tiff_lzw"}),
        ("deflate.tif", colour, {"compression": "tiff_adobe_deflate"}),
        ("g4.tif", bilevel, {"compression": "group4"}),
        ("g3.tif", bilevel, {"compression": "group3"}),
        ("jpeg.tif", colour, {"compression": "jpeg"}),
        ("packbits.tif", bilevel, {"compression": "packbits"}),
        ("pages.tif", sample, {"save_all": True, "append_images": [sample]}),
        ("a.jp2", colour, {}),
        ("jpeg.pdf", colour, {}),
        ("bilevel.pdf", bilevel, {}),
        ("pages.pdf", sample, {"save_all": True, "append_images": [sample]}),
    ]
    try:
        import pillow_heif

        pillow_heif.register_heif_opener()
        kinds.append(("a.heic", colour, {}))
    except ImportError:
        print("no pillow-heif: HEIC only from tests/data", file=sys.stderr)
    for name, picture, options in kinds:
        picture.save(folder / name, **options)
    made = [folder / name for name, _, _ in kinds]
    return made + sorted((ROOT / "tests/data").glob("corner*"))


def mutate(data, rng):
    """A damaged copy of some bytes."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 8, 30))):
        if not data:
            break
        at = rng.randrange(len(data))
        # Headers lie at the start, and the tables of a PDF or TIFF at the end.
        if rng.random() < 0.4:
            at = rng.randrange(min(len(data), 400))
        elif rng.random() < 0.2:
            at = len(data) - 1 - rng.randrange(min(len(data), 400))
        kind = rng.randrange(9)
        size = rng.choice((1, 2, 4, 16, 200))
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at : at + size] = rng.randbytes(size)
        elif kind == 2:
            del data[at : at + size]
        elif kind == 3:
            data[at:at] = data[at : at + size]
        elif kind == 4 and rng.random() < 0.3:
            del data[at:]
        elif kind == 5:
            number = rng.choice(NUMBERS)
            width = rng.choice((1, 2, 4))
            order = rng.choice(("big", "little"))
            data[at : at + width] = (number & (256**width - 1)).to_bytes(width, order)
        elif kind == 6:
            other = rng.randrange(len(data))
            data[at : at + size] = data[other : other + size]
        elif kind == 7:
            digits = [i for i in range(at, min(len(data), at + 60)) if 48 <= data[i] < 58]
            if digits:
                data[rng.choice(digits)] = 48 + rng.randrange(10)
        else:
            data[at : at + 1] = rng.choice((b"9" * 12, b"\0" * 8, b"\xff\xd9", b"-", b"\r", b'"'))
    return bytes(data)


def run(command, seconds):
    """Status (None where it took too long), messages, processor seconds and megabytes of a run."""
    start = time.monotonic()
    with open("messages", "w+b") as messages:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=messages)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            # Beside other work the clock runs faster.
            if time.monotonic() - start > 4 * seconds:
                child.kill()
                os.wait4(child.pid, 0)
                return None, "", seconds, 0
            time.sleep(0.005)
        messages.seek(0)
        text = messages.read().decode(errors="replace")
    used = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), text, used, usage.ru_maxrss / 1e3


def faults_of(result, files):
    """What is wrong with a run over some files."""
    status, text, seconds, megabytes = result
    if status is None:
        return [f"more than {seconds} s"]
    faults = [line for line in text.splitlines() if any(mark in line for mark in CAUGHT)]
    if status not in (0, 1, 2, 3):
        faults.append(f"status {status}")
    if megabytes > MAX_MEGABYTES:
        faults.append(f"{megabytes:.0f} MB")
    if files == 1 and seconds > MAX_SECONDS:
        faults.append(f"{seconds:.1f} s")
    return faults


def commands(sheetscan, files, kind):
    """The command that reads some damaged files of a kind; all pictures go into one run."""
    names = [str(file) for file in files]
    event = ROOT / "tests/data/event"
    if kind == "picture":
        return [sheetscan, "scan", *names, "--no-cache", "--no-pair", "-q", "-o", "out.pgn"]
    if kind == "typed":
        return [sheetscan, "transcribe", *names, "-o", "out.pgn"]
    merge = [sheetscan, "merge", "shard.jsonl", "-q", "-o", "out.pgn"]
    if kind == "trf":
        return [*merge, "--trf", *names]
    if kind == "pairings":
        return [*merge, "--trf", str(event / "open.trf"), "--pairings", *names]
    if kind == "jsonl":
        return [sheetscan, "merge", *names, "-q", "-o", "out.pgn"]
    if kind == "headers":
        return [*merge, "--trf", str(event / "open.trf"), "--headers", *names]
    if kind == "fixes":
        return [*merge, "--fixes", *names]
    return [sheetscan, "scan", "sheet.png", "-q", "--no-cache", "-o", "out.pgn", "--layout", *names]


def make_texts(sheetscan, folder):
    """Small files of the other kinds, by kind."""
    event = ROOT / "tests/data/event"
    sheet = folder / "sheet.png"
    sample = PIL.Image.open(ROOT / "samples/06_partita_1_it.jpg").convert("L")
    sample.resize((700, sample.height * 700 // sample.width)).save(sheet)
    scan = [sheetscan, "scan", "sheet.png", "--no-cache", "-q", "-o", "out.pgn"]
    subprocess.run([*scan, "--shard", "--json", "shard.jsonl"], check=False)
    subprocess.run([sheetscan, "layout", "sheet.png", "-o", "form.toml"], check=True)
    headers = folder / "headers.tsv"
    headers.write_text("sheet\twhite\tblack\tround\tdate\tresult\nsheet.png\tDoe, J\tX\t1\t\t1-0\n")
    fixes = folder / "fixes.toml"
    fixes.write_text('["sheet.png"]\n1 = "e4"\n2 = "e5"\n')
    typed = sorted((ROOT / "fuzz/corpus/typed_notation").iterdir())
    return {
        "trf": sorted(event.glob("*.trf")),
        "pairings": sorted(event.glob("*.pgn")),
        "typed": typed,
        "jsonl": [folder / "shard.jsonl"],
        "headers": [headers],
        "fixes": [fixes],
        "layout": [folder / "form.toml"],
    }


# Share of the files of each kind, in percent.
SHARES = {
    "picture": 70,
    "trf": 8,
    "pairings": 6,
    "typed": 8,
    "jsonl": 3,
    "headers": 2,
    "fixes": 2,
    "layout": 1,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheetscan", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sheetscan = str(args.sheetscan.resolve())
    args.folder.mkdir(parents=True, exist_ok=True)
    os.chdir(args.folder)
    folder = pathlib.Path.cwd()
    sources = {"picture": make_pictures(folder), **make_texts(sheetscan, folder)}
    counts = dict.fromkeys(SHARES, 0)
    faults = 0
    worst = [0.0, 0.0]
    for kind, share in SHARES.items():
        rng = random.Random(f"{args.seed} {kind}")
        wanted = args.count * share // 100
        size = BATCH if kind == "picture" else 1
        while counts[kind] < wanted:
            files = []
            for i in range(min(size, wanted - counts[kind])):
                source = rng.choice(sources[kind])
                file = folder / f"{kind}-{i}-{source.name}"
                file.write_bytes(mutate(source.read_bytes(), rng))
                files.append(file)
            counts[kind] += len(files)
            result = run(commands(sheetscan, files, kind), MAX_SECONDS * len(files))
            worst[0] = max(worst[0], result[3])
            suspects = faults_of(result, len(files))
            if len(files) == 1:
                worst[1] = max(worst[1], result[2])
            # In a slow batch one file may be the reason.
            if len(files) > 1 and (suspects or result[2] > MAX_SECONDS + len(files) / 2):
                alone = [(file, run(commands(sheetscan, [file], kind), 60)) for file in files]
                worst[1] = max(worst[1], *(result[2] for _, result in alone))
            else:
                alone = [(files[0], result)] if suspects else []
            for file, result in alone:
                for fault in faults_of(result, 1):
                    faults += 1
                    kept = folder / f"fault-{faults}-{file.name}"
                    kept.write_bytes(file.read_bytes())
                    print(f"{kept}: {fault}", flush=True)
            for file in files:
                file.unlink()
        print(f"{kind}: {counts[kind]} files", flush=True)
    total = sum(counts.values())
    megabytes, seconds = worst
    print(
        f"{total} files, {faults} faults; at most {megabytes:.0f} MB, {seconds:.1f} s of one alone"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
