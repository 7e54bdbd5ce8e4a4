"""Trains the reader: `python train.py --work DIR`; resumes from DIR/checkpoint.pt.

Half of every batch is real cells (HCS train pages) and what `splice.py` joins of them. The other
half is rendered ink on real and made paper, and cells of photographed made forms (`form_cells.py`).
A line is appended to DIR/checkpoint.tsv with every checkpoint.
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
import onnx_weights
import torch
import torch.nn.functional as F
from alphabet import CHARACTERS, CLASS_OF, encode
from augment import (
    PADDING_PX,
    crop_to_ink,
    make_paper,
    normalize_ink,
    random_sources,
    sample_window,
    simulate_capture,
    simulate_distance_for_share,
    write_beside,
)
from crops import CANVAS_H, CANVAS_W, MARGIN_X, MARGIN_Y
from model import ARCHITECTURES

# Weight of the CTC loss of the shortcut on the convolutions. Exported readers have no shortcut, so
# that training that goes on from one does without it.
SHORTCUT_WEIGHT = 0.2
# Learning rate of pretrained convolutions relative to that of the other layers.
TRUNK_RATE_SHARE = 0.25
# Share of the cells with a move that have a time or a dash beside it.
ASIDE_SHARE = 0.15
# Weight of a teacher's log-posteriors. CTC counts by characters, and a move has about five.
TEACHER_WEIGHT = 0.2


def canonical_tag(text):
    """Returns a tag in the alphabet, with castling in letters, or None where a character is
    unknown.
    """
    if re.fullmatch(r"[0Oo]-[0Oo](-[0Oo])?\+?", text):
        text = re.sub("[0o]", "O", text)
    return text if all(character in CLASS_OF for character in text) else None


def to_device(pictures):
    """Returns pictures as bytes on the device of the network."""
    return torch.from_numpy(pictures).to(torch.get_default_device())


class CellData:
    """Real cells and rendered ink, in memory as bytes."""

    # Pixels of paper that a model is shown beside the writing; None shows whole patches.
    padding = PADDING_PX["reader"]

    def __init__(self, work, sets):
        self.work = work
        real = [np.load(os.path.join(work, name_of_set + ".npz")) for name_of_set in sets]

        def read_tsv(name):
            return csv.reader(
                open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8"),
                delimiter="\t",
                quoting=csv.QUOTE_NONE,
            )

        label_of = {tuple(row[:3]): None for row in read_tsv("excluded.tsv")} | {
            tuple(row[:3]): row[4] or None for row in read_tsv("corrections.tsv")
        }
        names = [
            (str(page), str(move), str(name_of_set))
            for archive in real
            for page, move, name_of_set in zip(archive["page"], archive["move"], archive["side"])
        ]
        texts = [
            label_of.get(key, str(text))
            for key, text in zip(names, (text for archive in real for text in archive["text"]))
        ]
        texts = [None if text is None else canonical_tag(text) for text in texts]
        keep = [index for index, text in enumerate(texts) if text is not None]
        canvas = np.concatenate([archive["canvas"] for archive in real])
        self.real, self.real_text, self.real_page = (
            to_device(canvas[keep]),
            [texts[index] for index in keep],
            [names[index][0] for index in keep],
        )
        pool = np.load(os.path.join(work, "pool.npz"))
        self.ink, self.ink_text = to_device(pool["canvas"]), [str(text) for text in pool["text"]]
        self.spliced, self.spliced_text = self.load_more("spliced", canvas[:0])
        self.forms, self.forms_text = self.load_more("forms", canvas[:0])
        asides = os.path.join(work, "asides.npz")
        self.asides = to_device(np.load(asides)["canvas"] if os.path.exists(asides) else canvas[:0])
        empty = canvas[[index for index in keep if not texts[index]]]
        self.paper = to_device(empty)
        self.weight = [
            0.25
            if not text
            else 4.0
            if text == "O-O-O"
            else 2.0
            if re.search("[#=]|^P|x[A-Z]", text)
            else 1.0
            for text in self.real_text
        ]

    def load_more(self, name, empty):
        """Loads further cells where they have been made."""
        path = os.path.join(self.work, name + ".npz")
        if not os.path.exists(path):
            return to_device(empty), []
        archive = np.load(path)
        texts = [canonical_tag(str(text)) for text in archive["text"]]
        usable = [i for i, text in enumerate(texts) if text is not None]
        return to_device(archive["canvas"][usable]), [texts[i] for i in usable]

    def render_batch(self, count, generator, dice):
        """Returns rendered ink on paper, with the ink of neighbouring cells, and its texts."""
        indices = dice.choices(range(len(self.ink)), k=count)
        ink = self.ink[indices].float() / 255
        # The rows above and below are written by the same kind of hand and may cross the ruling.
        for sign in (-1, 1):
            other = (
                self.ink[torch.randint(len(self.ink), (count,), generator=generator)].float() / 255
            )
            shift = sign * (CANVAS_H - 2 * MARGIN_Y + dice.randrange(4))
            moved = torch.zeros_like(other)
            if sign > 0:
                moved[:, shift:] = other[:, :-shift]
            else:
                moved[:, :shift] = other[:, -shift:]
            is_present = (torch.rand(count, generator=generator) < 0.75)[:, None, None]
            ink = torch.maximum(ink, moved * is_present)
        # Ink of the column of the other player may run over the ruling between them.
        other = self.ink[torch.randint(len(self.ink), (count,), generator=generator)].float() / 255
        shift = CANVAS_W - 2 * MARGIN_X + dice.randrange(-30, 10)
        neighbour = torch.cat([other[:, :, shift:], torch.zeros(count, CANVAS_H, shift)], 2)
        is_present = (torch.rand(count, generator=generator) < 0.2)[:, None, None]
        ink = torch.maximum(ink, neighbour * is_present)
        real = (
            self.paper[torch.randint(len(self.paper), (count,), generator=generator)].float() / 255
        )
        paper = torch.where(
            (torch.rand(count, generator=generator) < 0.5)[:, None, None],
            real,
            make_paper(count, generator),
        )
        grain = (
            1
            - torch.rand(count, CANVAS_H, CANVAS_W, generator=generator)
            * (
                torch.rand(count, generator=generator)
                * 0.5
                * (torch.rand(count, generator=generator) < 0.4)
            )[:, None, None]
        )
        darkness = torch.rand(count, generator=generator)[:, None, None] * 0.7 + 0.22
        return paper * (1 - ink * grain * darkness), [self.ink_text[index] for index in indices]

    def add_asides(self, canvas, texts, generator, dice):
        """Writes times and dashes beside a share of the moves. The texts stay as they are, so that
        the reader learns to pass over them.
        """
        chosen = [
            i
            for i, text in enumerate(texts)
            if re.search("[a-h][1-8]|O-O", text) and dice.random() < ASIDE_SHARE
        ]
        if chosen and len(self.asides):
            asides = self.asides[dice.choices(range(len(self.asides)), k=len(chosen))]
            canvas[chosen] = write_beside(canvas[chosen], asides.float() / 255, generator)

    def describe(self):
        """Returns how many cells of each kind there are."""
        return (
            f"{len(self.real)} real cells, {len(self.spliced)} spliced, "
            f"{len(self.forms)} of made forms, {len(self.ink)} rendered"
        )

    def evaluate_sets(self, model):
        """Returns the percentage of cells read rightly in each set that trains nothing."""
        return {
            name: evaluate(model, path, self.padding)
            for name in ("dev", "epfl", "heldout", "formtest")
            if os.path.exists(path := os.path.join(self.work, name + ".npz"))
        }

    def make_batch(self, size, real_share, strength, seed):
        """Returns a batch of normalised patches and its texts."""
        generator, dice = random_sources(seed)
        real = round(size * real_share)
        spliced = round(0.4 * real) if self.spliced_text else 0
        forms = round(0.4 * (size - real)) if self.forms_text else 0
        real_indices = dice.choices(range(len(self.real_text)), self.weight, k=real - spliced)
        spliced_indices, form_indices = (
            dice.choices(range(len(source)), k=index) if index else []
            for source, index in ((self.spliced_text, spliced), (self.forms_text, forms))
        )
        canvas, texts = self.render_batch(size - real - forms, generator, dice)
        canvas = torch.cat(
            [
                self.real[real_indices].float() / 255,
                self.spliced[spliced_indices].float() / 255,
                canvas,
            ]
        )
        form_canvas = self.forms[form_indices].float() / 255
        form_texts = [self.forms_text[index] for index in form_indices]
        texts = (
            [self.real_text[index] for index in real_indices]
            + [self.spliced_text[index] for index in spliced_indices]
            + texts
        )
        self.add_asides(canvas, texts, generator, dice)
        self.add_asides(form_canvas, form_texts, generator, dice)
        luma = simulate_distance_for_share(
            simulate_capture(
                sample_window(canvas[:, None], generator, strength), generator, strength
            ),
            generator,
            dice,
            0.5 * strength,
        )
        # The augmentation of made forms is weaker, since they have been photographed already.
        luma = torch.cat(
            [
                luma,
                simulate_capture(
                    sample_window(form_canvas[:, None], generator, strength),
                    generator,
                    0.4 * strength,
                ),
            ]
        )
        return normalize_ink(luma), texts + form_texts


def decode_greedy(logits):
    """Returns the strings of the best paths."""
    strings = []
    for row in logits.argmax(-1).tolist():
        string, last = "", 0
        for character_class in row:
            if character_class and character_class != last:
                string += CHARACTERS[character_class - 1]
            last = character_class
        strings.append(string)
    return strings


def normalize_reading(reading):
    """Normalises a reading as eval/score.py does before it compares."""
    reading = re.sub(r"[+#=!?\-\s.]", "", reading)
    return re.sub("[0o]", "O", reading) if re.fullmatch(r"[Oo0]{2,3}", reading) else reading


def crop_patches(ink, padding, parts=None):
    """Returns normalised patches cropped as by `crop_to_ink`, or all of them uncropped if `padding`
    is None.
    """
    return [(list(range(len(ink))), ink)] if padding is None else crop_to_ink(ink, padding, parts)


@torch.no_grad()
def evaluate(model, path, padding, limit=1200):
    """Returns the percentage of cells read by best path; `padding` as for `crop_patches`."""
    archive = np.load(path)
    keep = [i for i, text in enumerate(archive["text"]) if text]
    keep = random.Random(0).sample(keep, min(limit, len(keep)))
    model.eval()
    right = 0
    canvas = archive["canvas"][keep]
    # Rendered ink without a page is put on plain paper.
    if "page" not in archive.files:
        canvas = 255 - (canvas * 0.6).astype(np.uint8)
    for start in range(0, len(keep), 128):
        part = to_device(canvas[start : start + 128]).float()[:, None] / 255
        for indices, ink in crop_patches(normalize_ink(sample_window(part, None, 0.0)), padding):
            right += sum(
                normalize_reading(string)
                == normalize_reading(str(archive["text"][keep[start + i]]))
                for string, i in zip(decode_greedy(model(ink)), indices)
            )
    model.train()
    return 100 * right / len(keep)


def ctc_loss(logs, texts):
    """Returns the mean CTC loss of the texts under log-posteriors, [cells, frames, classes]."""
    labels = [encode(text) for text in texts]
    return F.ctc_loss(
        logs.float().transpose(0, 1),
        torch.tensor([c for label in labels for c in label], device=logs.device),
        torch.full((len(texts),), logs.shape[1], device="cpu"),
        torch.tensor([len(label) for label in labels], device="cpu"),
        zero_infinity=True,
    )


def teacher_loss(logs, teacher):
    """Returns the divergence of log-posteriors from a teacher's, both [cells, frames, classes], per
    cell (Hinton et al. 2015, distillation).
    """
    return F.kl_div(logs.float(), teacher.float(), reduction="batchmean", log_target=True)


def add_arguments(parser, steps, rate, name, every):
    """Adds the arguments of every training, with these defaults."""
    parser.add_argument("--work", required=True)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="the rate falls to its end within so many minutes, where that is before the last step",
    )
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default=name)
    parser.add_argument(
        "--every", type=int, default=every, help="steps from one checkpoint to the next"
    )
    parser.add_argument(
        "--from",
        dest="shipped",
        help="an exported reader to go on from, where there is no checkpoint yet",
    )
    parser.add_argument(
        "--architecture",
        nargs="+",
        choices=ARCHITECTURES,
        default=["crnn"],
        help="of model.py; several learn from the same batches",
    )
    parser.add_argument(
        "--trunk",
        help="PP-OCRv6_rec_small.onnx or PP-OCRv6_rec_tiny.onnx: the architectures `pretrained` "
        "and `tiny` begin with its convolutions and with the other layers of --from",
    )
    parser.add_argument(
        "--teacher",
        help="an exported second stage, whose log-posteriors are learnt beside the texts",
    )


def use_gpu_if_present():
    """From here on tensors are made on a GPU where there is one."""
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16(device):
    """Whether a device computes faster in bfloat16 than in 32 bits."""
    return (
        device == "cuda"
        or os.path.exists("/proc/cpuinfo")
        and any(unit in open("/proc/cpuinfo").read() for unit in ("amx_bf16", "avx512_bf16"))
    )


class Student:
    """A network that learns, the moving average of its weights, and the files that hold both."""

    def __init__(self, architecture, path, data, args):
        self.architecture, self.path, self.step_count, self.loss_sum = architecture, path, 0, 0.0
        self.model, self.average = (
            ARCHITECTURES[architecture]().to(memory_format=torch.channels_last) for _ in range(2)
        )
        self.shortcut_weight = 0.0 if args.shipped and not args.trunk else SHORTCUT_WEIGHT
        # Groups of parameters, each with its share of the learning rate.
        parts = [(list(self.model.parameters()), 1.0)]
        if args.trunk:

            def select_parameters(in_stem):
                return [
                    parameters
                    for name, parameters in self.model.named_parameters()
                    if name.startswith("stem.") == in_stem
                ]

            parts = [(select_parameters(False), 1.0), (select_parameters(True), TRUNK_RATE_SHARE)]
        self.shares = [share for _, share in parts]
        self.optimiser = torch.optim.AdamW(
            [{"params": parameters} for parameters, _ in parts],
            args.rate,
            weight_decay=0.02,
            betas=(0.9, 0.98),
        )
        self.step = 0
        if os.path.exists(path + ".pt"):
            state = torch.load(path + ".pt", map_location=torch.get_default_device())
            self.model.load_state_dict(state["model"])
            self.average.load_state_dict(state["average"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step = state["step"]
            return
        if args.trunk:
            self.model.stem.load_onnx(args.trunk)
            onnx_weights.graft(
                self.model,
                args.shipped,
                [data.make_batch(128, 0.5, 0.5, seed)[0] for seed in range(40)],
            )
        elif args.shipped:
            onnx_weights.load_reader(
                self.model, args.shipped, data.make_batch(512, 0.5, 0.5, args.seed)[0]
            )
        self.average.load_state_dict(self.model.state_dict())

    def train_step(self, parts, texts, teacher_parts, rate, use_bfloat16):
        """Takes one step on the parts of a batch, with a teacher's log-posteriors of each part
        where there is a teacher.
        """
        for group, share in zip(self.optimiser.param_groups, self.shares, strict=True):
            group["lr"] = rate * share
        self.optimiser.zero_grad()
        for (indices, ink), teacher_logs in zip(parts, teacher_parts, strict=True):
            with torch.autocast(ink.device.type, torch.bfloat16, enabled=use_bfloat16):
                logs, shortcut_logs = self.model.with_shortcut(ink)
            part_texts, share = [texts[i] for i in indices], len(indices) / len(texts)
            loss = ctc_loss(logs, part_texts) + self.shortcut_weight * ctc_loss(
                shortcut_logs, part_texts
            )
            if teacher_logs is not None:
                loss = loss + TEACHER_WEIGHT * teacher_loss(logs, teacher_logs)
            (loss * share).backward()
            self.loss_sum = self.loss_sum + loss.detach() * share
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimiser.step()
        self.step += 1
        self.update_ema(min(0.999, (1 + self.step) / (10 + self.step)))
        self.step_count += 1

    @torch.no_grad()
    def update_ema(self, decay):
        """Updates the moving average of the weights."""
        pairs = list(zip(self.average.state_dict().values(), self.model.state_dict().values()))
        floats = [
            (averaged, current) for averaged, current in pairs if averaged.dtype.is_floating_point
        ]
        torch._foreach_lerp_(*map(list, zip(*floats)), 1 - decay)
        for averaged, current in pairs:
            if not averaged.dtype.is_floating_point:
                averaged.copy_(current)

    def save(self):
        """Saves the checkpoint."""
        state = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "architecture": self.architecture,
        }
        torch.save(state, self.path + ".pt.part")
        os.replace(self.path + ".pt.part", self.path + ".pt")

    def write_log(self, rate, started, data):
        """Prints the figures and appends them to the log."""
        line = {
            "step": self.step,
            "loss": round(float(self.loss_sum) / self.step_count, 4),
            "rate": round(rate, 6),
            "seconds": round(time.time() - started),
            **{name: round(value, 1) for name, value in data.evaluate_sets(self.average).items()},
        }
        self.loss_sum, self.step_count = 0.0, 0
        print(os.path.basename(self.path), json.dumps(line), flush=True)
        with open(self.path + ".tsv", "a") as f:
            f.write(json.dumps(line) + "\n")


def train_students(data, args):
    """Trains on batches of `data` to the last step. It resumes, keeps checkpoints, and logs the
    figures of `data`.
    """
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    device = torch.get_default_device().type
    use_bfloat16 = has_bfloat16(device)

    def checkpoint_path(architecture):
        return os.path.join(
            args.work, args.name if len(args.architecture) == 1 else f"{args.name}-{architecture}"
        )

    students = [
        Student(architecture, checkpoint_path(architecture), data, args)
        for architecture in args.architecture
    ]
    teacher = None
    if args.teacher:
        teacher = onnx_weights.load_network(
            args.teacher, data.make_batch(512, 0.5, 0.5, args.seed)[0]
        ).to(memory_format=torch.channels_last)
    step, started = students[0].step, time.time()
    print(f"{data.describe()}, from step {step}", flush=True)

    def progress(batch_step):
        return max(batch_step / args.steps, (time.time() - started) / 60 / args.minutes)

    def prepare(batch_step):
        # Warm-up on light augmentation gets over the CTC plateau; the last fifth is lighter again.
        late = max(0.0, (progress(batch_step) - 0.8) / 0.2)
        return data.make_batch(
            args.batch,
            0.5,
            min(1.0, (1.0 if args.shipped else 0.3) + batch_step * args.batch / 192000)
            - 0.6 * late,
            args.seed * 1_000_003 + batch_step,
        )

    # On a CPU one batch is made while the network works on another; on a GPU both run at once
    # anyway.
    executor = ThreadPoolExecutor(1)
    submit = (
        (lambda batch_step: lambda: prepare(batch_step))
        if device == "cuda"
        else (lambda batch_step: executor.submit(prepare, batch_step).result)
    )
    next_batch = submit(step)
    while progress(step) < 1:
        rate = (
            args.rate
            * min(1, step / 400)
            * (0.5 * (1 + math.cos(math.pi * progress(step))) + 0.005)
        )
        ink, texts = next_batch()
        next_batch = submit(step + 1)
        parts = [
            (indices, part.contiguous(memory_format=torch.channels_last))
            for indices, part in crop_patches(ink, data.padding, 2)
        ]
        with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=use_bfloat16):
            teacher_parts = [teacher(part) if teacher else None for _, part in parts]
        for student in students:
            student.train_step(parts, texts, teacher_parts, rate, use_bfloat16)
        step += 1
        if step % args.every == 0 or progress(step) >= 1:
            for student in students:
                student.write_log(rate, started, data)
                student.save()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, steps=24000, rate=2e-3, name="checkpoint", every=1000)
    parser.add_argument("--sets", default="train", help="real cells to train on, comma-separated")
    parser.add_argument(
        "--whole",
        action="store_true",
        help="learn from whole patches, as second_stage.onnx has, instead of patches that are "
        "cropped to the writing",
    )
    args = parser.parse_args()
    use_gpu_if_present()
    data = CellData(args.work, args.sets.split(","))
    if args.whole:
        data.padding = None
    train_students(data, args)


if __name__ == "__main__":
    main()
