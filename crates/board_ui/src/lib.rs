//! Drawing of boards in a browser: scripts and styles of the page of `hexzero serve`. `hexzero report` takes its
//! colours and texts from here.
//!
//! The scripts draw layouts, positions and moves as SVG and know no rules. They are plain modules, which import only
//! from those before them in [`SCRIPTS`].

/// The scripts with their names.
pub const SCRIPTS: [(&str, &str); 6] = [
    ("text.js", include_str!("../text.js")),
    ("elements.js", include_str!("../elements.js")),
    ("geometry.js", include_str!("../geometry.js")),
    ("picks.js", include_str!("../picks.js")),
    ("changes.js", include_str!("../changes.js")),
    ("picture.js", include_str!("../picture.js")),
];

/// The styles with their names: the colours, light and dark, and the board.
pub const STYLES: [(&str, &str); 2] =
    [("colours.css", include_str!("../colours.css")), ("board.css", include_str!("../board.css"))];

/// Returns a script or style by its name.
pub fn file(name: &str) -> Option<&'static str> {
    SCRIPTS.iter().chain(&STYLES).find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns the names of all scripts and styles.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().chain(&STYLES).map(|(name, _)| *name)
}
