//! The memory that a VU touches in an iteration, asked for before its turn.
//!
//! With a library in the script an iteration touches 50 KB in a thousand pieces, and when sixty VUs of a worker take turns,
//! none of it is in the processor's nearer caches any more. Fetched piece by piece as it is needed, that takes as long as
//! the iteration itself. So the engine notes the pieces in one iteration now and then, and before the others they are
//! asked for all at once. Owns the notes of one VU. Invariants: a note is a line (an address divided by 64) to ask for and
//! never to read, so it does not matter what became of it; where VUs are few or touch little, nothing is asked for.

#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;

/// The engine's `JS_NOTES_SEEN`.
const SEEN: usize = 1024;
/// Lines of one stretch of JavaScript that are noted at most; more would push each other out.
const MOST_LINES: usize = 2048;
/// Stretches of an iteration that are noted at most.
const MOST_STRETCHES: usize = 64;
/// A stretch that touches fewer is done before its lines would be here.
const LEAST_LINES: usize = 256;
/// As long as the VUs of a thread touch fewer lines together, they are still near: a megabyte.
const NEAR_LINES: usize = 16_384;
/// The first command of a VU whose lines are noted: those before make what stays.
const FIRST_NOTED: u32 = 6;
/// Every so many commands they are noted again.
const NOTED_AGAIN: u32 = 256;

/// What the engine calls `JSLineNotes`.
#[repr(C)]
struct Notes {
    count: usize,
    size: usize,
    lines: *mut usize,
    seen: [usize; SEEN],
}

unsafe extern "C" {
    /// From now on lines are noted there; no more when it is null.
    fn JS_NoteLines(notes: *mut Notes);
    /// Asks for lines.
    fn JS_FetchLines(lines: *const usize, count: usize);
}

/// Where the stretch that is running is noted.
struct Pad {
    notes: UnsafeCell<Notes>,
    lines: UnsafeCell<[usize; MOST_LINES]>,
}

thread_local! {
    static PAD: Box<Pad> = Box::new(Pad {
        notes: UnsafeCell::new(Notes {
            count: 0,
            size: MOST_LINES,
            lines: null_mut(),
            seen: [0; SEEN],
        }),
        lines: UnsafeCell::new([0; MOST_LINES]),
    });
    /// The lines that all VUs of the thread have noted.
    static LINES_OF_THREAD: Cell<usize> = const { Cell::new(0) };
}

/// What one VU touches, by stretches of JavaScript between two waits.
#[derive(Default)]
pub(crate) struct Footprint {
    lines: Vec<usize>,
    /// Where the lines of each stretch end.
    ends: Vec<usize>,
    /// The stretch of the command that is running.
    stretch: usize,
    /// Commands that are done, such as iterations.
    commands: u32,
    noting: bool,
}

impl Footprint {
    /// Before JavaScript goes on: asks for what it touched the last time, or begins to note it.
    pub(crate) fn before(&self) {
        if self.noting {
            begin();
        } else if self.stretch < self.ends.len() && LINES_OF_THREAD.get() > NEAR_LINES {
            let start = self
                .stretch
                .checked_sub(1)
                .map_or(0, |last| self.ends[last]);
            let lines = &self.lines[start..self.ends[self.stretch]];
            // SAFETY: the lines are in the slice, and what they name is not read.
            unsafe { JS_FetchLines(lines.as_ptr(), lines.len()) };
        }
    }

    /// After JavaScript ran, until it waited or its command was done.
    pub(crate) fn after(&mut self, done: bool) {
        if self.noting {
            self.note();
        }
        self.stretch += 1;
        if done {
            self.next_command();
        }
    }

    fn note(&mut self) {
        end(|noted| {
            if self.ends.len() < MOST_STRETCHES {
                if noted.len() >= LEAST_LINES {
                    self.lines.extend_from_slice(noted);
                }
                self.ends.push(self.lines.len());
            }
        });
    }

    fn next_command(&mut self) {
        if self.noting {
            // Where there is nothing to ask for, nothing is kept.
            if self.lines.is_empty() {
                self.ends.clear();
            }
            self.lines.shrink_to_fit();
            self.ends.shrink_to_fit();
            LINES_OF_THREAD.set(LINES_OF_THREAD.get() + self.lines.len());
        }
        self.stretch = 0;
        self.commands = self.commands.wrapping_add(1);
        self.noting = self.commands == FIRST_NOTED || self.commands.is_multiple_of(NOTED_AGAIN);
        if self.noting {
            self.forget();
        }
    }

    fn forget(&mut self) {
        LINES_OF_THREAD.set(LINES_OF_THREAD.get().saturating_sub(self.lines.len()));
        self.lines.clear();
        self.ends.clear();
    }
}

impl Drop for Footprint {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Begins to note on the thread's pad.
fn begin() {
    // A thread that ends has no pad any more, and nothing worth noting.
    let _ = PAD.try_with(|pad| {
        let notes = pad.notes.get();
        // SAFETY: only this module and the engine use the pad, one after the other on this thread; it outlives the
        // noting, which `end` ends before anything else runs here.
        unsafe {
            (*notes).count = 0;
            (*notes).lines = pad.lines.get().cast();
            (*notes).seen.fill(0);
            JS_NoteLines(notes);
        }
    });
}

/// Ends it, and shows what was noted.
fn end(show: impl FnOnce(&[usize])) {
    // SAFETY: nothing is noted from now on.
    unsafe { JS_NoteLines(null_mut()) };
    let _ = PAD.try_with(|pad| {
        // SAFETY: as in `begin`; the engine has written so many, and does not write while they are shown.
        unsafe { show(&(&*pad.lines.get())[..(*pad.notes.get()).count]) };
    });
}

#[cfg(test)]
mod tests {
    use rquickjs::{Context, Function, Runtime};

    use super::*;

    /// Calls as many functions that look up as many properties.
    const MUCH: &str =
        "globalThis.all = [...Array(300)].map((_, i) => ({ call() { return this['p' + i]; } }));
        globalThis.work = () => all.forEach((one) => one.call());";
    const LITTLE: &str = "globalThis.work = () => 1;";

    /// A VU that has carried out so many commands, each with a wait after its work.
    fn after_commands(setup: &str, commands: u32) -> Footprint {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        let mut footprint = Footprint::default();
        context.with(|ctx| {
            ctx.eval::<(), _>(setup).unwrap();
            let work: Function<'_> = ctx.globals().get("work").unwrap();
            for _ in 0..commands {
                footprint.before();
                work.call::<_, ()>(()).unwrap();
                footprint.after(false);
                footprint.before();
                footprint.after(true);
            }
        });
        footprint
    }

    #[test]
    fn what_a_vu_touches_is_noted_by_stretches_and_forgotten_with_it() {
        let before = after_commands(MUCH, FIRST_NOTED);
        assert!(before.lines.is_empty() && before.noting);
        let footprint = after_commands(MUCH, FIRST_NOTED + 1);
        assert!(footprint.lines.len() >= 300, "{}", footprint.lines.len());
        assert_eq!(footprint.ends, [footprint.lines.len(); 2]);
        assert_eq!(LINES_OF_THREAD.get(), footprint.lines.len());
        drop((before, footprint));
        assert_eq!(LINES_OF_THREAD.get(), 0);
    }

    #[test]
    fn where_little_is_touched_nothing_is_kept() {
        let footprint = after_commands(LITTLE, FIRST_NOTED + 1);
        assert!(footprint.lines.is_empty() && footprint.ends.is_empty());
    }

    #[test]
    fn notes_are_renewed_and_never_more_than_one_iteration() {
        let once = after_commands(MUCH, FIRST_NOTED + 1).lines.len();
        let again = after_commands(MUCH, NOTED_AGAIN + 1).lines.len();
        assert!(
            again.abs_diff(once) < once / 4,
            "{once} lines, then {again}"
        );
    }

    #[test]
    fn asking_for_what_is_gone_does_nothing() {
        let footprint = after_commands(MUCH, FIRST_NOTED + 1);
        LINES_OF_THREAD.set(NEAR_LINES + 1);
        footprint.before();
    }
}
