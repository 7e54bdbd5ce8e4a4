"""Makes a trained reader leaner: fewer multiplications in its convolutions, fitted until its frames are again what they were.

`python lean.py --work DIR --of WHOLE.onnx --name lean` writes DIR/lean.pt, which `export.py` makes a model of. The 3x3 convolutions of
a `crnn` get fewer channels inside (Kim et al. 2016, Tucker-2 decomposition); the blocks of a `pretrained` one lose the hidden
channels that least is lost by, the others are fitted by least squares (Hassibi and Stork 1993, Optimal brain surgeon). Then the
convolutions learn to make of cells what the whole reader's make of them, as its recurrent layers weigh it, and at last all of it
learns the whole reader's log-posteriors. No text is learnt from.
"""

import argparse
import copy
import json
import math
import os
import time

import shipped
import torch
from augment import BESIDE
from model import LeanReader, PrunedReader, Reader
from torch import nn
from torch.nn import functional as F
from train import Data, divergence, shown

PART = 16  # Cells of about one width that are shown together.
REAL = 0.45  # Share of real and spliced cells; the more kinds of cells beside them, the less is lost on other hands and forms.


@torch.no_grad()
def factored(path):
    """The convolutions of the `crnn` in an ONNX file but the first, each by its main directions among the channels before and behind it."""
    model = LeanReader()
    first, *units = [
        m
        for m in model.stem.modules()
        if isinstance(m, nn.Sequential) and isinstance(m[0], nn.Conv2d)
    ]
    whole, *layers = shipped.inputs(*shipped.opened(path), "Conv")
    first[0].weight.copy_(whole[0])
    first[0].bias.copy_(whole[1])
    for unit, (w, b) in zip(units, layers, strict=True):
        *less, between, more = [m for m in unit if isinstance(m, nn.Conv2d)]
        w = w.double()
        if less:
            before = directions(w.transpose(0, 1), between.in_channels)
            w = torch.einsum("oiyx,ik->okyx", w, before)
            less[0].weight.copy_(before.T[:, :, None, None])
        behind = directions(w, between.out_channels)
        between.weight.copy_(torch.einsum("oiyx,ok->kiyx", w, behind))
        more.weight.copy_(behind[:, :, None, None])
        more.bias.copy_(b)
    return model


def directions(w, count):
    return torch.linalg.svd(w.flatten(1), full_matrices=False)[0][:, :count]


@torch.no_grad()
def pruned(whole, parts):
    """The blocks of a `pretrained` reader with as many hidden channels as `PrunedReader` has, chosen and fitted by what they say of `parts`."""
    model, inner, means, count = PrunedReader(), {}, {}, {}

    def hook(at):
        def add(_, given):
            said = given[0].permute(1, 0, 2, 3).flatten(1).double()
            inner[at] = inner.get(at, 0) + said @ said.T
            means[at] = means.get(at, 0) + said.sum(1)
            count[at] = count.get(at, 0) + said.shape[1]

        return add

    hooks = [
        block.contract.register_forward_pre_hook(hook(at))
        for at, block in enumerate(whole.stem.blocks)
    ]
    for ink, _ in parts:
        whole.stem(ink)
    for h in hooks:
        h.remove()
    state = whole.state_dict()
    for at, (block, less) in enumerate(zip(whole.stem.blocks, model.stem.blocks, strict=True)):
        mean = means[at] / count[at]
        spread = inner[at] / count[at] - mean[:, None] * mean
        w = block.contract.weight.flatten(1).double()
        damped = spread + 1e-6 * spread.diagonal().mean() * torch.eye(len(spread))
        kept = survivors(damped, w, less.expand.out_channels)
        fitted = torch.linalg.solve(damped[kept][:, kept], (w @ spread[:, kept]).T).T
        name = f"stem.blocks.{at}."
        state[name + "expand.weight"] = block.expand.weight[kept]
        state[name + "expand.bias"] = block.expand.bias[kept]
        state[name + "contract.weight"] = fitted[:, :, None, None].float()
        state[name + "contract.bias"] = (
            block.contract.bias + w @ mean - fitted @ mean[kept]
        ).float()
    model.load_state_dict(state)
    return model


def survivors(spread, w, count):
    """The channels that are left when, one after another, the one is taken out that costs the sum by `w` least."""
    w, inverse, left = (
        w.clone(),
        torch.linalg.inv(spread),
        torch.ones(len(spread), dtype=torch.bool),
    )
    while left.sum() > count:
        cost = (w**2).sum(0) / inverse.diagonal()
        q = int(cost.where(left, math.inf).argmin())
        w -= (w[:, q] / inverse[q, q])[:, None] * inverse[q]
        inverse = inverse - inverse[:, q : q + 1] * inverse[q] / inverse[q, q]
        left[q] = False
        w[:, q], inverse[q, q] = 0, 1
    return left.nonzero().flatten()


def apart(lstm, some):
    """How far frames are from those of the whole reader, as its first recurrent layer weighs them; 1 where they say nothing. `some`
    are frames of the whole reader, one after another."""
    w = torch.cat([lstm.weight_ih_l0, lstm.weight_ih_l0_reverse]).detach()
    w = w.T @ w
    root = torch.linalg.cholesky(w / w.diagonal().mean() + 0.1 * torch.eye(len(w)))
    spread = ((some - some.mean(0)) @ root).pow(2).mean()
    return lambda frames, wanted: ((frames - wanted) @ root).pow(2).mean() / spread


def frames(model, ink):
    """The frames of cells, in bfloat16: half the time, and an error of 0.0002 by `apart`."""
    with torch.autocast(ink.device.type, torch.bfloat16):
        return model.frames(ink).float()


def stage(model, learning, made, steps, rate, loss, path):
    """So many steps of the parameters `learning`, each on what `made` gives for it; gives the moving average of the weights. What is learnt is
    kept at `path`, from where it goes on."""
    model.requires_grad_(False)
    for p in learning:
        p.requires_grad_(True)
    optimiser, average, first, started, total = (
        torch.optim.Adam(learning, rate, betas=(0.9, 0.99)),
        copy.deepcopy(model),
        0,
        time.time(),
        0.0,
    )
    if os.path.exists(path):
        state = torch.load(path)
        for kept, of in (("model", model), ("average", average), ("optimiser", optimiser)):
            of.load_state_dict(state[kept])
        first = state["step"]
    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = (
                rate
                * min(1, (step + 1) / 100)
                * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.003)
            )
        optimiser.zero_grad()
        for ink, wanted in (some := made(step)):
            part = loss(model, ink, wanted) / len(some)
            part.backward()
            total += float(part.detach())
        nn.utils.clip_grad_norm_(learning, 5.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(
                list(average.parameters()),
                list(model.parameters()),
                1 - min(0.998, (1 + step) / (10 + step)),
            )
        if (step + 1) % 100 == 0 or step + 1 == steps:
            print(
                os.path.basename(path),
                json.dumps(
                    {
                        "step": step + 1,
                        "loss": round(total / (step % 100 + 1), 4),
                        "seconds": round(time.time() - started),
                    }
                ),
                flush=True,
            )
            total = 0.0
            torch.save(
                {
                    "model": model.state_dict(),
                    "average": average.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "step": step + 1,
                },
                path,
            )
    return average


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--of", required=True, help="the exported reader")
    a.add_argument("--name", required=True)
    a.add_argument("--steps", type=int, default=3000, help="for the frames")
    a.add_argument("--rate", type=float, default=2e-3)
    a.add_argument(
        "--further",
        type=int,
        default=900,
        help="steps for the log-posteriors, at a tenth of the rate",
    )
    a.add_argument(
        "--share",
        type=float,
        default=0.5,
        help="of the weights after these further steps, beside those before them",
    )
    a.add_argument("--batch", type=int, default=64)
    a.add_argument("--threads", type=int, default=1)
    o = a.parse_args()
    torch.set_num_threads(o.threads)
    torch.manual_seed(1)
    data = Data(o.work, ["train"])
    print(data.told(), flush=True)
    whole = shipped.network(o.of, data.batch(512, 0.5, 0.5, 1)[0]).to(
        memory_format=torch.channels_last
    )
    of_glances = type(whole) is Reader
    beside = BESIDE["reader" if of_glances else "careful"]

    @torch.no_grad()
    def made(seed):
        ink, _ = data.batch(o.batch, REAL, 0.6, 91_000_000 + seed)
        parts = (
            part.contiguous(memory_format=torch.channels_last)
            for _, part in shown(ink, beside, o.batch // PART)
        )
        return [(part, frames(whole, part)) for part in parts]

    some = [part for seed in range(18) for part in made(-1 - seed)]
    model = factored(o.of) if of_glances else pruned(whole, some)
    for name in ("squeeze", "shortcut", "lstm", "head"):
        getattr(model, name).load_state_dict(getattr(whole, name).state_dict())
    model = model.to(memory_format=torch.channels_last).eval()
    far = apart(whole.lstm, torch.cat([wanted.flatten(0, 1) for _, wanted in some]))

    def near(model, ink, wanted):
        return far(frames(model, ink), wanted)

    def alike(model, ink, wanted):
        seen = frames(model, ink)
        with torch.no_grad():
            said = whole.through(wanted)
        return divergence(model.through(seen), said) + 5 * F.mse_loss(seen, wanted)

    kept = os.path.join(o.work, o.name)
    convolutions = [*model.stem.parameters(), *model.squeeze.parameters()]
    first = stage(model, convolutions, made, o.steps, o.rate, near, kept + "-frames.pt")
    model.load_state_dict(first.state_dict())
    behind = [*convolutions, *model.lstm.parameters(), *model.head.parameters()]
    last = (
        stage(model, behind, made, o.further, o.rate / 10, alike, kept + "-posteriors.pt")
        if o.further
        else first
    )
    average = {
        name: torch.lerp(was, last.state_dict()[name], o.share)
        for name, was in first.state_dict().items()
    }
    torch.save(
        {"average": average, "architecture": "lean" if of_glances else "pruned"}, kept + ".pt"
    )


if __name__ == "__main__":
    main()
