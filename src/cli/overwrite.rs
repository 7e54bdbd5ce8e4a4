//! Refuses to write over a file that the run reads.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::args::{EventArgs, FixArgs};

/// The identity of a file, however its path is spelled: device and inode, so that links count too.
#[cfg(unix)]
type FileId = (u64, u64);

/// The identity of a file, however its path is spelled.
#[cfg(not(unix))]
type FileId = PathBuf;

/// The identity of a regular file; none if there is no such file.
fn file_id(path: &Path) -> Option<FileId> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        fs::canonicalize(path).ok()
    }
}

/// Fails if an output is a file that the run reads.
///
/// # Errors
/// A message that names both files.
pub fn refuse_overwriting<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
    outputs: &[PathBuf],
) -> Result<()> {
    let identified = |path: &'p Path| Some((file_id(path)?, path));
    let inputs: HashMap<FileId, &Path> = inputs.into_iter().filter_map(identified).collect();
    for output in outputs {
        let input = file_id(output).and_then(|id| inputs.get(&id));
        if let Some(input) = input {
            bail!(
                "{} would be written over {}, which this run reads; choose another place",
                output.display(),
                input.display()
            );
        }
    }
    Ok(())
}

/// The files that an event is read from.
pub fn event_inputs(args: &EventArgs) -> impl Iterator<Item = &Path> {
    let single = args.trf.iter().chain(&args.headers);
    single.chain(&args.pairings).map(PathBuf::as_path)
}

/// The file that fixes are read from.
pub fn fix_inputs(args: &FixArgs) -> impl Iterator<Item = &Path> {
    args.fixes.iter().map(PathBuf::as_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_known_by_another_spelling_and_outputs_that_are_new_are_allowed() {
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("a.jpg");
        fs::write(&input, "picture").expect("the file is written");
        fs::create_dir(folder.path().join("sub")).expect("a folder");
        let spelled = folder.path().join("sub/../a.jpg");
        let told = refuse_overwriting([input.as_path()], &[spelled]).expect_err("the input");
        assert!(told.to_string().contains("which this run reads"), "{told}");
        let new = folder.path().join("b.pgn");
        refuse_overwriting([input.as_path()], &[new, "-".into()]).expect("nothing is lost");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_an_input_are_the_input() {
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("a.jpg");
        fs::write(&input, "picture").expect("the file is written");
        let (soft, hard) = (folder.path().join("soft"), folder.path().join("hard"));
        std::os::unix::fs::symlink(&input, &soft).expect("a link");
        fs::hard_link(&input, &hard).expect("a link");
        for output in [soft, hard] {
            refuse_overwriting([input.as_path()], &[output]).expect_err("the input");
        }
    }
}
