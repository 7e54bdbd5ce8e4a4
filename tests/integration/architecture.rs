//! The imports of `src` form no circles and follow the map in `docs/architecture.md`.
//!
//! The test reads the paths that start with `crate`, `super`, `self` or `sheetscan`, in `use` lines
//! and in code. What `#[cfg(test)]` guards does not count. A module may use what its own parent
//! defines; what the parent only imports counts as an import from where it is defined.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use crate::common::{files_below, root};

/// A module's path from the crate's root, which is the empty path.
type ModulePath = Vec<String>;

/// A token of Rust and its line, from 1. `::` is one token, other punctuation is one a character.
type Token = (String, usize);

/// An import between two modules of one folder, with the places that need it.
type Edges = BTreeMap<(String, String), Vec<String>>;

#[test]
fn the_modules_of_each_folder_import_each_other_in_one_direction() {
    let mut report = String::new();
    for (folder, edges) in Crate::read().edges_by_folder() {
        for circle in circles(&edges) {
            let name = folder.join("/");
            let _ = writeln!(report, "src/{name}: {} form a circle", join(&circle));
            for ((from, to), places) in &edges {
                if circle.contains(from) && circle.contains(to) {
                    let _ = writeln!(report, "    {from} -> {to}: {}", places.join(", "));
                }
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn top_level_modules_import_only_what_the_map_allows() {
    let map = ImportMap::read();
    let source = Crate::read();
    let mut report = String::new();
    let modules: BTreeSet<String> = source.children(&[]).into_iter().collect();
    let listed: BTreeSet<String> = map.layers.keys().cloned().collect();
    for module in modules.symmetric_difference(&listed) {
        let _ = writeln!(report, "{module} is in src or on the map, but not in both");
    }
    let edges = source
        .edges_by_folder()
        .remove(&Vec::new())
        .unwrap_or_default();
    for ((from, to), places) in &edges {
        if !map.allows(from, to) {
            let _ = writeln!(report, "{from} -> {to}: {}", places.join(", "));
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn the_map_names_only_files_that_exist() {
    let text = fs::read_to_string(root().join("docs/architecture.md")).expect("the map");
    let lines = text.lines().filter(|line| !line.starts_with("```"));
    let quoted = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let folders = ["src/", "models/", "tests/", "examples/", "docs/"];
    let files = quoted.filter(|name| folders.iter().any(|folder| name.starts_with(folder)));
    let gone: Vec<&str> = files.filter(|name| !root().join(name).exists()).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn the_reader_of_imports_sees_groups_parents_and_code() {
    let source = Crate::of(&[
        ("src/lib.rs", "mod a; mod b; mod c;"),
        (
            "src/a.rs",
            "use crate::{b::Thing, c}; // use crate::d;\nmod x; mod y;",
        ),
        ("src/a/x.rs", "use super::{Own, Thing, y::{self, Z}};"),
        (
            "src/a/y.rs",
            "fn f() -> u8 { let s = \"crate::c\"; super::x::g('\\'', s) }",
        ),
        (
            "src/b.rs",
            "#[cfg(test)]\nmod tests { use crate::c; }\npub(crate) struct Thing;",
        ),
        (
            "src/c.rs",
            "fn f<'a>(v: &'a u8) { crate::a::run::<u8>(*v) }",
        ),
    ]);
    let edges = source.edges_by_folder();
    let arrows = |folder: &[&str]| -> Vec<String> {
        let folder: ModulePath = folder.iter().map(ToString::to_string).collect();
        let arrows = edges[&folder].keys();
        arrows.map(|(from, to)| format!("{from}->{to}")).collect()
    };
    assert_eq!(arrows(&[]), ["a->b", "a->c", "c->a"]);
    assert_eq!(arrows(&["a"]), ["x->y", "y->x"]);
    assert_eq!(circles(&edges[&Vec::new()]), [["a", "c"]]);
}

/// The map in `docs/architecture.md`.
struct ImportMap {
    /// The line of each module in the block `import-layers`, from the top.
    layers: BTreeMap<String, usize>,
    /// Pairs of the block `import-never`: the first must not import the second.
    never: BTreeSet<(String, String)>,
}

impl ImportMap {
    fn read() -> Self {
        let path = root().join("docs/architecture.md");
        let text = fs::read_to_string(path).expect("docs/architecture.md");
        let layers = block(&text, "import-layers")
            .enumerate()
            .flat_map(|(layer, line)| {
                line.split_whitespace()
                    .map(move |module| (module.to_owned(), layer))
            });
        let never = block(&text, "import-never").flat_map(|line| {
            let (from, to) = line.split_once("->").expect("an arrow");
            let from = from.trim().to_owned();
            to.split_whitespace()
                .map(move |to| (from.clone(), to.to_owned()))
        });
        Self {
            layers: layers.collect(),
            never: never.collect(),
        }
    }

    /// Whether one module may import another: the other stands in a line above it.
    fn allows(&self, from: &str, to: &str) -> bool {
        let layer = |module: &str| self.layers.get(module);
        let above = matches!((layer(from), layer(to)), (Some(from), Some(to)) if to < from);
        above && !self.never.contains(&(from.to_owned(), to.to_owned()))
    }
}

/// The lines of a fenced block of a Markdown text.
fn block<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let fence = format!("```{name}");
    let lines = text.lines().skip_while(move |line| *line != fence).skip(1);
    lines.take_while(|line| !line.starts_with("```"))
}

/// The modules of the library and the program, as one crate, without those for tests.
struct Crate {
    modules: BTreeMap<ModulePath, Module>,
}

/// A module that is a file.
struct Module {
    file: String,
    /// Every path that the file names, from the crate's root, with its line.
    paths: Vec<(ModulePath, usize)>,
    /// What its `use` lines import: the name here and the path from the crate's root.
    imports: BTreeMap<String, ModulePath>,
}

impl Crate {
    fn read() -> Self {
        let mut files = files_below(&root().join("src"));
        files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
        let sources = files.iter().map(|file| {
            let name = file.strip_prefix(root()).expect("a file below the root");
            let text = fs::read_to_string(file).expect("a source file");
            (name.to_string_lossy().replace('\\', "/"), text)
        });
        let sources: Vec<(String, String)> = sources.collect();
        let sources: Vec<_> = sources
            .iter()
            .map(|(f, t)| (f.as_str(), t.as_str()))
            .collect();
        Self::of(&sources)
    }

    fn of(sources: &[(&str, &str)]) -> Self {
        let mut tests = BTreeSet::new();
        let mut tokens = Vec::new();
        for (file, text) in sources {
            let path = module_path(file);
            let (kept, test_modules) = without_tests(tokenize(text));
            tests.extend(test_modules.into_iter().map(|name| child(&path, &name)));
            tokens.push((path, *file, kept));
        }
        tokens.retain(|(path, ..)| !tests.iter().any(|test| path.starts_with(test)));
        let paths: BTreeSet<ModulePath> = tokens.iter().map(|(path, ..)| path.clone()).collect();
        let mut modules: BTreeMap<ModulePath, Module> = BTreeMap::new();
        for (path, file, tokens) in tokens {
            let read = read_module(file, &path, &paths, &tokens);
            // The roots of the library and of the program are one module.
            match modules.get_mut(&path) {
                Some(module) => module.paths.extend(read.paths),
                None => _ = modules.insert(path, read),
            }
        }
        Self { modules }
    }

    /// The modules that are directly below another.
    fn children(&self, parent: &[String]) -> Vec<String> {
        let below = self
            .modules
            .keys()
            .filter(|path| path.len() == parent.len() + 1 && path.starts_with(parent));
        below.filter_map(|path| path.last().cloned()).collect()
    }

    /// The module in which a path ends, after the imports on the way are followed.
    fn resolve(&self, mut path: ModulePath) -> ModulePath {
        // Imports of imports end after a few steps in any code that compiles.
        for _ in 0..10 {
            let depth = (0..=path.len())
                .rev()
                .find(|&n| self.modules.contains_key(&path[..n]));
            let module = path[..depth.unwrap_or(0)].to_vec();
            let name = path.get(module.len());
            let import = name.and_then(|name| self.modules[&module].imports.get(name));
            match import {
                Some(import) => {
                    let rest = path.split_off(module.len() + 1);
                    path = import.iter().cloned().chain(rest).collect();
                }
                None => return module,
            }
        }
        path
    }

    /// The imports between the modules of each folder.
    fn edges_by_folder(&self) -> BTreeMap<ModulePath, Edges> {
        let mut folders: BTreeMap<ModulePath, Edges> = BTreeMap::new();
        for (from, module) in &self.modules {
            for (path, line) in &module.paths {
                let to = self.resolve(path.clone());
                if from.starts_with(&to) || to.starts_with(from) {
                    continue;
                }
                let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                let edges = folders.entry(from[..common].to_vec()).or_default();
                let places = edges
                    .entry((from[common].clone(), to[common].clone()))
                    .or_default();
                let place = format!("{}:{line}", module.file);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        folders
    }
}

/// Groups of modules of which each can reach all others.
fn circles(edges: &Edges) -> Vec<Vec<String>> {
    let mut reach: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        reach.entry(from).or_default().insert(to);
    }
    loop {
        let mut grown = reach.clone();
        for reached in grown.values_mut() {
            let further = reached.iter().filter_map(|module| reach.get(module));
            let further: Vec<&str> = further.flatten().copied().collect();
            reached.extend(further);
        }
        if grown == reach {
            break;
        }
        reach = grown;
    }
    let reaches = |a: &str, b: &str| reach.get(a).is_some_and(|reached| reached.contains(b));
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for module in reach.keys().filter(|module| reaches(module, module)) {
        let members = reach
            .keys()
            .filter(|other| reaches(module, other) && reaches(other, module));
        circles.insert(members.map(ToString::to_string).collect());
    }
    circles.into_iter().collect()
}

/// The paths and imports of one file.
fn read_module(
    file: &str,
    path: &ModulePath,
    modules: &BTreeSet<ModulePath>,
    tokens: &[Token],
) -> Module {
    let mut module = Module {
        file: file.to_owned(),
        paths: Vec::new(),
        imports: BTreeMap::new(),
    };
    let mut at = 0;
    while at < tokens.len() {
        let word = |i: usize| tokens.get(i).map_or("", |(word, _)| word.as_str());
        let in_use = at > 0 && word(at - 1) == "use";
        let is_root = matches!(word(at), "crate" | "super" | "self" | "sheetscan");
        let starts = is_root && word(at + 1) == "::" && (at == 0 || word(at - 1) != "::");
        let is_child = in_use && modules.contains(&child(path, word(at)));
        if !starts && !is_child {
            at += 1;
            continue;
        }
        let line = tokens[at].1;
        let mut found = Vec::new();
        at = read_tree(tokens, at, Vec::new(), &mut found);
        for (segments, name) in found {
            let full = absolute(&segments, path);
            if in_use && full.len() > 1 {
                module.imports.insert(name, full.clone());
            }
            module.paths.push((full, line));
        }
    }
    // A module's own name for itself or for a child is no import.
    module
        .imports
        .retain(|name, full| *full != child(path, name));
    module
}

/// Reads a path, with groups in braces, from a token on. Adds each path in it with the name that it
/// has from then on, and returns the token behind it.
fn read_tree(
    tokens: &[Token],
    mut at: usize,
    mut prefix: Vec<String>,
    found: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let word = |i: usize| tokens.get(i).map_or("", |(word, _)| word.as_str());
    loop {
        match word(at) {
            "{" => {
                at += 1;
                while word(at) != "}" {
                    at = read_tree(tokens, at, prefix.clone(), found);
                    if word(at) == "," {
                        at += 1;
                    }
                }
                return at + 1;
            }
            // Inside a group, `self` is the path before it.
            "self" if !prefix.is_empty() => at += 1,
            "*" => at += 1,
            name => {
                if !is_identifier(name) {
                    break;
                }
                prefix.push(name.to_owned());
                at += 1;
            }
        }
        if word(at) != "::" {
            break;
        }
        let next = word(at + 1);
        if !is_identifier(next) && next != "{" && next != "*" {
            break;
        }
        at += 1;
    }
    let mut name = prefix.last().cloned().unwrap_or_default();
    if word(at) == "as" {
        name = word(at + 1).to_owned();
        at += 2;
    }
    found.push((prefix, name));
    at.max(1)
}

/// A path from the crate's root.
fn absolute(segments: &[String], module: &ModulePath) -> ModulePath {
    let mut full = module.clone();
    for (i, segment) in segments.iter().enumerate() {
        match segment.as_str() {
            "crate" | "sheetscan" if i == 0 => full.clear(),
            "self" if i == 0 => {}
            "super" => _ = full.pop(),
            _ => full.push(segment.clone()),
        }
    }
    full
}

/// The tokens without items under `#[cfg(test)]`, and the names of the modules among these items.
fn without_tests(tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut modules = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let words = tokens[at..].iter().map(|(word, _)| word.as_str());
        if !words.take(CFG_TEST.len()).eq(CFG_TEST) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += CFG_TEST.len();
        if tokens.get(at).is_some_and(|(word, _)| word == "mod") {
            modules.push(tokens[at + 1].0.clone());
        }
        // The item ends with its first semicolon outside braces, or with its first block.
        let mut depth = 0;
        while let Some((word, _)) = tokens.get(at) {
            at += 1;
            match word.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" => {}
                _ => continue,
            }
            if depth == 0 {
                break;
            }
        }
    }
    (kept, modules)
}

/// The tokens of a Rust source without comments, literals and lifetimes.
fn tokenize(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(&c) = chars.get(at) {
        let rest = &chars[at..];
        let length = match c {
            '/' if rest.starts_with(&['/', '/']) => count_until(rest, &['\n']),
            '/' if rest.starts_with(&['/', '*']) => count_until(rest, &['*', '/']) + 2,
            '"' => string_length(rest),
            'r' | 'b' if raw_string_length(rest).is_some() => raw_string_length(rest).unwrap_or(1),
            '\'' => quote_length(rest),
            ':' if rest.starts_with(&[':', ':']) => 2,
            c if c.is_alphanumeric() || c == '_' => {
                let is_part = |c: &&char| c.is_alphanumeric() || **c == '_';
                rest.iter().take_while(is_part).count()
            }
            _ => 1,
        };
        let is_word = c.is_alphanumeric() || c == '_' || length <= 2 && !c.is_whitespace();
        if is_word && c != '"' && c != '\'' && !rest[..length.min(rest.len())].contains(&'"') {
            tokens.push((rest[..length].iter().collect(), line));
        }
        line += rest.iter().take(length).filter(|&&c| c == '\n').count();
        at += length;
    }
    tokens
}

/// Characters before an ending.
fn count_until(rest: &[char], end: &[char]) -> usize {
    rest.windows(end.len())
        .position(|window| window == end)
        .unwrap_or(rest.len())
}

/// Characters of a string in quotes, which may hold escapes.
fn string_length(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Characters of a raw or byte string; None where none begins.
fn raw_string_length(rest: &[char]) -> Option<usize> {
    let prefix = rest.iter().take_while(|c| matches!(c, 'r' | 'b')).count();
    let hashes = rest[prefix..].iter().take_while(|c| **c == '#').count();
    if prefix > 2 || rest.get(prefix + hashes) != Some(&'"') {
        return None;
    }
    let begin = prefix + hashes;
    if !rest[..prefix].contains(&'r') {
        return (hashes == 0).then(|| begin + string_length(&rest[begin..]));
    }
    let mut end = vec!['"'];
    end.extend(std::iter::repeat_n('#', hashes));
    Some(begin + 1 + count_until(&rest[begin + 1..], &end) + end.len())
}

/// Characters of a character literal or of a lifetime.
fn quote_length(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', _, ..] => 3 + count_until(&rest[3..], &['\'']) + 1,
        ['\'', _, '\'', ..] => 3,
        _ => {
            1 + rest[1..]
                .iter()
                .take_while(|c| c.is_alphanumeric() || **c == '_')
                .count()
        }
    }
}

/// Whether a token is an identifier or a keyword.
fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The module that a file of `src` is.
fn module_path(file: &str) -> ModulePath {
    let name = file
        .strip_prefix("src/")
        .and_then(|name| name.strip_suffix(".rs"));
    let mut path: ModulePath = name
        .expect("a .rs file")
        .split('/')
        .map(str::to_owned)
        .collect();
    if matches!(
        path.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        path.pop();
    }
    path
}

/// A module below another.
fn child(parent: &[String], name: &str) -> ModulePath {
    parent.iter().cloned().chain([name.to_owned()]).collect()
}

/// Names in a sentence.
fn join(names: &[String]) -> String {
    names.join(", ")
}
