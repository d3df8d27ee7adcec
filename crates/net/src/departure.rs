//! Kernel transmit stamps of single writes: asking for one together with the bytes, and reading it afterwards.
//!
//! Owns the calls and the matching of stamps to writes. A write that asks costs a copy of the packet's head and one read
//! of the socket's error queue, so only samples ask. Invariant: a stamp returned here belongs to the write that asked.

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::Departures;
#[cfg(target_os = "linux")]
pub(crate) use linux::Departures;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::{AsRawFd, BorrowedFd};

    use crate::stamp;

    /// A stamp's number is the position of the last byte of its write in the stream, and comes without the bytes.
    const FLAGS: libc::c_uint = stamp::RECEIVE_FLAGS
        | libc::SOF_TIMESTAMPING_OPT_ID
        | libc::SOF_TIMESTAMPING_OPT_ID_TCP
        | libc::SOF_TIMESTAMPING_OPT_TSONLY;

    /// Stamps of earlier writes that are passed over in one look at most.
    const PASSED_OVER: usize = 8;

    /// Room for a stamp, an extended error with an address, and some to spare.
    const CONTROL_WORDS: usize = 32;

    /// The sampled writes of one socket.
    #[derive(Debug, Default)]
    pub(crate) struct Departures {
        state: State,
        /// The number of the stamp that is awaited.
        awaited: Option<u32>,
    }

    #[derive(Clone, Copy, Debug, Default)]
    enum State {
        #[default]
        Untried,
        /// The kernel counts bytes since the socket had sent so many.
        Ready(u64),
        /// The kernel does not know how, or nobody may.
        Impossible,
    }

    impl Departures {
        /// Writes and asks for a stamp. `sent` bytes were written before.
        pub(crate) fn send(
            &mut self,
            fd: BorrowedFd<'_>,
            buffer: &[u8],
            sent: u64,
        ) -> io::Result<usize> {
            if let State::Untried = self.state {
                // Only possible on a connected socket, and not worth a call on connections that are never sampled.
                self.state = match stamp::set_flags(fd, FLAGS) {
                    Ok(()) => State::Ready(sent),
                    Err(_) => State::Impossible,
                };
            }
            let State::Ready(base) = self.state else {
                return send(fd, buffer, 0);
            };
            let bytes = send(fd, buffer, libc::SOF_TIMESTAMPING_TX_SOFTWARE)?;
            let last = sent + bytes as u64 - base;
            self.awaited = Some(last.wrapping_sub(1) as u32);
            Ok(bytes)
        }

        /// The stamp of the last write that asked (wall-clock nanoseconds), if it is there.
        pub(crate) fn take(&mut self, fd: BorrowedFd<'_>) -> Option<u64> {
            let awaited = self.awaited?;
            for _ in 0..PASSED_OVER {
                let (number, realtime_ns) = read(fd)?;
                if number == awaited {
                    self.awaited = None;
                    return realtime_ns;
                }
            }
            None
        }

        /// Whether a stamp has been asked for and not been taken.
        pub(crate) fn is_awaited(&self) -> bool {
            self.awaited.is_some()
        }

        /// Gives up on stamps that are there or may come.
        pub(crate) fn forget(&mut self, fd: BorrowedFd<'_>) {
            self.awaited = None;
            for _ in 0..PASSED_OVER {
                if read(fd).is_none() {
                    break;
                }
            }
        }
    }

    /// `sendmsg` with a control message that asks for these stamps; without one when `stamps` is 0.
    fn send(fd: BorrowedFd<'_>, buffer: &[u8], stamps: libc::c_uint) -> io::Result<usize> {
        let mut control = [0u64; CONTROL_WORDS];
        let mut part = libc::iovec {
            iov_base: buffer.as_ptr().cast_mut().cast(),
            iov_len: buffer.len(),
        };
        // SAFETY: an all-zero `msghdr` is a valid empty one.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        if stamps != 0 {
            message.msg_control = control.as_mut_ptr().cast();
            // SAFETY: computes a size from a size.
            message.msg_controllen = unsafe { libc::CMSG_SPACE(size_of_val(&stamps) as u32) } as _;
            // SAFETY: the control area is aligned, zeroed and large enough for one header with its data, so the first
            // header exists and its data may be written.
            unsafe {
                let header = libc::CMSG_FIRSTHDR(&raw const message);
                (*header).cmsg_level = libc::SOL_SOCKET;
                (*header).cmsg_type = libc::SO_TIMESTAMPING;
                (*header).cmsg_len = libc::CMSG_LEN(size_of_val(&stamps) as u32) as _;
                libc::CMSG_DATA(header)
                    .cast::<libc::c_uint>()
                    .write_unaligned(stamps);
            }
        }
        // SAFETY: the descriptor is open while borrowed; `message` points to `part`, `control` and `buffer`, which outlive
        // the call, and the kernel only reads from them.
        let bytes =
            unsafe { libc::sendmsg(fd.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL) };
        if bytes < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(bytes as usize)
    }

    /// One entry of the error queue: the number of the stamp and the stamp; none when the queue is empty.
    fn read(fd: BorrowedFd<'_>) -> Option<(u32, Option<u64>)> {
        let mut control = [0u64; CONTROL_WORDS];
        // SAFETY: an all-zero `msghdr` is a valid empty one.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&control) as _;
        let flags = libc::MSG_ERRQUEUE | libc::MSG_DONTWAIT;
        // SAFETY: the descriptor is open while borrowed; `message` points to `control`, which outlives the call.
        let status = unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut message, flags) };
        if status < 0 {
            return None;
        }
        Some((number(&message)?, stamp::software_stamp(&message)))
    }

    /// The number of the stamp among the control messages.
    fn number(message: &libc::msghdr) -> Option<u32> {
        // SAFETY: `message` was filled by a successful `recvmsg`, so its control area is well formed.
        let mut header = unsafe { libc::CMSG_FIRSTHDR(message) };
        while !header.is_null() {
            // SAFETY: CMSG_FIRSTHDR and CMSG_NXTHDR return null or a header inside the control area.
            let (level, kind) = unsafe { ((*header).cmsg_level, (*header).cmsg_type) };
            let is_error = (level == libc::SOL_IP && kind == libc::IP_RECVERR)
                || (level == libc::SOL_IPV6 && kind == libc::IPV6_RECVERR);
            if is_error {
                // SAFETY: a control message of this type begins with an extended error.
                let error = unsafe {
                    libc::CMSG_DATA(header)
                        .cast::<libc::sock_extended_err>()
                        .read_unaligned()
                };
                return (error.ee_origin == libc::SO_EE_ORIGIN_TIMESTAMPING)
                    .then_some(error.ee_data);
            }
            // SAFETY: as for the first header.
            header = unsafe { libc::CMSG_NXTHDR(message, header) };
        }
        None
    }
}

/// Elsewhere there are no such stamps.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;
    use std::os::fd::BorrowedFd;

    #[derive(Debug, Default)]
    pub(crate) struct Departures;

    impl Departures {
        pub(crate) fn send(
            &mut self,
            fd: BorrowedFd<'_>,
            buffer: &[u8],
            _: u64,
        ) -> io::Result<usize> {
            socket2::SockRef::from(&fd).send(buffer)
        }

        pub(crate) fn take(&mut self, _: BorrowedFd<'_>) -> Option<u64> {
            None
        }

        pub(crate) fn is_awaited(&self) -> bool {
            false
        }

        pub(crate) fn forget(&mut self, _: BorrowedFd<'_>) {}
    }
}
