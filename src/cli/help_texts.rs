//! The examples and exit statuses at the end of each command's `--help`.

/// `sheetscan --help`
pub const PROGRAM: &str = "\
Examples:
  sheetscan scan round1/*.jpg -o round1.pgn     read a round's photographs
  sheetscan scan scans.pdf                      read every page of a PDF, games to the screen
  sheetscan scan --help                         all that scan can do
  sheetscan transcribe games.txt                read typed notation: 1. e4 e5 2. Cf3 Cc6

Exit status:
  0  every sheet was read and no move needs a look
  2  finished, but some sheet could not be read or has moves to look at
  3  finished, but the sheets contradict the report file of the event
  1  wrong usage, or a file that could not be written
  130, 143  stopped by Ctrl-C or SIGTERM; files are as they were";

/// `sheetscan review --help`
#[cfg(feature = "review")]
pub const REVIEW: &str = "\
Examples:
  sheetscan review round1/                      read a folder and settle the doubts in the browser
  sheetscan review round1/ -o games/r1.pgn      the same; the games go to that file
  sheetscan review round1/ --trf event.trf --round 1 --report checks
                                                with the names and checks of an event
  sheetscan review round1/ --no-open            print the address, open no browser

The page is served on this machine alone. Its address has a key that others must not see. Every
answer is saved at once in FOLDER.fixes.toml, and a review that was ended goes on where it was.
\"Export\" writes what sheetscan scan ... --fixes FOLDER.fixes.toml writes, byte for byte.

Exit status:
  0  every game is settled
  2  some game is not
  1  wrong usage, or a file that could not be written";

/// `sheetscan scan --help`
pub const SCAN: &str = "\
Examples:
  sheetscan scan sheet.jpg                      one sheet, the game to the screen
  sheetscan scan round1/ -o round1.pgn          every picture in a folder and below it
  sheetscan scan *.jpg -o g.pgn --json g.jsonl  games, and what each move was read from
  sheetscan scan sheet.jpg --lang pt            the writer used Portuguese letters (R D T B C)
  sheetscan scan sheet.jpg --letters MDTOK      king M, queen D, rook T, bishop O, knight K
  sheetscan scan sheet.jpg --debug-dir drawn    look at the table that was found
  sheetscan scan round1/ --no-pair -o all.pgn   one game a sheet; else copies of a game are joined
  sheetscan scan a.jpg b.jpg --pair a.jpg,b.jpg these two are copies of one game in any case
  sheetscan scan round1/ --ask 4% -o games.pgn  mark at most 4 moves in 100
  sheetscan scan round1/ --layout form.toml     sheets of a form whose table is not found; see
                                                sheetscan layout --help
  sheetscan scan a.jpg --fix a.jpg:23=Nf3       White's 12th move is Nf3; the others are decoded
                                                again
  find . -name '*.tif' | sheetscan scan --files-from - -o all.pgn
  ls *.jpg | parallel -k --pipe -N50 sheetscan scan --shard --files-from - --json - > all.jsonl
                                                many runs at a time; see sheetscan merge --help
  sheetscan scan round3/ --trf event.trf --round 3 --report checks -o round3.pgn
                                                games with names; in checks/ what is missing and
                                                what contradicts

Output is in the order of the input, the same whatever --jobs. Sheets that record the same game are
found by what is written on them and give one game, in the place of the first. A sheet whose printed
numbers begin at 31, say, continues the nearest sheet before it that ends with 30 and whose game
goes on with its moves; give page 1 before page 2. A file is written whole or not at all. A sheet
that cannot be read is reported on standard error and never stops the others.

What was read on a page is kept by the hash of its file, so that a run that was killed goes on where
it stopped, and the same version of sheetscan never reads a page twice. The folder may be deleted at
any time.

fixes.toml has a table for each sheet, which is named by its file's name with or without folder and
extension, or by at least 12 digits of its file's SHA-256; \"scans.pdf#2\" is page 2 of a file. A
name that two sheets have is refused:
  [\"9f2c0a77d1b3\"]
  23 = \"Nf3\"            # White's first move is ply 1, Black's is 2
  24 = \"e5\"

Exit status:
  0  every sheet was read and no move needs a look
  2  finished, but some sheet could not be read or has moves to look at
  3  finished, but the sheets contradict the report file, or it contradicts itself
  1  wrong usage, or a file that could not be written";

/// `sheetscan merge --help`
pub const MERGE: &str = "\
Examples:
  sheetscan merge round*.jsonl -o games.pgn     as one run over all the sheets would write them
  sheetscan merge round*.jsonl --trf event.trf -o games.pgn
  sheetscan merge round*.jsonl --trf event.trf --pairings round*.pgn -o games.pgn --split-rounds
  sheetscan merge all.jsonl --trf event.trf --headers headers.tsv --report checks -o games.pgn
  sheetscan merge all.jsonl --trf event.trf --norm-players 735463,3400042 -o games.pgn

Lines that `scan --shard` wrote hold all that was read, and copies and pages of a game are found and
decoded together, in whichever lines they are; other lines are taken as they are. Games keep the
order of the lines where no event orders them, so the files must come in the order of the sheets.

headers.tsv is divided by tabs, semicolons or commas and has a first line that names its columns, of
sheet, page, white, black, round, board, date, result; sheet is the picture's name with or without
folder and extension, the rest may be empty. A game is
matched where the evidence is twenty times that for any other pairing, and stays by itself
otherwise. In DIR of --report, coverage.csv has every pairing: ok, review, missing or not expected;
checks.csv has what the checks found; audit.jsonl has what each move was read from.

Exit status:
  0  everything agrees
  2  finished, but there are games or findings to look at
  3  finished, but the sheets contradict the report file, or it contradicts itself
  1  wrong usage, or a file that could not be written";

/// `sheetscan cells --help`
pub const CELLS: &str = "\
Examples:
  sheetscan cells sheet.jpg -o cells            cells/sheet-p1-01w.png ... and cells/manifest.tsv
  sheetscan cells scans/ -o cells --quiet       every sheet of a folder
  sheetscan cells scans/ -o cells --margin 24   room to jitter the crop in training

manifest.tsv has one line a cell: sheet, page, move, side, the cell's corners in pixels of the
upright page (x0 y0 ... x3 y3, clockwise from top left), the share of it that is ink, its state
(blank, written, struck-out) and the patch's file.";

/// `sheetscan layout --help`
pub const LAYOUT: &str = "\
Examples:
  sheetscan layout sheet.jpg -o form.toml       the layout that was found, else a template
  sheetscan scan sheet.jpg --layout form.toml --debug-dir drawn
                                                look at it, correct form.toml, and look again
  sheetscan scan round1/ --layout form.toml -o round1.pgn

form.toml says how to correct it. It holds the four corners of the table, and how many rows each
block of the table has and where its columns are, as shares of the table's width and height. The
table may lie elsewhere on every picture: its place is sought with these blocks, rows and columns,
and the corners are used where it cannot be seen.

Exit status:
  0  a table was found
  2  none was found, and what was written is a template
  1  wrong usage, a picture that cannot be read, or a file that could not be written";

/// `sheetscan forms --help`
#[cfg(feature = "forms")]
pub const FORMS: &str = "\
Examples:
  sheetscan forms --trf event.trf --round 4 -o round4.pdf
                                                a sheet a player, two on an A4 page, to be cut
  sheetscan forms --trf event.trf --pairings round4.pgn --paper letter --lang es -o round4.pdf
                                                with the boards of the header PGN, in Spanish
  sheetscan forms --trf event.trf --blank 20 --page 2 -o continued.pdf
                                                continuation sheets for games of over 60 moves
  sheetscan scan round4/ --trf event.trf -o round4.pgn
                                                the sheets when they come back

The code of a sheet holds a hash of the event, the round, the board, White's starting rank, the
side, the page and copy, and the rows and columns of the form; no name. Print at 100 %, in black.

Exit status:
  0  the file is written
  1  wrong usage, a form without room, or a file that cannot be read or written";

/// `sheetscan transcribe --help`
pub const TRANSCRIBE: &str = "\
Examples:
  sheetscan transcribe games.txt                every game in the text, to the screen
  sheetscan transcribe games.txt -o games.pgn   into a file
  echo '1.d4 Cf6 2.c4 e6' | sheetscan transcribe
  sheetscan transcribe old.txt --lang de        the letters are German (K D T L S)

A game begins at move 1 and is legal from there on. All these are read, in any of the languages:
  1. e4 e5 2. Cf3 Cc6 3. Bb5 a6                 figurines and capital files too: ♞f3, CF3
  1 e4, e5; 2 Cf3, Cc6; 3 Ac4, d6;              any numbering, one move a line or two columns
  1. e2-e4 e7-e5 2. Cg1-f3 2. ... Cb8-c6        long form; prose between the moves, dots for Black
  12 C:d6, A:f3; 13 C:f7++, Rc8                 captures with : inside or behind; ++
  5. O-O-O 0-0 exd6 e.p. e8=D b1C Rb1(=) abb.   castling, en passant, promotion, draw offers,
                                                results
  1. 5254 5755 2. e2 - e4 0,5-0,5 Remis         figures, squares with blanks, results in words
Brackets hold comments and side lines, which are passed over. The tags of a PGN are kept, and a game
with the tag FEN begins from its position. Where a record cannot be followed, the game is cut there,
the place is reported, and a comment repeats the rest. Descriptive notation (P-K4, C3AR) is not
read. The text may be UTF-8, UTF-16 or in an encoding of older programs, which is found and told.

Exit status:
  0  every game was followed to its end
  2  finished, but some game needs a look
  1  wrong usage, nothing that can be read, or a file that could not be written";

/// `sheetscan schema --help`
pub const SCHEMA: &str = "\
Examples:
  sheetscan schema                              JSON Schema, draft 2020-12, to the screen
  sheetscan schema -o game.schema.json          into a file

Every line that `sheetscan scan --json` writes is one JSON object that fits the schema. Fields may
be added in later versions; one that changes its meaning makes the number in `schema` grow.

Exit status:
  0  the schema was written
  1  wrong usage, or a file that could not be written";

/// `sheetscan completions --help`
pub const COMPLETIONS: &str = "\
Examples:
  sheetscan completions bash > ~/.local/share/bash-completion/completions/sheetscan
  sheetscan completions zsh > ~/.zfunc/_sheetscan      with ~/.zfunc in fpath
  sheetscan completions fish > ~/.config/fish/completions/sheetscan.fish
  sheetscan completions powershell >> $PROFILE

Exit status:
  0  the completions were printed
  1  wrong usage";

/// `sheetscan man --help`
pub const MAN: &str = "\
Examples:
  sheetscan man | man -l -                      the page of the program
  sheetscan man -o ~/.local/share/man/man1      the pages of all commands, for `man sheetscan-scan`

Exit status:
  0  the pages were written
  1  wrong usage, or a file that could not be written";
