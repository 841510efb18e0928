//! The files of the page of hexzero, compiled in. Nothing but the program itself depends on this crate, so that a changed page rebuilds
//! nothing else.

use include_dir::{Dir, include_dir};

/// The files of the page by their paths, such as `board/board.js`.
pub static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/page");

/// The manifest of the site, by which a browser installs it.
pub const MANIFEST: &str = include_str!("../site/manifest.webmanifest");

/// The service worker of the site.
pub const SERVICE_WORKER: &str = include_str!("../site/service_worker.js");
