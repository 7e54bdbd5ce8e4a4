# `make check` is exactly what .ci/run runs.
PYTHON ?= python3
# Downloaded fonts; outside the repository.
FONTS ?= $(HOME)/.cache/sheetscan-fonts

.PHONY: check fmt clippy test doc samples model

check: fmt clippy test doc

fmt:
	cargo fmt --check

clippy:
	cargo clippy --all-targets -- -D warnings

test:
	cargo test

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# The sample sheets and their expected games; needs numpy, opencv, pillow and fonttools, and npm for the fonts.
samples:
	$(PYTHON) models/train/samples --fonts $(FONTS) --out samples

# The reader from the shared data: DATA, FONTS (a node_modules folder with @fontsource) and WORK (scratch) are folders.
WORK ?= work
STEPS ?= 19000
model:
	mkdir -p $(WORK)
	cargo build --release
	$(PYTHON) models/train/crops.py --data $(DATA) --out $(WORK)
	$(PYTHON) models/train/render.py --data $(DATA) --fonts $(FONTS) --out $(WORK)/pool.npz --cells 90000
	$(PYTHON) models/train/render.py --data $(DATA) --fonts $(FONTS) --out $(WORK)/heldout.npz --cells 4000 --seed 7 --held-out
	$(PYTHON) models/train/train.py --work $(WORK) --steps $(STEPS)
	$(PYTHON) models/train/export.py --work $(WORK) --out models
