//! The form of commands and replies.

use crate::interfaces::lines::printable;

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
}

impl Request {
    /// Parses a line; returns none if it holds no command.
    pub fn parse(line: &str) -> Option<Self> {
        let line = printable(line.split('#').next().unwrap_or_default());
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        // An id is returned as received, so its size does not matter.
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        match words.next() {
            Some(name) => Some(Self { id, name, arguments: words.collect() }),
            None => id.map(|id| Self { id: Some(id), name: String::new(), arguments: Vec::new() }),
        }
    }

    /// Formats the reply to this request.
    pub fn reply(&self, answer: Answer) -> Reply {
        reply(self.id.as_deref(), answer)
    }
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
    }

    #[test]
    fn replies() {
        assert_eq!(reply(None, Ok(String::new())).text, "= \n\n");
        assert_eq!(reply(Some("3"), Ok("d2".into())).text, "=3 d2\n\n");
        assert_eq!(reply(Some("3"), Err("illegal move".into())).text, "?3 illegal move\n\n");
        assert_eq!(reply(None, Err("a\n\nb\t\x1b[m".into())).text, "? a  b [m\n\n");
    }
}
