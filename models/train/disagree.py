"""Lists the training cells on which a trained model and the tag disagree most, page by page, for a
person to look at.

`python disagree.py --work DIR --out DIR/disagree.tsv` writes page, move, side, tag, reading, and by
how many nats the string of the model is more probable. Pages whose rows are shifted stand out by
their share of disagreeing cells. `--exclude FILE` also writes the cells that training leaves out:
ink without a tag, and tags that a half-trained model finds impossible.
"""

import argparse
import collections
import os

import numpy as np
import torch
import torch.nn.functional as F
from alphabet import encode
from augment import normalize_ink, sample_window
from model import FRAMES, load_averaged
from train import canonical_tag, decode_greedy, normalize_reading


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--exclude")
    parser.add_argument("--set", default="train")
    parser.add_argument("--name", default="checkpoint")
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = load_averaged(args.work, args.name)
    archive = np.load(os.path.join(args.work, args.set + ".npz"))
    rows = []
    for start in range(0, len(archive["text"]), 128):
        ink = normalize_ink(
            sample_window(
                torch.from_numpy(archive["canvas"][start : start + 128]).float()[:, None] / 255,
                None,
                0.0,
            )
        )
        logs = model(ink)
        for i, (row, best) in enumerate(zip(logs, decode_greedy(logs)), start):
            tag = canonical_tag(str(archive["text"][i]))
            if tag is None:
                continue

            def string_cost(text):
                return F.ctc_loss(
                    row[:, None],
                    torch.tensor([encode(text)]),
                    torch.tensor([FRAMES]),
                    torch.tensor([len(text)]),
                    reduction="sum",
                ).item()

            rows.append(
                (
                    str(archive["page"][i]),
                    int(archive["move"][i]),
                    str(archive["side"][i]),
                    tag,
                    best,
                    string_cost(tag) - string_cost(best),
                )
            )
    pages = collections.defaultdict(list)
    for entry in rows:
        if entry[3]:
            pages[entry[0]].append(normalize_reading(entry[3]) != normalize_reading(entry[4]))
    share = {page_name: sum(flags) / len(flags) for page_name, flags in pages.items()}
    with open(args.out, "w") as f:
        f.write("page\tshare_wrong\tmove\tside\ttag\treading\tnats\n")
        for entry in sorted(
            rows, key=lambda entry: (-share.get(entry[0], 0), entry[0], entry[1], entry[2])
        ):
            page, move, side, tag, best, nats = entry
            if normalize_reading(tag) != normalize_reading(best):
                fields = (page, f"{share.get(page, 0):.2f}", move, side, tag, best, f"{nats:.1f}")
                f.write("\t".join(map(str, fields)) + "\n")
    if args.exclude:
        untagged = collections.Counter(
            entry[0] for entry in rows if entry[4] and not entry[3] and entry[5] > 4
        )
        with open(args.exclude, "w") as f:
            f.write("page\tmove\tside\treason\n")
            for page, move, side, tag, best, nats in sorted(rows, key=lambda entry: entry[:3]):
                # The thresholds were chosen by eye. Of 28 tags above 12 nats 4 were right (a
                # correction beside a struck-out move); of 20 untagged cells above 4 nats 18 had
                # ink. Pages in descriptive notation have no tags at all.
                if not tag and (untagged[page] >= 4 or (best and nats > 4)):
                    f.write(f"{page}\t{move}\t{side}\tink without a tag\n")
                elif tag and nats > 12 and normalize_reading(tag) != normalize_reading(best):
                    f.write(f"{page}\t{move}\t{side}\ttag of another cell\n")
    print(
        sum(len(flags) for flags in pages.values()),
        "written cells,",
        sum(map(sum, pages.values())),
        "disagree",
    )


if __name__ == "__main__":
    main()
