//! Sockets and clocks of tokio, as hyper wants them.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::{Read, ReadBufCursor, Sleep, Timer, Write};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Bytes that are read at once.
const READ_BYTES: usize = 8 << 10;

/// A socket that is closed when its client takes nothing of what it asked for.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    stall_time: Duration,
    /// When the client will have taken nothing for too long; `None` while it takes.
    stall: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl Socket {
    /// Wraps a connection.
    #[must_use]
    pub fn new(stream: TcpStream, stall_time: Duration) -> Self {
        Self {
            stream,
            stall_time,
            stall: None,
        }
    }

    /// Notes whether something was taken, and fails where nothing was for too long.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stall = None;
            return written;
        }
        let stall_time = self.stall_time;
        let stall = || Box::pin(tokio::time::sleep(stall_time));
        ready!(self.stall.get_or_insert_with(stall).as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut target: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; READ_BYTES];
        let mut buffer = ReadBuf::new(&mut bytes[..target.remaining().min(READ_BYTES)]);
        ready!(Pin::new(&mut self.get_mut().stream).poll_read(context, &mut buffer))?;
        target.put_slice(buffer.filled());
        Poll::Ready(Ok(()))
    }
}

impl Write for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let socket = self.get_mut();
        let written = Pin::new(&mut socket.stream).poll_write(context, bytes);
        socket.watch(context, written)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let socket = self.get_mut();
        let written = Pin::new(&mut socket.stream).poll_write_vectored(context, slices);
        socket.watch(context, written)
    }
}

/// The clock of the runtime.
#[derive(Debug, Clone, Copy)]
pub struct Clock;

struct Alarm(Pin<Box<tokio::time::Sleep>>);

impl Future for Alarm {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(context)
    }
}

impl Sleep for Alarm {}

impl Timer for Clock {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        Box::pin(Alarm(Box::pin(tokio::time::sleep(duration))))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Alarm(Box::pin(tokio::time::sleep_until(deadline.into()))))
    }
}
