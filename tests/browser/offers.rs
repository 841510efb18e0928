//! The buttons beside the sentence about the game, and what an analysis says of decided positions.

use serde_json::{Value, json};

use crate::driver::DESK;
use crate::page::{Page, text};

const FOCUSED: &str = "return document.activeElement.textContent;";

#[test]
#[ignore = "needs Chromium"]
fn focus_stays_on_pause_while_the_engine_plays() {
    let page = Page::open(DESK);
    // A game that is not over before the test has looked.
    page.begin(9, "engine", 0);
    page.click(".pace input[value=fast]");
    page.run("document.querySelector('.offers button').focus();");
    assert_eq!(page.run(FOCUSED), "Pause");
    page.run("window.button = document.activeElement;");
    let moves = page.moves().len();
    page.wait(&format!("document.querySelectorAll('.move').length > {}", moves + 2));
    assert_eq!(page.run("return document.activeElement === window.button;"), true, "it is the same button");
    page.run("document.activeElement.click();");
    page.wait("document.querySelector('.offers button').textContent === 'Start'");
    assert_eq!(page.run(FOCUSED), "Start", "the focus goes on to what stands there now");
}

#[test]
#[ignore = "needs Chromium"]
fn review_is_offered_until_it_has_begun() {
    let page = Page::open_under_control(DESK);
    let game = r#"{"game":"cachex","size":5,"moves":["c1","b2","a5"],"resigned":"blue"}"#;
    page.open_file("game.jsonl", game);
    page.wait("document.querySelector('.player.won')");
    page.wait("!document.querySelector('dialog[open]')");
    assert_eq!(page.offers(), "New game,Review");
    page.run("window.held = true; window.kind = 'review';");
    page.click(".offers .review");
    page.wait("!document.getElementById('reviewing').hidden");
    assert_eq!(page.offers(), "New game", "it is under way");
    page.run("window.release();");
    page.wait("!document.getElementById('reviewed').hidden");
    assert_eq!(page.offers(), "New game");
}

/// How long the engine thinks is chosen with its level, asked for with each move, and to be seen.
#[test]
#[ignore = "needs Chromium"]
fn full_strength_thinks_for_the_chosen_time() {
    let page = Page::open_under_control(DESK);
    page.run("window.sent = []; const send = socket.send; socket.send = function (text) { sent.push(JSON.parse(text)); send.call(this, text); };");
    let asked = |page: &Page| page.wait("sent.findLast((request) => request.do === 'move')");
    let who = "document.querySelector('.player.first .quiet').textContent";
    page.begin(5, "blue", 7);
    assert_eq!(page.value(who), "Engine, 1 s per move");
    let request = asked(&page);
    assert_eq!((&request["level"], &request["seconds"], &request["visits"]), (&json!("full"), &json!(1), &Value::Null));
    page.run("sent = [];");
    page.click("#open-new");
    page.click("#choose-effort input[value=visits]");
    page.run("document.getElementById('effort').value = '77';");
    page.click("#start");
    page.wait(&format!("{who} === 'Engine, 77 visits per move'"));
    let request = asked(&page);
    assert_eq!((&request["seconds"], &request["visits"]), (&Value::Null, &json!(77)));
    // A weaker level says how much it looks at, and a clock how long it thinks.
    page.click("#open-new");
    page.slide("choose-level", 2);
    assert_eq!(page.run("return document.getElementById('effort-field').checkVisibility();"), false);
    page.slide("choose-level", 7);
    assert_eq!(page.run("return document.getElementById('effort-field').checkVisibility();"), true);
    page.picture("effort");
    page.click("#choose-clock input[value='3+2']");
    assert_eq!(page.run("return document.getElementById('effort-field').checkVisibility();"), false);
    page.click("dialog[open] .close");
}

#[test]
#[ignore = "needs Chromium"]
fn certain_results_show_the_distance_to_the_end() {
    let page = Page::for_two(DESK, 5);
    page.place_all(&["c1", "b2", "a5", "c2", "b4", "d3"]);
    page.click("#analyse");
    page.wait("document.querySelector('.lines .best .chance')?.textContent === 'wins in 3'");
    page.wait("document.querySelector('.candidate.best')?.textContent === 'winsin 3'");
    assert_eq!(page.text_of(".chances .first"), "wins in 3");
    assert_eq!(page.text_of(".chances .second"), "");
    page.picture("certain");
}

/// After a game there is another one, with the sides exchanged, and on a higher level for who has won.
#[test]
#[ignore = "needs Chromium"]
fn next_level_is_offered_after_a_win() {
    let page = Page::open(DESK);
    page.begin(5, "red", 0);
    page.place("c2");
    page.wait_for_turn();
    page.click("#resign");
    page.click("#resign");
    page.wait_for_title("The engine wins");
    assert_eq!(page.offers(), "Rematch,Review");
    page.click("#analyse");
    page.wait("document.querySelector('.line')");
    page.click(".offers button");
    page.wait("document.querySelector('.player.second').dataset.role === 'person'");
    let analyses = page.run("return document.getElementById('analyse').getAttribute('aria-checked');");
    assert_eq!(text(&analyses), "false", "the next game is to be played");
    assert_eq!(text(&page.run("return document.querySelector('.player.first').dataset.role;")), "engine");
    // A person wins on the board against the weakest level.
    page.run("sessionStorage.clear(); localStorage.clear();");
    let won = r#"{"setup":{"game":"cachex","size":3,"roles":{"red":"person","blue":"engine"},"level":"newcomer","clock":null},"tree":[null,[["a1",[["c1",[["a2",[["c2",[["a3",[]]]]]]]]]]]],"tip":["a1","c1","a2","c2","a3"],"current":["a1","c1","a2","c2","a3"],"ended":null,"clocks":null}"#;
    // The page keeps its game once more when it goes.
    page.run(&format!(
        "const keep = () => [sessionStorage, localStorage].forEach((place) => place.setItem('hexzero.game', {won:?}));
         addEventListener('pagehide', keep);
         document.addEventListener('visibilitychange', keep);"
    ));
    page.visit("");
    page.wait_for_title("You win");
    assert_eq!(page.offers(), "Try beginner,Rematch,Review");
    page.click(".offers button");
    page.wait("document.querySelector('[data-role=engine] .quiet').textContent === 'Engine, beginner'");
}
