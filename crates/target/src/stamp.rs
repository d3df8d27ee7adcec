//! The kernel's stamps: when the last byte of a request arrived, and when the last byte of an answer left.
//!
//! Owns the three system calls and nothing else. They are the only unsafe code of this crate: no safe wrapper reads
//! control messages of this kind, and the crate shares nothing with the client whose mistakes it must not repeat.
//! Invariant: a stamp is what the kernel wrote (wall-clock nanoseconds), never a guess.

use std::io;
use std::os::fd::BorrowedFd;

/// A send whose last byte has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Offset of that byte in the stream since stamps were switched on, modulo 2^32.
    pub(crate) offset: u32,
    /// When it was handed to the network device.
    pub(crate) unix_ns: u64,
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{enable, enable_receive, receive, sent, started};

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe wrapper reads these control messages")]
mod linux {
    use super::{BorrowedFd, Sent, io};
    use crate::limits;
    use std::net::{Ipv4Addr, UdpSocket};
    use std::os::fd::{AsFd, AsRawFd};
    use std::time::Instant;

    const RECEIVE: libc::c_uint =
        libc::SOF_TIMESTAMPING_RX_SOFTWARE | libc::SOF_TIMESTAMPING_SOFTWARE;
    const SEND: libc::c_uint = libc::SOF_TIMESTAMPING_TX_SOFTWARE
        | libc::SOF_TIMESTAMPING_OPT_ID
        | libc::SOF_TIMESTAMPING_OPT_TSONLY;
    /// Room for a stamp (three `timespec`s), an extended error with its address, and some to spare.
    const CONTROL_WORDS: usize = 32;

    /// Stamps what a listener's connections receive, from their first byte.
    pub(crate) fn enable_receive(fd: BorrowedFd<'_>) -> io::Result<()> {
        set(fd, RECEIVE)
    }

    /// Stamps what a connection receives and sends.
    pub(crate) fn enable(fd: BorrowedFd<'_>) -> io::Result<()> {
        // Kernels before 6.2 do not know the last flag; without it an id can only be wrong while bytes are unsent.
        set(fd, RECEIVE | SEND | libc::SOF_TIMESTAMPING_OPT_ID_TCP)
            .or_else(|_| set(fd, RECEIVE | SEND))
    }

    /// Waits until the kernel stamps what arrives. It begins some time after a socket asked for it (a thread of its own
    /// switches the whole machine), and what arrives before has no stamp.
    pub(crate) fn started() -> io::Result<()> {
        let probe = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        probe.connect(probe.local_addr()?)?;
        probe.set_nonblocking(true)?;
        enable_receive(probe.as_fd())?;
        let start = Instant::now();
        while start.elapsed() < limits::STAMPS_START {
            probe.send(b"?")?;
            if let Ok((_, Some(_))) = receive(probe.as_fd(), &mut [0]) {
                return Ok(());
            }
            std::thread::yield_now();
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    fn set(fd: BorrowedFd<'_>, flags: libc::c_uint) -> io::Result<()> {
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
        match status {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// One read: how many bytes, and when the kernel received the last of them.
    pub(crate) fn receive(
        fd: BorrowedFd<'_>,
        space: &mut [u8],
    ) -> io::Result<(usize, Option<u64>)> {
        let (bytes, stamps) = receive_message(fd, space, 0)?;
        Ok((bytes, stamps.unix_ns))
    }

    /// The oldest unread stamp of a send; `WouldBlock` when there is none.
    pub(crate) fn sent(fd: BorrowedFd<'_>) -> io::Result<Option<Sent>> {
        let (_, stamps) = receive_message(fd, &mut [], libc::MSG_ERRQUEUE)?;
        Ok(stamps
            .offset
            .zip(stamps.unix_ns)
            .map(|(offset, unix_ns)| Sent { offset, unix_ns }))
    }

    #[derive(Default)]
    struct Stamps {
        unix_ns: Option<u64>,
        offset: Option<u32>,
    }

    fn receive_message(
        fd: BorrowedFd<'_>,
        space: &mut [u8],
        flags: libc::c_int,
    ) -> io::Result<(usize, Stamps)> {
        let mut control = [0u64; CONTROL_WORDS];
        let mut part = libc::iovec {
            iov_base: space.as_mut_ptr().cast(),
            iov_len: space.len(),
        };
        // SAFETY: an all-zero `msghdr` is a valid empty one.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&control) as _;
        // SAFETY: the descriptor is open while borrowed; `message` points to `part` and `control`, which outlive the
        // call, and `part` describes memory we hold exclusively.
        let bytes =
            unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut message, flags | libc::MSG_DONTWAIT) };
        if bytes < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((bytes as usize, read_control(&message)))
    }

    fn read_control(message: &libc::msghdr) -> Stamps {
        let mut stamps = Stamps::default();
        // SAFETY: `message` was filled by a successful `recvmsg`, so its control area is well formed.
        let mut header = unsafe { libc::CMSG_FIRSTHDR(message) };
        while !header.is_null() {
            // SAFETY: CMSG_FIRSTHDR and CMSG_NXTHDR return null or a header inside the control area.
            let (level, kind) = unsafe { ((*header).cmsg_level, (*header).cmsg_type) };
            // SAFETY: as above.
            let data = unsafe { libc::CMSG_DATA(header) };
            match (level, kind) {
                (libc::SOL_SOCKET, libc::SCM_TIMESTAMPING) => {
                    // SAFETY: this message carries three timespecs, the first being the software stamp.
                    let time = unsafe { data.cast::<libc::timespec>().read_unaligned() };
                    let ns = time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64;
                    stamps.unix_ns = (ns != 0).then_some(ns);
                }
                (libc::SOL_IP, libc::IP_RECVERR) | (libc::SOL_IPV6, libc::IPV6_RECVERR) => {
                    // SAFETY: this message begins with an extended error.
                    let error = unsafe { data.cast::<libc::sock_extended_err>().read_unaligned() };
                    if error.ee_origin == libc::SO_EE_ORIGIN_TIMESTAMPING {
                        stamps.offset = Some(error.ee_data);
                    }
                }
                _ => {}
            }
            // SAFETY: as for the first header.
            header = unsafe { libc::CMSG_NXTHDR(message, header) };
        }
        stamps
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{BorrowedFd, Sent, io};

    /// There are no such stamps.
    pub(crate) fn enable_receive(_: BorrowedFd<'_>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// There are no such stamps.
    pub(crate) fn enable(_: BorrowedFd<'_>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called, because nothing could be enabled.
    pub(crate) fn started() -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called, because nothing could be enabled.
    pub(crate) fn receive(_: BorrowedFd<'_>, _: &mut [u8]) -> io::Result<(usize, Option<u64>)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called, because nothing could be enabled.
    pub(crate) fn sent(_: BorrowedFd<'_>) -> io::Result<Option<Sent>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{enable, enable_receive, receive, sent, started};
