//! The games of `examples/toys` in the program, which has no code for them.

use std::fs;

use assert_cmd::Command;

use crate::library_examples::example_path;
use crate::output::stdout;
use crate::tiny::Folder;

const GAMES: [&str; 3] = ["toy-hexagon", "toy-torus", "toy-two-boards"];

/// The program with the toy games registered.
fn toys() -> Command {
    Command::new(example_path("toys"))
}

fn output(command: &mut Command) -> String {
    stdout(&command.assert().success())
}

#[test]
fn toys_are_played_to_the_end_over_gtp() {
    for game in GAMES {
        let script = "genmove black\ngenmove white\n".repeat(80) + "final_score\nquit\n";
        let told = output(toys().args(["gtp", "--game", game, "--visits", "30"]).write_stdin(script));
        assert!(["= B+", "= W+", "= 0"].iter().any(|score| told.contains(score)), "{game}: {told}");
    }
}

#[test]
fn toys_are_trained_and_the_network_plays() {
    let folder = &*Folder::empty();
    for game in GAMES {
        let recipe = format!(
            "game = \"{game}\"\n[network]\nblocks = 1\nchannels = 16\n[selfplay]\nfull_visits = 8\ncheap_visits = 4\n\
             sizes = [{{ size = 3, weight = 1.0 }}]\n[training]\ngames_per_iteration = 4\nbatch = 16\nreuse = 1.0\n"
        );
        fs::write(folder.join("recipe.toml"), recipe).unwrap();
        let train = ["train", "--recipe", "recipe.toml", "--no-matches", "--rate", "0", "--games", "4", "--run", game];
        toys().current_dir(folder).args(train).assert().success();
        let play = ["gtp", "--model", game, "--size", "3", "--visits", "10"];
        let told = output(toys().current_dir(folder).args(play).write_stdin("genmove black\nshowboard\nquit\n"));
        assert!(told.starts_with("= ") && !told.contains("? "), "{game}: {told}");
    }
}

#[test]
fn own_size_is_trained_without_a_recipe() {
    let folder = &*Folder::empty();
    let train = ["train", "--game", "toy-hexagon", "--no-matches", "--rate", "0", "--games", "8", "--run", "run"];
    toys().current_dir(folder).args(train).assert().success();
    let recipe = fs::read_to_string(folder.join("run/recipe.toml")).unwrap();
    assert!(recipe.contains("size = 3"), "{recipe}");
}

#[test]
fn matches_are_saved_and_replayed() {
    let folder = &*Folder::empty();
    for game in GAMES {
        let arena = ["arena", "mcts:20", "random", "--game", game, "--games", "4", "--save", game];
        toys().current_dir(folder).args(arena).assert().success();
        let replayed = output(toys().current_dir(folder).args(["replay", "--legal", game]));
        assert_eq!(replayed.lines().count(), 4, "{game}: {replayed}");
        let told = |line: &str| line.contains("\"legal\":[") && line.contains("\"movers\":[0,");
        assert!(replayed.lines().all(told), "{game}: {replayed}");
    }
}
