//! A program in a real terminal: a pseudo-terminal on this side, and an emulator that shows what is seen.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::io::ioctl_fionbio;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use vt100::{MouseProtocolMode, Parser};

use crate::library_examples::example_path;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program and the terminal that it runs in.
pub struct Terminal {
    pub child: Child,
    /// The side of the person, who reads without waiting.
    pub keyboard: File,
    /// The side of the program.
    pub line: File,
    pub parser: Parser,
}

impl Terminal {
    pub fn start(rows: u16, columns: u16, variables: &[(&str, &str)], arguments: &[&str]) -> Self {
        Self::start_of(env!("CARGO_BIN_EXE_hexzero").as_ref(), rows, columns, variables, arguments)
    }

    /// Starts a game of `examples/toys`.
    pub fn start_toy(game: &str, size: &str) -> Self {
        let arguments = ["--game", game, "--size", size, "--visits", "20", "--seed", "1"];
        Self::start_of(&example_path("toys"), 24, 80, &[], &arguments)
    }

    fn start_of(program: &Path, rows: u16, columns: u16, variables: &[(&str, &str)], arguments: &[&str]) -> Self {
        let master: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let line = File::options().read(true).write(true).open(OsStr::from_bytes(name.as_bytes())).unwrap();
        tcsetwinsize(&line, size(rows, columns)).unwrap();
        // A session of its own, so that this is its only terminal and it hears of changes of size.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(program).arg("play").args(arguments);
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR").envs(variables.iter().copied());
        command.stdin(line.try_clone().unwrap()).stdout(line.try_clone().unwrap()).stderr(line.try_clone().unwrap());
        let child = command.spawn().unwrap();
        let keyboard = File::from(master);
        ioctl_fionbio(&keyboard, true).unwrap();
        Self { child, keyboard, line, parser: Parser::new(some(rows), some(columns), 0) }
    }

    /// Takes in what the program has written.
    pub fn read(&mut self) {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = self.keyboard.read(&mut bytes) {
            self.parser.process(&bytes[..count]);
        }
    }

    pub fn resize(&mut self, rows: u16, columns: u16) {
        self.parser.screen_mut().set_size(some(rows), some(columns));
        tcsetwinsize(&self.line, size(rows, columns)).unwrap();
    }

    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    pub fn seen(&self) -> String {
        self.parser.screen().contents()
    }

    /// Waits until what is seen is as it should be.
    pub fn expect(&mut self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let seen = self.seen();
            if is_so(&seen) {
                return seen;
            }
            assert!(Instant::now() < deadline, "{what} did not come; there is:\n{seen}");
            std::thread::sleep(Duration::from_millis(10));
            self.read();
        }
    }

    pub fn expect_text(&mut self, text: &str) -> String {
        self.expect(text, |seen| seen.contains(text))
    }

    /// How the program ended, once everything that it wrote has been read.
    pub fn end(&mut self) -> ExitStatus {
        loop {
            // Asked before the last read: a program that waits for its reader has not ended.
            let ended = self.child.try_wait().unwrap();
            self.read();
            if let Some(status) = ended {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Whether the terminal echoes and reads line by line again, on the screen that was there before.
    pub fn is_as_it_was(&self) -> bool {
        let modes = tcgetattr(&self.line).unwrap().local_modes;
        let screen = self.parser.screen();
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
            && !screen.alternate_screen()
            && !screen.hide_cursor()
            && screen.mouse_protocol_mode() == MouseProtocolMode::None
    }
}

fn some(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}
