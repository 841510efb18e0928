//! Sentences that must stay true: on a turned board, and about a swap.

use serde_json::json;

use crate::driver::DESK;
use crate::page::{Page, text};

/// Goals name rows, columns and colours, which turn with the board, not sides of the screen.
#[test]
#[ignore = "needs Chromium"]
fn goals_are_true_on_a_turned_board() {
    let page = Page::open(DESK);
    let wrong = page.run_async(
        "const done = arguments[0];
         fetch('api/about').then((answer) => answer.json()).then(({ games }) => done(games.flatMap(({ id, seats }) =>
             seats.flatMap(({ goal, task }) => [goal, task]).filter((text) => /left|right|top|bottom|upper|lower/i.test(text))
                 .map((text) => `${id}: ${text}`))));",
    );
    assert_eq!(wrong, json!([]));
    for game in ["gale/5", "quickwin/7", "3connection/5", "hex/11"] {
        page.visit(&format!("#{game}/"));
        page.run("document.activeElement.blur();");
        for keys in ["", "r", "f", "rr"] {
            page.press(keys);
            page.settle();
            let task = page.text_of("#text");
            let colour = text(&page.run("return document.documentElement.dataset.first;"));
            assert!(task.contains(&format!("{colour} sides")), "{game}: {task}");
            // The sides of that colour are there to be seen, on every board that has some.
            let sides = page.run("return document.querySelectorAll('.table .band.first').length;").as_u64().unwrap();
            assert!(sides >= 2 && sides.is_multiple_of(2), "{game}: {sides}");
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn titles_announce_a_possible_swap_and_the_turn() {
    let page = Page::for_two(DESK, 5);
    page.place("c1");
    assert_eq!(page.title(), "Blue may swap");
    page.click(".offers .swap");
    page.wait_for_moves(2);
    assert_eq!(page.title(), "Red to move");
    page.begin(5, "blue", 1);
    page.wait("document.querySelector('.offers .swap')");
    assert_eq!(page.title(), "You may swap");
    // The engine swaps such a strong opening.
    page.begin(5, "red", 5);
    page.place("c2");
    page.wait_for_turn();
    if page.moves()[1] == "swap" {
        assert_eq!(page.title(), "Your turn");
        assert!(page.text_of("#text").starts_with("Blue swaps. Your stone"));
    }
}
