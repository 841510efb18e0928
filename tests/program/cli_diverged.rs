//! A run that has diverged: the program says what to do, and doing that literally helps.

use std::fs;
use std::path::Path;
use std::process::Command;

use predicates::str::contains;

use crate::common::hexzero;
use crate::output::stderr;
use crate::runs::{files, metrics, state};
use crate::tiny::{RECIPE, folder_with_own_recipe, train};

/// Runs `hexzero train` until it diverges; returns the command that it prints at the end.
fn diverges(folder: &Path, arguments: &[&str]) -> String {
    let arguments = [&["train", "--no-matches", "--rate", "0"], arguments].concat();
    let said =
        hexzero(folder, &arguments).code(3).stderr(contains("error: training has diverged at a learning rate of "));
    stderr(&said).trim_end().lines().last().unwrap().to_owned()
}

/// Types a command in a shell, with more options.
fn typed(folder: &Path, command: &str, more: &str) {
    let program = env!("CARGO_BIN_EXE_hexzero");
    let (name, rest) = command.split_once(' ').unwrap();
    assert_eq!(name, "hexzero");
    let output = Command::new("sh").arg("-c").arg(format!("'{program}' {rest} {more}")).current_dir(folder).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn high_learning_rate_is_reported_with_a_way_on() {
    let folder = &*folder_with_own_recipe(&format!("{RECIPE}optimiser.learning_rate = 1000.0\n"));
    let first = diverges(folder, &["--recipe", "tiny.toml", "--run", "my run", "--games", "12"]);
    assert_eq!(first, "hexzero train --resume --run 'my run' --learning-rate 0.002");
    // Without a change the run diverges again, also with the option for services.
    for option in ["--resume", "--continue"] {
        assert_eq!(diverges(folder, &[option, "--run", "my run", "--games", "12"]), first);
    }
    typed(folder, &first, "--games 18 --no-matches");
    let run = folder.join("my run");
    assert_eq!(state(&run).counters.iteration, 3);
    assert!(fs::read_to_string(run.join("recipe.toml")).unwrap().contains("learning_rate = 0.002"));
    // The games of the first iteration were kept, and it stays with the new rate.
    assert!(!run.join("journal.unused").exists());
    hexzero(folder, &["train", "--no-matches", "--resume", "--run", "my run", "--games", "24"]).success().stderr("");
}

#[test]
fn high_rate_of_a_later_stage_is_reported() {
    let stage = "[[stage]]\nafter_steps = 40\ntraining.optimiser.learning_rate = 1e30\n";
    let folder = &*folder_with_own_recipe(&format!("{RECIPE}keep_every = 1\n{stage}"));
    let command = diverges(folder, &["--recipe", "tiny.toml", "--run", "a", "--games", "600"]);
    let run = folder.join("a");
    let before = metrics(&run);
    assert!(!before.is_empty());
    let last = before.last().unwrap()["checkpoint"].as_str().unwrap().to_owned();
    assert_eq!(command, format!("hexzero train --resume --run a --learning-rate 0.002 --from a/checkpoints/{last}"));
    let counters = state(&run).counters;
    typed(folder, &command, &format!("--games {} --no-matches", counters.games + 12));
    assert_eq!(metrics(&run).len(), before.len() + 2, "it counts on");
    assert!(metrics(&run)[..before.len()] == before[..]);
    assert!(fs::read_to_string(run.join("recipe.toml")).unwrap().matches("learning_rate = 0.002").count() == 2);
    // A rate that was low enough stays.
    let printed = train(folder, "--recipe tiny.toml --learning-rate 0.5 --print-recipe").success();
    printed.stdout(contains("learning_rate = 0.5").count(2));
}

/// The weights are finite, but the network's outputs are not.
#[test]
fn non_finite_network_output_is_reported() {
    use hexzero::training::TrainingState;

    let folder = &*folder_with_own_recipe(&format!("{RECIPE}keep_every = 1\n"));
    train(folder, "--rate 0 --recipe tiny.toml --run a --games 12").success();
    let run = folder.join("a");
    let mut huge = state(&run);
    for (name, tensor) in &mut huge.tensors {
        if name.starts_with("average/") {
            tensor.data.iter_mut().for_each(|value| *value = 1e38);
        }
    }
    TrainingState::write(&huge, &run.join("state.safetensors")).unwrap();
    let before = files(&run);
    let command = diverges(folder, &["--resume", "--run", "a", "--games", "18"]);
    assert!(command.contains("--from a/checkpoints/step-"), "{command}");
    assert!(files(&run)[Path::new("state.safetensors")] == before[Path::new("state.safetensors")]);
    typed(folder, &command, "--games 18 --no-matches");
    assert_eq!(metrics(&run).len(), 3);
    train(folder, "--rate 0 --resume --run a --games 24").success().stderr("");
}
