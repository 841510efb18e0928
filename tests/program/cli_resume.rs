//! `hexzero train --resume` after the run was stopped, killed or damaged.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use hexzero::replay::{GameRecord, Journal, JournalOwner, Shard};
use hexzero::training::{Counters, GameNumbers, Recipe, TrainingState};
use predicates::prelude::*;
use predicates::str::contains;

use crate::common::hexzero;
use crate::games::cachex;
use crate::output::stderr;
use crate::process::{Process, wait_until};
use crate::runs::{assert_learnt_the_same, assert_same_run, files, journal_owner, journalled, metrics, state};
use crate::tiny::{Folder, RECIPE, folder_with_own_recipe, folder_with_recipe, train};

/// Starts a run that would take hours.
fn start(folder: &Path, arguments: &str) -> Process {
    Process::start(folder, "said", &format!("train --games 1000000000 --run a --no-matches {arguments}"))
}

/// Waits until more games have been learnt from.
fn wait_for_games(run: &Path, more_than: u64) {
    let state = run.join("state.safetensors");
    wait_until("more games", || TrainingState::read(&state).is_ok_and(|state| state.counters.games > more_than));
}

/// Takes the run `a` up again for one more iteration, and makes the run `straight` that comes as far without a stop.
fn finish_both(folder: &Path) {
    let goal = state(&folder.join("a")).counters.games + 6;
    train(folder, &format!("--resume --run a --games {goal}")).success().stderr("");
    train(folder, &format!("--recipe tiny.toml --run straight --games {goal}")).success();
}

#[test]
fn copy_without_empty_folders_goes_on() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --run a --games 6").success();
    fs::remove_dir_all(at.join("a/checkpoints")).unwrap();
    fs::remove_dir_all(at.join("a/games")).unwrap();
    // Partial files of a killed write are removed, but not those of other commands.
    for name in ["state.safetensors.1-0.partial", "journal.1-0.partial", "report.html.1-0.partial"] {
        fs::write(at.join("a").join(name), "part").unwrap();
    }
    train(at, "--resume --run a --games 12").success();
    let is_there = |name: &str| at.join("a").join(name).exists();
    assert!(!is_there("state.safetensors.1-0.partial") && !is_there("journal.1-0.partial"));
    assert!(is_there("report.html.1-0.partial"));
    assert_eq!(state(&at.join("a")).counters.games, 12);
}

#[test]
fn folder_is_trained_by_one_process_at_a_time() {
    let folder = &*folder_with_recipe();
    let mut first = start(folder, "--recipe tiny.toml");
    wait_for_games(&folder.join("a"), 0);
    train(folder, "--resume --run a --games 100")
        .code(1)
        .stderr(contains("another process is training in a; stop it first"));
    // The run stays locked when the lock file is deleted.
    fs::remove_file(folder.join("a/lock")).unwrap();
    train(folder, "--resume --run a --games 100").code(1).stderr(contains("another process is training in a"));
    wait_for_games(&folder.join("a"), state(&folder.join("a")).counters.games);
    first.kill();
    // The lock goes with its process.
    let goal = state(&folder.join("a")).counters.games + 1;
    train(folder, &format!("--resume --run a --games {goal}")).success();
}

/// A folder that takes the place of the run's belongs to another run.
#[cfg(unix)]
#[test]
fn replaced_folder_ends_the_run() {
    let at = &*folder_with_recipe();
    let mut first = start(at, "--recipe tiny.toml");
    wait_for_games(&at.join("a"), 0);
    fs::rename(at.join("a"), at.join("b")).unwrap();
    // It stops because it cannot write, or because it looks whose folder this is before it writes.
    train(at, "--recipe tiny.toml --games 6 --seed 5 --run other").success();
    fs::rename(at.join("other"), at.join("a")).unwrap();
    assert_eq!(first.wait().code(), Some(1));
    assert_eq!(state(&at.join("a")).counters.games, 6);
    assert_eq!(metrics(&at.join("a")).len(), 1);
    let goal = state(&at.join("b")).counters.games + 6;
    train(at, &format!("--resume --run b --games {goal}")).success();
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly() {
    let folder = &*folder_with_recipe();
    let mut games = 0;
    for begin in ["--recipe tiny.toml", "--resume", "--resume"] {
        let mut child = start(folder, begin);
        wait_for_games(&folder.join("a"), games);
        child.stop();
        let said = fs::read_to_string(folder.join("said")).unwrap();
        assert!(said.ends_with("\nstopped; continue with: hexzero train --resume --run a\n"), "{said}");
        games = state(&folder.join("a")).counters.games;
        // "1 iteration" where Ctrl-C came at once.
        assert!(said.contains(&format!(", {games} games, ")), "{said}");
    }
    finish_both(folder);
    assert_same_run(&folder.join("a"), &folder.join("straight"));
}

#[test]
fn continue_option_begins_and_resumes_a_run() {
    let folder = &*folder_with_recipe();
    for games in [6, 12] {
        train(folder, &format!("--continue --recipe tiny.toml --run a --games {games}")).success();
    }
    train(folder, "--recipe tiny.toml --run straight --games 12").success();
    assert_same_run(&folder.join("a"), &folder.join("straight"));
}

/// A recipe whose games take hours.
const ENDLESS: &str = "\
[network]
blocks = 1
channels = 16

[selfplay]
sizes = [{ size = 15, weight = 1.0 }]
full_visits = 1000000
cheap_visits = 1000000
";

#[test]
fn time_limit_ends_a_search_under_way() {
    let folder = &*Folder::empty();
    fs::write(folder.join("endless.toml"), ENDLESS).unwrap();
    let order = "train --recipe endless.toml --run 'a run' --minutes 0.02";
    assert_eq!(Process::start(folder, "said", order).wait().code(), Some(0));
    let said = fs::read_to_string(folder.join("said")).unwrap();
    let expected =
        "the time was up before the first iteration was done; continue with: hexzero train --resume --run 'a run'\n";
    assert!(said.ends_with(expected), "{said}");
}

#[cfg(unix)]
#[test]
fn signal_stops_a_search_under_way() {
    let folder = &*Folder::empty();
    fs::write(folder.join("endless.toml"), ENDLESS).unwrap();
    let mut child = start(folder, "--recipe endless.toml");
    let said = || fs::read_to_string(folder.join("said")).unwrap();
    wait_until("the run", || said().contains("stops cleanly"));
    child.signal("-TERM");
    assert_eq!(child.wait().code(), Some(0));
    assert!(said().ends_with("stopped; continue with: hexzero train --resume --run a\n"), "{}", said());
}

#[test]
fn killed_run_loses_only_its_iteration() {
    let muon = RECIPE.replace("batch = 16", "batch = 16\noptimiser.method = \"muon\"");
    let folder = &*folder_with_own_recipe(&muon);
    let run = folder.join("a");
    let mut games = 0;
    for (begin, pause) in [("--recipe tiny.toml", 0), ("--resume", 3), ("--resume", 7)] {
        let mut child = start(folder, begin);
        wait_for_games(&run, games);
        sleep(Duration::from_millis(pause));
        child.kill();
        games = state(&run).counters.games;
    }
    finish_both(folder);
    let iterations: Vec<u64> = metrics(&run).iter().map(|line| line["iteration"].as_u64().unwrap()).collect();
    assert!(iterations.iter().copied().eq(1..=state(&run).counters.iteration), "{iterations:?}");
    assert_learnt_the_same(&run, &folder.join("straight"), "killed");
    hexzero(folder, &["inspect", "a"]).success();
}

#[test]
fn metrics_of_an_iteration_survive_a_kill() {
    let folder = &*folder_with_recipe();
    let run = folder.join("a");
    train(folder, "--recipe tiny.toml --games 12 --run a").success();
    let path = run.join("metrics.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let (first, second) = text.split_at(text.find('\n').unwrap() + 1);
    let half = &second[..20];
    for (left, expected) in [
        (text.clone(), text.clone()),
        (first.to_owned(), text.clone()),
        // The machine failed.
        (format!("{first}{half}"), format!("{first}{half}\n{second}")),
        (String::new(), second.to_owned()),
    ] {
        fs::write(&path, left).unwrap();
        train(folder, "--resume --games 12 --run a").success();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }
    fs::write(&path, first).unwrap();
    train(folder, "--resume --games 18 --run a").success();
    assert_eq!(metrics(&run).len(), 3);
    assert!(fs::read_to_string(&path).unwrap().starts_with(&text));
}

#[cfg(unix)]
#[test]
fn interrupted_run_loses_only_games_in_flight() {
    // Games that take long enough for signals to come in the midst of the first iteration.
    let many = RECIPE.replace("games_per_iteration = 6", "games_per_iteration = 400").replace("size = 3", "size = 4");
    let many = many.replace("full_visits = 8", "full_visits = 100").replace("cheap_visits = 4", "cheap_visits = 50");
    let folder = &*folder_with_own_recipe(&many);
    let run = folder.join("a");
    let mut before = BTreeSet::new();
    // By turns killed and asked to stop, once there are so many games.
    for (begin, games, signal) in [
        ("--recipe tiny.toml --workers 1", 1, "-KILL"),
        ("--resume --workers 1", 30, "-INT"),
        ("--resume --workers 1", 60, "-KILL"),
        ("--resume --workers 1", 90, "-KILL"),
    ] {
        let mut child = start(folder, begin);
        // One more than before at least: until it plays, it may not hear of signals.
        let least = games.max(before.len() + 1);
        wait_until("games", || run.join("recipe.toml").exists() && journalled(&run).len() >= least);
        let seen = journalled(&run);
        child.signal(signal);
        child.wait();
        assert_eq!(state(&run).counters.games, 0, "still in the first iteration");
        let said = fs::read_to_string(folder.join("said")).unwrap();
        assert!(
            signal == "-KILL" || said.contains(" finished games of the next iteration kept; no checkpoint yet"),
            "{said}"
        );
        let left = journalled(&run);
        assert!(left.is_superset(&seen) && seen.is_superset(&before), "nothing finished is lost");
        before = left;
    }
    train(folder, "--resume --run a --games 400").success().stderr("");
    train(folder, "--recipe tiny.toml --run straight --games 400 --workers 1").success();
    assert_same_run(&run, &folder.join("straight"));
}

/// Trains the run `a` for an iteration of six games, and adds these games of the next one to its journal, all with this
/// record.
fn run_with_journal(folder: &Path, numbers: &[u64], record: &GameRecord) -> PathBuf {
    train(folder, "--recipe tiny.toml --games 6 --run a").success();
    let run = folder.join("a");
    let mut journal = Journal::open(&run.join("journal"), &journal_owner(&run, 1)).unwrap().journal;
    numbers.iter().for_each(|&number| journal.add_all(&[(number, record)], 5000.0).unwrap());
    run
}

/// A game that no run plays: its number of evaluations gives it away.
fn foreign_game(folder: &Path) -> GameRecord {
    train(folder, "--recipe tiny.toml --games 6 --run other --seed 3").success();
    let shard = Shard::read(&folder.join("other/games/000000.games")).unwrap();
    GameRecord { evaluations: 4242, ..shard.records[0].clone() }
}

/// Another run's games come after those that a run has finished itself.
#[test]
fn games_of_another_run_do_not_replace_finished_ones() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --games 12 --run small --seed 2").success();
    let run = run_with_journal(at, &[6, 8], &foreign_game(at));
    train(at, "--resume --run a --games 12 --games-of small").success().stderr("");
    let second = Shard::read(&run.join("games/000001.games")).unwrap();
    assert_eq!(second.records.iter().filter(|record| record.evaluations == 4242).count(), 2);
}

#[test]
fn changed_recipe_is_named_and_needs_consent() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --games 6 --run a").success();
    let path = at.join("a/recipe.toml");
    let recipe = fs::read_to_string(&path).unwrap();
    let stage = "\n[[stage]]\nafter_steps = 9\ntraining.reuse = 2.0\n";
    let changes = [
        ("\nfull_visits = 8\n", "\nfull_visits = 9\n", "selfplay.full_visits = 9, not 8"),
        ("\nseed = 1\n", "\nseed = 2\n", "seed = 2, not 1"),
        ("\nsymmetries = true\n", "\nsymmetries = false\n", "training.symmetries = false, not true"),
        ("\npolicy = 1.0\n", "\npolicy = 1.5\n", "training.losses.policy = 1.5, not 1.0"),
        ("\nwarmup_steps = 100\n", "\n", ""),
        ("END", stage, "stage.1.after_steps = 9 is new; stage.1.training.reuse = 2.0 is new"),
    ];
    for (from, to, said) in changes {
        let changed = if from == "END" { recipe.clone() + to } else { recipe.replace(from, to) };
        assert_ne!(changed, recipe, "{from}");
        fs::write(&path, &changed).unwrap();
        if said.is_empty() {
            // The default is the value that it had.
            continue;
        }
        let before = files(&at.join("a"));
        for option in ["--resume", "--continue"] {
            train(at, &format!("{option} --games 12 --run a")).code(3).stdout("").stderr(format!(
                "error: a/recipe.toml is not the recipe by which the run was trained so far: {said}; \
                 undo the change, or accept it with --accept-recipe\n"
            ));
        }
        assert!(files(&at.join("a")) == before);
    }
    // The last of them is accepted, and then it is the recipe of the run.
    train(at, "--resume --games 6 --run a --accept-recipe").success().stderr("");
    train(at, "--resume --games 12 --run a").success().stderr("");
    fs::write(&path, &recipe).unwrap();
    train(at, "--resume --games 18 --run a").code(3).stderr(contains("stage.1.after_steps = 9 is gone"));
}

#[test]
fn harmless_changes_need_no_consent() {
    let at = &*folder_with_recipe();
    let record = foreign_game(at);
    let run = run_with_journal(at, &[10, 7], &record);
    let path = run.join("recipe.toml");
    let recipe = fs::read_to_string(&path).unwrap();
    let free = recipe
        .replace("minutes = 9.0", "minutes = 90.0")
        .replace("keep_every = 10", "keep_every = 3")
        .replace("evaluation_cache = 64", "evaluation_cache = 8");
    assert_eq!(
        Recipe::parse(cachex(), &recipe, "").unwrap().differences(&Recipe::parse(cachex(), &free, "").unwrap()).len(),
        3
    );
    fs::write(&path, &free).unwrap();
    train(at, "--resume --run a --games 6").success().stderr("");
    assert_eq!(journalled(&run), BTreeSet::from([7, 10]));
    // With another loss something else is learnt from the same games.
    fs::write(&path, free.replace("\npolicy = 1.0\n", "\npolicy = 1.5\n")).unwrap();
    train(at, "--resume --run a --games 6 --accept-recipe").success().stderr("");
    assert_eq!(journalled(&run), BTreeSet::from([7, 10]));
    train(at, "--resume --run a --games 12").success().stderr("");
    assert!(Shard::read(&run.join("games/000001.games")).unwrap().records[1] == record);
    // So are games of other visits: they are played, and the next iterations have others.
    let run = {
        fs::remove_dir_all(&run).unwrap();
        run_with_journal(at, &[10, 7], &record)
    };
    fs::write(&path, recipe.replace("\nfull_visits = 8\n", "\nfull_visits = 9\n")).unwrap();
    train(at, "--resume --run a --games 12 --accept-recipe").success().stderr("");
    assert!(Shard::read(&run.join("games/000001.games")).unwrap().records[1] == record);
    // Games of another network are not.
    let run = {
        fs::remove_dir_all(&run).unwrap();
        run_with_journal(at, &[10, 7], &record)
    };
    let model = fs::read_dir(run.join("checkpoints")).unwrap().next().unwrap().unwrap().path();
    let warned = contains("warning: a/journal: its games are of another network; set aside as a/journal.unused\n");
    train(at, &format!("--resume --run a --games 12 --from {}", model.display())).success().stderr(warned);
    assert!(Shard::read(&run.join("games/000001.games")).unwrap().records[1] != record);
}

#[test]
fn differing_recipe_of_a_continued_run_is_named() {
    let at = &*folder_with_recipe();
    train(at, "--continue --recipe tiny.toml --run a --games 6").success().stderr("");
    fs::write(at.join("new.toml"), RECIPE.replace("full_visits = 8", "full_visits = 10")).unwrap();
    train(at, "--continue --recipe new.toml --run a --games 12").success().stderr(
        "warning: the run keeps its recipe a/recipe.toml; that asked for has selfplay.full_visits = 10, not 8\n",
    );
    // --from counts at the beginning; later it does not set the run back.
    let model = fs::read_dir(at.join("a/checkpoints")).unwrap().next().unwrap().unwrap().path();
    let before = state(&at.join("a")).tensors;
    train(at, &format!("--continue --run a --games 12 --from {}", model.display())).success().stderr("");
    assert!(state(&at.join("a")).tensors == before);
}

#[test]
fn journalled_games_are_not_played_again() {
    let folder = &*folder_with_recipe();
    let record = foreign_game(folder);
    // Those of the iteration are 6 to 11.
    let run = run_with_journal(folder, &[10, 7], &record);
    train(folder, "--resume --run a --games 12").success().stderr("");
    train(folder, "--recipe tiny.toml --run straight --games 12").success();
    let games = |run: &Path| Shard::read(&run.join("games/000001.games")).unwrap().records;
    let mut expected = games(&folder.join("straight"));
    (expected[1], expected[4]) = (record.clone(), record);
    assert!(games(&run) == expected);
    // They took their time.
    let seconds = |name: &str| metrics(&run)[1][name].as_f64().unwrap();
    assert!((5000.0..6000.0).contains(&seconds("selfplay_seconds")), "{}", seconds("selfplay_seconds"));
    assert!(seconds("seconds") > 5000.0);
    assert!(!run.join("journal").exists());
}

#[test]
fn damaged_or_foreign_journal_is_set_aside() {
    let folder = &*folder_with_recipe();
    let record = foreign_game(folder);
    train(folder, "--recipe tiny.toml --run straight --games 12").success();
    let run = run_with_journal(folder, &[], &record);
    let fresh = files(&run);
    let whole = &fresh[Path::new("journal")];
    // A game of this iteration, or one that was learnt from before.
    let of = |iteration, recipe_hash: &str| {
        let path = folder.join("made");
        let owner = JournalOwner { iteration, recipe_hash: recipe_hash.to_owned() };
        let mut journal = Journal::open(&path, &owner).unwrap().journal;
        journal.add_all(&[(if iteration == 0 { 2 } else { 8 }, &record)], 1.0).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    };
    let own_hash = journal_owner(&run, 1).recipe_hash;
    let mut damaged = of(1, &own_hash);
    *damaged.last_mut().unwrap() ^= 1;
    let cut = of(1, &own_hash);
    for (bytes, said, aside) in [
        (whole.clone(), "", false),
        (cut[..cut.len() - 3].to_vec(), "", false),
        // The run was interrupted at the very end of the iteration before.
        (of(0, &own_hash), "", false),
        (damaged, "warning: a/journal: damaged after 0 games; the others are played again\n", false),
        (of(2, &own_hash), "warning: a/journal: of iteration 2 and recipe ", true),
        (of(0, "01234567"), "warning: a/journal: of iteration 0 and recipe 01234567, not of iteration 1 and ", true),
        (of(1, "01234567"), "warning: a/journal: of iteration 1 and recipe 01234567, not of iteration 1 and ", true),
        (b"HXZ".to_vec(), "warning: a/journal: not a journal of games, or damaged at its beginning; set aside", true),
        (vec![0; 5000], "warning: a/journal: not a journal of games", true),
        (Vec::new(), "warning: a/journal: not a journal of games", true),
        ([b"HXZJOURN", &[7u8, 0][..]].concat(), "warning: a/journal: format version 7; this program reads", true),
    ] {
        for name in files(&run).keys() {
            fs::remove_file(run.join(name)).unwrap();
        }
        for (name, bytes) in &fresh {
            fs::write(run.join(name), bytes).unwrap();
        }
        fs::write(run.join("journal"), &bytes).unwrap();
        let ending = if said.contains("not a journal") { "damaged" } else { "unused" };
        let earlier = run.join(format!("journal.{ending}"));
        fs::write(&earlier, "of before").unwrap();
        let lines = usize::from(!said.is_empty());
        let warned = predicate::str::starts_with(said).and(contains("\n").count(lines));
        train(folder, "--resume --run a --games 12").success().stderr(warned);
        let kept = run.join(format!("journal.{ending}-2"));
        assert_eq!(fs::read_to_string(&earlier).unwrap(), "of before");
        fs::remove_file(earlier).unwrap();
        assert_eq!(kept.exists(), aside, "{said}");
        if aside {
            assert!(fs::read(&kept).unwrap() == bytes);
            fs::remove_file(kept).unwrap();
        }
        assert_same_run(&run, &folder.join("straight"));
    }
}

#[test]
fn damaged_shard_is_set_aside() {
    let folder = &*folder_with_recipe();
    let run = folder.join("a");
    train(folder, "--recipe tiny.toml --games 18 --run a").success();
    let before = files(&run);
    let shard = run.join("games/000001.games");
    let mut damaged = fs::read(&shard).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    fs::write(&shard, &damaged).unwrap();

    train(folder, "--resume --games 24 --run a").success().stderr(
        predicate::str::starts_with("warning: shard a/games/000001.games: damaged: ")
            .and(contains("set aside as a/games/000001.games.damaged\n"))
            .and(contains("warning").count(1)),
    );
    let after = files(&run);
    assert!(after[Path::new("games/000001.games.damaged")] == damaged);
    assert!(!shard.exists());
    for untouched in ["games/000000.games", "games/000002.games", "recipe.toml"] {
        assert!(after[Path::new(untouched)] == before[Path::new(untouched)], "{untouched}");
    }
    assert_eq!(state(&run).counters.games, 24);
    assert_eq!(metrics(&run).len(), 4);
    // The run warns of the missing shard, and goes on.
    let passed_over = contains("000001.games: No such file").and(contains("skipped"));
    train(folder, "--resume --games 30 --run a").success().stderr(passed_over);
    hexzero(folder, &["inspect", "a"]).success().stdout(contains("games       30, "));
}

/// What cannot be read may be intact.
#[test]
fn unreadable_shard_stays_where_it_is() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 18 --run a").success();
    // A folder in its place cannot be read by anybody.
    let shard = folder.join("a/games/000001.games");
    fs::remove_file(&shard).unwrap();
    fs::create_dir(&shard).unwrap();
    train(folder, "--resume --games 24 --run a").success().stderr(
        predicate::str::starts_with("warning: shard a/games/000001.games: ")
            .and(contains("; skipped\n"))
            .and(contains("\n").count(1)),
    );
    assert!(shard.is_dir());
}

#[test]
fn damaged_state_or_recipe_is_refused() {
    let folder = &*folder_with_recipe();
    let run = folder.join("a");
    train(folder, "--recipe tiny.toml --games 6 --run a").success();
    let whole = files(&run);
    for (name, said) in [("state.safetensors", "--from"), ("recipe.toml", "recipe a/recipe.toml: ")] {
        let bytes = &whole[Path::new(name)];
        for cut in [0, 7, 100, bytes.len() / 2, bytes.len() - 1] {
            // The end of a line may be missing.
            if name == "recipe.toml" && cut + 1 == bytes.len() {
                continue;
            }
            fs::write(run.join(name), &bytes[..cut]).unwrap();
            let before = files(&run);
            let refused = train(folder, "--resume --games 12 --run a").failure().stdout("");
            if name == "recipe.toml" && toml::from_slice::<toml::Table>(&bytes[..cut]).is_ok() {
                refused.code(3).stderr(contains("a/recipe.toml is not the recipe by which the run was trained so far"));
            } else {
                refused.code(1).stderr(contains(format!("a/{name}: ")).and(contains(said)));
            }
            assert!(files(&run) == before);
        }
        fs::write(run.join(name), bytes).unwrap();
    }
    let recipe = fs::read_to_string(run.join("recipe.toml")).unwrap();
    for (other, difference) in [
        ("blocks = 2", "network.blocks = 2, not 1"),
        ("blocks = 1\nvalue_channels = 48", "network.value_channels = 48, not 32"),
    ] {
        let without = recipe.replace("value_channels = 32\n", "");
        fs::write(run.join("recipe.toml"), without.replace("blocks = 1", other)).unwrap();
        train(folder, "--resume --games 12 --run a --accept-recipe")
            .code(3)
            .stdout("")
            .stderr(contains(difference).and(contains("the run cannot go on with another network")));
    }
    fs::write(run.join("recipe.toml"), recipe).unwrap();
    train(folder, "--resume --games 12 --run a").success().stderr("");
}

#[test]
fn state_of_another_folder_is_refused() {
    let folder = &*folder_with_recipe();
    let run = folder.join("a");
    train(folder, "--recipe tiny.toml --games 18 --run a").success();
    let path = run.join("state.safetensors");
    let whole = TrainingState::read(&path).unwrap();
    let refused = |state: TrainingState, said: &str| {
        state.write(&path).unwrap();
        let before = files(&run);
        train(folder, "--resume --games 24 --run a").code(1).stdout("").stderr(
            contains("a/state.safetensors: the run cannot go on from it: ")
                .and(contains(said))
                .and(contains("\n").count(1)),
        );
        assert!(files(&run) == before);
    };
    let with = |counters| TrainingState { counters, ..whole.clone() };
    let others = "iterations are finished, but its figures are of others";
    for iteration in [0, 2, 1 << 63] {
        refused(with(Counters { iteration, ..whole.counters }), others);
    }
    refused(with(Counters { step: 0, ..whole.counters }), others);
    for seconds in [-5.0, f64::MIN] {
        refused(with(Counters { seconds, ..whole.counters }), "seconds");
    }
    let without = |iteration| TrainingState { metrics: None, ..with(Counters { iteration, ..whole.counters }) };
    refused(without(0), "it says that 0 iterations are finished, but there is a/games/000002.games");
    refused(without(2), "but the last one in a/metrics.jsonl is 3");
    let games = |games| Counters { games, ..whole.counters };
    refused(
        TrainingState { metrics: None, ..with(games(1 << 63)) },
        "9223372036854775808 games were played in 3 iterations",
    );
    refused(
        TrainingState { numbers: Some(GameNumbers::from(1 << 63)), ..whole.clone() },
        "9223372036854775808 games were assigned in 3 iterations",
    );
    // An iteration that is too large does not cause a warning about each game that never was.
    without(1 << 63).write(&path).unwrap();
    let warned = train(folder, "--resume --games 18 --run a").success();
    assert!(stderr(&warned).lines().count() < 10);
    whole.write(&path).unwrap();
    train(folder, "--resume --games 24 --run a").success().stderr("");
}

#[test]
fn new_run_is_refused_among_parts_of_another() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 6 --run a").success();
    fs::remove_file(folder.join("a/recipe.toml")).unwrap();
    let begin = |run: &str| train(folder, &format!("--recipe tiny.toml --games 6 --run {run}"));
    let is_refused = |run: &str| {
        let before = files(&folder.join(run));
        begin(run).code(1).stderr(contains("whose recipe.toml is gone"));
        assert!(files(&folder.join(run)) == before, "{run}");
    };
    is_refused("a");
    // Each part alone.
    let parts = files(&folder.join("a"));
    for (number, part) in ["state.safetensors", "metrics.jsonl", "checkpoints", "games"].iter().enumerate() {
        let run = folder.join(number.to_string());
        for (name, bytes) in parts.iter().filter(|(name, _)| name.starts_with(part)) {
            fs::create_dir_all(run.join(name).parent().unwrap()).unwrap();
            fs::write(run.join(name), bytes).unwrap();
        }
        is_refused(&number.to_string());
    }
    fs::create_dir(folder.join("diary")).unwrap();
    fs::write(folder.join("diary/journal"), "Dear journal").unwrap();
    is_refused("diary");
    // Parts of a run that was killed before its recipe was written.
    let begun = TrainingState::read(&folder.join("a/state.safetensors")).unwrap();
    let begun = TrainingState { counters: Counters::default(), metrics: None, ..begun };
    fs::create_dir(folder.join("begun")).unwrap();
    begun.write(&folder.join("begun/state.safetensors")).unwrap();
    fs::write(folder.join("begun/recipe.toml.123-1.partial"), "minutes").unwrap();
    begin("begun").success();
    assert!(!folder.join("begun/recipe.toml.123-1.partial").exists());
}
