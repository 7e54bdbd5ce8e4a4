//! The places that results are written to; files are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::streams::stdout_is_closed;

use sheetscan::whole_file::WholeFile;

/// Largest number of links that lead from one to the next: that of Linux.
const MAX_LINKS: usize = 40;

/// Where a result is written. It is opened before the long work, so that a place that cannot be
/// written is reported at once.
pub struct Output {
    /// The path as it was given.
    name: PathBuf,
    sink: Sink,
}

/// The kinds of places.
enum Sink {
    /// Standard output, which gets every result at once.
    Stdout(BufWriter<io::Stdout>),
    /// A device or pipe, which cannot be replaced by a finished file.
    Device(BufWriter<File>),
    /// A file without a name, which gets the target's name in the end.
    Whole(WholeFile),
}

impl Output {
    /// Opens an output; `-` is standard output.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.to_owned();
        if path == Path::new("-") {
            ensure!(
                !stdout_is_closed(),
                "standard output is closed; name a file with -o"
            );
            let sink = Sink::Stdout(BufWriter::new(io::stdout()));
            return Ok(Self { name, sink });
        }
        let sink = open_file(path).with_context(|| {
            let target = follow_links(path);
            let leads = if path.is_symlink() {
                format!(" leads to {}, which", target.display())
            } else {
                String::new()
            };
            format!(
                "{}{leads} cannot be written; choose another place",
                path.display()
            )
        })?;
        Ok(Self { name, sink })
    }

    /// Adds text, which goes at once to standard output or a device.
    ///
    /// # Errors
    /// One that names the file.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Adds bytes, which go at once to standard output or a device.
    ///
    /// # Errors
    /// One that names the file.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = match &mut self.sink {
            Sink::Stdout(out) => out.write_all(bytes).and_then(|()| out.flush()),
            Sink::Device(out) => out.write_all(bytes).and_then(|()| out.flush()),
            Sink::Whole(out) => out.write_all(bytes),
        };
        written.map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", failure(&self.name)))
        })
    }

    /// Writes the rest, and gives the file its name.
    pub fn finish(self) -> Result<()> {
        finish_all(vec![self])
    }

    /// Writes the rest; a file has no name yet.
    fn settle(&mut self) -> Result<()> {
        let settled = match &mut self.sink {
            Sink::Stdout(out) => out.flush(),
            Sink::Device(out) => out.flush(),
            Sink::Whole(out) => out.settle(),
        };
        settled.with_context(|| failure(&self.name))
    }
}

/// Writes the rest of all outputs, and only then gives the files their names: if one cannot be
/// written, the old files stay, all of them.
pub fn finish_all(mut outputs: Vec<Output>) -> Result<()> {
    for output in &mut outputs {
        output.settle()?;
    }
    for output in outputs {
        if let Sink::Whole(file) = output.sink {
            file.publish().with_context(|| failure(&output.name))?;
        }
    }
    Ok(())
}

/// What is said where a write fails.
fn failure(name: &Path) -> String {
    if name == Path::new("-") {
        "standard output cannot be written".to_owned()
    } else {
        format!("{} cannot be written", name.display())
    }
}

/// The path that the links at a path lead to, whether there is a file or not yet.
pub fn follow_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(link) = fs::read_link(&target) else {
            break;
        };
        // A relative link begins at the folder that it lies in.
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    fs::canonicalize(&target).unwrap_or(target)
}

fn open_file(path: &Path) -> io::Result<Sink> {
    if path.to_string_lossy().ends_with(std::path::is_separator) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // Writing through a symbolic link changes the file it leads to, not the link.
    let target = follow_links(path);
    let metadata = match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) => Some(metadata),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    if let Some(metadata) = &metadata {
        // A file that may not be written is not replaced either. Opening does not truncate it.
        let file = OpenOptions::new().write(true).open(&target)?;
        if !metadata.is_file() {
            return Ok(Sink::Device(BufWriter::new(file)));
        }
    }
    let mut file = WholeFile::create(&target)?;
    if let Some(metadata) = metadata {
        file.set_permissions(metadata.permissions());
    }
    Ok(Sink::Whole(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_output_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, "old").expect("the file is written");
        let mut output = Output::open(&path).expect("the output opens");
        output.write("new").expect("the text is written");
        drop(output);
        assert_eq!(fs::read_to_string(&path).expect("the file is there"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn writing_through_a_link_keeps_the_link_and_the_permissions_of_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("games.pgn"), folder.path().join("link"));
        fs::write(&path, "old").expect("the file is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        let mut output = Output::open(&link).expect("the output opens");
        output.write("new").expect("the text is written");
        output.finish().expect("the file is whole");
        assert_eq!(fs::read_to_string(&path).expect("the file is there"), "new");
        assert!(link.is_symlink());
        let mode = fs::metadata(&path)
            .expect("the file is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_to_no_file_yet_gets_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("games.pgn", &link).expect("a link");
        let mut output = Output::open(&link).expect("the output opens");
        output.write("new").expect("the text is written");
        output.finish().expect("the file is whole");
        assert!(link.is_symlink());
        let text = fs::read_to_string(folder.path().join("games.pgn"));
        assert_eq!(text.expect("the file is there"), "new");
        let lost = folder.path().join("lost");
        std::os::unix::fs::symlink("none/games.pgn", &lost).expect("a link");
        let told = Output::open(&lost).err().expect("there is no such folder");
        let told = format!("{told:#}");
        assert!(
            told.contains("lost leads to") && told.contains("none"),
            "{told}"
        );
    }

    #[test]
    fn no_file_gets_its_name_before_all_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let mut output = Output::open(&path).expect("the output opens");
        output.write("new").expect("the text is written");
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let mut device = Output::open(full).expect("the device opens");
        let told = device.write("new").expect_err("the device is full");
        assert!(told.to_string().contains("/dev/full"), "{told}");
        finish_all(vec![output, device]).expect_err("the device is full");
        assert!(!path.exists());
    }
}
