//! What `sheetscan --version` says below the line that `-V` says.

use clap::error::ErrorKind;
use sha2::{Digest, Sha256};
use sheetscan::models;
use sheetscan_kernels::Level;

/// Bytes of a model's SHA-256 that are shown.
const SHOWN_BYTES: usize = 6;

/// Whether clap stopped for `--version`, not for `-V` or for another reason.
pub fn is_asked_for_details(stopped: &clap::Error) -> bool {
    let is_long = || {
        std::env::args_os()
            .skip(1)
            .any(|argument| argument == "--version")
    };
    stopped.kind() == ErrorKind::DisplayVersion && is_long()
}

/// The build and the models, a line each. The models are hashed when somebody asks, which takes
/// longer than any run should wait.
pub fn details() -> String {
    let commit = match option_env!("SHEETSCAN_COMMIT") {
        Some(commit) => format!(", commit {commit}"),
        None => String::new(),
    };
    let mut text = format!(
        "build {}{commit}\ntarget {}, {} of this processor\n",
        env!("SHEETSCAN_BUILD"),
        env!("SHEETSCAN_TARGET"),
        Level::current().name(),
    );
    for (name, bytes) in models::files() {
        let hash = Sha256::digest(bytes);
        let digits = hash[..SHOWN_BYTES].iter().map(|byte| format!("{byte:02x}"));
        text += &format!("model {name} {}\n", digits.collect::<String>());
    }
    text
}
