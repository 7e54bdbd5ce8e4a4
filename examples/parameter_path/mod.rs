//! Parameters by their paths, which examples share.

use anyhow::{Context, Result};
use toml::Value;

/// Sets the value at a path, names with dots between them. Whether the last of them is a parameter
/// is left to whoever reads the tree.
pub fn set(tree: &mut Value, path: &str, value: &Value) -> Result<()> {
    let (tables, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut node = tree;
    for name in tables.split_terminator('.') {
        let child = node.get_mut(name);
        node = child.with_context(|| format!("there is no parameter `{name}`"))?;
    }
    let table = node.as_table_mut();
    let table = table.with_context(|| format!("what should hold `{last}` is a value"))?;
    table.insert(last.to_owned(), value.clone());
    Ok(())
}
