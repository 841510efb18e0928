//! The program `hexzero`; its code is in the library, under [`hexzero::interfaces`].

use std::process::ExitCode;

fn main() -> ExitCode {
    hexzero::interfaces::run()
}
