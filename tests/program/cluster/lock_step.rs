//! Lock step: games, checkpoints and figures are bit for bit those of a run in one process.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::{Process, coordinate, figures, play_locally, wait_for};
use crate::common::{hexzero, hexzero_line};
use crate::nats::Nats;
use crate::output::{json_stdout, stdout};
use crate::runs::assert_same_run;
use crate::serving::Server;
use crate::tiny::folder_with_recipe;

#[test]
fn run_is_the_same_with_any_number_of_workers() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    play_locally(at, 24);
    let mut workers = Vec::new();
    for count in [1, 2, 4] {
        while workers.len() < count {
            workers.push(Process::worker(at, &format!("w{}", workers.len()), &nats.address()));
        }
        let run = format!("by-{count}");
        let said = stdout(&coordinate(at, &run, &nats.address(), 24, "--recipe tiny.toml").success().stderr(""));
        let figure = figures(&said);
        assert_eq!(
            (figure("acknowledged"), figure("used"), figure("doubled"), figure("stale")),
            (24, 24, 0, 0),
            "{said}"
        );
        assert_eq!(figure("messages"), 0, "{said}");
        assert_same_run(&at.join("local"), &at.join(&run));
    }
    // Workers rest between runs, and stop when they are asked to. All have seen one that goes on until they have.
    let last = "train --no-matches --recipe tiny.toml --run last --rate 0 --games 1000000 --lock-step --cluster";
    let mut last = Process::start(at, "last-said", &format!("{last} {}", nats.address()));
    (0..workers.len()).for_each(|number| wait_for(&at.join(format!("w{number}")), "playing for the run last"));
    last.stop();
    for (number, mut worker) in workers.into_iter().enumerate() {
        let said = at.join(format!("w{number}"));
        wait_for(&said, "the run rests");
        worker.stop();
        let said = fs::read_to_string(said).unwrap();
        assert!(said.contains("stopped after "), "{said}");
    }
}

#[test]
fn cluster_status() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    let _worker = Process::worker(at, "lab-1", &address);
    wait_for(&at.join("lab-1"), "waiting for a run to begin");
    coordinate(at, "mine", &address, 12, "--recipe tiny.toml").success();
    let status = json_stdout(&hexzero(at, &["cluster", "status", "--cluster", &address, "--json"]).success());
    assert_eq!(status["coordinator"]["run"], "mine");
    assert_eq!(status["coordinator"]["traffic"]["used"], 12);
    assert_eq!(status["workers"][0]["name"], "lab-1");
    assert_eq!(
        (&status["active"], &status["ranges_out"], &status["messages_waiting"]),
        (&false.into(), &0.into(), &0.into())
    );
    let table = contains("run mine: resting").and(contains("12 used, 0 doubled, 0 stale")).and(contains("lab-1"));
    hexzero(at, &["cluster", "status", "--cluster", &address]).success().stdout(table);

    let (run, cluster) = (at.join("mine"), ["--cluster", &address]);
    let server = Server::start(&[&["--run", run.to_str().unwrap()], &cluster[..]].concat());
    assert_eq!(server.get_json("/api/run/cluster")["workers"][0]["name"], "lab-1");
    let (code, said) = server.interrupt();
    assert!(code == Some(0) && !said.contains("panicked"), "{code:?}: {said}");
    let without_cluster = Server::start(&["--run", run.to_str().unwrap()]);
    assert_eq!(without_cluster.get_json("/api/run/cluster"), Value::Null);

    let _metrics = Process::start(at, "metrics", &format!("cluster metrics --cluster {address} --listen 127.0.0.1:0"));
    wait_for(&at.join("metrics"), "Ctrl-C ends");
    let said = fs::read_to_string(at.join("metrics")).unwrap();
    let listens = said.split_once("http://").unwrap().1.split_once('/').unwrap().0;
    let refused = contains(format!("cannot listen on {listens}: ")).and(contains("choose another with --listen"));
    hexzero_line(at, &format!("cluster metrics --cluster {address} --listen {listens}")).code(1).stderr(refused);
    let mut visitor = TcpStream::connect(listens).unwrap();
    visitor.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut text = String::new();
    visitor.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
    for line in
        ["hexzero_workers 1\n", "hexzero_games_used_total 12\n", "hexzero_games_doubled_total 0\n", "worker=\"lab-1\""]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn invalid_requests_are_explained() {
    let at = &*folder_with_recipe();
    let unused = "nats://127.0.0.1:1";
    for command in ["cluster worker", "cluster status", "train --recipe tiny.toml --games 6 --run a --lock-step"] {
        let refused =
            contains(format!("error: cannot connect to {unused}: ")).and(contains("is nats-server running there"));
        hexzero_line(at, &format!("{command} --cluster {unused}")).code(1).stderr(refused);
    }
    let secret = hexzero_line(at, "cluster worker --cluster nats://me:hidden@127.0.0.1:1").code(1);
    secret.stderr(contains("127.0.0.1:1").and(contains("hidden").not()));
    for (arguments, code, said) in [
        ("cluster worker --cluster http://host", 1, "'http://host' is not a broker address"),
        ("cluster worker --cluster nats://127.0.0.1:1 --name a.b", 1, "letters, digits"),
        ("cluster worker", 2, "--cluster <ADDRESS>"),
        ("train --verify 0.5", 2, "--cluster <ADDRESS>"),
        ("cluster worker --cluster nats://127.0.0.1:1 --credentials none.creds", 1, "error: cannot read none.creds: "),
    ] {
        hexzero_line(at, arguments).code(code).stderr(contains(said));
    }
}
