//! Every game that the program knows, by clicks alone.

use hexzero::games::{Game, GameRng, all_games};
use rand::{Rng, SeedableRng};

use crate::driver::DESK;
use crate::page::{Page, text};

/// What may be clicked now, as selectors: a button at a place, a direction, a place, or a button beside the board. Where a
/// source has been picked its targets are lit.
const OPEN: &str = "
    for (const element of document.querySelectorAll('[data-open]')) delete element.dataset.open;
    let count = 0;
    const each = (selector, of = () => true) => [...document.querySelectorAll(selector)].filter(of).map((element) => {
        element.dataset.open ??= count++;
        return `[data-open='${element.dataset.open}']`;
    });
    const at = [...each('.choices button'), ...each('.way .reach')];
    if (at.length) return [at, []];
    const isOpen = (cell) => cell.getAttribute('aria-disabled') === 'false';
    return [each('.table .cell.lit', isOpen), [...each('.table .cell', isOpen), ...each('.offers [data-move]')]];";

/// All that a click may change.
const SEEN: &str = "[document.querySelectorAll('.move').length, document.querySelectorAll('.lit').length,
    document.querySelectorAll('.way').length, document.querySelectorAll('.choices button').length,
    document.getElementById('told').textContent, document.querySelectorAll('.player.won').length].join()";

fn play_to_the_end(game: Game) {
    let page = Page::open_of(DESK, &["--game", game.name()]);
    // A stone that slides is clicked where it is, not where it will be.
    page.prefer(&[("prefers-reduced-motion", "reduce")]);
    page.begin_for_two(*game.boards.sizes.start());
    let mut rng = GameRng::seed_from_u64(1);
    for click in 0.. {
        if page.run("return !document.querySelector('.player.moves');") == true {
            break;
        }
        assert!(click < 3000, "{} does not end", game.name());
        let open = page.run(OPEN);
        let [lit, all] = [&open[0], &open[1]].map(|open| open.as_array().unwrap());
        let chosen = if all.is_empty() || !lit.is_empty() && rng.random_bool(0.7) { lit } else { all };
        assert!(!chosen.is_empty(), "{}: nothing to click on after {:?}", game.name(), page.moves());
        let before = text(&page.value(SEEN));
        page.click(&text(&chosen[rng.random_range(0..chosen.len())]));
        page.wait(&format!("{SEEN} !== {before:?}"));
    }
    page.picture(&format!("end-{}", game.name()));
    page.assert_no_sideways_scrolling(game.name());
    page.click("#open-lesson");
    page.wait("document.querySelector('#lesson[open]')");
    page.picture(&format!("lesson-{}", game.name()));
}

#[test]
#[ignore = "needs Chromium"]
fn games_are_played_to_their_ends() {
    for game in all_games() {
        play_to_the_end(game);
    }
}
