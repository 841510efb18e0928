//! All texts of the game in the terminal, except those of games and the errors of other modules.

use crate::counted::counted;
use hexzero_games::Game;
use hexzero_system::texts::without_error_numbers;

// The conversation, line by line.

pub(super) const TOO_LONG: &str = "That line is too long; type 'help' to see what there is.";
pub(super) const GOODBYE: &str = "Goodbye.";
pub(super) const PROMPT_WHEN_OVER: &str = "new, undo or quit> ";
pub(super) const IT_IS_OVER: &str = "The game is over. Type 'new' for another one, 'undo' to take back, or 'quit'.";
pub(super) const NOTHING_TO_UNDO: &str = "You have made no move that could be taken back.";
pub(super) const NOT_RESIGNED: &str = "You go on after all.";

/// The commands, as `help` lists them.
pub(super) const COMMANDS: &str = "\
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

pub(super) fn help_of_move(example: &str) -> String {
    format!("{example:<8} make this move\n")
}

pub(super) fn help_of_button(word: &str) -> String {
    format!("{word:<8} type this where it is offered\n")
}

pub(super) fn sure(line: &str) -> String {
    format!("The game is not over. Type '{line}' again if you mean it, or save it: 'save FILE'.")
}

pub(super) fn file_exists(name: &str) -> String {
    format!("{name} exists. Type the same again to replace it.")
}

pub(super) fn saved_in(name: &str) -> String {
    format!("The game is saved in {name}.")
}

pub(super) fn greeting(game: &str, board: &str, opponent: &str) -> String {
    format!("{game} on {board}; the engine uses {opponent}.")
}

/// `strength` is a level, or how long the engine thinks.
pub(super) fn plays_at(strength: &str, is_full: bool) -> String {
    let how = if is_full { "at" } else { "on" };
    format!("It plays {how} {strength} (see --level, --seconds, --visits).")
}

pub(super) fn you_are(seat: &str, example: &str) -> String {
    format!("You are {seat}. Type a move such as {example}, or 'help'.")
}

pub(super) fn may_type(word: &str) -> String {
    format!("You may type '{word}'.")
}

pub(super) fn not_understood(error: &str) -> String {
    format!("{error}. Type 'help' for the commands.")
}

pub(super) fn level_from_now(level: &str) -> String {
    format!("The engine plays on level {level} from now on.")
}

pub(super) fn took_back(seat: &str, move_name: &str) -> String {
    format!("took back {seat} {move_name}")
}

pub(super) fn you_resign(winner: &str) -> String {
    format!("You resign: {winner} wins.")
}

pub(super) fn captures(places: &[String]) -> String {
    format!("captures {}", places.join(", "))
}

pub(super) fn turns(places: &[String]) -> String {
    format!("takes over {}", places.join(", "))
}

// The engine's opinion.

pub(super) const OPINION_HEAD: &str = "  move   visits   prior     win\n";

pub(super) fn wins_at_once(move_name: &str) -> String {
    format!("{move_name} wins at once\n")
}

/// Formats the chances of the player to move, such as `12.5%`.
pub(super) fn chances(seat: &str, [win, draw, loss]: [String; 3]) -> String {
    format!("for {seat}: win {win}, draw {draw}, loss {loss}\n")
}

pub(super) fn expected(line: &str) -> String {
    format!("expected: {line}\n")
}

pub(super) fn hint(move_name: &str) -> String {
    format!("hint: {move_name}")
}

// Files.

pub(super) fn no_form(name: &str) -> String {
    format!("a game is saved as FILE.jsonl or FILE.sgf; '{name}' ends in neither")
}

pub(super) fn cannot_be_saved(fault: &str) -> String {
    format!("the game cannot be saved: {fault}")
}

pub(super) fn cannot_be_written(name: &str, source: &std::io::Error) -> String {
    format!("{name} cannot be written: {}", without_error_numbers(&source.to_string()))
}

// The whole screen.

pub(super) const WELCOME: &str = "arrow keys or a cell name move the cursor, Enter plays, ? shows help";
pub(super) const KEYS: &str = "? help · a analysis · h hint · u undo · n new · w save · q quit";
pub(super) const KEYS_TITLE: &str = " help ";
pub(super) const OVER: &str = "the game is over";
pub(super) const NOWHERE: &str = "no place of this board has that name";
pub(super) const NO_BUTTON: &str = "every move of this game is on the board";
pub(super) const NOTHING_TAKEN_BACK: &str = "you have made no move that could be taken back";
pub(super) const GOES_ON: &str = "you go on after all";
pub(super) const LOOKING_FOR_HINT: &str = "looking for a hint …";
pub(super) const RESIGN_AGAIN: &str = "press r again to resign";
pub(super) const NEW_AGAIN: &str = "press n again to begin a new game; w saves this one";
pub(super) const LEAVE_AGAIN: &str = "the game is not over: press q again to leave; w saves it";
pub(super) const REPLACE: &str = "exists; Enter replaces it, Esc does not";
pub(super) const THINKING: &str = "the engine is thinking; space makes it move now";
pub(super) const NOTHING_MORE: &str = "nothing more";

/// The keys and their effects, shown below the goals.
pub(super) const HELP: [&str; 15] = [
    "arrows    move the cursor",
    "d2        move it to that place",
    "Enter     play there (or click)",
    "1 2 3 …   choose that option",
    "s         swap or pass, if offered",
    "Esc       cancel the selection, or quit",
    "u         take back your last move",
    "a         show or hide the analysis",
    "h         show a hint",
    "space     make the engine move now",
    "+ -       make the engine stronger or weaker",
    "n         start a new game",
    "w         save the game",
    "r         resign",
    "q         quit",
];

pub(super) fn button_key(word: &str) -> String {
    format!("s {word}")
}

pub(super) fn cell_typed(typed: &str) -> String {
    format!("cell {typed}_")
}

pub(super) fn save_as(name: &str) -> String {
    format!("save as: {name}_   (.jsonl or .sgf; Enter saves, Esc does not)")
}

pub(super) fn saved(name: &str) -> String {
    format!("saved in {name}")
}

pub(super) fn level(level: &str) -> String {
    format!("the engine plays on level {level}")
}

/// Asks for the next pick: a place on the board, a number, or either.
pub(super) fn pick_next(has_places: bool, has_numbers: bool) -> String {
    let next = match (has_places, has_numbers) {
        (true, false) => "a marked place",
        (true, true) => "a marked place or a number",
        (false, _) => "a number",
    };
    format!("now pick {next}; Esc cancels")
}

pub(super) fn not_here(place: &str) -> String {
    format!("{place} is not possible here; Esc cancels")
}

pub(super) fn not_now(move_name: &str) -> String {
    format!("{move_name} is not possible now")
}

pub(super) fn title(game: Game, size: usize, strength: &str) -> String {
    format!("{} {} · {strength}", game.name(), game.board_name(size))
}

pub(super) fn resigned(winner: &str) -> String {
    format!("you resigned: {winner} wins")
}

pub(super) fn is_thinking(seat: &str) -> String {
    format!("{seat} is thinking …")
}

/// `goal` follows the name of the seat.
pub(super) fn your_move(seat: &str, goal: &str) -> String {
    format!("your move, {seat} · {}", self::goal(seat, goal))
}

pub(super) fn goal(seat: &str, goal: &str) -> String {
    format!("{seat} {goal}")
}

pub(super) fn to_place(place: &str) -> String {
    format!("to {place}")
}

pub(super) fn direction(number: u8) -> String {
    format!("direction {number}")
}

pub(super) fn share(seat: &str, share: f32) -> String {
    format!("{seat} {:.0} %", 100.0 * share)
}

pub(super) fn after_visits(visits: u32) -> String {
    format!("after {}", counted(visits as usize, "visit", "visits"))
}
