//! Writes files atomically, and reads files of bounded size.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// The longest chain of symbolic links to follow, as on Linux.
const MAX_LINKS: usize = 40;

/// The errors of Windows for a file that another program uses: access denied, sharing violation, lock violation.
const IN_USE: [i32; 3] = [5, 32, 33];

/// The pauses between tries double and stay below this; together they last about as long.
const MAX_WAIT: Duration = Duration::from_millis(1024);

/// The maximum length of a line in files that grow line by line, in bytes: hundreds of times what an
/// iteration of a run or a game takes.
pub const MAX_LINE_BYTES: u64 = 1 << 20;

/// The maximum length of such a file if its contents are kept in memory, in bytes: a hundred thousand
/// iterations, or more than twice as many games.
pub const MAX_LINES_FILE_BYTES: u64 = 1 << 28;

/// Writes `bytes` to a temporary file beside `path`, syncs it, and renames it to `path`, so that a
/// reader never sees a partial file, and an older file survives until the new one is complete.
///
/// Symbolic links are followed: their target is replaced. Devices, pipes and the like are written to directly. The
/// folder is synced too, where the system supports that, so that the new file also survives a power cut.
///
/// # Errors
/// If any of these steps fails, except the last; the temporary file is then removed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let destination = destination(path)?;
    // /dev/stdout may lead to a file without a name, which cannot be replaced.
    let is_named_file = |found: fs::Metadata| found.is_dir() || found.is_file() && destination.exists();
    if fs::metadata(path).is_ok_and(|found| !is_named_file(found)) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let path = &destination;
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    // The name must be unique, as another thread or process may be writing the same file.
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    name.push(format!(".{}-{}.partial", process_id(), WRITTEN.fetch_add(1, Ordering::Relaxed)));
    let partial = path.with_file_name(name);
    let written = File::create(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| rename(&partial, path)).inspect_err(|_| {
        // Best effort: a temporary file that cannot be removed is left behind.
        let _ = fs::remove_file(&partial);
    })?;
    sync_folder(path.parent().unwrap_or(Path::new("")));
    Ok(())
}

/// Returns this process's number; 0 in a browser's tab, which has none.
fn process_id() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
}

/// Renames a file, and replaces one that has the new name. On Windows this waits up to a second for a
/// virus scanner, an indexer or a backup that has one of them open.
///
/// # Errors
/// As [`fs::rename`].
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    if cfg!(windows) { retried(|| fs::rename(from, to), thread::sleep) } else { fs::rename(from, to) }
}

/// Repeats an attempt, after longer and longer pauses, until no other program uses the file.
fn retried(mut attempt: impl FnMut() -> io::Result<()>, mut pause: impl FnMut(Duration)) -> io::Result<()> {
    let mut wait = Duration::from_millis(1);
    loop {
        match attempt() {
            Err(error) if wait < MAX_WAIT && error.raw_os_error().is_some_and(|code| IN_USE.contains(&code)) => {
                pause(wait);
                wait *= 2;
            }
            done => return done,
        }
    }
}

/// Syncs the names of the files in a folder to disk, so that they survive a power cut. Does nothing
/// where the system does not support it.
pub fn sync_folder(path: &Path) {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    // Some systems cannot open folders, and some file systems cannot sync them.
    let _ = File::open(path).and_then(|folder| folder.sync_all());
}

/// Opens a file for reading.
///
/// # Errors
/// If the file cannot be opened, or is a named pipe, which could make the program wait forever.
pub fn open(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let is_pipe = fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo());
        // `/dev/stdin` and a shell's `<(command)` are pipes too, but without a name and open already.
        if is_pipe && destination(path).is_ok_and(|path| path.exists()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a named pipe; give a file"));
        }
    }
    File::open(path)
}

/// Follows symbolic links to the file they name, which need not exist.
fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            // The path is not a link, or does not exist yet.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn too_long(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("longer than {most} bytes, the most for such a file"))
}

/// Reads a file of at most `most` bytes. A device may never end, and a sparse file may be longer
/// than any memory: neither is read further, and only as much memory is reserved as may be read.
///
/// # Errors
/// If the file cannot be read, is longer, or does not fit into memory.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_long(most));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize)?;
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long(most)) } else { Ok(bytes) }
}

/// Reads a text file as [`read_at_most`] does.
///
/// # Errors
/// As [`read_at_most`], or if the file is not UTF-8.
pub fn read_text_at_most(path: &Path, most: u64) -> io::Result<String> {
    let invalid = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8");
    String::from_utf8(read_at_most(path, most)?).map_err(invalid)
}

/// Reads lines one after another, each with its line end if it has one, so that only one line is in
/// memory. Ends after an error; a line of more than 1 MiB is an error, too.
pub fn lines(reader: impl Read) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let (mut reader, mut number, mut ended) = (BufReader::new(reader), 0, false);
    let mut read = move || {
        let mut line = Vec::new();
        number += 1;
        match Read::by_ref(&mut reader).take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)? as u64 {
            0 => Ok(None),
            1..=MAX_LINE_BYTES => Ok(Some(line)),
            _ => {
                let problem =
                    format!("line {number} is longer than {MAX_LINE_BYTES} bytes, the most for a line of such a file");
                Err(io::Error::new(io::ErrorKind::FileTooLarge, problem))
            }
        }
    };
    std::iter::from_fn(move || {
        let line = if ended { None } else { read().transpose() };
        ended = !matches!(line, Some(Ok(_)));
        line
    })
}

/// Reads the lines of a file of at most 256 MiB as [`lines`] does, for callers that keep all of them in memory.
///
/// # Errors
/// If the file is longer.
pub fn bounded_lines(file: &File) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>>> {
    if file.metadata()?.len() > MAX_LINES_FILE_BYTES { Err(too_long(MAX_LINES_FILE_BYTES)) } else { Ok(lines(file)) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn links_are_followed_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::create_dir(place("below")).unwrap();
        symlink("below/second", place("first")).unwrap();
        symlink("file", place("below/second")).unwrap();
        // First the file does not exist yet, then it does.
        for bytes in [&b"one"[..], b"two"] {
            write_whole(&place("first"), bytes).unwrap();
            assert!(fs::symlink_metadata(place("first")).unwrap().is_symlink());
            assert!(fs::symlink_metadata(place("below/second")).unwrap().is_symlink());
            assert_eq!(fs::read(place("below/file")).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(place("below")).unwrap().count(), 2, "no temporary file is left");
        symlink("round", place("round")).unwrap();
        assert!(write_whole(&place("round"), b"").is_err());
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let null = folder.path().join("null");
        symlink("/dev/null", &null).unwrap();
        write_whole(&null, b"gone").unwrap();
        assert!(fs::symlink_metadata(&null).unwrap().is_symlink());

        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                text
            }
        });
        write_whole(&pipe, b"through").unwrap();
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), "through");

        let mut unnamed = tempfile::tempfile().unwrap();
        write_whole(Path::new(&format!("/proc/self/fd/{}", unnamed.as_raw_fd())), b"unnamed").unwrap();
        let mut text = String::new();
        unnamed.read_to_string(&mut text).unwrap();
        assert_eq!(text, "unnamed");
    }

    #[test]
    fn files_in_use_are_tried_again_for_a_second() {
        let (mut tries, mut waited) = (0, Duration::ZERO);
        let busy_until = |last: u32, tries: &mut u32| {
            *tries += 1;
            if *tries < last { Err(io::Error::from_raw_os_error(32)) } else { Ok(()) }
        };
        retried(|| busy_until(4, &mut tries), |pause| waited += pause).unwrap();
        assert_eq!((tries, waited), (4, Duration::from_millis(7)));
        (tries, waited) = (0, Duration::ZERO);
        let error = retried(|| busy_until(u32::MAX, &mut tries), |pause| waited += pause).unwrap_err();
        assert_eq!((error.raw_os_error(), tries, waited), (Some(32), 11, Duration::from_millis(1023)));
        // What will not pass is not waited for.
        let missing = || Err(io::Error::from_raw_os_error(2));
        assert!(retried(missing, |_| panic!("it waits")).is_err());
    }

    #[test]
    fn folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_whole(folder.path(), b"").is_err());
    }

    #[test]
    fn reads_stop_at_their_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "as long").unwrap();
        assert_eq!(read_at_most(&path, 7).unwrap(), b"as long");
        assert_eq!(read_text_at_most(&path, 7).unwrap(), "as long");
        assert_eq!(read_at_most(&path, 6).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        // The length of a device is not known beforehand.
        assert_eq!(read_at_most(Path::new("/dev/zero"), 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_at_most(Path::new("/dev/null"), 1000).unwrap(), b"");
        let long = "x".repeat(MAX_LINE_BYTES as usize);
        fs::write(&path, format!("{}\n\nlast", &long[1..])).unwrap();
        let read = || lines(File::open(&path).unwrap()).collect::<io::Result<Vec<_>>>();
        assert_eq!(read().unwrap().iter().map(Vec::len).collect::<Vec<_>>(), [long.len(), 1, 4]);
        fs::write(&path, format!("first\n{long}\nlast")).unwrap();
        let found: Vec<_> = lines(File::open(&path).unwrap()).collect();
        assert!(found.len() == 2 && found[0].is_ok(), "{found:?}");
        assert!(found[1].as_ref().unwrap_err().to_string().starts_with("line 2 is longer than 1048576 bytes"));
        // A sparse file.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read_at_most(&path, 1 << 30).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read().unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(bounded_lines(&File::open(&path).unwrap()).is_err());
    }
}
