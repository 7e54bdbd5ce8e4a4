//! Refuses to write over a file that the run reads, or two results into one file.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::args::{EventArgs, FixArgs};
use super::output::follow_links;

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

/// Fails if an output is a file that the run reads, or the same file as another output.
///
/// # Errors
/// A message that names both files.
pub fn refuse_overwriting<'p>(
    inputs: impl IntoIterator<Item = &'p Path>,
    outputs: &[PathBuf],
) -> Result<()> {
    let inputs = files_by_id(inputs);
    for (i, output) in outputs.iter().enumerate() {
        refuse_if_input(output, &inputs)?;
        if let Some(other) = outputs[..i].iter().find(|other| is_same(other, output)) {
            let both = if other == output {
                format!("{} is named", output.display())
            } else {
                format!(
                    "{} and {} are the same place",
                    other.display(),
                    output.display()
                )
            };
            bail!("{both} for two results; give them different places");
        }
    }
    Ok(())
}

/// Fails if a picture that a run makes of its inputs in a folder, named after them as in
/// `sheet-p1.png`, could be one of the inputs.
///
/// # Errors
/// A message that names the input.
pub fn refuse_drawing_over(inputs: &[&Path], folder: &Path) -> Result<()> {
    let Ok(folder) = fs::canonicalize(folder) else {
        return Ok(());
    };
    let is_drawing = |path: &Path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let page = stem.rsplit_once("-p").map(|(_, page)| page.to_owned());
        let begins_with_digit = |page: String| page.starts_with(|c: char| c.is_ascii_digit());
        path.extension().is_some_and(|ending| ending == "png")
            && page.is_some_and(begins_with_digit)
            && fs::canonicalize(path).is_ok_and(|path| path.parent() == Some(&folder))
    };
    if let Some(input) = inputs.iter().find(|path| is_drawing(path)) {
        bail!(
            "{} may be written over, since the pictures in {} are named like it; choose another \
             folder",
            input.display(),
            folder.display()
        );
    }
    Ok(())
}

/// Fails if an output is one of the inputs.
fn refuse_if_input(output: &Path, inputs: &HashMap<FileId, &Path>) -> Result<()> {
    if let Some(input) = file_id(output).and_then(|id| inputs.get(&id)) {
        bail!(
            "{} would be written over {}, which this run reads; choose another place",
            output.display(),
            input.display()
        );
    }
    Ok(())
}

/// Files by their identity.
fn files_by_id<'p>(files: impl IntoIterator<Item = &'p Path>) -> HashMap<FileId, &'p Path> {
    let identified = |path: &'p Path| Some((file_id(path)?, path));
    files.into_iter().filter_map(identified).collect()
}

/// Whether two outputs are one place: the same path, the same file, or a new file of the same name
/// in the same folder.
fn is_same(a: &Path, b: &Path) -> bool {
    let new_file = |path: &Path| {
        let path = follow_links(path);
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Some((fs::canonicalize(folder).ok()?, path.file_name()?.to_owned()))
    };
    a == b
        || match (file_id(a), file_id(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => new_file(a).is_some_and(|a| new_file(b) == Some(a)),
            _ => false,
        }
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

    #[test]
    fn two_outputs_in_one_place_are_refused_however_they_are_spelled() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("sub")).expect("a folder");
        let place = |name: &str| folder.path().join(name);
        fs::write(place("old.pgn"), "").expect("the file is written");
        for [a, b] in [["a", "sub/../a"], ["old.pgn", "sub/../old.pgn"], ["a", "a"]] {
            refuse_overwriting([], &[place(a), place(b)]).expect_err("one place");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("sub/b", place("link")).expect("a link");
            refuse_overwriting([], &[place("link"), place("sub/b")]).expect_err("one place");
        }
        refuse_overwriting([], &[place("a"), place("sub/a")]).expect("two places");
    }

    #[test]
    fn a_picture_named_like_a_drawing_is_not_drawn_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        for name in ["a-p1.png", "a-plan.png"] {
            fs::write(place(name), "").expect("the file is written");
        }
        let refuse = |name| refuse_drawing_over(&[&place(name)], folder.path());
        refuse("a-p1.png").expect_err("its name is that of a drawing");
        refuse("a-plan.png").expect("no page has this name");
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
