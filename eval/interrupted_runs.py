"""Stops runs in every way, and checks that the rerun gives the same bytes and leaves nothing.

interrupted_runs.py SHEETSCAN FOLDER scans the samples: killed, stopped by SIGTERM and Ctrl-C after
the first, third and fifth sheet, asleep for a minute and more (with a PDF whose page is being
drawn), with results and cache on a full disk (a tmpfs, as root), with a cache that is read-only,
damaged or shared by two runs. It prints a line for each case.
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHEETS = sorted(str(path) for path in (ROOT / "samples").glob("0*.jpg"))
RESULTS = ("games.pgn", "games.jsonl")
# Seconds for which a run is asleep: longer than a page may take by the clock.
SLEEP = 65


class Runs:
    """Runs of the program in a folder of their own."""

    def __init__(self, sheetscan, folder):
        self.sheetscan, self.folder = sheetscan, folder
        self.faults = 0
        folder.mkdir(parents=True, exist_ok=True)
        self.whole = None

    def start(self, place, cache, sheets=SHEETS):
        options = ["-o", RESULTS[0], "--json", RESULTS[1], "--jobs", "1", "--cache", cache]
        command = [self.sheetscan, "scan", *sheets, *options]
        return subprocess.Popen(command, cwd=place, stderr=subprocess.PIPE, text=True)

    def finish(self, run):
        """Waits for the end of a run; its status and messages."""
        _, messages = run.communicate()
        return run.returncode, messages

    def place(self, name):
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return place

    def results(self, place):
        paths = [place / name for name in RESULTS]
        return [path.read_bytes() if path.exists() else None for path in paths]

    def tell(self, case, is_good, more=""):
        self.faults += not is_good
        print(f"{'good' if is_good else 'FAULT'}\t{case}\t{more}", flush=True)

    def check_rerun(self, case, place, cache, more=""):
        """Runs again to the end; the results must be those of an undisturbed run."""
        status, messages = self.finish(self.start(place, cache))
        kept = messages.count("read before")
        same = self.results(place) == self.whole and status in (0, 2)
        left = sorted(path.name for path in place.iterdir() if path.name not in (*RESULTS, "cache"))
        hidden = [str(path) for path in place.rglob(".sheetscan*")]
        is_clean = not left and not hidden
        self.tell(case, same and is_clean, f"{more}; {kept} sheets kept; left {left}")


def stop_early(runs):
    for name in ("SIGKILL", "SIGTERM", "SIGINT"):
        for sheets in (1, 3, 5):
            place = runs.place(f"{name}-{sheets}")
            run = runs.start(place, "cache")
            seen = 0
            while seen < sheets:
                seen += "cells written" in run.stderr.readline()
            run.send_signal(getattr(signal, name))
            status, _ = runs.finish(run)
            untouched = runs.results(place) == [None, None]
            wanted = {"SIGKILL": -9, "SIGTERM": 143, "SIGINT": 130}[name]
            runs.tell(f"{name} after {sheets}", status == wanted and untouched, f"status {status}")
            runs.check_rerun(f"rerun after {name} after {sheets}", place, "cache")


def fill_disks(runs):
    for what, size in (("results", "8k"), ("cache", "64k"), ("both", "200k")):
        place = runs.place(f"full-{what}")
        disk = place / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk])
        if mounted.returncode:
            print("no tmpfs can be mounted; full disks are left out")
            return
        try:
            old = disk / "old.pgn"
            if what == "results":
                old.write_text("old\n")
            at = disk if what in ("results", "both") else place
            cache = str((disk if what in ("cache", "both") else place) / "cache")
            run = runs.start(at, cache)
            status, messages = runs.finish(run)
            hidden = [str(path) for path in disk.rglob(".sheetscan*")]
            written = runs.results(at)
            whole_or_none = written in (runs.whole, [None, None])
            good = whole_or_none and not hidden and (status in (0, 2)) == (written == runs.whole)
            last = messages.strip().splitlines()[-1]
            runs.tell(f"full disk for {what}", good, f"status {status}: {last}")
            if what == "results":
                runs.tell("the old file is untouched", old.read_text() == "old\n")
        finally:
            subprocess.run(["umount", disk], check=True)
        disk.rmdir()
        for name in RESULTS:
            (place / name).unlink(missing_ok=True)
        runs.check_rerun(f"rerun after a full disk for {what}", place, "cache")


def damage_caches(runs):
    place = runs.place("read-only")
    runs.finish(runs.start(place, "cache"))
    mounted = subprocess.run(["mount", "--bind", place / "cache", place / "cache"]).returncode == 0
    if mounted:
        subprocess.run(["mount", "-o", "remount,ro,bind", place / "cache"], check=True)
    try:
        runs.check_rerun("read-only cache with all sheets", place, "cache")
    finally:
        if mounted:
            subprocess.run(["umount", place / "cache"], check=True)
    rng = random.Random(1)
    place = runs.place("damaged")
    runs.finish(runs.start(place, "cache"))
    for path in sorted((place / "cache").rglob("*")):
        if path.is_file():
            data = bytearray(path.read_bytes())
            kind = rng.randrange(4)
            if kind == 0:
                data = data[: len(data) // 2]
            elif kind == 1:
                data[rng.randrange(len(data))] ^= 1
            elif kind == 2:
                data = bytearray()
            else:
                data = bytearray(rng.randbytes(100))
            path.write_bytes(data)
    runs.check_rerun("damaged cache", place, "cache")
    places = [runs.place("shared-1"), runs.place("shared-2")]
    cache = str(runs.place("shared"))
    for case in ("new", "old"):
        for run in [runs.start(place, cache) for place in places]:
            runs.finish(run)
        same = all(runs.results(place) == runs.whole for place in places)
        runs.tell(f"two runs at once on a {case} cache", same)


def children(pid):
    """The processes that a process has started."""
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        found += task.read_text().split()
    return [int(child) for child in found] if text.exists() else []


def slow_pdf():
    """A PDF whose page takes all the time that it may take: forms of forms, ten of each."""
    forms = []
    for level in range(13):
        data = b"0 0 9 9 re f" if level == 12 else b"/F Do " * 10
        more = b"" if level == 12 else b"/Resources << /XObject << /F %d 0 R >> >>" % (level + 6)
        head = b"/Type /XObject /Subtype /Form /BBox [0 0 300 400] %s" % more
        head += b" /Length %d" % len(data)
        forms.append(b"<< %s >>\nstream\n%s\nendstream" % (head, data))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 4 0 R "
        b"/Resources << /XObject << /F 5 0 R >> >> >>",
        b"<< /Length 5 >>\nstream\n/F Do\nendstream",
        *forms,
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (i, text) for i, text in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def draw_pages(runs):
    place = runs.place("drawing")
    (place / "slow.pdf").write_bytes(slow_pdf())

    def drawing():
        run = runs.start(place, "cache", ["slow.pdf"])
        while not children(run.pid):
            time.sleep(0.02)
        return run, children(run.pid)[0]

    run, child = drawing()
    run.kill()
    runs.finish(run)
    time.sleep(1)
    state = pathlib.Path(f"/proc/{child}/stat")
    # A process that nobody has asked for its status is still listed, as a zombie.
    is_gone = not state.exists() or ") Z " in state.read_text()
    runs.tell("a child ends with its killed parent", is_gone)
    folder = pathlib.Path(ROOT / "tests/data/folder/scans")
    sheet = str(folder / "Scan 2026-11-28.pdf")
    whole = runs.finish(runs.start(place, "no-cache", [sheet])), runs.results(place)
    run = runs.start(place, "cache", [sheet])
    while not (started := children(run.pid)):
        time.sleep(0.001)
    for process in (run.pid, *started):
        os.kill(process, signal.SIGSTOP)
    time.sleep(SLEEP)
    for process in (run.pid, *started):
        try:
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass
    status, _ = runs.finish(run)
    same = (status, runs.results(place)) == (whole[0][0], whole[1])
    runs.tell(f"asleep for {SLEEP} s while a page is drawn", same, f"status {status}")


def main():
    runs = Runs(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
    place = runs.place("whole")
    runs.finish(runs.start(place, "cache"))
    runs.whole = runs.results(place)
    stop_early(runs)
    fill_disks(runs)
    damage_caches(runs)
    draw_pages(runs)
    print(f"{runs.faults} faults")
    return 1 if runs.faults else 0


if __name__ == "__main__":
    sys.exit(main())
