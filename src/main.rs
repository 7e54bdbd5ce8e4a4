//! The sheetscan program.
fn main() {}
