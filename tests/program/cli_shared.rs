//! Boards that people share on a server: who may do what, and what the others hear of it.

use serde_json::{Value, json};

use crate::serving::{Client, Server};

/// Shares a board of Hex after these moves; returns the tokens.
fn share(client: &mut Client, moves: &[&str]) -> [String; 3] {
    let answer = client.answer(json!({"do": "share", "game": "hex", "size": 3, "moves": moves}));
    ["first", "second", "watch"]
        .map(|who| answer["tokens"][who].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned())
}

/// Opens the board of a token. Returns the number of the request, which all news of the board carry, and the board.
fn join(client: &mut Client, token: &str) -> (u64, Value) {
    let id = client.ask(json!({"do": "join", "token": token}));
    let answer = client.hear();
    assert_eq!(answer["id"], id, "{answer}");
    (id, answer)
}

fn refusal(client: &mut Client, request: Value) -> String {
    let answer = client.answer(request);
    answer["error"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn play(token: &str, ply: usize, name: &str) -> Value {
    json!({"do": "play", "token": token, "ply": ply, "move": name})
}

fn act(token: &str, deed: &str) -> Value {
    json!({"do": "act", "token": token, "deed": deed})
}

/// Sends a request by a client that follows a board, which gets an answer and the changed board, in either order.
/// Returns the board.
fn change(client: &mut Client, followed: u64, request: Value) -> Value {
    let id = client.ask(request);
    let answers = [client.hear(), client.hear()];
    let of = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{answers:?}"));
    assert_eq!(of(id)["done"], true, "{answers:?}");
    of(followed)["shared"].clone()
}

#[test]
fn two_people_play_a_game_to_its_end() {
    let server = Server::start(&[]);
    let (mut black, mut white, mut watcher) = (server.connect(), server.connect(), server.connect());
    let [first, second, watch] = share(&mut black, &[]);
    let (of_black, board) = join(&mut black, &first);
    let empty = json!({"game": "hex", "size": 3, "moves": [], "resigned": null, "asks": null});
    assert_eq!((&board["shared"], &board["seat"]), (&empty, &json!("first")));
    let (of_white, board) = join(&mut white, &second);
    assert_eq!(board["seat"], "second");
    let (of_watcher, board) = join(&mut watcher, &watch);
    assert_eq!(board["seat"], Value::Null);
    let moves = ["a1", "swap", "b2", "c1", "b1", "c2", "b3"];
    for (ply, name) in moves.into_iter().enumerate() {
        let (player, followed, token) =
            if ply % 2 == 0 { (&mut black, of_black, &first) } else { (&mut white, of_white, &second) };
        let told = change(player, followed, play(token, ply, name));
        assert_eq!(told["moves"], json!(moves[..=ply]), "the player hears it");
        let (other, of_other) = if ply % 2 == 0 { (&mut white, of_white) } else { (&mut black, of_black) };
        for (client, followed) in [(other, of_other), (&mut watcher, of_watcher)] {
            let heard = client.hear();
            assert_eq!((&heard["id"], &heard["shared"]), (&json!(followed), &told));
        }
    }
    let said = refusal(&mut white, play(&second, moves.len(), "a3"));
    assert_eq!(said, "the game is over");
}

#[test]
fn moves_need_the_seats_link_and_the_rules() {
    let server = Server::start(&[]);
    let (mut black, mut stranger) = (server.connect(), server.connect());
    let [first, second, watch] = share(&mut black, &["a1"]);
    assert!([&first, &second, &watch].iter().all(|token| token.len() == 32), "128 bits");
    assert!(first != second && second != watch && watch != first);
    for (request, said) in [
        (play(&watch, 1, "b2"), "this link is for watching; only the players move"),
        (act(&watch, "resign"), "this link is for watching; only the players move"),
        (play(&first, 1, "b2"), "it is white's turn"),
        (play(&second, 0, "b2"), "the game has gone on meanwhile; look at the board again"),
        (play(&second, 1, "a1"), "move 2, 'a1': a1 is occupied; choose an empty cell"),
        (act(&second, "ask"), "there is no move of yours yet"),
        (act(&first, "allow"), "no take-back has been asked for"),
    ] {
        assert_eq!(refusal(&mut stranger, request.clone()), said, "{request}");
    }
    let foreign = "0123456789abcdef0123456789abcdef";
    for request in [play(foreign, 1, "b2"), act(foreign, "resign"), json!({"do": "join", "token": foreign})] {
        assert!(refusal(&mut stranger, request).starts_with("there is no board with this link; "));
    }
    assert!(refusal(&mut stranger, act(&first, "dance")).starts_with("'deed' cannot be read: unknown variant `dance`"));
    assert_eq!(refusal(&mut stranger, json!({"do": "play", "token": first, "ply": 1})), "'move' is missing");
    // Nothing of that has changed the board.
    assert_eq!(join(&mut stranger, &watch).1["shared"]["moves"], json!(["a1"]));
}

#[test]
fn take_back_needs_the_other_players_consent() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let [first, second, _] = share(&mut client, &["a1", "b2", "c1"]);
    let (followed, _) = join(&mut client, &second);
    assert_eq!(change(&mut client, followed, act(&second, "ask"))["asks"], "second");
    assert_eq!(refusal(&mut client, act(&second, "allow")), "the other player has to allow that");
    assert_eq!(refusal(&mut client, act(&first, "ask")), "a take-back has been asked for already");
    let refused = change(&mut client, followed, act(&first, "refuse"));
    assert_eq!((&refused["asks"], &refused["moves"]), (&Value::Null, &json!(["a1", "b2", "c1"])));
    change(&mut client, followed, act(&second, "ask"));
    let allowed = change(&mut client, followed, act(&first, "allow"));
    assert_eq!((&allowed["asks"], &allowed["moves"]), (&Value::Null, &json!(["a1"])));
    // A move also answers the question.
    change(&mut client, followed, act(&first, "ask"));
    let moved = change(&mut client, followed, play(&second, 1, "b3"));
    assert_eq!((&moved["asks"], &moved["moves"]), (&Value::Null, &json!(["a1", "b3"])));
    let resigned = change(&mut client, followed, act(&first, "resign"));
    assert_eq!(resigned["resigned"], "first");
    assert_eq!(refusal(&mut client, act(&second, "ask")), "the game is over");
}

#[test]
fn returning_player_finds_the_game() {
    let server = Server::start(&[]);
    let mut black = server.connect();
    let [first, second, _] = share(&mut black, &[]);
    let (followed, _) = join(&mut black, &first);
    change(&mut black, followed, play(&first, 0, "b2"));
    drop(black);
    let mut white = server.connect();
    let (followed, board) = join(&mut white, &second);
    assert_eq!(board["shared"]["moves"], json!(["b2"]));
    change(&mut white, followed, play(&second, 1, "a3"));
    let mut black = server.connect();
    let board = join(&mut black, &first).1;
    assert_eq!((&board["shared"]["moves"], &board["seat"]), (&json!(["b2", "a3"]), &json!("first")));
}

#[test]
fn board_may_begin_with_stones() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    let setup = json!({"first": ["a1", "b2"], "second": [], "to_move": "second"});
    let answer = client.answer(json!({"do": "share", "game": "hex", "size": 5, "setup": setup, "moves": []}));
    let token = answer["tokens"]["first"].as_str().unwrap().to_owned();
    assert_eq!(join(&mut client, &token).1["shared"]["setup"], setup);
    assert_eq!(refusal(&mut client, play(&token, 0, "c3")), "it is white's turn");
}

#[test]
fn oldest_board_is_closed_for_a_new_one() {
    let server = Server::start(&["--shared", "2"]);
    let (mut client, mut player) = (server.connect(), server.connect());
    let [kept, ..] = share(&mut client, &["a1"]);
    let [dropped, ..] = share(&mut client, &["b1"]);
    let (followed, _) = join(&mut player, &dropped);
    // The board that was used last stays.
    join(&mut client, &kept);
    let [new, ..] = share(&mut client, &["c1"]);
    let told = player.hear();
    assert_eq!(told["id"], followed);
    assert!(told["error"].as_str().unwrap().starts_with("this board was closed: "), "{told}");
    assert!(refusal(&mut player, play(&dropped, 1, "a2")).starts_with("there is no board with this link; "));
    for (token, name) in [(kept, "a1"), (new, "c1")] {
        assert_eq!(join(&mut player, &token).1["shared"]["moves"], json!([name]));
    }
}

#[test]
fn many_boards_close_none_of_others() {
    let server = Server::start(&["--shared", "3"]);
    let mut other = server.connect_from([127, 0, 0, 2]);
    let [first, ..] = share(&mut other, &[]);
    let mut many = server.connect();
    for _ in 0..9 {
        share(&mut many, &[]);
    }
    assert_eq!(join(&mut other, &first).1["seat"], "first");
}

#[test]
fn server_may_share_no_boards() {
    let server = Server::start(&["--shared", "0"]);
    assert_eq!(server.get_json("/api/about")["shares"], false);
    let request = json!({"do": "share", "game": "hex", "size": 3, "moves": []});
    assert!(refusal(&mut server.connect(), request).starts_with("this server shares no boards"));
}
