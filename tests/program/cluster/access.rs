//! Rights of the accounts in the sample configuration of the broker.

use std::path::Path;
use std::time::Duration;

use hexzero::cluster::{FILES, LEASE, STATE, WORKERS};
use predicates::prelude::*;
use predicates::str::contains;

use super::frauds::{COORDINATOR, WORKER, address, guarded_broker};
use super::{connect, coordinate, play_locally};
use crate::common::hexzero;
use crate::nats::Nats;
use crate::output::stdout;
use crate::process::{Process, wait_until};
use crate::runs::assert_same_run;
use crate::tiny::{Folder, folder_with_recipe};

#[test]
fn sample_accounts_suffice_for_a_run() {
    let Some(nats) = guarded_broker() else { return };
    let at = &*folder_with_recipe();
    play_locally(at, 12);
    let _worker = Process::worker(at, "w", &address(&nats, WORKER));
    let coordinator = address(&nats, COORDINATOR);
    coordinate(at, "a", &coordinator, 12, "--recipe tiny.toml").success().stderr("");
    assert_same_run(&at.join("local"), &at.join("a"));
    // A worker is listed while it is heard of, which on a busy machine may be a while ago.
    let status =
        || hexzero(at, &["cluster", "status", "--cluster", &coordinator]).success().stdout(contains("12 used"));
    wait_until("the worker in the list", || stdout(&status()).contains("\nw "));
    let arena = ["arena", "random", "alphabeta:1", "--size", "3", "--games", "6", "--cluster", &coordinator];
    hexzero(at, &arena).success().stdout(contains("in 6 games"));
}

#[test]
fn worker_cannot_coordinate() {
    let Some(nats) = guarded_broker() else { return };
    let at = &*folder_with_recipe();
    let coordinator = connect(&address(&nats, COORDINATOR), "test");
    coordinator.set_up_run(Duration::from_secs(5)).unwrap();
    coordinator.store("0123", b"a checkpoint").unwrap();
    coordinator.put(STATE, "current", b"state").unwrap();
    let worker = connect(&address(&nats, WORKER), "test");
    assert_eq!(worker.fetch("0123").unwrap(), Some(b"a checkpoint".to_vec()));
    assert_eq!(worker.get(STATE, "current").unwrap().map(|entry| entry.0), Some(b"state".to_vec()));
    worker.put(WORKERS, "w", b"{}").unwrap();
    // Each of these would let a worker decide what others play or learn.
    for (what, tried) in [
        ("files", worker.store("4567", b"another").map(drop)),
        ("state", worker.put(STATE, "current", b"other")),
        ("pardon", worker.remove(STATE, "refused.somebody")),
        ("lease", worker.put(LEASE, "coordinator", b"me")),
        ("work", worker.publish(&[("hexzero.work".to_owned(), "1".to_owned(), b"work".to_vec())])),
        ("purge", worker.purge_work()),
    ] {
        let error = tried.expect_err(what).to_string();
        assert!(error.contains("the broker does not allow it"), "{what}: {error}");
    }
    assert_eq!(coordinator.fetch("4567").unwrap(), None, "{FILES}");
    assert_eq!(coordinator.get(STATE, "current").unwrap().map(|entry| entry.0), Some(b"state".to_vec()));
    coordinate(at, "a", &address(&nats, WORKER), 6, "--recipe tiny.toml").code(1).stderr(contains("error: "));
}

/// Rights by name, as docs/cluster.md has them: in the account of a worker only its own name can be used.
#[test]
fn named_account_sends_only_in_its_own_name() {
    let at = &*folder_with_recipe();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/nats/hexzero.conf");
    let mut config = std::fs::read_to_string(sample).unwrap();
    for (any, own) in [
        ("\"hexzero.games.*\"", "\"hexzero.games.alice\""),
        ("\"hexzero.results.*.*\"", "\"hexzero.results.*.alice\""),
        ("\"$KV.hexzero-workers.*\"", "\"$KV.hexzero-workers.alice\""),
    ] {
        assert_eq!(config.matches(any).count(), 1, "{any}");
        config = config.replace(any, own);
    }
    std::fs::write(at.join("named.conf"), config).unwrap();
    let Some(nats) = Nats::start_with(Some(&at.join("named.conf"))) else { return };
    let coordinator = address(&nats, COORDINATOR);
    let alice = address(&nats, WORKER);
    let _worker = Process::worker(at, "alice", &alice);
    coordinate(at, "a", &coordinator, 6, "--recipe tiny.toml").success();
    let broker = connect(&alice, "test");
    let subjects = ["hexzero.games.bob", "hexzero.results.match.bob", "hexzero.work", "hexzero.matches.match"];
    for subject in subjects {
        let sent = broker.publish(&[(subject.to_owned(), "1".to_owned(), b"junk".to_vec())]);
        assert!(sent.unwrap_err().to_string().contains("the broker does not allow it"), "{subject}");
    }
    assert!(broker.put(WORKERS, "bob", b"{}").unwrap_err().to_string().contains("the broker does not allow it"));
}

#[test]
fn connection_without_an_account_is_refused() {
    let Some(nats) = guarded_broker() else { return };
    let folder = &*folder_with_recipe();
    for user in ["", "worker:wrong@"] {
        let address = format!("nats://{user}127.0.0.1:{}", nats.port());
        let refused = contains("error: cannot connect to").and(contains("authorization")).and(contains("wrong").not());
        hexzero(folder, &["cluster", "worker", "--cluster", &address]).code(1).stderr(refused);
    }
}

#[test]
fn samples_use_existing_options() {
    let folder = &*Folder::empty();
    let help = |command: &[&str]| stdout(&hexzero(folder, &[command, &["--help"]].concat()).success());
    let help = help(&["train"]) + &help(&["cluster", "worker"]);
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    let mut options = 0;
    let services = ["systemd/hexzero-train.service", "systemd/hexzero-worker.service"];
    for file in ["compose.yaml", "kubernetes.yaml", "slurm-workers.sh"].into_iter().chain(services) {
        let text = std::fs::read_to_string(deploy.join(file)).unwrap();
        let words = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .flat_map(|line| line.split([' ', ',', '[', ']', '"']).map(str::to_owned).collect::<Vec<_>>());
        for word in words.filter(|word| word.starts_with("--") && word.len() > 3) {
            assert!(help.contains(&format!("{word} ")) || help.contains(&format!("{word}\n")), "{file}: {word}");
            options += 1;
        }
    }
    assert!(options > 15, "{options}");
}
