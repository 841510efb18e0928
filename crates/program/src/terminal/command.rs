//! The commands.

use crate::goals;
use hexzero_games::Position;

/// The commands, as `help` lists them.
const COMMANDS: &str = "\
undo     take back your last move, and the answer to it
hint     ask what the engine would play
eval     ask what the engine thinks of the position
board    show the board again
level    show how well the engine can play; 'level casual' changes it
resign   give up
save     save the game: 'save game.jsonl', or in games that have it 'save game.sgf'
new      begin a new game
quit     leave
";

/// A parsed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Nothing,
    Help,
    Board,
    /// Show the levels, or change to one.
    Level(Option<&'a str>),
    Undo,
    Hint,
    Eval,
    Resign,
    /// Save the game under a name.
    Save(&'a str),
    New,
    Quit,
    /// Anything else is taken for a move.
    Move(&'a str),
}

/// Returns the help text of a game: its rules, its moves, and the commands.
pub(super) fn help(position: &Position) -> String {
    let game = position.game();
    let rules: String = game.lesson.iter().map(|part| format!("{}: {}\n", part.title, part.text)).collect();
    let rules = format!("{}: {}\n{}\n\n{rules}\n", game.title, game.summary, goals(game).join("; "));
    let moves = example(position).map(|example| format!("{example:<8} make this move\n"));
    let buttons = game.played_words().into_iter().map(|word| format!("{word:<8} type this where it is offered\n"));
    std::iter::once(rules).chain(moves).chain(buttons).collect::<String>() + COMMANDS
}

/// Returns the name of a move that is possible at the start of the game.
pub(super) fn example(position: &Position) -> Option<String> {
    let start = position.game().start(position.size()).ok()?;
    start.legal().first().map(|&action| start.action_name(action))
}

impl<'a> Command<'a> {
    pub fn parse(line: &'a str) -> Self {
        let text = line.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if word.eq_ignore_ascii_case("level") {
            return Self::Level(Some(rest.trim()).filter(|name| !name.is_empty()));
        }
        if word.eq_ignore_ascii_case("save") {
            return Self::Save(rest.trim());
        }
        match text.to_ascii_lowercase().as_str() {
            "" => Self::Nothing,
            "help" | "h" | "?" => Self::Help,
            "board" | "show" => Self::Board,
            "undo" | "u" => Self::Undo,
            "hint" => Self::Hint,
            "eval" => Self::Eval,
            "resign" => Self::Resign,
            "new" => Self::New,
            "quit" | "exit" | "q" => Self::Quit,
            _ => Self::Move(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::game_named;

    #[test]
    fn commands_of_the_help_are_understood() {
        let help = help(&game_named("cachex").unwrap().start(5).unwrap());
        // The rules come before.
        for line in help.rsplit("\n\n").next().unwrap().lines() {
            let word = line.split_whitespace().next().unwrap();
            let is_move = matches!(Command::parse(word), Command::Move(_));
            assert_eq!(is_move, ["a1", "swap"].contains(&word), "{word}");
        }
        assert_eq!(Command::parse(" UNDO "), Command::Undo);
        assert_eq!(Command::parse("  "), Command::Nothing);
        assert_eq!(Command::parse(" level "), Command::Level(None));
        assert_eq!(Command::parse("Level \t casual "), Command::Level(Some("casual")));
    }

    #[test]
    fn help_names_the_swap_only_where_there_is_one() {
        for (name, swaps) in [("hex", true), ("hex-noswap", false)] {
            let help = help(&game_named(name).unwrap().start(5).unwrap());
            assert_eq!(help.contains("\nswap "), swaps, "{name}");
        }
    }
}
