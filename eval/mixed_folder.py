"""Makes tests/data/folder: a folder as a phone and a scanner leave it, written by other programs.

mixed_folder.py OUT needs Pillow, pillow-heif and img2pdf. The sheets are small copies of samples.
"""

import io
import pathlib
import sys

import img2pdf
import pillow_heif
from PIL import Image

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
# Longer side of the sheets in pixels, at which all their moves are still read.
SIDE = 1000
# Tag of the EXIF orientation, and how a picture is turned that is stored with each.
ORIENTATION = 0x0112
TURNS = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}


def load(number):
    """A small copy of a sample."""
    sheet = Image.open(next(SAMPLES.glob(f"{number}*.jpg"))).convert("L")
    scale = SIDE / max(sheet.size)
    return sheet.resize([round(side * scale) for side in sheet.size], Image.Resampling.LANCZOS)


def save_as_phone(sheet, orientation, path, **options):
    """Writes a sheet as a phone does that is held in this way."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    lying = sheet.transpose(TURNS[orientation]) if orientation in TURNS else sheet
    lying.convert("RGB").save(path, quality=40, exif=exif, **options)


def fax(sheet, **options):
    """The bytes of a bilevel TIFF."""
    file = io.BytesIO()
    sheet.point(lambda grey: 255 * (grey > 150)).convert("1").save(
        file, "TIFF", compression="group4", **options
    )
    return file.getvalue()


def main():
    out = pathlib.Path(sys.argv[1])
    scans = out / "scans"
    scans.mkdir(parents=True, exist_ok=True)
    pillow_heif.register_heif_opener()
    sheets = [load(number) for number in ("06", "07", "02", "03")]
    for i, orientation in enumerate((1, 3, 6, 8)):
        save_as_phone(sheets[i], orientation, out / f"IMG_{i + 1}.JPG")
    sheets[0].convert("RGB").save(out / "IMG_5.HEIC", quality=30)
    preview = sheets[1].resize((200, 280)).convert("RGB")
    save_as_phone(
        sheets[1], 6, out / "IMG_6.MPO", format="MPO", save_all=True, append_images=[preview]
    )
    pages = []
    for sheet in (*sheets, *sheets[:2]):
        pages += [fax(sheet), fax(Image.new("L", sheet.size, 255))]
    (scans / "Scan 2026-11-28.pdf").write_bytes(img2pdf.convert(pages))
    second = sheets[3].point(lambda grey: 255 * (grey > 150)).convert("1")
    (scans / "fax").write_bytes(fax(sheets[2], save_all=True, append_images=[second]))
    (out / "notes.txt").write_text("round 1\n")
    (out / "Thumbs.db").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500))
    (out / "._IMG_1.JPG").write_bytes(b"\0\x05\x16\x07" + bytes(100))


if __name__ == "__main__":
    main()
