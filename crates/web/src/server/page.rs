//! The page's files, compiled in or from a folder, and the headers that isolate them.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hexzero_board_ui as board_ui;
use include_dir::Dir;

/// The files of the page and of the site, which the program hands down: they are compiled into a crate of their own.
#[derive(Debug, Clone, Copy)]
pub struct PageFiles {
    /// The files of the page.
    pub page: &'static Dir<'static>,
    /// The manifest of the site.
    pub manifest: &'static str,
    /// The service worker of the site.
    pub service_worker: &'static str,
}

/// The folder of the page in which scripts and styles of [`board_ui`] appear.
const SHARED: &str = "board_ui";

/// The source folder of [`board_ui`], seen from that of the page.
const SHARED_SOURCE: &str = "../../board_ui";

/// The name of the page itself.
pub(crate) const INDEX: &str = "index.html";

/// The name of the page on which a network learns.
pub(crate) const LEARN: &str = "learn.html";

/// The name of the page's icon.
pub(super) const ICON: &str = "icon.svg";

/// The source of the page's files.
#[derive(Debug)]
pub(crate) enum Page {
    /// Compiled in.
    Embedded(PageFiles),
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
        let embedded = |name: &str| board_ui::file(name).map(|text| Cow::Borrowed(text.as_bytes()));
        let on_disk = |path: PathBuf| std::fs::read(path).ok().map(Cow::<[u8]>::Owned);
        match (self, shared) {
            (Self::Embedded(files), None) => files.page.get_file(path).map(|file| Cow::Borrowed(file.contents())),
            (Self::Embedded(_), Some(name)) => embedded(name),
            (Self::Folder(folder), None) => on_disk(folder.join(path)),
            (Self::Folder(folder), Some(name)) => {
                on_disk(folder.join(SHARED_SOURCE).join(name)).or_else(|| embedded(name))
            }
        }
    }

    /// Returns all embedded files, with their paths below the page's folder.
    pub fn embedded(files: PageFiles) -> Vec<(String, Vec<u8>)> {
        let own = paths(files.page).into_iter();
        let shared = board_ui::names().map(|name| format!("{SHARED}/{name}"));
        let read = |path: String| Self::Embedded(files).read(&path).map(|bytes| (path, bytes.into_owned()));
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

/// The headers that isolate the page from those of other origins. Without them no browser lets the threads of the
/// engine in a tab share memory ([cross-origin isolation][isolation]).
///
/// [isolation]: https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
pub(crate) const ISOLATION: [(&str, &str); 2] =
    [("cross-origin-opener-policy", "same-origin"), ("cross-origin-embedder-policy", "require-corp")];

/// Adds the headers of [`ISOLATION`] to those of an answer.
pub(crate) fn isolate(headers: &mut HeaderMap) {
    for (name, value) in ISOLATION {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const FILES: PageFiles = PageFiles {
        page: &hexzero_page::PAGE,
        manifest: hexzero_page::MANIFEST,
        service_worker: hexzero_page::SERVICE_WORKER,
    };

    const EMBEDDED: Page = Page::Embedded(FILES);

    fn source_folder() -> Page {
        Page::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../page/page"))
    }

    #[test]
    fn files_are_all_served_with_a_type() {
        let known = paths(FILES.page);
        assert!(known.iter().any(|path| path == INDEX) && known.iter().any(|path| path == ICON), "{known:?}");
        for path in known {
            assert!(content_type(&path) != "application/octet-stream", "{path}");
            assert!(EMBEDDED.read(&path).is_some(), "{path}");
        }
    }

    /// Scripts import by relative paths, and the page links what it needs below `assets/`.
    #[test]
    fn named_files_exist() {
        let text = |path: &str| EMBEDDED.read(path).map(|bytes| String::from_utf8(bytes.into_owned()).unwrap());
        let mut open = vec![INDEX.to_owned(), LEARN.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(path) = open.pop() {
            let found = text(&path).unwrap_or_else(|| panic!("{path} is missing"));
            if !seen.insert(path.clone()) {
                continue;
            }
            let named = found.split('"').skip(1).step_by(2);
            if path.ends_with(".html") {
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
        let unused: Vec<String> = paths(FILES.page).into_iter().filter(|path| !seen.contains(path)).collect();
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
    fn folder_has_the_same_files() {
        for path in [INDEX, "board/board.js", "board_ui/geometry.js"] {
            assert_eq!(source_folder().read(path), EMBEDDED.read(path), "{path}");
        }
    }

    #[test]
    fn paths_outside_the_page_are_refused() {
        let outside =
            ["../mod.rs", "..", ".", "", "/etc/passwd", "..\\mod.rs", "\0", "board/../../mod.rs", "./index.html"];
        for path in outside.into_iter().chain(["board_ui/../lib.rs", "board_ui/mod.rs/", "board", "board/"]) {
            for page in [source_folder(), EMBEDDED] {
                assert!(page.read(path).is_none(), "{path}");
            }
        }
    }
}
