//! The files of the page, compiled in.

use std::borrow::Cow;
use std::path::PathBuf;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// Lists the files of the folder `page`.
macro_rules! page_files {
    ($($name:literal),+ $(,)?) => {
        const FILES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("page/", $name)))),+];
    };
}

page_files!["index.html"];

/// The name of the page itself.
pub(super) const INDEX: &str = "index.html";

/// Where the page's files come from.
#[derive(Debug)]
pub(super) enum Page {
    /// Out of the program.
    Embedded,
    /// Out of a folder, read anew each time, for whoever works on the page.
    Folder(PathBuf),
}

impl Page {
    fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Self::Embedded => FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Cow::Borrowed(*bytes)),
            // Only files of the folder itself.
            Self::Folder(_) if name.contains(['/', '\\']) || name.starts_with('.') => None,
            Self::Folder(folder) => std::fs::read(folder.join(name)).ok().map(Cow::Owned),
        }
    }

    /// A file as a response.
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
    fn every_file_of_the_folder_is_compiled_in_and_has_a_type() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interfaces/web/page");
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".md"));
        names.sort();
        let mut known: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        known.sort_unstable();
        assert_eq!(names, known);
        assert!(known.iter().all(|name| content_type(name) != "application/octet-stream"), "{known:?}");
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
