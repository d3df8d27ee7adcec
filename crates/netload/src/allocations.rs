//! Counts what the whole program allocates, for the benchmark that shows that
//! an exchange allocates nothing.
//!
//! Compiled only with the feature `count-allocations`, because counting costs
//! two atomic additions per allocation. Invariant: the line on stderr is the
//! last thing the program prints.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Prints how often memory was asked for since the start.
pub(crate) fn report() {
    let stats = INSTRUMENTED_SYSTEM.stats();
    eprintln!("allocations: {}", stats.allocations + stats.reallocations);
}
