//! Texts for people: words of shell commands, and errors of the system.

use std::borrow::Cow;
use std::path::Path;

/// Returns a path as a word of a shell command, quoted if it contains spaces or the like.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), Cow::into_owned)
}

/// Returns a text without the system's error numbers, such as `(os error 2)`, which only repeat the
/// words before them.
pub fn without_error_numbers(text: &str) -> Cow<'_, str> {
    const BEGINNING: &str = " (os error ";
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once(BEGINNING) {
        kept += before;
        let number = after.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(after.len());
        rest = after[number..].strip_prefix(')').unwrap_or_else(|| {
            kept += BEGINNING;
            after
        });
    }
    if kept.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(kept + rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_errors_are_left_out() {
        let missing = std::io::Error::from_raw_os_error(2);
        for (text, expected) in [
            (format!("cannot read x: {missing}"), "cannot read x: No such file or directory"),
            (format!("a: {missing}; b: {missing}."), "a: No such file or directory; b: No such file or directory."),
            ("an (os error of mine)".to_owned(), "an (os error of mine)"),
            ("a (os error 5".to_owned(), "a (os error 5"),
            (String::new(), ""),
        ] {
            if cfg!(unix) || !text.contains("2)") {
                assert_eq!(without_error_numbers(&text), expected);
            }
        }
    }

    #[test]
    fn quoted_paths_are_read_back_by_a_shell() {
        for path in ["runs/mine", "my run", "it's", "a\"b", "$HOME", "", "x;y", "naïve/пример"] {
            assert_eq!(shlex::split(&quoted(Path::new(path))), Some(vec![path.to_owned()]));
        }
        assert_eq!(quoted(Path::new("runs/mine-1.safetensors")), "runs/mine-1.safetensors");
    }
}
