//! A server of plain files for a site on this machine: what any web host does.

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::http::Uri;
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::interfaces::error::CliError;
use crate::interfaces::web::isolation::isolate;
use crate::interfaces::web::server::page::{INDEX, Page};
use crate::stop::StopSignal;

/// The time between two checks whether the server is to end.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Serves the files of `folder` at this port of this machine, 0 for any free one, until `stop` is requested. Prints the address.
///
/// # Errors
/// If the port cannot be listened on.
pub fn serve_site(folder: &Path, port: u16, stop: &StopSignal) -> Result<(), CliError> {
    let cannot = |error: io::Error| {
        CliError::Request(format!("cannot listen on port {port}: {error}; choose another with --port"))
    };
    let listener = StdListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    writeln!(io::stdout(), "http://{}", listener.local_addr().map_err(cannot)?)?;
    let folder = folder.to_owned();
    let answer = move |uri: Uri| {
        let path = uri.path().trim_start_matches('/');
        let path = if path.is_empty() || path.ends_with('/') { format!("{path}{INDEX}") } else { path.to_owned() };
        let mut answer = Page::Folder(folder.clone()).respond(&path);
        isolate(answer.headers_mut());
        async { answer }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = axum::serve(TcpListener::from_std(listener).map_err(cannot)?, Router::new().fallback(answer));
        let stopped = async {
            while !stop.is_requested() {
                sleep(POLL_INTERVAL).await;
            }
        };
        tokio::select! {
            served = async { server.await } => served.map_err(cannot),
            () = stopped => Ok(()),
        }
    })
}
