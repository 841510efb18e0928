//! Checks of a game's symmetries: that they are a group, and that the rules and the network's inputs keep them.

use std::collections::HashSet;

use hexzero_board::Permutation;
use hexzero_games::{Action, Game, GameBoard, Transform};

use super::boards;
use super::random_games::{View, at, is_large, legal_actions, random_games};

/// Returns the composition of two transforms, `one` first.
fn composed(one: &Transform, next: &Transform) -> Transform {
    Transform {
        cells: one.cells.then(&next.cells),
        actions: one.actions.then(&next.actions),
        inputs: one.inputs.then(&next.inputs),
        globals: one.globals.then(&next.globals),
    }
}

fn inverted(transform: &Transform) -> Transform {
    let Transform { cells, actions, inputs, globals } = transform;
    let [cells, actions, inputs, globals] = [cells, actions, inputs, globals].map(Permutation::inverted);
    Transform { cells, actions, inputs, globals }
}

/// Returns a key for looking a transform up.
fn key(transform: &Transform) -> [&[u16]; 4] {
    let Transform { cells, actions, inputs, globals } = transform;
    [cells, actions, inputs, globals].map(Permutation::forward)
}

pub(super) fn symmetries_are_a_group(games: &[Game]) {
    for on in boards(games) {
        let place = format!("{}, size {}", on.game().name(), on.size());
        let identity = Transform::identity(on.cells(), &on.game().view);
        let group: HashSet<_> = on.symmetries().iter().map(key).collect();
        assert_eq!(on.symmetries()[0], identity, "{place}");
        assert_eq!(group.len(), on.symmetries().len(), "{place}: two are the same");
        for one in on.symmetries() {
            assert!(group.contains(&key(&inverted(one))), "{place}: the inverse of {one:?}");
            for next in on.symmetries() {
                assert!(group.contains(&key(&composed(one, next))), "{place}: {one:?}, then {next:?}");
            }
        }
        for transform in on.symmetries().iter().chain(on.frames()) {
            let lengths = key(transform).map(<[u16]>::len);
            assert_eq!(lengths, key(&identity).map(<[u16]>::len), "{place}");
        }
    }
}

/// Returns the symmetry of the board itself that corresponds to one of the mover's frame.
fn on_the_board(frame: &Transform, symmetry: &Transform) -> Transform {
    composed(&composed(frame, symmetry), &inverted(frame))
}

/// Plays a game and its image under a symmetry side by side. With large groups each game tries only
/// some symmetries.
pub(super) fn symmetries_keep_the_rules_and_what_the_network_sees(games: &[Game]) {
    for on in boards(games) {
        let every = on.symmetries().len().div_ceil(24);
        for (number, actions) in random_games(on).enumerate() {
            for symmetry in on.symmetries().iter().skip(number % every).step_by(every) {
                on.frames().iter().for_each(|frame| images_are_alike(on, &actions, frame, symmetry));
            }
        }
    }
}

fn images_are_alike(on: &'static GameBoard, actions: &[Action], frame: &Transform, symmetry: &Transform) {
    let number = on.symmetries().iter().position(|other| std::ptr::eq(other, symmetry)).unwrap();
    let map = on_the_board(frame, symmetry);
    let image = |action: Action| Action(map.actions.apply(action.index()) as u16);
    let mut here = on.game().start(on.size()).unwrap();
    let mut there = here.clone();
    for ply in 0..=actions.len() {
        let place = || format!("symmetry {number}, {}\nand its image\n{}", at(&here), there.drawing(None));
        assert_eq!(here.outcome(), there.outcome(), "{}", place());
        assert_eq!(here.turns(), there.turns(), "{}", place());
        for cell in 0..on.cells() {
            assert_eq!(here.owner(cell), there.owner(map.cells.apply(cell)), "cell {cell}, {}", place());
        }
        let mut chain: Vec<usize> = here.winning_chain().into_iter().map(|cell| map.cells.apply(cell)).collect();
        chain.sort_unstable();
        let mut found = there.winning_chain();
        found.sort_unstable();
        assert_eq!(found, chain, "{}", place());
        let Some(&action) = actions.get(ply) else { break };

        assert_eq!(here.to_move(), there.to_move(), "{}", place());
        let mut legal: Vec<Action> = legal_actions(&here).into_iter().map(image).collect();
        legal.sort_unstable();
        assert_eq!(legal_actions(&there), legal, "{}", place());
        // Only in this frame does the map of the board correspond to this symmetry.
        if std::ptr::eq(here.frame(), frame) && (ply % 7 == 0 || !is_large(on)) {
            assert!(std::ptr::eq(there.frame(), frame), "{}", place());
            assert_eq!(View::of(&here).through(symmetry), View::of(&there), "{}", place());
            for &action in &legal_actions(&here) {
                let (seen, image) = (here.network_action(action, number), there.network_action(image(action), 0));
                assert_eq!(seen, image, "'{}', {}", here.action_name(action), place());
            }
        }
        here.play(action);
        there.play(image(action));
    }
}
