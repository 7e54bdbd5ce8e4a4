//! What the tests of the documents need of Markdown: anchors, links, code spans and fenced blocks.

use std::collections::BTreeMap;

/// A Markdown file, taken apart.
#[derive(Default)]
pub struct Document {
    /// What a link to each heading has behind its `#`, as GitHub makes it.
    pub anchors: Vec<String>,
    /// Targets of links and pictures, with their anchors.
    pub links: Vec<String>,
    /// Inline code, without its backticks.
    pub code_spans: Vec<String>,
    /// Fenced blocks.
    pub blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Default)]
pub struct Block {
    /// The word behind the opening fence, or nothing.
    pub language: String,
    /// The lines between the fences.
    pub lines: Vec<String>,
}

impl Document {
    /// Takes a text apart.
    pub fn parse(text: &str) -> Self {
        let mut document = Self::default();
        let mut block: Option<Block> = None;
        let mut paragraph = String::new();
        let mut anchor_counts: BTreeMap<String, usize> = BTreeMap::new();
        for line in text.lines() {
            let fence = line.trim_start().strip_prefix("```");
            match (&mut block, fence) {
                (Some(_), Some(_)) => document.blocks.extend(block.take()),
                (Some(block), None) => block.lines.push(line.to_owned()),
                (None, Some(language)) => {
                    block = Some(Block {
                        language: language.trim().to_owned(),
                        ..Block::default()
                    });
                }
                (None, None) if line.starts_with('#') => {
                    let anchor = anchor(line.trim_start_matches('#').trim());
                    let count = anchor_counts.entry(anchor.clone()).or_default();
                    document.anchors.push(match count {
                        0 => anchor,
                        _ => format!("{anchor}-{count}"),
                    });
                    *count += 1;
                }
                (None, None) => {
                    paragraph += line;
                    paragraph.push('\n');
                }
            }
            // No link and no inline code goes on over an empty line, a row of a table or a fence.
            if line.trim().is_empty() || line.starts_with('|') || fence.is_some() {
                document.add_paragraph(&std::mem::take(&mut paragraph));
            }
        }
        document.add_paragraph(&paragraph);
        assert!(block.is_none(), "a fenced block has no end");
        document
    }

    /// Adds the links and the inline code of a paragraph.
    fn add_paragraph(&mut self, paragraph: &str) {
        let mut prose = String::new();
        for (i, part) in paragraph.split('`').enumerate() {
            if i % 2 == 0 {
                prose += part;
            } else {
                self.code_spans.push(part.replace('\n', " "));
            }
        }
        let targets = prose.split("](").skip(1);
        let targets = targets.filter_map(|rest| rest.split([')', ' ', '\n']).next());
        self.links.extend(targets.map(str::to_owned));
    }
}

/// The anchor of a heading: letters, digits, `-` and `_` in lower case, with `-` for spaces.
fn anchor(heading: &str) -> String {
    let heading = heading.to_lowercase();
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    });
    kept.collect()
}
