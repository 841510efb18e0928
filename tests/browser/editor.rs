//! Positions that are set up stone by stone, and where they go from there.

use crate::driver::{DESK, TELEPHONE, until_saved};
use crate::page::{Page, text};

const STONES: &str = "[...document.querySelectorAll('.table .cell[data-owner]')].map((cell) => `${cell.getAttribute('aria-label').split(',')[0]} ${cell.dataset.owner}`).join(', ')";

/// Begins to set a position of Hex up.
fn edit(page: &Page, size: u32) {
    page.click("#open-new");
    page.choose_game("hex");
    page.slide("choose-size", size);
    page.click("#choose-side input[value=people]");
    page.click("#edit");
    page.wait_for_title("Set up a position");
    page.wait(&format!("document.querySelectorAll('.table .cell').length === {}", size * size));
}

fn set_up(page: &Page) {
    edit(page, 5);
    page.pick("a1");
    page.pick("b2");
    page.click(".tools input[value='1']");
    page.pick("c3");
    page.pick("e5");
    page.pick("e5");
    page.click(".tools input[value=none]");
    page.pick("b2");
    page.click(".tools input[value='0']");
    page.pick("b3");
    page.click(".tools input[value=second]");
}

#[test]
#[ignore = "needs Chromium"]
fn set_up_position_is_played_kept_and_shared() {
    let page = Page::open(DESK);
    set_up(&page);
    assert_eq!(page.value(STONES), "a1 first, b3 first, c3 second");
    page.picture("editor");
    // The cards of those who will play it, not of the players of the last game.
    let cards = "[...document.querySelectorAll('.player')].map((card) => `${card.dataset.player} ${card.dataset.role} ${card.classList.contains('moves')}`).join()";
    assert_eq!(text(&page.value(cards)), "black person false,white person true");
    page.click(".offers .primary");
    page.wait_for_title("White begins");
    page.place("d4");
    assert_eq!(page.title(), "Black to move");
    let all = "a1 first, b3 first, c3 second, d4 second";
    assert_eq!(page.value(STONES), all);
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length > 0");
    page.click("#analyse");

    // Its address, a reload, a file and SGF have all of it.
    let address = text(&page.run("return location.hash;"));
    assert_eq!(address, "#hex/5/.d4*/a1.b3;c3;2");
    page.visit("");
    assert_eq!(page.value(STONES), all);
    page.run("localStorage.clear();");
    page.visit(&address);
    page.wait(&format!("{STONES} === '{all}'"));
    assert_eq!(page.moves(), ["d4"]);
    // The findings of analyses may stand between these parts.
    let setup = "\"setup\":{\"first\":[\"a1\",\"b3\"],\"second\":[\"c3\"],\"to_move\":\"second\"}";
    for (button, ending, holds) in [
        ("#save", "jsonl", [setup, "\"moves\":[\"d4\"]"]),
        ("#save-sgf", "sgf", ["SZ[5]AB[a1][b3]AW[c3]PL[W]", ";W[d4]"]),
    ] {
        page.click("#open-games");
        page.click(button);
        let path = page.downloads().join(format!("hex-5-1-moves.{ending}"));
        let saved = until_saved(&path, |saved| saved.ends_with('\n'));
        assert!(holds.iter().all(|part| saved.contains(part)), "{saved}");
        page.click("#games .close");
        page.begin_for_two(4);
        page.open_file(&format!("saved.{ending}"), &saved);
        page.wait(&format!("{STONES} === '{all}'"));
        assert_eq!(page.moves(), ["d4"], "{ending}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn setup_can_be_cancelled_and_needs_support() {
    let page = Page::for_two(TELEPHONE, 5);
    page.place("c1");
    let before = page.value(STONES);
    edit(&page, 5);
    assert_eq!(page.value(STONES), "", "another game's board is empty");
    page.assert_no_sideways_scrolling("the editor");
    page.picture("editor-telephone");
    page.run("[...document.querySelectorAll('.offers button')].at(-1).click();");
    page.wait(&format!("{STONES} === '{}'", text(&before)));
    assert_eq!(page.title(), "Blue may swap");
    // The editor begins with the position on the board if the game is the same.
    page.click("#open-new");
    page.click("#edit");
    page.wait_for_title("Set up a position");
    assert_eq!(page.value(STONES), before);
    page.click("#open-new");
    page.choose_game("link");
    assert_eq!(page.run("return document.getElementById('edit').hidden;"), true);
}

#[test]
#[ignore = "needs Chromium"]
fn watched_sides_have_their_own_levels() {
    let page = Page::open_under_control(DESK);
    page.run("window.sent = []; const { send } = socket; socket.send = (text) => { sent.push(JSON.parse(text)); send.call(socket, text); };");
    page.click("#open-new");
    page.slide("choose-size", 3);
    page.click("#choose-side input[value=engine]");
    page.slide("choose-level", 1);
    page.slide("choose-other-level", 3);
    let levels = page.run("return ['level-shown', 'other-level-shown'].map((id) => document.getElementById(id).textContent.toLowerCase());");
    page.click("#start");
    page.wait("sent.filter((one) => one.do === 'move').length > 1");
    let asked = page.run("return sent.filter((one) => one.do === 'move').slice(0, 2).map((one) => one.level);");
    assert_eq!(asked, levels);
    let who = page.run("return [...document.querySelectorAll('.player .quiet')].map((one) => one.textContent.replace('Engine, ', ''));");
    assert_eq!(who, levels);
}

#[test]
#[ignore = "needs Chromium"]
fn moves_make_sounds_when_switched_on() {
    let page = Page::for_two(DESK, 5);
    page.run(
        "window.tones = [];
         const { start } = OscillatorNode.prototype;
         OscillatorNode.prototype.start = function (when) { tones.push(this.frequency.value); start.call(this, when); };",
    );
    page.place("c1");
    assert_eq!(page.run("return tones.length;"), 0, "it is quiet unless asked");
    page.click_setting("#sounds");
    page.wait("tones.length === 1");
    page.place_all(&["b2", "a5", "c2"]);
    page.wait("tones.length === 4");
    assert_ne!(page.run("return tones[2];"), page.run("return tones[3];"), "each side has its tone");
    page.place("b3");
    page.wait("tones.length === 6");
    page.click_setting("#sounds");
    page.place("e1");
    assert_eq!(page.run("return tones.length;"), 6);
}

#[test]
#[ignore = "needs Chromium"]
fn set_up_position_outlives_the_connection() {
    let page = Page::open_under_control(DESK);
    edit(&page, 4);
    page.pick("a1");
    page.pick("b2");
    page.lose_the_server();
    page.click(".offers .primary");
    page.wait("document.getElementById('notice').textContent === 'There is no connection to the server.'");
    assert_eq!(page.title(), "Set up a position");
    assert_eq!(page.value(STONES), "a1 first, b2 first");
}

#[test]
#[ignore = "needs Chromium"]
fn game_beneath_a_set_up_position_stays() {
    let page = Page::for_two(DESK, 5);
    page.wait("document.querySelectorAll('.table .cell').length === 25");
    page.place_all(&["c1", "d2"]);
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length > 1");
    edit(&page, 4);
    assert_eq!(page.run("return document.getElementById('findings').hidden;"), true);
    page.press("u");
    page.settle();
    let game = "return JSON.parse(localStorage.getItem('hexzero.game')).tip.join(' ');";
    assert_eq!(page.run(game), "c1 d2");
    // Each position begins with the first player's stones.
    page.click(".tools input[value='1']");
    edit(&page, 3);
    page.wait("document.querySelector('.tools input:checked').value === '0'");
    page.run("[...document.querySelectorAll('.offers button')].at(-1).click();");
    page.wait("!document.getElementById('findings').hidden");
    assert_eq!(page.run(game), "c1 d2");
}
