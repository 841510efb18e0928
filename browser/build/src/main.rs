//! Builds the engine's WebAssembly modules, `wasm/hexzero.wasm` and others in the folder `target`: `cargo wasm`.
//!
//! A module cannot ask for instructions, nor go without the threads it was compiled for, so there are four: with and without relaxed
//! SIMD, with one thread and with several. Those with several are compiled for WASI, whose standard library can start threads.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const ONE_THREAD: &str = "wasm32-unknown-unknown";
const THREADS: &str = "wasm32-wasip1-threads";

/// Names the linker for cargo. The compilers of distributions lack `rust-lld`.
const LINKER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER";

/// The instructions, with what they add to the name of a module.
const INSTRUCTIONS: [(&str, &str); 2] = [("", "+simd128"), ("-relaxed", "+simd128,+relaxed-simd")];

/// The bytes of the memory that threads share, at first and at most. `page/engine/wasi.js` makes it.
const SHARED_MEMORY: (usize, usize) = (32 << 20, 1 << 30);

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
    // This program lies in target/release.
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).ok_or("this program lies in no folder of cargo's")?;
    let folder = target.join("wasm");
    let library = library_folder()?;
    let source = standard_library(&library)?;
    let threads = library.join(THREADS);
    for (suffix, instructions) in INSTRUCTIONS {
        let flags = vec![format!("-Ctarget-feature={instructions}")];
        build_module(&folder, &format!("hexzero{suffix}"), ONE_THREAD, &flags, &source)?;
        let name = format!("hexzero-threads{suffix}");
        if threads.is_dir() {
            let flags = [flags, thread_flags(&threads)].concat();
            build_module(&folder, &name, THREADS, &flags, &StandardLibrary::Installed)?;
        } else {
            // One of an older build would be taken for a part of this one.
            let _ = fs::remove_file(folder.join(name).with_extension("wasm"));
        }
    }
    if !threads.is_dir() {
        println!("without modules for several threads, which need 'rustup target add {THREADS}'");
    }
    Ok(())
}

/// Builds a module for a target with these flags of the compiler.
fn build_module(
    folder: &Path,
    name: &str,
    target: &str,
    flags: &[String],
    library: &StandardLibrary,
) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A folder each: cargo would compile everything anew for other flags.
    let built = folder.join(name);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Unlike RUSTFLAGS, this takes paths with spaces.
    cargo.current_dir(&root).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    cargo.args(["build", "--release", "--locked", "--package", "hexzero-browser", "--target", target, "--target-dir"]);
    cargo.arg(&built);
    if let StandardLibrary::FromSource { linker } = library {
        cargo.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
        if let Some(linker) = linker {
            cargo.env(LINKER, linker);
        }
    }
    if !cargo.status()?.success() {
        return Err(format!("{name}.wasm cannot be built; see above").into());
    }
    let module = folder.join(name).with_extension("wasm");
    fs::copy(built.join(target).join("release/hexzero.wasm"), &module)?;
    println!("{}: {:.1} MB", module.display(), fs::metadata(&module)?.len() as f64 / 1e6);
    Ok(())
}

/// Returns the compiler's flags for a library that is called again and again (a reactor of WASI) and shares its memory.
fn thread_flags(library: &Path) -> Vec<String> {
    let (first, most) = SHARED_MEMORY;
    let reactor = library.join("lib/self-contained/crt1-reactor.o");
    let arguments = [
        reactor.display().to_string(),
        "--export=_initialize".to_owned(),
        format!("--initial-memory={first}"),
        format!("--max-memory={most}"),
    ];
    arguments.map(|argument| format!("-Clink-arg={argument}")).to_vec()
}

/// The source of Rust's standard library for WebAssembly.
enum StandardLibrary {
    Installed,
    FromSource {
        /// The linker of LLVM, where there is one apart from the compiler.
        linker: Option<PathBuf>,
    },
}

/// Returns the folder of the compiler's standard libraries.
fn library_folder() -> Result<PathBuf, Box<dyn Error>> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output()?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()).join("lib/rustlib"))
}

/// Finds the standard library for one thread, and says which it is.
fn standard_library(library: &Path) -> Result<StandardLibrary, Box<dyn Error>> {
    if library.join(ONE_THREAD).is_dir() {
        println!("with the standard library of the toolchain");
        return Ok(StandardLibrary::Installed);
    }
    if library.join("src/rust/library").is_dir() {
        println!("with a standard library built from its source");
        return Ok(StandardLibrary::FromSource { linker: linker_apart() });
    }
    Err(format!("{ONE_THREAD} is not installed; run 'rustup target add {ONE_THREAD}', or install the source of Rust")
        .into())
}

/// Finds LLVM's linker for WebAssembly among the programs of the system: `wasm-ld`, else the newest of `wasm-ld-19` and the like. None
/// if the user has named a linker, or there is none.
fn linker_apart() -> Option<PathBuf> {
    if env::var_os(LINKER).is_some() {
        return None;
    }
    let folders = env::split_paths(&env::var_os("PATH")?).collect::<Vec<_>>();
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let version = |path: &PathBuf| match path.file_name()?.to_str()?.strip_prefix("wasm-ld")? {
        "" => Some(u32::MAX),
        suffix => suffix.strip_prefix('-')?.parse().ok(),
    };
    files.map(|file| file.path()).filter_map(|path| Some((version(&path)?, path))).max().map(|(_, path)| path)
}
