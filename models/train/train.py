"""Trains the reader: `python train.py --work DIR`; resumes from DIR/checkpoint.pt.

Half of every batch is real cells (HCS train pages) and what `splice.py` joins of them, half is rendered ink on real and made
paper and cells of photographed made forms (`form_cells.py`). Writes a line to DIR/checkpoint.tsv with every checkpoint.
"""

import argparse
import csv
import json
import math
import os
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn.functional as F

import shipped
from alphabet import CHARACTERS, CLASS, encode
from augment import far, made_paper, normalise, photograph, window
from crops import CANVAS_H, CANVAS_W, MX, MY
from model import ARCHITECTURES, FRAMES

SHORTCUT = 0.2  # Weight of what the convolutions read alone.
TRUNK_SHARE = 0.25  # Of the rate, for convolutions that can read already.


def canonical(text):
    """A tag in the alphabet: castling with the letter, nothing unknown."""
    if re.fullmatch(r"[0Oo]-[0Oo](-[0Oo])?\+?", text):
        text = re.sub("[0o]", "O", text)
    return text if all(c in CLASS for c in text) else None


class Data:
    """Real cells and rendered ink, in memory as bytes."""

    def __init__(self, work, sets):
        self.work = work
        real = [np.load(os.path.join(work, s + ".npz")) for s in sets]
        rows = lambda name: csv.reader(open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
        label = {tuple(r[:3]): None for r in rows("excluded.tsv")} | {tuple(r[:3]): r[4] or None for r in rows("corrections.tsv")}
        names = [(str(p), str(m), str(s)) for z in real for p, m, s in zip(z["page"], z["move"], z["side"])]
        texts = [label.get(n, str(t)) for n, t in zip(names, (t for z in real for t in z["text"]))]
        texts = [None if t is None else canonical(t) for t in texts]
        keep = [i for i, t in enumerate(texts) if t is not None]
        canvas = np.concatenate([z["canvas"] for z in real])
        self.real, self.real_text, self.real_page = torch.from_numpy(canvas[keep]), [texts[i] for i in keep], [names[i][0] for i in keep]
        pool = np.load(os.path.join(work, "pool.npz"))
        self.ink, self.ink_text = torch.from_numpy(pool["canvas"]), [str(t) for t in pool["text"]]
        self.spliced, self.spliced_text = self.more("spliced", canvas[:0])
        self.forms, self.forms_text = self.more("forms", canvas[:0])
        empty = canvas[[i for i in keep if not texts[i]]]
        self.paper = torch.from_numpy(empty)
        weight = torch.ones(len(keep))
        for i, t in enumerate(self.real_text):
            weight[i] = 0.25 if not t else 4.0 if t == "O-O-O" else 2.0 if re.search("[#=]|^P|x[A-Z]", t) else 1.0
        self.weight = weight

    def more(self, name, none):
        """Further cells, where they have been made."""
        path = os.path.join(self.work, name + ".npz")
        if not os.path.exists(path):
            return torch.from_numpy(none), []
        z = np.load(path)
        texts = [canonical(str(t)) for t in z["text"]]
        known = [i for i, t in enumerate(texts) if t is not None]
        return torch.from_numpy(z["canvas"][known]), [texts[i] for i in known]

    def rendered(self, n, g):
        i = torch.randint(len(self.ink), (n,), generator=g)
        ink = self.ink[i].float() / 255
        # The rows above and below are written by the same kind of hand and may cross the ruling.
        for sign in (-1, 1):
            other = self.ink[torch.randint(len(self.ink), (n,), generator=g)].float() / 255
            shift = sign * (CANVAS_H - 2 * MY + int(torch.randint(0, 4, (1,), generator=g)))
            moved = torch.zeros_like(other)
            if sign > 0:
                moved[:, shift:] = other[:, :-shift]
            else:
                moved[:, :shift] = other[:, -shift:]
            there = (torch.rand(n, generator=g) < 0.75)[:, None, None]
            ink = torch.maximum(ink, moved * there)
        # The other player's column: ink that runs over the ruling between them.
        other = self.ink[torch.randint(len(self.ink), (n,), generator=g)].float() / 255
        shift = int(torch.randint(CANVAS_W - 2 * MX - 30, CANVAS_W - 2 * MX + 10, (1,), generator=g))
        beside = torch.cat([other[:, :, shift:], torch.zeros(n, CANVAS_H, shift)], 2)
        there = (torch.rand(n, generator=g) < 0.2)[:, None, None]
        ink = torch.maximum(ink, beside * there)
        real = self.paper[torch.randint(len(self.paper), (n,), generator=g)].float() / 255
        paper = torch.where((torch.rand(n, generator=g) < 0.5)[:, None, None], real, made_paper(n, g))
        grain = 1 - torch.rand(n, CANVAS_H, CANVAS_W, generator=g) * (torch.rand(n, generator=g) * 0.5 * (torch.rand(n, generator=g) < 0.4))[:, None, None]
        dark = torch.rand(n, generator=g)[:, None, None] * 0.7 + 0.22
        return paper * (1 - ink * grain * dark), [self.ink_text[k] for k in i.tolist()]

    def told(self):
        return f"{len(self.real)} real cells, {len(self.spliced)} spliced, {len(self.forms)} of made forms, {len(self.ink)} rendered"

    def figures(self, model):
        """What is read rightly of cells that train nothing, in percent by set."""
        return {s: evaluate(model, path) for s in ("dev", "epfl", "heldout", "formtest") if os.path.exists(path := os.path.join(self.work, s + ".npz"))}

    def batch(self, size, real_share, strength, g):
        real = round(size * real_share)
        spliced = round(0.4 * real) if self.spliced_text else 0
        forms = round(0.4 * (size - real)) if self.forms_text else 0
        i = torch.multinomial(self.weight, real - spliced, replacement=True, generator=g).tolist()
        j, k = (torch.randint(len(t), (n,), generator=g).tolist() if n else [] for t, n in ((self.spliced_text, spliced), (self.forms_text, forms)))
        canvas, texts = self.rendered(size - real - forms, g)
        canvas = torch.cat([self.real[i].float() / 255, self.spliced[j].float() / 255, canvas])
        luma = far(photograph(window(canvas[:, None], g, strength), g, strength), g, 0.5 * strength)
        # Made forms have been photographed already.
        luma = torch.cat([luma, photograph(window(self.forms[k, None].float() / 255, g, strength), g, 0.4 * strength)])
        texts = [self.real_text[n] for n in i] + [self.spliced_text[n] for n in j] + texts + [self.forms_text[n] for n in k]
        return normalise(luma), texts


def greedy(logits):
    """Best-path strings."""
    out = []
    for row in logits.argmax(-1).tolist():
        s, last = "", 0
        for c in row:
            if c and c != last:
                s += CHARACTERS[c - 1]
            last = c
        out.append(s)
    return out


def norm(s):
    """As eval/score.py compares readings."""
    s = re.sub(r"[+#=!?\-\s.]", "", s)
    return re.sub("[0o]", "O", s) if re.fullmatch(r"[Oo0]{2,3}", s) else s


@torch.no_grad()
def evaluate(model, path, limit=1200):
    z = np.load(path)
    keep = [i for i, t in enumerate(z["text"]) if t]
    keep = random.Random(0).sample(keep, min(limit, len(keep)))
    model.eval()
    right = 0
    canvas = z["canvas"][keep]
    if "page" not in z.files:  # Rendered ink alone: on plain paper.
        canvas = 255 - (canvas * 0.6).astype(np.uint8)
    for k in range(0, len(keep), 128):
        part = torch.from_numpy(canvas[k : k + 128]).float()[:, None] / 255
        got = greedy(model(normalise(window(part, None, 0.0))))
        right += sum(norm(a) == norm(str(z["text"][i])) for a, i in zip(got, keep[k : k + 128]))
    model.train()
    return 100 * right / len(keep)


def ctc(log, texts):
    """Mean CTC loss of the texts under log-posteriors, cells x frames x classes."""
    labels = [encode(t) for t in texts]
    return F.ctc_loss(
        log.float().transpose(0, 1), torch.tensor([c for l in labels for c in l], device=log.device),
        torch.full((len(texts),), FRAMES), torch.tensor([len(l) for l in labels]), zero_infinity=True,
    )


def arguments(a, steps, rate, name, every):
    """Those of every training, with what they are where nothing is said."""
    a.add_argument("--work", required=True)
    a.add_argument("--steps", type=int, default=steps)
    a.add_argument("--batch", type=int, default=64)
    a.add_argument("--rate", type=float, default=rate)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--name", default=name)
    a.add_argument("--every", type=int, default=every, help="steps from one checkpoint to the next")
    a.add_argument("--from", dest="shipped", help="an exported reader to go on from, where there is no checkpoint yet")
    a.add_argument("--architecture", choices=ARCHITECTURES, default="crnn", help="of model.py")
    a.add_argument("--trunk", help="PP-OCRv6_rec_small.onnx, with whose convolutions, and the rest of --from, the architecture `pretrained` begins")


def has_bfloat16(device):
    """Whether a device computes in bfloat16; processors that do not emulate it, and are slower than with floats."""
    if device == "cuda":
        return True
    return os.path.exists("/proc/cpuinfo") and "avx512_bf16" in open("/proc/cpuinfo").read()


def fit(data, o):
    """Trains on batches of `data` to the last step; resumes, keeps a checkpoint, and logs the figures of `data`."""
    torch.set_num_threads(o.threads)
    torch.manual_seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    short = has_bfloat16(device)
    model = ARCHITECTURES[o.architecture]().to(device, memory_format=torch.channels_last)
    average = ARCHITECTURES[o.architecture]()
    average.load_state_dict(model.state_dict())
    # Parameters, and their share of the rate.
    parts = [(list(model.parameters()), 1.0)]
    if o.trunk:
        trunk = lambda known: [p for name, p in model.named_parameters() if name.startswith("stem.") == known]
        parts = [(trunk(False), 1.0), (trunk(True), TRUNK_SHARE)]
    optimiser = torch.optim.AdamW([{"params": p} for p, _ in parts], o.rate, weight_decay=0.02, betas=(0.9, 0.98))
    step, path = 0, os.path.join(o.work, o.name + ".pt")
    if os.path.exists(path):
        state = torch.load(path, map_location=device)
        model.load_state_dict(state["model"]); average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"]); step = state["step"]
    g = torch.Generator().manual_seed(o.seed * 1_000_003 + step)
    if step == 0 and o.shipped:
        if o.trunk:
            model.stem.load(o.trunk)
            shipped.graft(model, o.shipped, [data.batch(128, 0.5, 0.5, g)[0] for _ in range(40)])
        else:
            shipped.load(model, o.shipped, data.batch(512, 0.5, 0.5, g)[0])
        average.load_state_dict(model.state_dict())
    log = open(os.path.join(o.work, o.name + ".tsv"), "a")
    print(f"{data.told()}, from step {step}", flush=True)
    started, total, seen = time.time(), 0.0, 0

    def prepare(at):
        # Warm-up on light augmentation gets over the CTC plateau; the last fifth is lighter again.
        late = max(0.0, (at / o.steps - 0.8) / 0.2)
        return data.batch(o.batch, 0.5, min(1.0, (1.0 if o.shipped else 0.3) + at / 3000) - 0.6 * late, g)

    ahead = ThreadPoolExecutor(1)  # One batch is made while the network works on another.
    coming = ahead.submit(prepare, step)
    while step < o.steps:
        done = step / o.steps
        rate = o.rate * min(1, step / 400) * (0.5 * (1 + math.cos(math.pi * done)) + 0.005)
        for group, (_, share) in zip(optimiser.param_groups, parts, strict=True):
            group["lr"] = rate * share
        x, texts = coming.result()
        coming = ahead.submit(prepare, step + 1)
        with torch.autocast(device, torch.bfloat16, enabled=short):
            y, local = model.both(x.to(device).contiguous(memory_format=torch.channels_last))
        loss = ctc(y, texts) + SHORTCUT * ctc(local, texts)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        step += 1
        decay = min(0.999, (1 + step) / (10 + step))
        with torch.no_grad():
            for p, q in zip(average.state_dict().values(), model.state_dict().values()):
                if p.dtype.is_floating_point:
                    p.lerp_(q.to(p.device), 1 - decay)
                else:
                    p.copy_(q)
        total, seen = total + loss.item(), seen + 1
        if step % o.every == 0 or step == o.steps:
            figures = data.figures(average)
            line = {"step": step, "loss": round(total / seen, 4), "rate": round(rate, 6), "seconds": round(time.time() - started), **{k: round(v, 1) for k, v in figures.items()}}
            print(json.dumps(line), flush=True)
            log.write(json.dumps(line) + "\n"); log.flush()
            total = seen = 0
            torch.save({"model": model.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "architecture": o.architecture}, path + ".part")
            os.replace(path + ".part", path)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    arguments(a, steps=24000, rate=2e-3, name="checkpoint", every=1000)
    a.add_argument("--sets", default="train", help="real cells to train on, comma-separated")
    o = a.parse_args()
    fit(Data(o.work, o.sets.split(",")), o)


if __name__ == "__main__":
    main()
