"""Scores what is read on made forms, by the rules of eval/score.py of the shared data."""

import collections
import importlib.util
import json
import pathlib
import subprocess
import tempfile


def scan_games(sheetscan, pictures):
    """Returns the games of `sheetscan scan`, one for each picture that has any."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "games.jsonl"
        command = [sheetscan, "scan", "-q", "-j", "1", "--no-pair", "--no-cache", "--json", out]
        command += ["-o", pathlib.Path(folder) / "games.pgn", "--files-from", "-"]
        paths = "".join(f"{picture}\n" for picture in pictures)
        subprocess.run(command, input=paths, text=True, capture_output=True)
        return [json.loads(line) for line in out.read_text().splitlines()]


def load_rules(score):
    """Returns score.py as a module."""
    spec = importlib.util.spec_from_file_location("score", score)
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    return rules


def score_page(rules, page, tags, game, folder):
    """Returns how many tagged cells of a page are read and how many true moves are played."""
    cells = [cell for ply in game["plies"] for cell in ply["cells"]] + game["unread"]
    readings = {(cell["move"], cell["side"]): cell.get("read") for cell in cells}
    read = [rules.norm(readings.get(key)) == rules.norm(tag) for key, tag in tags.items()]
    counts = {"tags": len(tags), "read": sum(read)}
    _, true_moves, _ = rules.truth_of(page, folder)
    if true_moves:
        sans = [rules.san(ply["san"]) for ply in game["plies"]]
        counts["plies"] = len(true_moves)
        counts["played"] = sum(
            i is not None and j is not None and sans[i] == true_moves[j]
            for i, j in rules.align(sans, true_moves)
        )
    return counts


def score_readings(score, sheetscan, pictures, folder):
    """Returns the counts of each page of a folder that holds tags.tsv and PGN."""
    rules = load_rules(score)
    tags = collections.defaultdict(dict)
    for (page, *key), tag in rules.load_tags(str(pathlib.Path(folder) / "tags.tsv")).items():
        tags[page][tuple(key)] = tag
    games = {
        rules.stem(game["sheets"][0]["path"]): game for game in scan_games(sheetscan, pictures)
    }
    nothing = {"plies": [], "unread": []}
    return {
        page: score_page(rules, page, tags[page], games.get(page, nothing), str(folder))
        for page in (rules.stem(str(picture)) for picture in pictures)
    }
