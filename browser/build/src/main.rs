//! Builds the engine's WebAssembly modules, `wasm/hexzero.wasm` and others in the folder `target`: `cargo wasm [--one] [CRATE]`.
//!
//! `CRATE` is the folder of a crate with games of its own (examples/template), whose modules come into its own folder `target`.
//! With `--one` only the module that every browser can run is built.
//!
//! A module can neither query the available instructions nor do without the threads it was compiled for, so there are
//! four: with and without relaxed SIMD, for one thread and for several. Those for several threads are compiled for WASI,
//! whose standard library can start threads. So is the fifth, `wasm/hexzero-learn.wasm`, which trains.

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;

const ONE_THREAD: &str = "wasm32-unknown-unknown";
const THREADS: &str = "wasm32-wasip1-threads";

/// The module that trains, and its crate.
const LEARN: &str = "hexzero-learn";
const LEARN_CRATE: &str = "hexzero-browser-learn";

/// Names the linker for cargo. The compilers of distributions lack `rust-lld`.
const LINKER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER";

/// The instructions, with what they add to the name of a module.
const INSTRUCTIONS: [(&str, &str); 2] = [("", "+simd128"), ("-relaxed", "+simd128,+relaxed-simd")];

/// The bytes of the memory that threads share, at first and at most. `page/engine/wasi.js` makes it.
const SHARED_MEMORY: (usize, usize) = (32 << 20, 1 << 30);

/// A result whose error may come from another thread.
type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<()> {
    let (options, folders): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let is_one = options == ["--one"];
    if folders.len() > 1 || !(is_one || options.is_empty()) {
        return Err("usage: cargo wasm [--one] [CRATE]".into());
    }
    let is_whole = folders.is_empty();
    let modules = match folders.first() {
        Some(folder) => Modules::of_crate(Path::new(folder))?,
        None => Modules::of_hexzero()?,
    };
    let library = library_folder()?;
    let source = standard_library(&library)?;
    let threads = library.join(THREADS);
    let build_for = |(suffix, instructions): (&str, &str)| -> Result<()> {
        let flags = vec![format!("-Ctarget-feature={instructions}")];
        let (alone, several) = (format!("hexzero{suffix}"), format!("hexzero-threads{suffix}"));
        // One of an older build would be taken for a part of this one.
        if is_one && !suffix.is_empty() {
            modules.remove(&alone);
        } else {
            modules.build(None, &alone, &alone, ONE_THREAD, &flags, &source)?;
        }
        if is_one || !threads.is_dir() {
            modules.remove(&several);
            modules.remove(LEARN);
        } else {
            let flags = [flags, thread_flags(&threads)].concat();
            let library = StandardLibrary::Installed;
            modules.build(None, &several, &several, THREADS, &flags, &library)?;
            if suffix.is_empty() && is_whole {
                modules.build(Some(LEARN_CRATE), LEARN, &several, THREADS, &flags, &library)?;
            }
        }
        Ok(())
    };
    // In parallel, as a build ends with crates that use only one core.
    thread::scope(|scope| {
        let builds = INSTRUCTIONS.map(|instructions| scope.spawn(move || build_for(instructions)));
        builds.into_iter().try_for_each(|build| build.join().unwrap_or_else(|_| Err("a build panicked".into())))
    })?;
    if !is_one && !threads.is_dir() {
        println!("without modules for several threads, which need 'rustup target add {THREADS}'");
    }
    Ok(())
}

/// The modules of a crate.
struct Modules {
    /// The folder of the crate.
    source: PathBuf,
    /// The folder of the modules, and of all that is compiled for them.
    folder: PathBuf,
    /// Further arguments for cargo.
    arguments: &'static [&'static str],
}

impl Modules {
    /// Returns the modules with hexzero's games.
    fn of_hexzero() -> Result<Self> {
        // This program lies in target/release.
        let program = env::current_exe()?;
        let target = program.ancestors().nth(2).ok_or("this program lies in no folder of cargo's")?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        Ok(Self { source, folder: target.join("wasm"), arguments: &["--locked"] })
    }

    /// Returns the modules of the crate in this folder.
    fn of_crate(folder: &Path) -> Result<Self> {
        let source = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
        let locate = ["locate-project", "--workspace", "--message-format", "plain"];
        let output = cargo().current_dir(&source).args(locate).output()?;
        if !output.status.success() {
            return Err(format!("{}: {}", folder.display(), String::from_utf8_lossy(&output.stderr).trim()).into());
        }
        let manifest = PathBuf::from(String::from_utf8(output.stdout)?.trim());
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(target) => env::current_dir()?.join(target),
            None => manifest.with_file_name("target"),
        };
        Ok(Self { source, folder: target.join("wasm"), arguments: &[] })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("wasm")
    }

    fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.path(name));
    }

    /// Builds the module `name`, of a package or else of the crate in the folder, for a target with these flags of the
    /// compiler. The build folder is that of the module `beside`, whose flags are the same.
    fn build(
        &self,
        package: Option<&str>,
        name: &str,
        beside: &str,
        target: &str,
        flags: &[String],
        library: &StandardLibrary,
    ) -> Result<()> {
        // A folder each: cargo would compile everything anew for other flags.
        let built = self.folder.join(beside);
        let products = built.join(target).join("release");
        // So that the module found afterwards is that of this build, whatever the name of the crate.
        for old in modules_in(&products) {
            fs::remove_file(old)?;
        }
        let mut cargo = cargo();
        // Unlike RUSTFLAGS, this takes paths with spaces.
        cargo.current_dir(&self.source).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
        cargo.args(["rustc", "--release", "--lib", "--crate-type", "cdylib"]).args(self.arguments);
        cargo.args(package.into_iter().flat_map(|package| ["--package", package]));
        // The profile of another crate may keep the symbols.
        cargo.args(["--config", "profile.release.strip='symbols'"]);
        cargo.args(["--target", target, "--target-dir"]).arg(&built);
        if let StandardLibrary::FromSource { linker } = library {
            cargo.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
            if let Some(linker) = linker {
                cargo.env(LINKER, linker);
            }
        }
        if !cargo.status()?.success() {
            return Err(format!("{name}.wasm cannot be built; see above").into());
        }
        let made = modules_in(&products).pop().ok_or("cargo has built no module")?;
        let module = self.path(name);
        // A server that looks for it meanwhile finds the old module or the new one, never a part.
        let copy = module.with_extension(format!("{}.new", std::process::id()));
        fs::copy(made, &copy)?;
        fs::rename(copy, &module)?;
        println!("{}: {:.1} MB", module.display(), fs::metadata(&module)?.len() as f64 / 1e6);
        Ok(())
    }
}

fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Lists the modules in a folder; none if there is no such folder.
fn modules_in(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter(|path| path.extension() == Some(OsStr::new("wasm"))).collect()
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
fn library_folder() -> Result<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output()?;
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()).join("lib/rustlib"))
}

/// Finds the standard library for one thread, and says which it is.
fn standard_library(library: &Path) -> Result<StandardLibrary> {
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

/// Finds LLVM's linker for WebAssembly on the PATH: `wasm-ld`, or else the newest of `wasm-ld-19` and the like. None if
/// there is none, or the user has named a linker.
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
