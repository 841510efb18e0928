//! The program `hexzero`: everything it does is in the library, under [`hexzero::interfaces`].

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Gives memory back to the system when it is freed: that of the C library keeps what the search trees of clients took who
/// have left long ago.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    hexzero::interfaces::run()
}
