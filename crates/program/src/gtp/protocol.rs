//! The form of commands and replies.

use crate::lines::printable;

/// The answer to a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text to send, with the empty line at its end.
    pub text: String,
    /// Whether the conversation is over.
    pub quit: bool,
}

/// The result of a command: the text of a success or of an error.
pub(super) type Answer = Result<String, String>;

/// The answer of a command without a result.
pub(super) fn done() -> Answer {
    Ok(String::new())
}

/// A command as received.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub id: Option<String>,
    pub name: String,
    pub arguments: Vec<String>,
    /// The arguments as written.
    pub rest: String,
}

impl Request {
    /// Parses a line; returns none if it holds no command.
    pub fn parse(line: &str) -> Option<Self> {
        let line = printable(without_comment(line));
        let mut rest = line.trim();
        let mut word = || {
            let word;
            (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            rest = rest.trim_start();
            word.to_owned()
        };
        let mut name = word();
        // An id is returned as received, so its size does not matter.
        let is_id = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let id = is_id.then(|| std::mem::replace(&mut name, word()));
        let arguments = rest.split_whitespace().map(str::to_owned).collect();
        (id.is_some() || !name.is_empty()).then(|| Self { id, name, arguments, rest: rest.to_owned() })
    }
}

/// Returns a line without the comment at its end. In quotes, as of a file's name, `#` begins none.
fn without_comment(line: &str) -> &str {
    let is_open = |before: &str| before.matches('"').count() % 2 == 1;
    let starts = line.match_indices('#').map(|(at, _)| at);
    let start = starts.into_iter().find(|&at| !is_open(&line[..at]) || !line[at..].contains('"'));
    &line[..start.unwrap_or(line.len())]
}

/// Formats a reply, with the id of its request if it had one.
pub(super) fn reply(id: Option<&str>, answer: Answer) -> Reply {
    let id = id.unwrap_or_default();
    // The space is required even if nothing follows: HexGui accepts no other form.
    let text = match answer {
        Ok(text) => format!("={id} {}\n\n", text.trim_end()),
        Err(text) => format!("?{id} {}\n\n", printable(&text.replace('\n', " ")).trim_end()),
    };
    Reply { text, quit: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<(Option<String>, String, Vec<String>)> {
        Request::parse(line).map(|request| (request.id, request.name, request.arguments))
    }

    #[test]
    fn requests() {
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(parse("name"), Some((None, "name".into(), vec![])));
        assert_eq!(
            parse("  17\tplay b\0 d2 # a fine move"),
            Some((Some("17".into()), "play".into(), words(&["b", "d2"])))
        );
        assert_eq!(parse("# interrupt"), None);
        assert_eq!(parse(""), None);
        assert_eq!(parse(" \t\r\x07"), None);
        assert_eq!(parse("5"), Some((Some("5".into()), String::new(), vec![])));
        let rest = |line: &str| Request::parse(line).unwrap().rest;
        assert_eq!(rest("1 loadsgf  \"a  #1.sgf\" 5 # a \"fine\" game"), "\"a  #1.sgf\" 5");
        assert_eq!(rest("loadsgf 12\" vinyl.sgf # a disc"), "12\" vinyl.sgf");
    }
}
