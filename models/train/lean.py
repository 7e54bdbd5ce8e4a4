"""Makes a trained reader leaner: fewer multiplications in its convolutions, fitted until its frames
are again what they were.

`python lean.py --work DIR --of WHOLE.onnx --name lean` writes DIR/lean.pt, which `export.py` turns
into a model. The 3x3 convolutions of a `crnn` get fewer inner channels (Kim et al. 2016, Tucker-2
decomposition). The blocks of a `pretrained` reader lose the hidden channels whose loss costs least,
and the others are fitted by least squares (Hassibi and Stork 1993, Optimal brain surgeon). Then the
convolutions learn to reproduce the frames of the whole reader, weighted as its recurrent layers
weigh them, and at last all layers learn its log-posteriors. No text is learnt from.
"""

import argparse
import copy
import json
import math
import os
import time

import onnx_weights
import torch
from augment import PADDING_PX
from model import LeanReader, PrunedReader, Reader
from torch import nn
from torch.nn import functional as F
from train import CellData, crop_patches, teacher_loss

# Number of cells of about one width that are shown together.
CELLS_PER_PART = 16
# Share of real and spliced cells in a batch. The more kinds of cells stand beside them, the less is
# lost on other hands and forms.
REAL_SHARE = 0.45


@torch.no_grad()
def factorize_convolutions(path):
    """Returns the convolutions of the `crnn` in an ONNX file, each but the first reduced to its
    main directions among the channels before and behind it.
    """
    model = LeanReader()
    first_block, *blocks = [
        layer
        for layer in model.stem.modules()
        if isinstance(layer, nn.Sequential) and isinstance(layer[0], nn.Conv2d)
    ]
    first_weights, *layers = onnx_weights.node_weights(*onnx_weights.open_graph(path), "Conv")
    first_block[0].weight.copy_(first_weights[0])
    first_block[0].bias.copy_(first_weights[1])
    for block, (weight, bias) in zip(blocks, layers, strict=True):
        *reduce, between, restore = [layer for layer in block if isinstance(layer, nn.Conv2d)]
        weight = weight.double()
        if reduce:
            input_directions = principal_directions(weight.transpose(0, 1), between.in_channels)
            weight = torch.einsum("oiyx,ik->okyx", weight, input_directions)
            reduce[0].weight.copy_(input_directions.T[:, :, None, None])
        output_directions = principal_directions(weight, between.out_channels)
        between.weight.copy_(torch.einsum("oiyx,ok->kiyx", weight, output_directions))
        restore.weight.copy_(output_directions[:, :, None, None])
        restore.bias.copy_(bias)
    return model


def principal_directions(weight, count):
    """Returns the first left singular vectors of a weight."""
    return torch.linalg.svd(weight.flatten(1), full_matrices=False)[0][:, :count]


@torch.no_grad()
def prune_blocks(teacher, parts):
    """Returns the blocks of a `pretrained` reader with as many hidden channels as `PrunedReader`
    has, chosen and fitted by their activations on `parts`.
    """
    model, products, means, count = PrunedReader(), {}, {}, {}

    def hook(index):
        def add(_, inputs):
            activations = inputs[0].permute(1, 0, 2, 3).flatten(1).double()
            products[index] = products.get(index, 0) + activations @ activations.T
            means[index] = means.get(index, 0) + activations.sum(1)
            count[index] = count.get(index, 0) + activations.shape[1]

        return add

    handles = [
        block.contract.register_forward_pre_hook(hook(index))
        for index, block in enumerate(teacher.stem.blocks)
    ]
    for ink, _ in parts:
        teacher.stem(ink)
    for handle in handles:
        handle.remove()
    state = teacher.state_dict()
    for index, (block, pruned_block) in enumerate(
        zip(teacher.stem.blocks, model.stem.blocks, strict=True)
    ):
        mean = means[index] / count[index]
        covariance = products[index] / count[index] - mean[:, None] * mean
        weight = block.contract.weight.flatten(1).double()
        damped = covariance + 1e-6 * covariance.diagonal().mean() * torch.eye(len(covariance))
        remaining = select_channels(damped, weight, pruned_block.expand.out_channels)
        fitted = torch.linalg.solve(
            damped[remaining][:, remaining], (weight @ covariance[:, remaining]).T
        ).T
        name = f"stem.blocks.{index}."
        state[name + "expand.weight"] = block.expand.weight[remaining]
        state[name + "expand.bias"] = block.expand.bias[remaining]
        state[name + "contract.weight"] = fitted[:, :, None, None].float()
        state[name + "contract.bias"] = (
            block.contract.bias + weight @ mean - fitted @ mean[remaining]
        ).float()
    model.load_state_dict(state)
    return model


def select_channels(covariance, weight, count):
    """Returns the channels that remain when, one after another, the channel is removed that changes
    the weighted sum least.
    """
    weight, inverse, remaining = (
        weight.clone(),
        torch.linalg.inv(covariance),
        torch.ones(len(covariance), dtype=torch.bool),
    )
    while remaining.sum() > count:
        cost = (weight**2).sum(0) / inverse.diagonal()
        removed = int(cost.where(remaining, math.inf).argmin())
        weight -= (weight[:, removed] / inverse[removed, removed])[:, None] * inverse[removed]
        inverse = (
            inverse
            - inverse[:, removed : removed + 1] * inverse[removed] / inverse[removed, removed]
        )
        remaining[removed] = False
        weight[:, removed], inverse[removed, removed] = 0, 1
    return remaining.nonzero().flatten()


def make_frame_distance(lstm, sample):
    """Returns a function for the distance of frames from those of the whole reader, as its first
    recurrent layer weighs them. It is 1 for frames that carry no information.

    `sample` holds frames of the whole reader, [count, width].
    """
    metric = torch.cat([lstm.weight_ih_l0, lstm.weight_ih_l0_reverse]).detach()
    metric = metric.T @ metric
    root = torch.linalg.cholesky(metric / metric.diagonal().mean() + 0.1 * torch.eye(len(metric)))
    spread = ((sample - sample.mean(0)) @ root).pow(2).mean()
    return lambda frames, wanted: ((frames - wanted) @ root).pow(2).mean() / spread


def compute_frames(model, ink):
    """Returns the frames of cells, computed in bfloat16: this takes half the time and adds an error
    of 0.0002 in frame distance.
    """
    with torch.autocast(ink.device.type, torch.bfloat16):
        return model.frames(ink).float()


def fit_stage(model, parameters, make_parts, steps, rate, loss, path):
    """Fits `parameters` for so many steps on what `make_parts` returns for each step, and returns
    the moving average of the weights.

    The state is saved at `path`, and a later call goes on from there.
    """
    model.requires_grad_(False)
    for parameter in parameters:
        parameter.requires_grad_(True)
    optimiser, average, first_step, started, total = (
        torch.optim.Adam(parameters, rate, betas=(0.9, 0.99)),
        copy.deepcopy(model),
        0,
        time.time(),
        0.0,
    )
    if os.path.exists(path):
        state = torch.load(path)
        for key, holder in (("model", model), ("average", average), ("optimiser", optimiser)):
            holder.load_state_dict(state[key])
        first_step = state["step"]
    for step in range(first_step, steps):
        for group in optimiser.param_groups:
            group["lr"] = (
                rate
                * min(1, (step + 1) / 100)
                * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.003)
            )
        optimiser.zero_grad()
        for ink, target in (parts := make_parts(step)):
            part_loss = loss(model, ink, target) / len(parts)
            part_loss.backward()
            total += float(part_loss.detach())
        nn.utils.clip_grad_norm_(parameters, 5.0)
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


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--of", required=True, help="the exported reader")
    parser.add_argument("--name", required=True)
    parser.add_argument("--steps", type=int, default=3000, help="for the frames")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument(
        "--further",
        type=int,
        default=900,
        help="steps for the log-posteriors, at a tenth of the rate",
    )
    parser.add_argument(
        "--share",
        type=float,
        default=0.5,
        help="of the weights after these further steps, beside those before them",
    )
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    data = CellData(args.work, ["train"])
    print(data.describe(), flush=True)
    teacher = onnx_weights.load_network(args.of, data.make_batch(512, 0.5, 0.5, 1)[0]).to(
        memory_format=torch.channels_last
    )
    is_first_stage = type(teacher) is Reader
    padding = PADDING_PX["reader" if is_first_stage else "second_stage"]

    @torch.no_grad()
    def make_parts(seed):
        ink, _ = data.make_batch(args.batch, REAL_SHARE, 0.6, 91_000_000 + seed)
        parts = (
            part.contiguous(memory_format=torch.channels_last)
            for _, part in crop_patches(ink, padding, args.batch // CELLS_PER_PART)
        )
        return [(part, compute_frames(teacher, part)) for part in parts]

    sample = [part for seed in range(18) for part in make_parts(-1 - seed)]
    model = factorize_convolutions(args.of) if is_first_stage else prune_blocks(teacher, sample)
    for name in ("squeeze", "shortcut", "lstm", "head"):
        getattr(model, name).load_state_dict(getattr(teacher, name).state_dict())
    model = model.to(memory_format=torch.channels_last).eval()
    frame_distance = make_frame_distance(
        teacher.lstm, torch.cat([target.flatten(0, 1) for _, target in sample])
    )

    def frame_loss(model, ink, target):
        return frame_distance(compute_frames(model, ink), target)

    def posterior_loss(model, ink, target):
        frames_now = compute_frames(model, ink)
        with torch.no_grad():
            teacher_posteriors = teacher.classify_frames(target)
        return teacher_loss(model.classify_frames(frames_now), teacher_posteriors) + 5 * F.mse_loss(
            frames_now, target
        )

    path = os.path.join(args.work, args.name)
    convolutions = [*model.stem.parameters(), *model.squeeze.parameters()]
    first_fit = fit_stage(
        model, convolutions, make_parts, args.steps, args.rate, frame_loss, path + "-frames.pt"
    )
    model.load_state_dict(first_fit.state_dict())
    all_parameters = [*convolutions, *model.lstm.parameters(), *model.head.parameters()]
    second = (
        fit_stage(
            model,
            all_parameters,
            make_parts,
            args.further,
            args.rate / 10,
            posterior_loss,
            path + "-posteriors.pt",
        )
        if args.further
        else first_fit
    )
    average = {
        name: torch.lerp(weight, second.state_dict()[name], args.share)
        for name, weight in first_fit.state_dict().items()
    }
    torch.save(
        {"average": average, "architecture": "lean" if is_first_stage else "pruned"}, path + ".pt"
    )


if __name__ == "__main__":
    main()
