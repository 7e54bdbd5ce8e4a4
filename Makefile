# `make check` is what .ci/run runs. The other targets make the samples, train the networks and
# measure; they need data that is not in the repository (CONTRIBUTING.md).
PYTHON ?= python3
# Folder for downloaded fonts, outside the repository.
FONTS ?= $(HOME)/.cache/sheetscan-fonts

.PHONY: check fmt clippy test doc python page samples model second-stage words numbers prior table \
	event forms eval eval-record eval-tables fuzz deb

check: fmt clippy test doc python page

fmt:
	cargo fmt --all --check

clippy:
	cargo clippy --release --workspace --all-targets -- -D warnings

test:
	cargo test --release --workspace

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps

# Style and tests of the Python code. If Python or ruff (pip install ruff) is missing, this is
# skipped, or fails if SHEETSCAN_NEED_TOOLS is 1.
RUFF ?= $(PYTHON) -m ruff
python:
	@if $(RUFF) --version; then \
		$(RUFF) check models/train eval && \
		$(RUFF) format --check models/train eval && \
		$(PYTHON) -m unittest discover -s eval && \
		$(PYTHON) eval/cards.py --check; \
	elif [ "$$SHEETSCAN_NEED_TOOLS" = 1 ]; then \
		echo "make python: ruff is missing" >&2; exit 1; \
	else \
		echo "make python: skipped, since ruff is missing"; \
	fi

# The page of `sheetscan review`: its types, and its tests in the system's Chromium (CHROMIUM names
# another one). They start a server of their own; SHEETSCAN_URL, the address with its token that
# `sheetscan review` prints, has them try the program. It needs Node 20 or later; if that, npm or
# Chromium is missing, this is skipped, or fails if SHEETSCAN_NEED_TOOLS is 1.
CHROMIUM ?= chromium
NPM = npm --prefix tests/page
page:
	@chromium=$$(command -v "$(CHROMIUM)"); \
	if [ -n "$$chromium" ] && command -v npm >/dev/null && \
		[ "$$(node -p 'parseInt(process.versions.node) >= 20')" = true ]; then \
		$(NPM) --no-fund --no-audit ci && $(NPM) run check && \
		CHROMIUM="$$chromium" $(NPM) test; \
	elif [ "$$SHEETSCAN_NEED_TOOLS" = 1 ]; then \
		echo "make page: Node 20, npm or Chromium is missing" >&2; exit 1; \
	else \
		echo "make page: skipped, since Node 20, npm or Chromium is missing"; \
	fi

# A Debian package in target/debian, with manual pages and completions. It needs `cargo install
# cargo-deb`. Its program runs from the glibc of the machine that builds it on, so that Debian 12
# builds what Debian 12 runs.
deb:
	SHEETSCAN_COMMIT=$$(git rev-parse HEAD) cargo build --release -p sheetscan
	mkdir -p target/deb
	target/release/sheetscan man --out target/deb/man
	target/release/sheetscan completions bash > target/deb/sheetscan.bash
	target/release/sheetscan completions zsh > target/deb/_sheetscan
	target/release/sheetscan completions fish > target/deb/sheetscan.fish
	cargo deb -p sheetscan --no-build

# The sheets in samples and their expected games. It needs numpy, opencv, pillow and fonttools, and
# npm to download the fonts.
samples:
	$(PYTHON) models/train/samples --fonts $(FONTS) --out samples

# The first stage of the reader. DATA is the folder of data that models/reader.md describes, FONTS a
# node_modules folder with the packages of @fontsource, WORK a folder for what is made on the way.
WORK ?= work
STEPS ?= 19000
LANGUAGES = en pt it es fr de nl pl
TRAIN = models/train
RENDER = $(PYTHON) $(TRAIN)/render.py --data $(DATA) --fonts $(FONTS)
FORMS = $(PYTHON) $(TRAIN)/forms --data $(DATA) --fonts $(FONTS)
model:
	mkdir -p $(WORK)
	cargo build --release
	$(PYTHON) $(TRAIN)/fit_ngrams.py --data $(DATA) --out models/ngrams.tsv
	$(PYTHON) $(TRAIN)/crops.py --data $(DATA) --out $(WORK)
	$(PYTHON) $(TRAIN)/glyphs.py --data $(DATA) --list
	$(RENDER) --out $(WORK)/pool.npz --cells 160000 --seed 9
	$(RENDER) --out $(WORK)/asides.npz --cells 8000 --seed 7 --asides
	$(FORMS) --out $(WORK)/forms-401 --count 500 --seed 401
	$(FORMS) --out $(WORK)/forms-403 --count 700 --seed 403
	$(FORMS) --out $(WORK)/forms-405 --count 500 --seed 405
	$(PYTHON) $(TRAIN)/form_cells.py --out $(WORK)/forms.npz $(WORK)/forms-401 $(WORK)/forms-403 $(WORK)/forms-405
	$(PYTHON) $(TRAIN)/splice.py --work $(WORK) --reader models/reader.onnx --out $(WORK)/spliced.npz
	$(RENDER) --out $(WORK)/heldout.npz --cells 4000 --seed 21 --held-out
	seed=22; for l in $(LANGUAGES); do $(RENDER) --out $(WORK)/test-$$l.npz --cells 2000 --seed $$seed --held-out --language $$l || exit 1; seed=$$((seed + 1)); done
	$(PYTHON) $(TRAIN)/train.py --work $(WORK) --steps $(STEPS)
	$(PYTHON) $(TRAIN)/export.py --work $(WORK) --out models
	$(PYTHON) $(TRAIN)/measure.py --work $(WORK) --reader models/reader.onnx

# The second stage of the reader. Its training starts from the convolutions of PP-OCRv6 and the
# other layers of reader.onnx, and needs the cells that `make model` leaves in WORK.
second-stage:
	$(PYTHON) -m pip download --no-deps --dest $(WORK) rapidocr==3.10.0
	cd $(WORK) && unzip -oj rapidocr-3.10.0-*.whl rapidocr/models/PP-OCRv6_rec_small.onnx
	$(PYTHON) $(TRAIN)/train.py --work $(WORK) --name second_stage --architecture pretrained --whole --from models/reader.onnx --trunk $(WORK)/PP-OCRv6_rec_small.onnx --steps 5500 --rate 1.2e-3 --every 250 --threads 2
	$(PYTHON) $(TRAIN)/export.py --work $(WORK) --name second_stage --model second_stage --temperature 1.3 --out $(WORK)
	$(PYTHON) $(TRAIN)/lean.py --work $(WORK) --of $(WORK)/second_stage.onnx --name second_stage-lean --steps 460 --rate 6e-4 --further 0
	$(PYTHON) $(TRAIN)/export.py --work $(WORK) --name second_stage-lean --model second_stage --out models

# The reader of words. Its training starts from reader.onnx and needs train.npz, which `make model`
# leaves in WORK.
words:
	$(PYTHON) $(TRAIN)/words.py pool --data $(DATA) --fonts $(FONTS) --out $(WORK)/words-pool.npz --words 36000
	$(PYTHON) $(TRAIN)/words.py pool --data $(DATA) --fonts $(FONTS) --out $(WORK)/words-test.npz --words 1200 --seed 31 --held-out
	$(PYTHON) $(TRAIN)/words.py train --work $(WORK) --pools $(WORK)/words-pool.npz --from models/reader.onnx
	$(PYTHON) $(TRAIN)/export.py --work $(WORK) --name words --model words --cells words-test --out models

# The move prior. It takes half an hour on one core, and 11 GB of memory.
prior:
	cargo build --release --example prior_features
	$(PYTHON) $(TRAIN)/fit_prior.py $(DATA)/pgn --work $(WORK)

# The reader of printed move numbers. PRINTS is a node_modules folder with the packages that
# models/train/prints.txt lists.
numbers:
	for seed in 1 2 3 4 5 6; do $(PYTHON) $(TRAIN)/digits.py render --prints $(PRINTS) --hands $(FONTS) --count 20000 --seed $$seed --out $(WORK)/numbers-$$seed.npz || exit 1; done
	$(PYTHON) $(TRAIN)/digits.py train --pools $(WORK)/numbers-1.npz,$(WORK)/numbers-2.npz,$(WORK)/numbers-3.npz --hcs $(DATA)/hcs --work $(WORK) --epochs 8 --out models
	$(PYTHON) $(TRAIN)/digits.py train --pools $(WORK)/numbers-1.npz,$(WORK)/numbers-2.npz,$(WORK)/numbers-3.npz,$(WORK)/numbers-4.npz,$(WORK)/numbers-5.npz,$(WORK)/numbers-6.npz --hcs $(DATA)/hcs --work $(WORK) --epochs 6 --out models

# The table model. Its training starts from table.onnx, on simulated forms of the training kinds. A
# table network of others labels the rulings of the real pages and of pictures that are no
# scoresheets. It takes three hours on two cores. In the forms of EVEN_SEEDS every kind is equally
# frequent.
EVEN_SEEDS = 601 603 605 607 609 611 613 615 617 619 621 623
OTHER_SEEDS = 602 604 606 608 610 612 614 616 618 620 622 624
LABEL_RULINGS = $(PYTHON) $(TRAIN)/ruling_teacher.py --model $(WORK)/cycle_center_net_v2.onnx --out $(WORK)/rulings
table:
	$(PYTHON) -m pip download --no-deps --dest $(WORK) wired_table_rec==1.0.0
	cd $(WORK) && unzip -oj wired_table_rec-1.0.0-*.whl wired_table_rec/models/cycle_center_net_v2.onnx
	$(LABEL_RULINGS) $(DATA)/hcs/pages/*.* $(DATA)/hcs/blank/*.jpg
	$(PYTHON) $(TRAIN)/not_sheets.py --data $(DATA) --fonts $(FONTS) --out $(WORK)/others-52 --count 48 --seed 52
	$(LABEL_RULINGS) $(WORK)/others-52/*.jpg
	for s in $(EVEN_SEEDS); do $(FORMS) --out $(WORK)/forms-$$s --count 100 --seed $$s --longest 1300 --evenly || exit 1; done
	for s in $(OTHER_SEEDS); do $(FORMS) --out $(WORK)/forms-$$s --count 100 --seed $$s --longest 1300 || exit 1; done
	$(PYTHON) $(TRAIN)/table.py --work $(WORK) --hcs $(DATA)/hcs --labels $(WORK)/rulings --others $(WORK)/others-52 --forms $(patsubst %,$(WORK)/forms-%,$(EVEN_SEEDS) $(OTHER_SEEDS)) --steps 19000 --rate 1.2e-3 --seed 44 --from models/table.onnx --out models

# Counts the sheets of a simulated event of 40 pairings that find their pairing, and the planted
# faults that the checks find.
event:
	cargo build --release
	$(PYTHON) $(TRAIN)/event.py make --data $(DATA) --fonts $(FONTS) --out $(WORK)/event
	$(PYTHON) $(TRAIN)/event.py judge $(WORK)/event target/release/sheetscan

# Measures how well tables are found in 200 simulated forms of held-out kinds, and how often one is
# found in pictures without a table.
forms:
	cargo build --release
	$(FORMS) --out $(WORK)/forms --count 200 --seed 2 --held-out
	$(PYTHON) $(TRAIN)/not_sheets.py --data $(DATA) --fonts $(FONTS) --out $(WORK)/not-sheets
	$(PYTHON) eval/judge_tables.py $(WORK)/forms target/release/sheetscan
	$(PYTHON) eval/judge_tables.py $(WORK)/not-sheets target/release/sheetscan

# Measures the tables found on the 60 forms of eval/tables, by group, and their difference to the
# last line in eval/results.tsv; with DATA those of EPFL and HCS dev too. eval-record appends a line.
eval:
	cargo build --release
	$(PYTHON) eval/measure_tables.py target/release/sheetscan $(if $(DATA),--data $(DATA))

eval-record:
	cargo build --release
	$(PYTHON) eval/measure_tables.py target/release/sheetscan --record

# Makes eval/tables anew. Other forms make other figures, so that results.tsv starts again for them.
POOL = 160
eval-tables:
	$(FORMS) --out $(WORK)/pool-trained --count $(POOL) --seed 4101 --evenly --longest 1100
	$(FORMS) --out $(WORK)/pool-held-out --count $(POOL) --seed 4101 --evenly --longest 1100 --held-out
	$(PYTHON) eval/choose_tables.py $(WORK)/pool-trained $(WORK)/pool-held-out

# Feeds arbitrary bytes to each reader of foreign files, for MINUTES each, from the files of
# fuzz/corpus on. It needs a nightly compiler and `cargo install cargo-fuzz`. What it finds lies in
# fuzz/artifacts; a file that did harm belongs into fuzz/corpus once it is mended.
#
# There is no sanitizer: sheetscan itself has no unsafe code, and the address sanitizer takes several
# times as long. Faults show as panics, since overflows and debug assertions are checked
# (fuzz/Cargo.toml).
MINUTES = 1
FUZZ_TARGETS = picture table posteriors event_files header_rows layout_and_fixes typed_notation \
	json_line review_request
fuzz:
	set -e; for target in $(FUZZ_TARGETS); do \
		mkdir -p fuzz/found/$$target; \
		cargo +nightly fuzz run -O --sanitizer none $$target \
			fuzz/found/$$target fuzz/corpus/$$target -- \
			-max_total_time=$$(( $(MINUTES) * 60 )) -timeout=10 -rss_limit_mb=600; \
	done
