//! Kernel receive stamps: switching them on, and `recvmsg` that brings them along.
//!
//! Owns the two system calls; knows nothing of readiness or connections ([`crate::departure`] has those of sending).
//! Invariant: a stamp returned here is what the kernel wrote (wall-clock nanoseconds), never a guess.

use std::io;
use std::os::fd::BorrowedFd;

/// Bytes received, with the kernel's wall-clock stamp of the last packet among them where it gave one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Received {
    pub(crate) bytes: usize,
    pub(crate) realtime_ns: Option<u64>,
}

/// Longest wait for the kernel's first stamp; a few milliseconds were seen.
#[cfg(target_os = "linux")]
const BEGINNING: std::time::Duration = std::time::Duration::from_millis(200);

/// Has the kernel stamp what arrives from now to the end of the process, and waits until it does. It begins some time
/// after the first socket of a machine asked for it, and what arrives before has no stamp. Where nothing is stamped,
/// each connection finds that out for itself.
#[cfg(target_os = "linux")]
pub(crate) fn begin() {
    use std::net::UdpSocket;
    use std::sync::OnceLock;

    static PROBE: OnceLock<Option<UdpSocket>> = OnceLock::new();
    PROBE.get_or_init(|| stamped_probe().ok());
}

#[cfg(target_os = "linux")]
fn stamped_probe() -> io::Result<std::net::UdpSocket> {
    use std::net::{Ipv4Addr, UdpSocket};
    use std::os::fd::AsFd;

    let probe = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    probe.connect(probe.local_addr()?)?;
    probe.set_nonblocking(true)?;
    enable(probe.as_fd())?;
    let start = std::time::Instant::now();
    while start.elapsed() < BEGINNING {
        probe.send(b"?")?;
        let read = receive(probe.as_fd(), &mut [0]);
        if read.is_ok_and(|read| read.realtime_ns.is_some()) {
            break;
        }
        std::thread::yield_now();
    }
    Ok(probe)
}

/// Elsewhere there is nothing to begin.
#[cfg(not(target_os = "linux"))]
pub(crate) fn begin() {}

/// Asks the kernel to stamp what this socket receives. Call before connecting.
#[cfg(target_os = "linux")]
pub(crate) fn enable(fd: BorrowedFd<'_>) -> io::Result<()> {
    set_flags(fd, RECEIVE_FLAGS)
}

/// What a socket reports whose arrivals are stamped.
#[cfg(target_os = "linux")]
pub(crate) const RECEIVE_FLAGS: libc::c_uint =
    libc::SOF_TIMESTAMPING_RX_SOFTWARE | libc::SOF_TIMESTAMPING_SOFTWARE;

/// Says which stamps a socket makes and reports.
#[cfg(target_os = "linux")]
pub(crate) fn set_flags(fd: BorrowedFd<'_>, flags: libc::c_uint) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    // SAFETY: the descriptor is open while borrowed, and the pointer and length describe `flags`.
    let status = unsafe {
        libc::setsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_TIMESTAMPING,
            (&raw const flags).cast(),
            size_of_val(&flags) as libc::socklen_t,
        )
    };
    if status == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Elsewhere there are no such stamps, and the caller falls back to its own clock.
#[cfg(not(target_os = "linux"))]
pub(crate) fn enable(_fd: BorrowedFd<'_>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// One `recvmsg` into `buffer`. Zero bytes mean the peer closed.
///
/// # Errors
/// What the kernel says, `WouldBlock` included.
#[cfg(target_os = "linux")]
pub(crate) fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<Received> {
    use std::os::fd::AsRawFd;

    /// Room for one control message of three `timespec`s, and some to spare.
    const CONTROL_WORDS: usize = 12;

    let mut control = [0u64; CONTROL_WORDS];
    let mut part = libc::iovec {
        iov_base: buffer.as_mut_ptr().cast(),
        iov_len: buffer.len(),
    };
    // SAFETY: an all-zero `msghdr` is a valid empty one.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = control.as_mut_ptr().cast();
    message.msg_controllen = size_of_val(&control) as _;
    // SAFETY: the descriptor is open while borrowed; `message` points to `part` and `control`, which outlive the call,
    // and `part` describes memory we hold exclusively.
    let bytes = unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut message, 0) };
    if bytes < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Received {
        bytes: bytes as usize,
        realtime_ns: software_stamp(&message),
    })
}

/// Elsewhere a plain read.
#[cfg(not(target_os = "linux"))]
pub(crate) fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<Received> {
    use std::os::fd::AsRawFd;

    // SAFETY: the descriptor is open while borrowed, and the pointer and length describe memory we hold exclusively.
    let bytes = unsafe { libc::recv(fd.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), 0) };
    if bytes < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(Received {
        bytes: bytes as usize,
        realtime_ns: None,
    })
}

/// Finds the software stamp among the control messages the kernel wrote.
#[cfg(target_os = "linux")]
pub(crate) fn software_stamp(message: &libc::msghdr) -> Option<u64> {
    // SAFETY: `message` was filled by a successful `recvmsg`, so its control area is well formed.
    let mut header = unsafe { libc::CMSG_FIRSTHDR(message) };
    while !header.is_null() {
        // SAFETY: CMSG_FIRSTHDR and CMSG_NXTHDR return null or a header inside the control area.
        let (level, kind) = unsafe { ((*header).cmsg_level, (*header).cmsg_type) };
        if level == libc::SOL_SOCKET && kind == libc::SCM_TIMESTAMPING {
            // SAFETY: a control message of this type carries three timespecs, the first being the software stamp.
            let time = unsafe {
                libc::CMSG_DATA(header)
                    .cast::<libc::timespec>()
                    .read_unaligned()
            };
            let ns = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
            return (ns != 0).then_some(ns);
        }
        // SAFETY: as for the first header.
        header = unsafe { libc::CMSG_NXTHDR(message, header) };
    }
    None
}
