//! `hexzero train`: recipes by name, and what the command line changes in one.

use std::fs;
use std::path::Path;

use hexzero::games::game_named;
use hexzero::training::{Counters, Recipe, built_in_recipe_names};
use predicates::str::contains;

use crate::common::hexzero;
use crate::output::stdout;
use crate::tiny::{Folder, RECIPE, folder_with_own_recipe, folder_with_recipe, train};

fn recipe_file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("training");
    fs::read_to_string(folder.join(name).with_extension("toml")).unwrap()
}

/// What `hexzero train --print-recipe` prints with these arguments, in an empty folder.
fn printed(arguments: &str) -> String {
    let folder = &*Folder::empty();
    let output = train(folder, &format!("--print-recipe {arguments}")).success().stderr("");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "{arguments}: nothing is trained");
    stdout(&output)
}

/// The recipe with which a run of one iteration was made.
fn recipe_of_run(recipe: &str, arguments: &str) -> Recipe {
    let folder = &*folder_with_own_recipe(recipe);
    train(folder, &format!("{arguments} --games 1 --workers 1 --rate 0 --run a")).success();
    let (path, game) = (folder.join("a/recipe.toml"), game_named("hex").unwrap());
    Recipe::read(game, &path).unwrap()
}

fn sizes(recipe: &Recipe) -> Vec<usize> {
    recipe.selfplay.sizes.iter().map(|entry| entry.size).collect()
}

#[test]
fn shipped_recipes_are_built_in_verbatim() {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("training")).unwrap();
    let mut expected: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    expected.sort_unstable();
    assert_eq!(built_in_recipe_names(), expected);
    for name in expected {
        assert_eq!(printed(&format!("--recipe {name}")), recipe_file(&name), "{name}");
    }
    // So is the default recipe.
    assert_eq!(printed(""), recipe_file("default"));
    hexzero(Path::new("."), &["train", "--help"]).success().stdout(contains("cachex-9x9"));
}

#[test]
fn other_recipes_are_printed_with_all_defaults() {
    let parsed = |text: &str, game: &str| Recipe::parse(game_named(game).unwrap(), text, "printed").unwrap();
    let game = game_named("y").unwrap();
    assert_eq!(parsed(&printed("--game y"), "y"), Recipe::of(game));

    let folder = &*folder_with_recipe();
    let text = stdout(&train(folder, "--recipe tiny.toml --print-recipe --seed 7").success());
    let mut expected = parsed(RECIPE, "cachex");
    expected.seed = 7;
    assert!(text.contains("learning_rate"), "{text}");
    assert_eq!(parsed(&text, "cachex"), expected);

    // So are those of a table that is given in part.
    let partial = RECIPE.replace("full_share = 0.5", "noise.fraction = 0.1\ntemperature.start = 0.9");
    fs::write(folder.join("partial.toml"), partial).unwrap();
    train(folder, "--recipe partial.toml --print-recipe").success().stdout(contains("fraction = 0.1\n"));
    // Changes by options are printed, too.
    let changed = parsed(&printed("--recipe hex --size 5,7 --seed 3"), "hex");
    assert_eq!((sizes(&changed), changed.seed, changed.minutes), (vec![5, 7], 3, 32.0));
}

#[test]
fn size_option_replaces_sizes_in_every_stage() {
    let stages =
        "[[stage]]\nafter_steps = 1\nselfplay.sizes = [{ size = 5, weight = 1.0 }]\nselfplay.full_visits = 9\n";
    let recipe = format!("game = \"hex\"\n{RECIPE}{stages}");
    let ran = recipe_of_run(&recipe, "--recipe tiny.toml");
    assert_eq!((sizes(&ran), ran.final_size()), (vec![3], 5));
    let ran = recipe_of_run(&recipe, "--recipe tiny.toml --size 2");
    assert_eq!((sizes(&ran), ran.final_size()), (vec![2], 2));
    assert_eq!(ran.at(&Counters { step: 1, ..Counters::default() }).selfplay.full_visits, 9);
}

#[test]
fn recipe_is_given_by_name_or_path() {
    let folder = &*folder_with_recipe();
    // A file with the name of a built-in recipe is named by its path.
    fs::write(folder.join("hex"), RECIPE.replace("size = 3", "size = 4")).unwrap();
    let printed = |recipe: &str| stdout(&train(folder, &format!("--print-recipe --recipe {recipe}")).success());
    assert_eq!(printed("hex"), recipe_file("hex"));
    assert!(printed("./hex").contains("size = 4"));
    fs::rename(folder.join("tiny.toml"), folder.join("tiny")).unwrap();
    assert!(printed("tiny").contains("size = 3"));
    train(folder, "--recipe tiny --games 1 --workers 1 --rate 0 --run a").success();
    // A built-in recipe is copied to the run, here with a smaller board and less time.
    let begun = "--recipe y --size 3 --minutes 0.001 --workers 1 --rate 0 --run b";
    train(folder, begun).success().stdout(contains("run b: y network"));
    let of_run = fs::read_to_string(folder.join("b/recipe.toml")).unwrap();
    assert!(of_run.contains("minutes = 20.0") && of_run.contains("size = 3"), "{of_run}");
}
