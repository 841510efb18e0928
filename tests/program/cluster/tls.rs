//! A broker that accepts TLS only.

use std::path::Path;
use std::process::Command;

use predicates::prelude::*;
use predicates::str::contains;

use super::{Process, coordinate};
use crate::common::hexzero;
use crate::nats::{Nats, say_skipped};
use crate::tiny::folder_with_recipe;

/// Runs openssl in a folder. Returns false if there is none.
fn openssl(folder: &Path, words: &str) -> bool {
    let output = match Command::new("openssl").args(words.split_whitespace()).current_dir(folder).output() {
        Ok(output) => output,
        Err(_) => return false,
    };
    assert!(output.status.success(), "openssl {words}: {}", String::from_utf8_lossy(&output.stderr));
    true
}

/// Makes an authority's certificate `ca.pem`, and `server.pem` with `server.key` for this machine. Returns false
/// without openssl.
fn certificates(folder: &Path) -> bool {
    const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    std::fs::write(folder.join("names"), "subjectAltName = IP:127.0.0.1\n").unwrap();
    openssl(folder, &format!("req -x509 {KEY} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"))
        && openssl(folder, &format!("req {KEY} -subj /CN=broker -keyout server.key -out server.csr"))
        && openssl(
            folder,
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
        )
}

/// Starts a broker that accepts TLS only, with a certificate of the authority `ca.pem` in a folder. Returns `None`
/// without a broker or openssl.
pub(super) fn tls_broker(at: &Path) -> Option<Nats> {
    if !certificates(at) {
        say_skipped("openssl is not installed");
        return None;
    }
    let file = |name: &str| at.join(name).display().to_string();
    let config = format!("tls {{ cert_file: \"{}\", key_file: \"{}\" }}\n", file("server.pem"), file("server.key"));
    std::fs::write(at.join("tls.conf"), config).unwrap();
    Nats::start_with(Some(&at.join("tls.conf")))
}

#[test]
fn run_works_over_tls() {
    let at = &*folder_with_recipe();
    let Some(nats) = tls_broker(at) else { return };
    let address = format!("tls://127.0.0.1:{}", nats.port());

    // No authority that the system trusts has signed the certificate.
    let untrusted = contains("error: cannot connect to").and(contains("certificate").or(contains("UnknownIssuer")));
    hexzero(at, &["cluster", "worker", "--cluster", &address]).code(1).stderr(untrusted);

    let _worker = Process::worker(at, "w", &format!("{address} --ca ca.pem"));
    coordinate(at, "a", &address, 12, "--recipe tiny.toml --ca ca.pem").success().stderr("");
    let status = contains("12 used");
    hexzero(at, &["cluster", "status", "--cluster", &address, "--ca", "ca.pem"]).success().stdout(status);
    let no_file = contains("error: cannot read none.pem: ");
    hexzero(at, &["cluster", "worker", "--cluster", &address, "--ca", "none.pem"]).code(1).stderr(no_file);
}
