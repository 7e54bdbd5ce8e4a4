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
import shipped
import torch
import torch.nn.functional as F
from alphabet import CHARACTERS, CLASS, encode
from augment import BESIDE, chance, far, made_paper, narrowed, normalise, photograph, window
from crops import CANVAS_H, CANVAS_W, MX, MY
from model import ARCHITECTURES

SHORTCUT = 0.2  # Weight of what the convolutions read alone.
TRUNK_SHARE = 0.25  # Of the rate, for convolutions that can read already.
TAUGHT = 0.2  # Weight of a teacher's log-posteriors: a move has five characters or so, and CTC counts by them.


def canonical(text):
    """A tag in the alphabet: castling with the letter, nothing unknown."""
    if re.fullmatch(r"[0Oo]-[0Oo](-[0Oo])?\+?", text):
        text = re.sub("[0o]", "O", text)
    return text if all(c in CLASS for c in text) else None


def near(pictures):
    """Pictures as bytes where the network runs."""
    return torch.from_numpy(pictures).to(torch.get_default_device())


class Data:
    """Real cells and rendered ink, in memory as bytes."""

    beside = BESIDE[
        "reader"
    ]  # Pixels of paper that a model is shown beside the writing, None for whole patches.

    def __init__(self, work, sets):
        self.work = work
        real = [np.load(os.path.join(work, s + ".npz")) for s in sets]

        def rows(name):
            return csv.reader(
                open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8"),
                delimiter="\t",
                quoting=csv.QUOTE_NONE,
            )

        label = {tuple(r[:3]): None for r in rows("excluded.tsv")} | {
            tuple(r[:3]): r[4] or None for r in rows("corrections.tsv")
        }
        names = [
            (str(p), str(m), str(s))
            for z in real
            for p, m, s in zip(z["page"], z["move"], z["side"])
        ]
        texts = [label.get(n, str(t)) for n, t in zip(names, (t for z in real for t in z["text"]))]
        texts = [None if t is None else canonical(t) for t in texts]
        keep = [i for i, t in enumerate(texts) if t is not None]
        canvas = np.concatenate([z["canvas"] for z in real])
        self.real, self.real_text, self.real_page = (
            near(canvas[keep]),
            [texts[i] for i in keep],
            [names[i][0] for i in keep],
        )
        pool = np.load(os.path.join(work, "pool.npz"))
        self.ink, self.ink_text = near(pool["canvas"]), [str(t) for t in pool["text"]]
        self.spliced, self.spliced_text = self.more("spliced", canvas[:0])
        self.forms, self.forms_text = self.more("forms", canvas[:0])
        empty = canvas[[i for i in keep if not texts[i]]]
        self.paper = near(empty)
        self.weight = [
            0.25
            if not t
            else 4.0
            if t == "O-O-O"
            else 2.0
            if re.search("[#=]|^P|x[A-Z]", t)
            else 1.0
            for t in self.real_text
        ]

    def more(self, name, none):
        """Further cells, where they have been made."""
        path = os.path.join(self.work, name + ".npz")
        if not os.path.exists(path):
            return near(none), []
        z = np.load(path)
        texts = [canonical(str(t)) for t in z["text"]]
        known = [i for i, t in enumerate(texts) if t is not None]
        return near(z["canvas"][known]), [texts[i] for i in known]

    def rendered(self, n, g, dice):
        i = dice.choices(range(len(self.ink)), k=n)
        ink = self.ink[i].float() / 255
        # The rows above and below are written by the same kind of hand and may cross the ruling.
        for sign in (-1, 1):
            other = self.ink[torch.randint(len(self.ink), (n,), generator=g)].float() / 255
            shift = sign * (CANVAS_H - 2 * MY + dice.randrange(4))
            moved = torch.zeros_like(other)
            if sign > 0:
                moved[:, shift:] = other[:, :-shift]
            else:
                moved[:, :shift] = other[:, -shift:]
            there = (torch.rand(n, generator=g) < 0.75)[:, None, None]
            ink = torch.maximum(ink, moved * there)
        # The other player's column: ink that runs over the ruling between them.
        other = self.ink[torch.randint(len(self.ink), (n,), generator=g)].float() / 255
        shift = CANVAS_W - 2 * MX + dice.randrange(-30, 10)
        beside = torch.cat([other[:, :, shift:], torch.zeros(n, CANVAS_H, shift)], 2)
        there = (torch.rand(n, generator=g) < 0.2)[:, None, None]
        ink = torch.maximum(ink, beside * there)
        real = self.paper[torch.randint(len(self.paper), (n,), generator=g)].float() / 255
        paper = torch.where(
            (torch.rand(n, generator=g) < 0.5)[:, None, None], real, made_paper(n, g)
        )
        grain = (
            1
            - torch.rand(n, CANVAS_H, CANVAS_W, generator=g)
            * (torch.rand(n, generator=g) * 0.5 * (torch.rand(n, generator=g) < 0.4))[:, None, None]
        )
        dark = torch.rand(n, generator=g)[:, None, None] * 0.7 + 0.22
        return paper * (1 - ink * grain * dark), [self.ink_text[k] for k in i]

    def told(self):
        return f"{len(self.real)} real cells, {len(self.spliced)} spliced, {len(self.forms)} of made forms, {len(self.ink)} rendered"

    def figures(self, model):
        """What is read rightly of cells that train nothing, in percent by set."""
        return {
            s: evaluate(model, path, self.beside)
            for s in ("dev", "epfl", "heldout", "formtest")
            if os.path.exists(path := os.path.join(self.work, s + ".npz"))
        }

    def batch(self, size, real_share, strength, seed):
        g, dice = chance(seed)
        real = round(size * real_share)
        spliced = round(0.4 * real) if self.spliced_text else 0
        forms = round(0.4 * (size - real)) if self.forms_text else 0
        i = dice.choices(range(len(self.real_text)), self.weight, k=real - spliced)
        j, k = (
            dice.choices(range(len(t)), k=n) if n else []
            for t, n in ((self.spliced_text, spliced), (self.forms_text, forms))
        )
        canvas, texts = self.rendered(size - real - forms, g, dice)
        canvas = torch.cat([self.real[i].float() / 255, self.spliced[j].float() / 255, canvas])
        luma = far(
            photograph(window(canvas[:, None], g, strength), g, strength), g, dice, 0.5 * strength
        )
        # Made forms have been photographed already.
        luma = torch.cat(
            [
                luma,
                photograph(
                    window(self.forms[k, None].float() / 255, g, strength), g, 0.4 * strength
                ),
            ]
        )
        texts = (
            [self.real_text[n] for n in i]
            + [self.spliced_text[n] for n in j]
            + texts
            + [self.forms_text[n] for n in k]
        )
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


def shown(ink, beside, parts=None):
    """What a model is shown of normalised patches, as `narrowed` gives it, or all of them as they are where `beside` is None."""
    return [(list(range(len(ink))), ink)] if beside is None else narrowed(ink, beside, parts)


@torch.no_grad()
def evaluate(model, path, beside, limit=1200):
    """Percent of cells read rightly by best path; `beside` as for `shown`."""
    z = np.load(path)
    keep = [i for i, t in enumerate(z["text"]) if t]
    keep = random.Random(0).sample(keep, min(limit, len(keep)))
    model.eval()
    right = 0
    canvas = z["canvas"][keep]
    if "page" not in z.files:  # Rendered ink alone: on plain paper.
        canvas = 255 - (canvas * 0.6).astype(np.uint8)
    for k in range(0, len(keep), 128):
        part = near(canvas[k : k + 128]).float()[:, None] / 255
        for which, ink in shown(normalise(window(part, None, 0.0)), beside):
            right += sum(
                norm(a) == norm(str(z["text"][keep[k + i]]))
                for a, i in zip(greedy(model(ink)), which)
            )
    model.train()
    return 100 * right / len(keep)


def ctc(log, texts):
    """Mean CTC loss of the texts under log-posteriors, cells x frames x classes."""
    labels = [encode(t) for t in texts]
    return F.ctc_loss(
        log.float().transpose(0, 1),
        torch.tensor([c for l in labels for c in l], device=log.device),
        torch.full((len(texts),), log.shape[1], device="cpu"),
        torch.tensor([len(l) for l in labels], device="cpu"),
        zero_infinity=True,
    )


def divergence(log, teacher):
    """Divergence of log-posteriors from a teacher's, both cells x frames x classes, per cell (Hinton et al. 2015, distillation)."""
    return F.kl_div(log.float(), teacher.float(), reduction="batchmean", log_target=True)


def arguments(a, steps, rate, name, every):
    """Those of every training, with what they are where nothing is said."""
    a.add_argument("--work", required=True)
    a.add_argument("--steps", type=int, default=steps)
    a.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="the rate falls to its end within so many minutes, where that is before the last step",
    )
    a.add_argument("--batch", type=int, default=64)
    a.add_argument("--rate", type=float, default=rate)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--name", default=name)
    a.add_argument("--every", type=int, default=every, help="steps from one checkpoint to the next")
    a.add_argument(
        "--from",
        dest="shipped",
        help="an exported reader to go on from, where there is no checkpoint yet",
    )
    a.add_argument(
        "--architecture",
        nargs="+",
        choices=ARCHITECTURES,
        default=["crnn"],
        help="of model.py; several learn from the same batches",
    )
    a.add_argument(
        "--trunk",
        help="PP-OCRv6_rec_small.onnx or PP-OCRv6_rec_tiny.onnx, with whose convolutions, and the rest of --from, the architectures `pretrained` and `tiny` begin",
    )
    a.add_argument(
        "--teacher",
        help="an exported careful reader, whose log-posteriors are learnt beside the texts",
    )


def run_where_fastest():
    """From here on tensors are made on a GPU where there is one."""
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16(device):
    """Whether a device computes in bfloat16 faster than with floats."""
    return (
        device == "cuda"
        or os.path.exists("/proc/cpuinfo")
        and "amx_bf16" in open("/proc/cpuinfo").read()
    )


class Student:
    """A network that learns, the moving average of its weights, and where both are kept."""

    def __init__(self, architecture, path, data, o):
        self.architecture, self.path, self.seen, self.total = architecture, path, 0, 0.0
        self.model, self.average = (
            ARCHITECTURES[architecture]().to(memory_format=torch.channels_last) for _ in range(2)
        )
        parts = [(list(self.model.parameters()), 1.0)]  # Parameters, and their share of the rate.
        if o.trunk:

            def trunk(known):
                return [
                    p
                    for name, p in self.model.named_parameters()
                    if name.startswith("stem.") == known
                ]

            parts = [(trunk(False), 1.0), (trunk(True), TRUNK_SHARE)]
        self.shares = [share for _, share in parts]
        self.optimiser = torch.optim.AdamW(
            [{"params": p} for p, _ in parts], o.rate, weight_decay=0.02, betas=(0.9, 0.98)
        )
        self.step = 0
        if os.path.exists(path + ".pt"):
            state = torch.load(path + ".pt", map_location=torch.get_default_device())
            self.model.load_state_dict(state["model"])
            self.average.load_state_dict(state["average"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step = state["step"]
            return
        if o.trunk:
            self.model.stem.load(o.trunk)
            shipped.graft(
                self.model, o.shipped, [data.batch(128, 0.5, 0.5, seed)[0] for seed in range(40)]
            )
        elif o.shipped:
            shipped.load(self.model, o.shipped, data.batch(512, 0.5, 0.5, o.seed)[0])
        self.average.load_state_dict(self.model.state_dict())

    def learn(self, parts, texts, taught, rate, short):
        """One step on the parts of a batch, with a teacher's log-posteriors of each where there is one."""
        for group, share in zip(self.optimiser.param_groups, self.shares, strict=True):
            group["lr"] = rate * share
        self.optimiser.zero_grad()
        for (which, ink), known in zip(parts, taught, strict=True):
            with torch.autocast(ink.device.type, torch.bfloat16, enabled=short):
                y, local = self.model.both(ink)
            said, share = [texts[i] for i in which], len(which) / len(texts)
            loss = ctc(y, said) + SHORTCUT * ctc(local, said)
            if known is not None:
                loss = loss + TAUGHT * divergence(y, known)
            (loss * share).backward()
            self.total = self.total + loss.detach() * share
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimiser.step()
        self.step += 1
        self.follow(min(0.999, (1 + self.step) / (10 + self.step)))
        self.seen += 1

    @torch.no_grad()
    def follow(self, decay):
        pairs = list(zip(self.average.state_dict().values(), self.model.state_dict().values()))
        floats = [(p, q) for p, q in pairs if p.dtype.is_floating_point]
        torch._foreach_lerp_(*map(list, zip(*floats)), 1 - decay)
        for p, q in pairs:
            if not p.dtype.is_floating_point:
                p.copy_(q)

    def keep(self):
        state = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "architecture": self.architecture,
        }
        torch.save(state, self.path + ".pt.part")
        os.replace(self.path + ".pt.part", self.path + ".pt")

    def log(self, rate, started, data):
        line = {
            "step": self.step,
            "loss": round(float(self.total) / self.seen, 4),
            "rate": round(rate, 6),
            "seconds": round(time.time() - started),
            **{k: round(v, 1) for k, v in data.figures(self.average).items()},
        }
        self.total, self.seen = 0.0, 0
        print(os.path.basename(self.path), json.dumps(line), flush=True)
        with open(self.path + ".tsv", "a") as f:
            f.write(json.dumps(line) + "\n")


def fit(data, o):
    """Trains on batches of `data` to the last step; resumes, keeps a checkpoint, and logs the figures of `data`."""
    torch.set_num_threads(o.threads)
    torch.manual_seed(o.seed)
    device = torch.get_default_device().type
    short = has_bfloat16(device)

    def path(a):
        return os.path.join(o.work, o.name if len(o.architecture) == 1 else f"{o.name}-{a}")

    students = [Student(a, path(a), data, o) for a in o.architecture]
    teacher = None
    if o.teacher:
        teacher = shipped.network(o.teacher, data.batch(512, 0.5, 0.5, o.seed)[0]).to(
            memory_format=torch.channels_last
        )
    step, started = students[0].step, time.time()
    print(f"{data.told()}, from step {step}", flush=True)

    def done(at):
        return max(at / o.steps, (time.time() - started) / 60 / o.minutes)

    def prepare(at):
        # Warm-up on light augmentation gets over the CTC plateau; the last fifth is lighter again.
        late = max(0.0, (done(at) - 0.8) / 0.2)
        return data.batch(
            o.batch,
            0.5,
            min(1.0, (1.0 if o.shipped else 0.3) + at * o.batch / 192000) - 0.6 * late,
            o.seed * 1_000_003 + at,
        )

    ahead = ThreadPoolExecutor(
        1
    )  # One batch is made while the network works on another; on a GPU that is so anyway.
    submit = (
        (lambda at: lambda: prepare(at))
        if device == "cuda"
        else (lambda at: ahead.submit(prepare, at).result)
    )
    coming = submit(step)
    while done(step) < 1:
        rate = o.rate * min(1, step / 400) * (0.5 * (1 + math.cos(math.pi * done(step))) + 0.005)
        ink, texts = coming()
        coming = submit(step + 1)
        parts = [
            (which, part.contiguous(memory_format=torch.channels_last))
            for which, part in shown(ink, data.beside, 2)
        ]
        with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=short):
            taught = [teacher(part) if teacher else None for _, part in parts]
        for student in students:
            student.learn(parts, texts, taught, rate, short)
        step += 1
        if step % o.every == 0 or done(step) >= 1:
            for student in students:
                student.log(rate, started, data)
                student.keep()


def main():
    a = argparse.ArgumentParser(description=__doc__)
    arguments(a, steps=24000, rate=2e-3, name="checkpoint", every=1000)
    a.add_argument("--sets", default="train", help="real cells to train on, comma-separated")
    a.add_argument(
        "--whole",
        action="store_true",
        help="learn from whole patches, as careful.onnx has, and not from the writing and what paper it needs",
    )
    o = a.parse_args()
    run_where_fastest()
    data = Data(o.work, o.sets.split(","))
    if o.whole:
        data.beside = None
    fit(data, o)


if __name__ == "__main__":
    main()
