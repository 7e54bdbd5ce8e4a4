"""answer_oracle.py URL TRUTHS: an oracle answers the doubts of a running review.

URL is the secret address that `sheetscan review` prints, TRUTHS a folder of PGN files, or of JSON,
that are called as the sheets are (or as HCS games, `078.json` for page 078_0). The oracle goes
through each game as a person who reads every move does: it takes the first move that is wrong,
answers it, and settles the game once all are right. It counts two actions for each answer (going
there and answering), but one where the page stands there already, since it goes on to the next
doubt by itself, and one for settling. It measures the time from an answer to the new
game: where the answer agreed with the game, where it changed it (quick), and until the final game
is there. On a busy machine, --pid measures the CPU of the review instead.
"""

import argparse
import json
import os
import re
import sys
import time
import urllib.request
from pathlib import Path

MAX_ANSWERS = 60


class Client:
    """Requests to a review, with its token."""

    def __init__(self, url, pid=None):
        self.pid = pid
        self.base, token = url.split("/#", 1)
        self.headers = {"X-Sheetscan": token, "Content-Type": "application/json"}
        self.key = 0

    def clock(self):
        """Seconds of CPU that the review has taken, where its process is known, else of wall."""
        if self.pid is None:
            return time.monotonic()
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def call(self, path, body=None):
        """Sends a GET, or a POST of a JSON body, and gives the JSON of the reply."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, self.headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            return json.load(error) | {"status": error.code}

    def answer(self, game, answers):
        """Sends answers as one step."""
        self.key += 1
        body = {"key": f"oracle-{self.key}", "base": game["version"], "answers": answers}
        return self.call(f"/api/games/{game['id']}/answers", body)


def plain(san):
    """A move without its suffixes."""
    return san.rstrip("+#!?")


def read_truth(folder, sheet):
    """The moves that were played, or None."""
    stem = Path(sheet.split(", page")[0]).stem
    for name in (stem, re.sub(r"_\d$", "", stem)):
        path = Path(folder) / f"{name}.json"
        if path.exists():
            return [plain(ply["san"]) for ply in json.loads(path.read_text())["plies"]]
        path = Path(folder) / f"{name}.pgn"
        if path.exists():
            text = path.read_text()
            text = re.sub(r"\[[^\]]*\]|\{[^}]*\}|\d+\.+|\$\d+", " ", text)
            results = {"1-0", "0-1", "1/2-1/2", "*"}
            return [plain(move) for move in text.split() if move not in results]
    return None


def wait_until_final(client, game_id):
    """The game once its search of full effort is over."""
    while True:
        game = client.call(f"/api/games/{game_id}")
        if game["final"]:
            return game
        time.sleep(0.01)


def first_wrong(game, truth):
    """Index of the first ply at which a game and the truth differ; None where they agree."""
    sans = [plain(ply["san"]) for ply in game["plies"]]
    for at, (own, true) in enumerate(zip(sans, truth)):
        if own != true:
            return at
    return None if len(sans) == len(truth) else min(len(sans), len(truth))


def answers_for(game, truth, at):
    """The answers that mend the move at a ply."""
    plies = game["plies"]
    sans = [plain(ply["san"]) for ply in plies]
    if at >= len(truth):
        return [{"is": "end", "at": plies[at]["place"]}]
    if at < len(plies):
        place = plies[at]["place"]
        # The game has a move more than the truth: its cell holds none.
        if sans[at + 1 : at + 3] == truth[at : at + 2] and plies[at]["cells"]:
            return [{"is": "none", "at": place}]
        # The truth has a move more, which stands in no cell.
        if sans[at : at + 2] == truth[at + 1 : at + 3]:
            return [{"is": "left-out", "at": place, "san": truth[at]}]
        return [{"is": "move", "at": place, "san": truth[at]}]
    place = (game["break_at"] or {}).get("place") or f"ply-{at + 1}"
    return [{"is": "move", "at": place, "san": truth[at]}]


def doubt_beside(game, place):
    """The place to which the page goes from a place: the next doubt, else the first; None if there
    is none. The cut comes last."""
    walk = [ply["place"] for ply in game["plies"]]
    open_plies = [p for p in game["plies"] if p["review"] and not (p["settled"] or p["seen"])]
    doubts = [ply["place"] for ply in open_plies]
    if game["break_at"] and not game["complete"]:
        doubts.append(game["break_at"]["place"])
        walk.append(game["break_at"]["place"])
    here = walk.index(place) if place in walk else -1
    ahead = [doubt for doubt in doubts if walk.index(doubt) > here]
    return next(iter(ahead + doubts), None)


def answer_game(client, game_id, truth, times):
    """Answers until a game is right and settles it. Gives the wrong moves at first, the answers,
    the actions, and whether the game became right."""
    game = wait_until_final(client, game_id)
    here, actions = doubt_beside(game, None), 0
    sans = [plain(ply["san"]) for ply in game["plies"]]
    wrong = sum(a != b for a, b in zip(sans, truth)) + abs(len(sans) - len(truth))
    count, tried = 0, set()
    while count < MAX_ANSWERS:
        at = first_wrong(game, truth)
        if at is None:
            break
        answers = answers_for(game, truth, at)
        if (at, str(answers)) in tried:
            break
        tried.add((at, str(answers)))
        # The page asks for the candidates of a place before a person answers there.
        client.call(f"/api/games/{game['id']}/at/{answers[0]['at']}")
        began = client.clock()
        reply = client.answer(game, answers)
        if "status" in reply:
            print(f"  {game['row']['sheets'][0]} ply {at + 1}: {answers}: {reply['error']}")
            break
        times["quick"].append(client.clock() - began)
        count += 1
        actions += 1 if answers[0]["at"] == here else 2
        game = wait_until_final(client, game_id)
        times["final"].append(client.clock() - began)
        here = doubt_beside(game, answers[0]["at"])
    if not game["complete"] and first_wrong(game, truth) is None and game["break_at"]:
        reply = client.answer(game, [{"is": "end", "at": game["break_at"]["place"]}])
        count += 1
        actions += 1 if game["break_at"]["place"] == here else 2
        game = wait_until_final(client, game_id)
    agreeing = [ply for ply in game["plies"] if not ply["settled"]][:3]
    for ply in agreeing:
        began = client.clock()
        right = {"is": "move", "at": ply["place"], "san": ply["san"]}
        reply = client.answer(game, [right])
        if "status" not in reply:
            times["agreeing"].append(client.clock() - began)
            game = reply["game"]
            client.call("/api/undo", {})
            game = client.call(f"/api/games/{game_id}")
    is_right = first_wrong(game, truth) is None
    if is_right:
        moves = [ply["san"] for ply in game["plies"]]
        client.answer(game, [{"is": "settled", "moves": moves}])
    return wrong, count, actions + 1, is_right


def percentile(values, share):
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="the address that the review prints")
    parser.add_argument("truths", help="folder of the PGN files")
    parser.add_argument("--first", type=int, help="answer only so many games")
    parser.add_argument("--pid", type=int, help="process of the review, to measure CPU, not wall")
    args = parser.parse_args()
    client = Client(args.url, args.pid)
    while client.call("/api/run")["phase"] != "ready":
        time.sleep(0.2)
    times = {"agreeing": [], "quick": [], "final": []}
    total, actions_over = 0, 0
    for row in client.call("/api/games")["games"][: args.first]:
        truth = read_truth(args.truths, row["sheets"][0])
        if truth is None or not row["moves"]:
            continue
        wrong, count, actions, is_right = answer_game(client, row["id"], truth, times)
        total += 1
        allowed = max(2 * wrong + 1, 1)
        actions_over += actions > allowed or not is_right
        mark = "right" if is_right else "NOT RIGHT"
        print(f"{row['sheets'][0]}: {wrong} wrong, {count} answers, {actions} actions, {mark}")
        sys.stdout.flush()
    print(f"{total} games, {actions_over} with more actions than two a wrong move and one")
    for name, values in times.items():
        p50, p95 = (percentile(values, share) for share in (0.5, 0.95))
        worst = max(values, default=float("nan"))
        print(f"{name}: n={len(values)} p50 {p50:.3f} p95 {p95:.3f} worst {worst:.3f} s")


if __name__ == "__main__":
    main()
