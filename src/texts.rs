//! Texts for people: words of commands, and errors of the system.

use std::borrow::Cow;
#[cfg(feature = "learn")]
use std::path::Path;

/// Returns a path as a word of a command that a shell reads: quoted if it has spaces or the like.
#[cfg(feature = "learn")]
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), Cow::into_owned)
}

/// Returns a text without the numbers of the system's errors, such as `(os error 2)`: the words before say the same.
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

    #[cfg(feature = "learn")]
    #[test]
    fn a_shell_reads_back_what_is_quoted() {
        for path in ["runs/mine", "my run", "it's", "a\"b", "$HOME", "", "x;y", "naïve/пример"] {
            assert_eq!(shlex::split(&quoted(Path::new(path))), Some(vec![path.to_owned()]));
        }
        assert_eq!(quoted(Path::new("runs/mine-1.safetensors")), "runs/mine-1.safetensors");
    }
}
