"""Lists the training cells on which a trained model and the tag disagree most, page by page, to be looked at.

`python disagree.py --work DIR --out DIR/disagree.tsv` writes page, move, side, tag, reading, and how much more probable the
model's own string is (nats). Pages whose rows are shifted stand out by their share of disagreeing cells. `--exclude FILE`
also writes the cells that training leaves out: ink without a tag, and tags that a half-trained model finds impossible.
"""

import argparse
import collections
import os

import numpy as np
import torch
import torch.nn.functional as F
from alphabet import encode
from augment import normalise, window
from model import FRAMES, trained
from train import canonical, greedy, norm


@torch.no_grad()
def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--exclude")
    a.add_argument("--set", default="train")
    a.add_argument("--name", default="checkpoint")
    o = a.parse_args()
    torch.set_num_threads(1)
    model = trained(o.work, o.name)
    z = np.load(os.path.join(o.work, o.set + ".npz"))
    rows = []
    for k in range(0, len(z["text"]), 128):
        x = normalise(
            window(torch.from_numpy(z["canvas"][k : k + 128]).float()[:, None] / 255, None, 0.0)
        )
        y = model(x)
        for i, (row, best) in enumerate(zip(y, greedy(y)), k):
            tag = canonical(str(z["text"][i]))
            if tag is None:
                continue

            def cost(s):
                return F.ctc_loss(
                    row[:, None],
                    torch.tensor([encode(s)]),
                    torch.tensor([FRAMES]),
                    torch.tensor([len(s)]),
                    reduction="sum",
                ).item()

            rows.append(
                (
                    str(z["page"][i]),
                    int(z["move"][i]),
                    str(z["side"][i]),
                    tag,
                    best,
                    cost(tag) - cost(best),
                )
            )
    pages = collections.defaultdict(list)
    for r in rows:
        if r[3]:
            pages[r[0]].append(norm(r[3]) != norm(r[4]))
    share = {p: sum(v) / len(v) for p, v in pages.items()}
    with open(o.out, "w") as f:
        f.write("page\tshare_wrong\tmove\tside\ttag\treading\tnats\n")
        for r in sorted(rows, key=lambda r: (-share.get(r[0], 0), r[0], r[1], r[2])):
            if norm(r[3]) != norm(r[4]):
                f.write(
                    f"{r[0]}\t{share.get(r[0], 0):.2f}\t{r[1]}\t{r[2]}\t{r[3]}\t{r[4]}\t{r[5]:.1f}\n"
                )
    if o.exclude:
        untagged = collections.Counter(r[0] for r in rows if r[4] and not r[3] and r[5] > 4)
        with open(o.exclude, "w") as f:
            f.write("page\tmove\tside\treason\n")
            for page, move, side, tag, best, nats in sorted(rows, key=lambda r: r[:3]):
                # By eye, roughly: of 28 tags above 12 nats 4 were right (a correction beside a struck-out move),
                # of 20 untagged cells above 4 nats 18 had ink. Some pages (descriptive notation) have no tags at all.
                if not tag and (untagged[page] >= 4 or (best and nats > 4)):
                    f.write(f"{page}\t{move}\t{side}\tink without a tag\n")
                elif tag and nats > 12 and norm(tag) != norm(best):
                    f.write(f"{page}\t{move}\t{side}\ttag of another cell\n")
    print(
        sum(len(v) for v in pages.values()),
        "written cells,",
        sum(map(sum, pages.values())),
        "disagree",
    )


if __name__ == "__main__":
    main()
