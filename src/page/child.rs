//! Pages drawn by a child process, within limits on its memory and time.
//!
//! A decoder of PDF runs whatever program a file brings along: it may recurse until the stack
//! overflows, loop for ever, or ask for gigabytes, and none of this can be caught in the process
//! that it happens in. Drawn by a child, such a page is one page that cannot be read.
//!
//! The file is the standard input of the child. It answers on its standard output with an
//! [`Answer`] in postcard's form, and the luma of the page behind it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use super::raster::Picture;
use super::{
    Format, MAX_DRAWING_SECONDS_BY_CLOCK, MAX_PIXELS, MissingPart, PageError, detect, read_bytes,
    untrusted,
};

/// Largest number of bytes of an answer without its pixels.
const MAX_HEAD_BYTES: u64 = 4096;
/// Largest number of bytes that are read of what a child writes on its standard error.
const MAX_STDERR_BYTES: u64 = 4096;

/// The program that draws pages and its arguments before the number of the page.
static DRAWER: OnceLock<(PathBuf, Vec<OsString>)> = OnceLock::new();

/// What a child says of the page that it was to draw.
#[derive(Serialize, Deserialize)]
enum Answer {
    /// Its size in pixels, and what the file lost of it. Its luma follows, a byte a pixel.
    Page {
        width: u32,
        height: u32,
        missing: Option<MissingPart>,
    },
    /// The file ends before this page.
    End,
    /// It cannot be drawn.
    Fault(PageError),
}

/// Has every PDF, HEIC and JPEG 2000 page that this process opens from now on drawn by a child
/// process: `program` with `arguments` and the number of the page, which must then call
/// [`draw_as_child`]. Only the first call counts.
///
/// The sheetscan program names itself. A program that uses this library may name itself too, or an
/// installed `sheetscan` with the argument `__draw`. Without it pages are drawn in the process
/// itself, and a file made to do harm may end it, hold it up or fill its memory.
pub fn draw_in_children(program: PathBuf, arguments: Vec<OsString>) {
    // A second program would draw the same pages in the same way.
    let _ = DRAWER.set((program, arguments));
}

/// Draws a page of the file on standard input onto standard output, for the process that started
/// this one. Limits itself first.
///
/// # Errors
/// If the limits cannot be set, or one of the two streams fails.
pub fn draw_as_child(number: u32) -> io::Result<()> {
    limit_this_process()?;
    let page = match read_bytes(&mut standard_input()?) {
        Ok(bytes) => match detect::detect_format(&bytes) {
            Ok(format) => untrusted::decode(bytes, format, number),
            Err(error) => Some(Err(error)),
        },
        Err(error) => Some(Err(error)),
    };
    let (answer, luma) = match page {
        None => (Answer::End, Vec::new()),
        Some(Err(error)) => (Answer::Fault(error), Vec::new()),
        Some(Ok(page)) => {
            let (width, height) = page.luma.dimensions();
            let head = Answer::Page {
                width,
                height,
                missing: page.missing,
            };
            (head, page.luma.into_raw())
        }
    };
    let head = postcard::to_stdvec(&answer).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    out.write_all(&head)?;
    out.write_all(&luma)?;
    out.flush()
}

/// Has a child draw a page. None where no program was named that can do it; the inner value is none
/// where the file ends before the page.
pub(super) fn draw(
    file: &mut File,
    format: Format,
    number: u32,
) -> Option<Option<Result<Picture, PageError>>> {
    let (program, arguments) = DRAWER.get()?;
    let answer = start(file, program, arguments, number)
        .map_err(|error| PageError::NotDrawn(error.to_string()))
        .and_then(|child| wait(child, format));
    Some(match answer {
        Ok(output) => read_answer(&output, format).transpose(),
        Err(error) => Some(Err(error)),
    })
}

/// Starts the child for a page of a file.
fn start(
    file: &mut File,
    program: &PathBuf,
    arguments: &[OsString],
    number: u32,
) -> io::Result<Child> {
    // The child shares the place in the file that the next read begins at.
    file.seek(SeekFrom::Start(0))?;
    Command::new(program)
        .args(arguments)
        .arg(number.to_string())
        // A stack overflow is told in one line.
        .env("RUST_BACKTRACE", "0")
        .stdin(file.try_clone()?)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// The output of a child that ended well, or what ended it. It is killed where it takes too long.
fn wait(mut child: Child, format: Format) -> Result<Vec<u8>, PageError> {
    let stdout = child.stdout.take().expect("a pipe");
    let stderr = child.stderr.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut output = Vec::new();
        let read = stdout
            .take(MAX_HEAD_BYTES + MAX_PIXELS)
            .read_to_end(&mut output);
        let mut complaint = Vec::new();
        let read = read.and_then(|_| stderr.take(MAX_STDERR_BYTES).read_to_end(&mut complaint));
        // The receiver is gone where the child took too long.
        let _ = sender.send(read.map(|_| (output, complaint)));
    });
    let read = receive_in_time(&receiver);
    if read.is_none() {
        // It may have ended just now.
        let _ = child.kill();
    }
    let not_drawn = |error: io::Error| PageError::NotDrawn(error.to_string());
    let status = child.wait().map_err(not_drawn)?;
    let Some(read) = read else {
        let reason = format!("it took more than {MAX_DRAWING_SECONDS_BY_CLOCK} s by the clock");
        return Err(PageError::NotDrawn(reason));
    };
    let (output, complaint) = read.map_err(not_drawn)?;
    if status.success() {
        Ok(output)
    } else {
        Err(failure(
            status,
            &String::from_utf8_lossy(&complaint),
            format,
        ))
    }
}

/// What a thread sends within [`MAX_DRAWING_SECONDS_BY_CLOCK`]. They are counted second by second:
/// where this process is stopped for an hour, and its child with it, one second has passed.
fn receive_in_time<T>(receiver: &mpsc::Receiver<T>) -> Option<T> {
    (0..MAX_DRAWING_SECONDS_BY_CLOCK)
        .find_map(|_| receiver.recv_timeout(Duration::from_secs(1)).ok())
}

/// The page in the output of a child; none where the file ends before it.
fn read_answer(output: &[u8], format: Format) -> Result<Option<Picture>, PageError> {
    let unclear = || PageError::decoder_failed(format, "its answer is unclear");
    let (answer, luma) = postcard::take_from_bytes(output).map_err(|_| unclear())?;
    match answer {
        Answer::Page {
            width,
            height,
            missing,
        } => {
            let luma = GrayImage::from_raw(width, height, luma.to_vec()).ok_or_else(unclear)?;
            Ok(Some(Picture { luma, missing }))
        }
        Answer::End => Ok(None),
        Answer::Fault(error) => Err(error),
    }
}

/// What ended a child, by its status and what it wrote on standard error.
fn failure(status: ExitStatus, complaint: &str, format: Format) -> PageError {
    if complaint.contains("memory allocation of") {
        return PageError::TooMuchMemory(format);
    }
    if complaint.contains("has overflowed its stack") {
        return PageError::decoder_failed(format, "its parts are nested too deeply");
    }
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGKILL, SIGTERM, SIGXCPU};
        use std::os::unix::process::ExitStatusExt;
        match status.signal() {
            Some(SIGXCPU) => return PageError::TooSlow(format),
            // The child's own limit of memory shows as a failed allocation. The system may kill a
            // process where it runs out of memory itself, and another run may have more.
            Some(SIGKILL) => return PageError::NotDrawn("its process was killed".to_owned()),
            Some(SIGINT | SIGTERM) => return PageError::NotDrawn("it was stopped".to_owned()),
            _ => {}
        }
    }
    let complaint = complaint.lines().next().unwrap_or_default();
    PageError::decoder_failed(format, &format!("{status} {complaint}"))
}

/// Sets the limits of a child. It writes no files either, and ends with the process that started it
/// where the system can do that.
#[cfg(unix)]
fn limit_this_process() -> io::Result<()> {
    use super::{MAX_DRAWING_BYTES, MAX_DRAWING_SECONDS};
    use rlimit::Resource;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    for (resource, limit) in [
        (Resource::CPU, MAX_DRAWING_SECONDS),
        (Resource::AS, MAX_DRAWING_BYTES),
        (Resource::FSIZE, 0),
        (Resource::CORE, 0),
    ] {
        let hard = resource.get_hard()?;
        resource.set(limit.min(hard), hard)?;
    }
    Ok(())
}

/// Other systems have no such limits; the process that started this one still watches the clock.
#[cfg(not(unix))]
fn limit_this_process() -> io::Result<()> {
    Ok(())
}

/// Standard input as the file that it is, whose length is known before it is read.
#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Standard input as the file that it is, whose length is known before it is read.
#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_comes_through_the_pipe_as_it_is() {
        let format = Format::Pdf;
        let reason = || "no page tree".to_owned();
        for error in [
            PageError::Folder,
            PageError::Empty,
            PageError::Broken {
                format,
                reason: reason(),
            },
            PageError::Foreign(reason()),
            PageError::decoder_failed(format, "a panic"),
            PageError::TooLarge {
                width: 3,
                height: 4,
            },
            PageError::FileTooLarge,
            PageError::Locked,
            PageError::NoPages,
        ] {
            let text = error.to_string();
            let answer = postcard::to_stdvec(&Answer::Fault(error)).unwrap();
            let back = read_answer(&answer, format).unwrap_err();
            assert_eq!(back.to_string(), text);
        }
    }

    #[test]
    fn a_page_comes_through_the_pipe_with_all_its_pixels() {
        let missing = Some(MissingPart { x: 0..3, y: 1..2 });
        let head = Answer::Page {
            width: 3,
            height: 2,
            missing: missing.clone(),
        };
        let answer = [&postcard::to_stdvec(&head).unwrap()[..], b"abcdef"].concat();
        let page = read_answer(&answer, Format::Pdf).unwrap().unwrap();
        assert_eq!(page.missing, missing);
        assert_eq!(
            (page.luma.dimensions(), page.luma.into_raw()),
            ((3, 2), b"abcdef".to_vec())
        );
        assert!(read_answer(&answer[..7], Format::Pdf).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_ended_a_child_is_told_as_what_it_is() {
        use std::os::unix::process::ExitStatusExt;
        let told = |wait_status, complaint| {
            failure(ExitStatus::from_raw(wait_status), complaint, Format::Pdf).to_string()
        };
        // The numbers are those of Linux: SIGXCPU, SIGABRT, SIGKILL, and the exit status 101.
        assert!(told(24, "").contains("took more than 6 s to draw"));
        let memory = "memory allocation of 17179869600 bytes failed";
        assert!(told(6, memory).contains("took more than 560 MiB of memory"));
        assert!(told(9, "").contains("killed"));
        let stack = "thread 'main' (1) has overflowed its stack";
        assert!(told(6, stack).contains("nested too deeply"));
        assert!(told(101 << 8, "a panic").contains("a panic"));
    }
}
