//! The files of the page, compiled in.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use crate::board_ui;

/// The files of the folder `page`, compiled in.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/interfaces/web/page");

/// The folder of the page in which scripts and styles of [`board_ui`] appear.
const SHARED: &str = "board_ui";

/// The source folder of [`board_ui`], seen from that of the page.
const SHARED_SOURCE: &str = "../../../board_ui";

/// The name of the page itself.
pub(in crate::interfaces::web) const INDEX: &str = "index.html";

/// The name of its icon.
pub(super) const ICON: &str = "icon.svg";

/// The source of the page's files.
#[derive(Debug)]
pub(crate) enum Page {
    /// Compiled in.
    Embedded,
    /// A folder, read anew each time, for developers of the page.
    Folder(PathBuf),
}

impl Page {
    /// Reads a file by its path below the page's folder, such as `board/board.js`.
    fn read(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        if !is_inside(path) {
            return None;
        }
        let shared = path.strip_prefix(SHARED).and_then(|rest| rest.strip_prefix('/'));
        let on_disk = match (self, shared) {
            (Self::Embedded, _) => None,
            (Self::Folder(folder), None) => return std::fs::read(folder.join(path)).ok().map(Cow::Owned),
            (Self::Folder(folder), Some(name)) => std::fs::read(folder.join(SHARED_SOURCE).join(name)).ok(),
        };
        let embedded = || match shared {
            Some(name) => board_ui::file(name).map(str::as_bytes),
            None => FILES.get_file(path).map(|file| file.contents()),
        };
        on_disk.map(Cow::Owned).or_else(|| embedded().map(Cow::Borrowed))
    }

    /// Returns all embedded files, with their paths below the page's folder.
    pub fn embedded() -> Vec<(String, Vec<u8>)> {
        let own = paths(&FILES).into_iter();
        let shared = board_ui::names().map(|name| format!("{SHARED}/{name}"));
        let read = |path: String| Self::Embedded.read(&path).map(|bytes| (path, bytes.into_owned()));
        own.chain(shared).filter_map(read).collect()
    }

    /// Serves a file.
    pub fn respond(&self, path: &str) -> Response {
        match self.read(path) {
            Some(bytes) => ([(CONTENT_TYPE, content_type(path))], bytes).into_response(),
            None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
        }
    }
}

/// Returns the paths of all embedded files of a folder and those below it.
fn paths(folder: &Dir<'static>) -> Vec<String> {
    let own = folder.files().map(|file| file.path().to_string_lossy().replace('\\', "/"));
    own.chain(folder.dirs().flat_map(paths)).collect()
}

/// Returns whether a path stays inside its folder and names no hidden file.
fn is_inside(path: &str) -> bool {
    let is_plain =
        |part: Component| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b"."));
    !path.contains('\\') && Path::new(path).components().all(is_plain)
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "gz" => "application/gzip",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn source_folder() -> Page {
        Page::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interfaces/web/page"))
    }

    #[test]
    fn every_file_is_served_with_a_type() {
        let known = paths(&FILES);
        assert!(known.iter().any(|path| path == INDEX) && known.iter().any(|path| path == ICON), "{known:?}");
        for path in known {
            assert!(content_type(&path) != "application/octet-stream", "{path}");
            assert!(Page::Embedded.read(&path).is_some(), "{path}");
        }
    }

    /// Scripts import by relative paths, and the page links what it needs below `assets/`.
    #[test]
    fn every_file_that_another_one_names_is_there() {
        let text = |path: &str| Page::Embedded.read(path).map(|bytes| String::from_utf8(bytes.into_owned()).unwrap());
        let mut open = vec![INDEX.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(path) = open.pop() {
            let found = text(&path).unwrap_or_else(|| panic!("{path} is missing"));
            if !seen.insert(path.clone()) {
                continue;
            }
            let named = found.split('"').skip(1).step_by(2);
            if path == INDEX {
                open.extend(named.filter_map(|link| link.strip_prefix("assets/")).map(str::to_owned));
            } else if path.ends_with(".js") {
                let folder: Vec<&str> = path.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
                let imports = found.lines().filter_map(|line| line.split_once(" from \"")?.1.strip_suffix("\";"));
                let workers = found.lines().filter_map(|line| {
                    line.split_once("new URL(\"")?.1.split_once("\", import.meta.url)").map(|(path, _)| path)
                });
                open.extend(imports.chain(workers).map(|import| resolved(&folder, import)));
            }
        }
        let unused: Vec<String> = paths(&FILES).into_iter().filter(|path| !seen.contains(path)).collect();
        assert!(unused.is_empty(), "nothing names {unused:?}");
        for name in board_ui::names() {
            assert!(seen.contains(&format!("{SHARED}/{name}")), "nothing names {SHARED}/{name}");
        }
    }

    /// Resolves a relative import of a script in a folder.
    fn resolved(folder: &[&str], import: &str) -> String {
        let mut parts = folder.to_vec();
        for part in import.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop().unwrap_or_else(|| panic!("{import} leads out of the page"))),
                name => parts.push(name),
            }
        }
        parts.join("/")
    }

    #[test]
    fn a_folder_has_the_same_files() {
        for path in [INDEX, "board/board.js", "board_ui/geometry.js"] {
            assert_eq!(source_folder().read(path), Page::Embedded.read(path), "{path}");
        }
    }

    #[test]
    fn nothing_outside_the_page_is_read() {
        let outside =
            ["../mod.rs", "..", ".", "", "/etc/passwd", "..\\mod.rs", "\0", "board/../../mod.rs", "./index.html"];
        for path in outside.into_iter().chain(["board_ui/../lib.rs", "board_ui/mod.rs/", "board", "board/"]) {
            for page in [source_folder(), Page::Embedded] {
                assert!(page.read(path).is_none(), "{path}");
            }
        }
    }
}
