"""Fetches fonts (OFL-1.1) from the npm registry by package name and converts them to TrueType in a
folder outside the repository.
"""

import pathlib
import subprocess

from fontTools.ttLib import TTFont

VERSION = "5.3.0"
HANDS = (
    "caveat",
    "patrick-hand",
    "gochi-hand",
    "kalam",
    "shadows-into-light",
    "architects-daughter",
    "indie-flower",
)
PRINTS = ("pt-sans", "lora", "oswald")


def fetch_fonts(cache, families=HANDS + PRINTS):
    """Installs the packages that are missing from the cache. Returns the TrueType path of every
    family.
    """
    cache = pathlib.Path(cache)
    cache.mkdir(parents=True, exist_ok=True)
    packages = {family: cache / "node_modules" / "@fontsource" / family for family in families}
    missing = [
        f"@fontsource/{family}@{VERSION}"
        for family, folder in packages.items()
        if not (cache / f"{family}.ttf").exists()
    ]
    if missing:
        command = [
            "npm",
            "install",
            "--prefix",
            str(cache),
            "--no-save",
            "--no-audit",
            "--no-fund",
            *missing,
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {family: convert_to_truetype(folder, cache) for family, folder in packages.items()}


def convert_to_truetype(folder, cache):
    """Converts WOFF, which the registry ships, to TrueType, which PIL reads: the same tables,
    uncompressed.
    """
    target = cache / f"{folder.name}.ttf"
    if not target.exists():
        font = TTFont(
            folder / "files" / f"{folder.name}-latin-400-normal.woff", recalcTimestamp=False
        )
        font.flavor = None
        font.save(target)
    return str(target)
