//! GTP commands that only ask, or that are refused, leave the game as it was.

use hexzero::games::{Game, all_games};
use hexzero::interfaces::gtp::GtpSession;

use crate::gtp_properties;

/// The commands that change something when they are not refused.
const CHANGING: &str = "boardsize clear_board genmove gogui-play_sequence gogui-setup gogui-setup_player \
    kata-genmove_analyze kata-time_settings kgs-time_settings loadsgf lz-genmove_analyze param_game play play-game quit \
    rectangular_boardsize set_position time_left time_settings undo";

fn session(game: Game) -> GtpSession {
    gtp_properties::session(game, *game.boards.sizes.start())
}

fn ask(session: &mut GtpSession, line: &str) -> String {
    session.answer(line).unwrap_or_else(|| panic!("no reply to {line}")).text
}

/// All that can be seen of a game and its clocks, but for what can be taken back.
fn state(session: &mut GtpSession) -> Vec<String> {
    let questions = ["showboard", "all_legal_moves", "final_score", "param_game", "hexzero-time_left b"];
    questions.iter().chain(&["hexzero-time_left w"]).map(|line| ask(session, line)).collect()
}

/// The states of a game from its end to its beginning.
fn history(session: &mut GtpSession) -> Vec<Vec<String>> {
    let mut states = vec![state(session)];
    while ask(session, "undo").starts_with('=') {
        states.push(state(session));
    }
    states
}

fn legal(session: &mut GtpSession) -> Vec<String> {
    ask(session, "all_legal_moves").trim_start_matches("= ").split_whitespace().map(str::to_owned).collect()
}

/// Lines that lead to a position: a few moves, stones that were set up, a turn handed over, a game that is over.
fn positions(game: Game) -> Vec<Vec<String>> {
    let clock = || vec!["time_settings 100 10 5".to_owned(), "time_left w 55.5 0".to_owned()];
    let mut played = session(game);
    let mut moves = clock();
    for number in 0..3 {
        let legal = legal(&mut played);
        let line = format!("play-game {}", legal[(number * 5 + 1) % legal.len()]);
        assert_eq!(ask(&mut played, &line), "= \n\n", "{}: {line}", game.name());
        moves.push(line);
    }
    let cells = legal(&mut session(game));
    let setup = format!("gogui-setup b {} w {}", cells[0], cells[cells.len() / 2]);
    let set_up = [clock(), vec![setup.clone()]].concat();
    let handed = [set_up.clone(), vec!["gogui-setup_player b".to_owned()]].concat();
    let one_more = [set_up.clone(), vec![format!("play w {}", cells[1]), format!("play b {}", cells[1])]].concat();
    let resigned = [moves.clone(), vec!["play b resign".to_owned()]].concat();
    vec![clock(), moves, set_up, handed, one_more, resigned]
}

fn at(game: Game, lines: &[String]) -> GtpSession {
    let mut session = session(game);
    for line in lines {
        // What a game does not allow is refused, and leads to another position.
        ask(&mut session, line);
    }
    session
}

#[test]
fn questions_never_change_the_game() {
    for game in all_games() {
        for lines in positions(game) {
            let mut session = at(game, &lines);
            let before = state(&mut session);
            let commands = ask(&mut session, "list_commands");
            let questions = commands.trim_start_matches("= ").split_whitespace();
            let questions = questions.filter(|&name| CHANGING.split(' ').all(|changing| changing != name));
            for command in questions {
                for arguments in ["", "b", "w", "w 10", "b 10 avoid b a1 1", "nobody", "7"] {
                    let line = format!("{command} {arguments}");
                    let reply = ask(&mut session, &line);
                    assert_eq!(state(&mut session), before, "{}, {lines:?}: {line}: {reply}", game.name());
                }
            }
            assert_eq!(history(&mut session), history(&mut at(game, &lines)), "{}, {lines:?}", game.name());
        }
    }
}

#[test]
fn refused_commands_change_nothing() {
    let lines = |cell: &str| {
        let moves = [cell, "z99", "", "swap", "pass"];
        let colours = ["b", "w", "red", "nobody", ""];
        let pairs = colours.iter().flat_map(|colour| moves.iter().map(move |place| format!("{colour} {place}")));
        let named = ["play", "genmove", "gogui-setup", "set_position", "gogui-play_sequence"];
        let of_pairs = pairs.flat_map(|pair| {
            named.map(|name| format!("{name} b a1 {pair}")).into_iter().chain([
                format!("play {pair}"),
                format!("gogui-play_sequence {pair} {pair}"),
                format!("gogui-setup {pair} w z99"),
            ])
        });
        let others = [
            "boardsize 99",
            "boardsize x",
            "rectangular_boardsize 3 4",
            "genmove nobody",
            "gogui-setup_player nobody",
            "kata-genmove_analyze w avoid w z99 1",
            "kata-time_settings fischer 10",
            "kgs-time_settings byoyomi -1 10 3",
            "kgs-time_settings unknown 10",
            "loadsgf there is no such file.sgf 5",
            "loadsgf \"\" 5",
            "param_game allow_swap 7",
            "param_game game_time -5",
            "play-game z99",
            "time_left b x 0",
            "time_settings -1 0 0",
            "time_settings 10 nan 0",
            "time_settings 10 0 -1",
        ];
        of_pairs.chain(others.map(str::to_owned)).collect::<Vec<_>>()
    };
    for game in all_games() {
        let cell = legal(&mut session(game)).remove(0);
        for way in positions(game) {
            let mut session = at(game, &way);
            let mut before = state(&mut session);
            let mut refused = 0;
            for line in lines(&cell) {
                if ask(&mut session, &line).starts_with('?') {
                    refused += 1;
                    assert_eq!(state(&mut session), before, "{}, {way:?}: {line}", game.name());
                } else {
                    session = at(game, &way);
                    before = state(&mut session);
                }
            }
            assert!(refused > 20, "{}: {refused}", game.name());
            assert_eq!(history(&mut session), history(&mut at(game, &way)), "{}, {way:?}", game.name());
        }
    }
}
