//! The files of the page, compiled in.

use std::borrow::Cow;
use std::path::PathBuf;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

/// The files of the folder `page`, compiled in.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/interfaces/web/page");

/// The name of the page itself.
pub(super) const INDEX: &str = "index.html";

/// Its icon.
pub(super) const ICON: &str = "icon.svg";

/// Where the page's files come from.
#[derive(Debug)]
pub(super) enum Page {
    /// Compiled in.
    Embedded,
    /// A folder, read anew each time, for developers of the page.
    Folder(PathBuf),
}

impl Page {
    fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Self::Embedded => Some(Cow::Borrowed(FILES.get_file(name)?.contents())),
            // Only files of the folder itself.
            Self::Folder(_) if name.contains(['/', '\\']) || name.starts_with('.') => None,
            Self::Folder(folder) => std::fs::read(folder.join(name)).ok().map(Cow::Owned),
        }
    }

    /// Serves a file.
    pub fn respond(&self, name: &str) -> Response {
        match self.read(name) {
            Some(bytes) => ([(CONTENT_TYPE, content_type(name))], bytes).into_response(),
            None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
        }
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_has_a_type() {
        let known: Vec<_> = FILES.files().map(|file| file.path().to_str().unwrap()).collect();
        assert!(known.contains(&INDEX), "{known:?}");
        assert!(known.iter().all(|name| content_type(name) != "application/octet-stream"), "{known:?}");
        assert!(Page::Embedded.read(INDEX).is_some());
    }

    #[test]
    fn nothing_outside_a_folder_is_read() {
        let folder = Page::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interfaces/web/page"));
        assert!(folder.read(INDEX).is_some());
        for name in ["../page.rs", "..", ".", "", "/etc/passwd", "..\\page.rs", "\0"] {
            assert!(folder.read(name).is_none(), "{name}");
        }
    }
}
