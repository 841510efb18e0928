//! Pictures in files.

use std::path::PathBuf;

/// Reads the name of a file for an SVG.
pub(super) fn svg_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    // A device or a pipe, such as /dev/stdout, has no ending.
    let is_special = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_svg || is_special { Ok(path) } else { Err("the picture is an SVG; give a file that ends in .svg".to_owned()) }
}
