# `make check` is exactly what .ci/run runs.
PYTHON ?= python3
# Downloaded fonts; outside the repository.
FONTS ?= $(HOME)/.cache/sheetscan-fonts

.PHONY: check fmt clippy test doc samples

check: fmt clippy test doc

fmt:
	cargo fmt --check

clippy:
	cargo clippy --release --all-targets -- -D warnings

# Release, because an optimised build of the dependencies is needed anyway and one is enough.
test:
	cargo test --release

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --release

# The sample sheets and their expected games; needs numpy, opencv, pillow and fonttools, and npm for the fonts.
samples:
	$(PYTHON) models/train/samples --fonts $(FONTS) --out samples
