"""Trains the table model: `python table.py --work DIR --hcs DATA/hcs --labels DIR --forms DIR
DIR...`; resumes from DIR/table.pt.

A page of at most 1024 pixels becomes, at a quarter of its size, the log-odds of the channels of
`table_net.py` for every pixel, and the quarter turns that it has made. Pages are HCS train pages
and made forms (`forms/`), warped, turned, shaded and blurred anew each time (`table_windows.py`).
No page teaches that a table is no scoresheet: where only the rulings of a picture are known
(`ruling_teacher.py`), the other maps are left open.
"""

import argparse
import json
import math
import os
import random
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx_weights import load_convolutions, open_graph
from quantize import quantize, run_network
from table_net import CHANNELS, TableNet
from table_windows import (
    COLUMN,
    MAX_PAGE_SIDE,
    ROW,
    RULINGS_COLUMN,
    RULINGS_ROW,
    Windows,
    read_pages,
    sample_window,
    standardize,
)
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from train import has_bfloat16

# Weight of the cross-entropy on the thin lines, and of the quarter turns in the loss.
LINE_WEIGHT, TURN_WEIGHT = 4.0, 0.1


def table_loss(log_odds, turn_logits, maps, known, turns):
    """Returns the loss of every picture: cross-entropy with weight on the thin lines, overlap of
    every map, each over the maps that are known, and cross-entropy of the quarter turn.
    """
    weight = torch.ones(len(CHANNELS), device=maps.device)
    weight[[ROW, COLUMN, RULINGS_ROW, RULINGS_COLUMN]] = LINE_WEIGHT
    weight = torch.where(maps > 0.3, weight[:, None, None], 1.0)
    bce = F.binary_cross_entropy_with_logits(log_odds, maps, weight=weight, reduction="none")
    probability = torch.sigmoid(log_odds)
    dice = 1 - (2 * (probability * maps).sum((2, 3)) + 30) / ((probability + maps).sum((2, 3)) + 30)
    by_channel = (bce.mean((2, 3)) + 0.3 * dice) * known
    turn = F.cross_entropy(turn_logits, turns, ignore_index=-1, reduction="none")
    return by_channel.sum(1) / len(CHANNELS) * 2 + TURN_WEIGHT * turn


@torch.no_grad()
def measure_overlap(model, held_out, device):
    """Returns the intersection over union of each channel in percent, at probability 0.5, and the
    share of the turns that are right.
    """
    model.eval()
    intersection, union = np.zeros(len(CHANNELS)), np.zeros(len(CHANNELS))
    right, turned = 0, 0
    for picture, maps, known, turns in held_out:
        x = torch.from_numpy(standardize(picture))[None, None].float().to(device)
        log_odds, turn_logits = model(x)
        predicted = log_odds[0].cpu().numpy() > 0
        target = maps > 100
        intersection += (predicted & target).sum((1, 2)) * known
        union += (predicted | target).sum((1, 2)) * known
        turned += turns >= 0
        right += turns == int(turn_logits[0].argmax())
    model.train()
    overlap = {
        channel: round(100 * shared / max(joined, 1), 1)
        for channel, shared, joined in zip(CHANNELS, intersection, union)
    }
    return overlap | {"turn": round(100 * right / max(turned, 1), 1)}


def draw_ruled_table():
    """Draws a ruled table by a formula, MAX_PAGE_SIDE pixels high; the same as `ruled` in
    src/grid/maps.rs.
    """
    y, x = np.mgrid[:MAX_PAGE_SIDE, : MAX_PAGE_SIDE * 3 // 4]
    row = (y >= 120) & (y <= 920) & (y % 32 < 2)
    column = np.isin(x, (60, 61, 110, 111, 240, 241, 370, 371, 420, 421, 550, 551, 680, 681))
    inside = (y >= 120) & (y <= 920) & (x >= 60) & (x <= 681)
    grain = (x * 73 + y * 151 + x * y % 97) % 13
    return np.where(inside & (row | column), 70, 225 - grain).astype(np.uint8)


@torch.no_grad()
def export(model, folder):
    """Writes table.onnx and golden-table.bin."""
    model.eval()
    path = os.path.join(folder, "table.onnx")
    torch.onnx.export(
        model,
        torch.zeros(1, 1, MAX_PAGE_SIDE, MAX_PAGE_SIDE * 3 // 4),
        path,
        opset_version=17,
        input_names=["luma"],
        output_names=["log_odds", "turn"],
        dynamic_axes={"luma": {2: "h", 3: "w"}, "log_odds": {2: "h4", 3: "w4"}},
        dynamo=False,
    )
    quantize(path)
    write_golden(os.path.join(folder, "golden-table.bin"), path)
    model.train()


def write_golden(path, network):
    """Writes what the network in the ONNX file `network` sees in `draw_ruled_table`: little-endian
    f32 probabilities, class by class, of every eighth pixel of every eighth row of a map.
    """
    picture = standardize(draw_ruled_table() / 255.0)[None, None].astype(np.float32)
    log_odds = run_network(network, picture)[0, :, ::8, ::8]
    (1 / (1 + np.exp(-log_odds))).astype("<f4").tofile(path)


@torch.no_grad()
def load_attention(model, path):
    """Fills the attention layers of `model` from the ONNX file at `path`, where that has any."""
    graph, weights = open_graph(path)
    products = [
        weights[node.input[1]]
        for node in graph.node
        if node.op_type == "MatMul" and node.input[1] in weights
    ]
    for (name, linear), weight in zip(
        [(node, module) for node, module in model.named_modules() if isinstance(module, nn.Linear)],
        products,
    ):
        linear.weight.copy_(weight.T)
        linear.bias.copy_(weights[name + ".bias"])


def iterate_harder_pages(last_loss, batch, steps, seed):
    """Yields the indices of batches. Each page is, of two drawn, the one whose loss was larger when
    it was last used.
    """
    for step in steps:
        rng = random.Random(seed * 1_000_003 + step)
        yield [
            (max(rng.sample(range(len(last_loss)), 2), key=last_loss.__getitem__), step * batch + k)
            for k in range(batch)
        ]


def save_checkpoint(path, model, average, optimiser, step, last_loss):
    """Saves a checkpoint in one move, so that an interrupted write leaves the old one."""
    state = {
        "model": model.state_dict(),
        "average": average.state_dict(),
        "optimiser": optimiser.state_dict(),
        "step": step,
        "last": last_loss,
    }
    torch.save(state, path + ".part")
    os.replace(path + ".part", path)


@torch.no_grad()
def build_model(path, held_out):
    """Returns a network with the weights of the ONNX file at `path`, or with new ones for None. A
    file with fewer channels gives the first ones of the head.
    """
    model = TableNet()
    if path:
        channels = open_graph(path)[1]["head.weight"].shape[0]
        head = model.head
        model.head = nn.Conv2d(head.in_channels, channels, 3, padding=1)
        pictures = np.stack([standardize(picture)[None] for picture, *_ in held_out])
        load_attention(model, path)
        load_convolutions(model, path, torch.from_numpy(pictures).float())
        head.weight[:channels], head.bias[:channels] = model.head.weight, model.head.bias
        model.head = head
    return model


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--hcs")
    parser.add_argument("--labels", help="the folder that ruling_teacher.py wrote")
    parser.add_argument("--forms", nargs="*", default=[])
    parser.add_argument(
        "--others", nargs="*", default=[], help="folders of pictures that only `--labels` explain"
    )
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="the rate falls to its end within so many minutes, where that is before the last step",
    )
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        help="processes that make windows while the network learns",
    )
    parser.add_argument(
        "--from",
        dest="before",
        help="an exported table.onnx to go on from, where there is no checkpoint yet",
    )
    parser.add_argument("--out", help="write table.onnx and golden-table.bin here when done")
    return parser.parse_args()


def main():
    args = parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    use_bfloat16 = has_bfloat16(device)
    all_pages = read_pages(args.hcs, args.forms, args.others, args.labels)
    fixed = random.Random(0)
    held_out = [
        sample_window(page_drawn, random.Random(index))
        for index, page_drawn in enumerate(fixed.sample(all_pages, min(24, len(all_pages))))
    ]
    step, path = 0, os.path.join(args.work, "table.pt")
    state = torch.load(path, map_location=device) if os.path.exists(path) else None
    model = build_model(None if state else args.before, held_out)
    model = model.to(device).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), args.rate, weight_decay=0.02)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    # The loss of each page when it was last used.
    last_loss = [math.inf] * len(all_pages)
    if state:
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step = state["step"]
        # Pages may have come since.
        last_loss = state["last"] if len(state["last"]) == len(all_pages) else last_loss
        average.load_state_dict(state["average"])
    print(len(all_pages), "pages, from step", step, flush=True)
    batches = iterate_harder_pages(last_loss, args.batch, range(step, args.steps), args.seed)
    windows = torch.utils.data.DataLoader(
        Windows(all_pages, args.seed),
        batch_sampler=batches,
        num_workers=args.workers,
        pin_memory=device == "cuda",
    )
    total, started = 0.0, time.time()

    def progress():
        return max(step / args.steps, (time.time() - started) / 60 / args.minutes)

    for page_indices, windows_batch, maps, known, turns in windows:
        for group in optimiser.param_groups:
            group["lr"] = (
                args.rate
                * min(1, (step + 1) / 100)
                * (0.5 * (1 + math.cos(math.pi * min(1, progress()))) + 0.005)
            )
        with torch.autocast(device, torch.bfloat16, enabled=use_bfloat16):
            log_odds, turn_logits = model(
                windows_batch.to(device, non_blocking=True)
                .float()
                .contiguous(memory_format=torch.channels_last)
            )
        losses = table_loss(
            log_odds.float(),
            turn_logits.float(),
            maps.to(device, non_blocking=True).float() / 255,
            known.to(device),
            turns.to(device),
        )
        mean_loss = losses.mean()
        optimiser.zero_grad()
        mean_loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(model)
        for page, value in zip(page_indices.tolist(), losses.tolist()):
            last_loss[page] = value
        step += 1
        total += mean_loss.item()
        if step % 100 == 0 or progress() >= 1:
            print(
                json.dumps(
                    {
                        "step": step,
                        "loss": round(total / ((step - 1) % 100 + 1), 4),
                        "seconds": round(time.time() - started),
                        **(
                            measure_overlap(average, held_out, device)
                            if step % 300 == 0 or progress() >= 1
                            else {}
                        ),
                    }
                ),
                flush=True,
            )
            total = 0.0
            save_checkpoint(path, model, average, optimiser, step, last_loss)
        if progress() >= 1:
            break
    if args.out:
        export(average.module.to("cpu"), args.out)


if __name__ == "__main__":
    main()
