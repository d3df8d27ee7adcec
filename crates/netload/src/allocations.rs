//! Says at the end what the threads that make the load have allocated, for the benchmark that shows that an exchange
//! allocates nothing. Compiled only with the feature `count-allocations`. Invariant: the line on stderr is the last thing
//! the program prints.

use netload_net::Counting;

#[global_allocator]
static COUNTED: Counting = Counting;

/// Prints how often they asked for memory since the start.
pub(crate) fn report() {
    eprintln!("allocations: {}", Counting::by_workers());
}
