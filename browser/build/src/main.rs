//! Builds the engine's WebAssembly modules, `wasm/hexzero.wasm` and `wasm/hexzero-relaxed.wasm` in the folder `target`: `cargo wasm`.
//!
//! A module cannot ask for instructions, so there are two: one for all browsers, and one for those with relaxed SIMD.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const TARGET: &str = "wasm32-unknown-unknown";

/// The modules, with the instructions that they use.
const MODULES: [(&str, &str); 2] = [("hexzero", "+simd128"), ("hexzero-relaxed", "+simd128,+relaxed-simd")];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // This program lies in target/release.
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("this program lies in no folder of cargo's")?;
    let library = standard_library()?;
    let folder = target.join("wasm");
    for (name, instructions) in MODULES {
        // A folder each: cargo would compile everything anew for the other instructions.
        let built = folder.join(instructions.replace('+', "").replace(',', "-"));
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&root).env("RUSTFLAGS", format!("-Ctarget-feature={instructions}"));
        cargo.args([
            "build",
            "--release",
            "--locked",
            "--package",
            "hexzero-browser",
            "--target",
            TARGET,
            "--target-dir",
        ]);
        cargo.arg(&built);
        if let StandardLibrary::FromSource = library {
            cargo.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
        }
        if !cargo.status()?.success() {
            return Err(format!("{name}.wasm cannot be built; see above").into());
        }
        let module = folder.join(name).with_extension("wasm");
        fs::copy(built.join(TARGET).join("release/hexzero.wasm"), &module)?;
        println!("{}: {:.1} MB", module.display(), fs::metadata(&module)?.len() as f64 / 1e6);
    }
    Ok(())
}

/// The source of Rust's standard library for WebAssembly.
enum StandardLibrary {
    Installed,
    FromSource,
}

/// Finds the standard library, and says which it is.
fn standard_library() -> Result<StandardLibrary, Box<dyn Error>> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output()?;
    let sysroot = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    let library = sysroot.join("lib/rustlib");
    if library.join(TARGET).is_dir() {
        println!("with the standard library of the toolchain");
        return Ok(StandardLibrary::Installed);
    }
    if library.join("src/rust/library").is_dir() {
        println!("with a standard library built from its source");
        return Ok(StandardLibrary::FromSource);
    }
    Err(format!("{TARGET} is not installed; run 'rustup target add {TARGET}', or install the source of Rust").into())
}
