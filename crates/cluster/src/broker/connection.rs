//! Connection to the broker: connecting, timeouts, retries.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, ServerAddr, ServerError};
use futures_util::TryStreamExt;
use parking_lot::Mutex;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::watch;

use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

use crate::ClusterError;

/// Timeout of requests to the broker.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);
/// Time that a broker may take to start JetStream.
const START_TIME: Duration = Duration::from_secs(10);
/// Pause before trying again.
pub(super) const RETRY_PAUSE: Duration = Duration::from_millis(300);
/// Time after which a worker's report expires.
pub(super) const REPORT_TTL: Duration = Duration::from_secs(20);
/// Time after which a lease that is not renewed expires.
pub(crate) const LEASE_TTL: Duration = Duration::from_secs(10);
/// Time after which a match that its host does not renew is over.
pub(crate) const MATCH_TTL: Duration = Duration::from_secs(20);
/// Largest message, in bytes. The default limit of a broker is a mebibyte.
pub(crate) const MAX_MESSAGE: usize = 900 * 1024;

/// Address and credentials of the broker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// `nats://host:port` or `tls://host:port`, optionally with `user:password@`.
    pub address: String,
    /// File with credentials (JWT and NKey seed), as written by `nsc`.
    pub credentials: Option<PathBuf>,
    /// File with certificates of further authorities to trust, beside those of the system.
    pub certificates: Option<PathBuf>,
}

/// Callback for lost and restored connections.
type ConnectionCallback = Box<dyn Fn(&str) + Send + Sync>;

/// Receiver of the client's events.
#[derive(Default)]
struct Events {
    /// Latest request that the account's rights did not allow.
    forbidden: Mutex<Option<String>>,
    on_connection_change: Mutex<Option<ConnectionCallback>>,
    /// Number of connections made so far.
    connected: watch::Sender<u64>,
}

impl Events {
    /// Tells the user about the connection.
    fn tell(&self, text: &str) {
        self.on_connection_change.lock().iter().for_each(|tell| tell(text));
    }

    fn receive(&self, event: Event) {
        match event {
            Event::Connected => {
                self.connected.send_modify(|times| *times += 1);
                if *self.connected.borrow() > 1 {
                    self.tell("connected to the broker again");
                }
            }
            Event::Disconnected => self.tell("the connection to the broker is lost; trying again"),
            Event::ServerError(ServerError::Other(text)) if text.to_lowercase().contains("permissions violation") => {
                *self.forbidden.lock() = Some(text);
            }
            _ => {}
        }
    }
}

/// Connection to the broker, which reconnects by itself.
pub struct Broker {
    pub(super) runtime: Handle,
    /// Owns `runtime`; `None` once dropped.
    threads: Option<Runtime>,
    client: Client,
    pub(super) jetstream: Context,
    events: Arc<Events>,
    /// Number of connections made so far.
    pub(super) connections: watch::Receiver<u64>,
    /// Cache of the buckets and consumers looked up so far.
    pub(super) buckets: Mutex<HashMap<&'static str, Store>>,
    pub(super) consumers: Mutex<HashMap<&'static str, PullConsumer>>,
}

/// Shuts down without waiting: the last owner may be a task of another runtime, where blocking is
/// not allowed.
impl Drop for Broker {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}

impl fmt::Debug for Broker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Broker").finish_non_exhaustive()
    }
}

/// Waits for an answer, up to [`TIMEOUT`]. `doing` names the request in errors.
pub(super) async fn answered<T, E: fmt::Display>(
    doing: &str,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, ClusterError> {
    answered_within(TIMEOUT, doing, answer).await
}

/// Waits for an answer as [`answered`] does, up to `timeout`.
pub(super) async fn answered_within<T, E: fmt::Display>(
    timeout: Duration,
    doing: &str,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, ClusterError> {
    match tokio::time::timeout(timeout, answer).await {
        Ok(result) => result.map_err(|error| ClusterError::broker(doing, error)),
        Err(_) => Err(ClusterError::broker(doing, "no answer")),
    }
}

/// Counts the messages of `stream` by subject, of those subjects that match `subjects`.
pub(super) async fn messages_by_subject(
    jetstream: &Context,
    stream: &str,
    subjects: &str,
) -> Result<Vec<(String, usize)>, ClusterError> {
    let stream = answered("to find a stream", jetstream.get_stream(stream)).await?;
    let info = answered("to look at a stream", stream.info_with_subjects(subjects)).await?;
    answered("to look at a stream", info.try_collect()).await
}

/// Returns the options of a connection under the client name `name`, without the files of its account.
fn options(name: &str, address: &ServerAddr, events: Arc<Events>) -> ConnectOptions {
    let options = ConnectOptions::new()
        .name(name)
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|attempts| (RETRY_PAUSE * attempts.min(8) as u32).min(Duration::from_secs(2)))
        .event_callback(move |event| {
            let events = events.clone();
            async move { events.receive(event) }
        });
    // The client ignores the user and the password of an address.
    match address.username() {
        Some(user) => options.user_and_password(user.to_owned(), address.password().unwrap_or_default().to_owned()),
        None => options,
    }
}

/// Adds the files with credentials and certificates to the options of a connection.
async fn with_files(mut options: ConnectOptions, access: &Access) -> Result<ConnectOptions, ClusterError> {
    let unreadable = |path: &Path, error: std::io::Error| ClusterError::File {
        path: path.display().to_string(),
        problem: error.to_string(),
    };
    if let Some(path) = &access.credentials {
        hexzero_system::files::open(path).map_err(|error| unreadable(path, error))?;
        options = options.credentials_file(path).await.map_err(|error| unreadable(path, error))?;
    }
    if let Some(path) = &access.certificates {
        // The client's error does not name the file.
        hexzero_system::files::open(path).map_err(|error| unreadable(path, error))?;
        options = options.add_root_certificates(path.clone());
    }
    Ok(options)
}

impl Broker {
    /// Connects under the client name `name`.
    ///
    /// # Errors
    /// If the address is invalid, a file cannot be read, or the broker does not answer or refuses the credentials.
    pub fn connect(access: &Access, name: &str) -> Result<Self, ClusterError> {
        // Errors show the address without its password.
        let shown = match access.address.rsplit_once('@') {
            Some((_, host)) => host.to_owned(),
            None => access.address.clone(),
        };
        let address: ServerAddr = access.address.parse().map_err(|_| ClusterError::Address(shown.clone()))?;
        // Tokio panics without threads. The second one resolves addresses and reads files.
        threads::try_some(2)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let events = Arc::new(Events::default());
        let mut connections = events.connected.subscribe();
        let options = options(name, &address, events.clone());
        let options = runtime.block_on(with_files(options, access))?;
        let client = runtime.block_on(options.connect(address));
        let client = client.map_err(|error| ClusterError::Connect { address: shown, problem: error.to_string() })?;
        // Wait for the event of this connection, so that it does not count as a reconnection.
        let _ =
            runtime.block_on(async { tokio::time::timeout(TIMEOUT, connections.wait_for(|&count| count > 0)).await });
        // The context spawns a task when it is built.
        let inside = runtime.enter();
        let jetstream =
            jetstream::context::ContextBuilder::new().timeout(TIMEOUT).ack_timeout(TIMEOUT).build(client.clone());
        drop(inside);
        Ok(Self {
            runtime: runtime.handle().clone(),
            threads: Some(runtime),
            client,
            jetstream,
            events,
            connections,
            buckets: Mutex::default(),
            consumers: Mutex::default(),
        })
    }

    /// Sets a callback for lost and restored connections.
    pub fn on_connection_change(&self, callback: impl Fn(&str) + Send + Sync + 'static) {
        *self.events.on_connection_change.lock() = Some(Box::new(callback));
    }

    /// Runs a future to its end on this thread. A request beyond the account's rights gets no answer, only an event, which
    /// ends the wait.
    pub(super) fn wait<T>(&self, work: impl Future<Output = Result<T, ClusterError>>) -> Result<T, ClusterError> {
        let forbidden = async {
            loop {
                if let Some(text) = self.events.forbidden.lock().take() {
                    break text;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                result = work => result,
                text = forbidden => Err(ClusterError::Forbidden(text)),
            }
        })
    }

    /// Repeats `attempt` while the broker fails, however long; reports the error once after ten seconds. Returns `None` if `stop`
    /// is requested meanwhile.
    ///
    /// # Errors
    /// If `attempt` fails for another reason, or the broker answers for ten seconds that it has no JetStream.
    pub(crate) fn retry_until<T>(
        &self,
        stop: &StopSignal,
        mut attempt: impl FnMut() -> Result<T, ClusterError>,
    ) -> Result<Option<T>, ClusterError> {
        let (began, mut is_told) = (Instant::now(), false);
        let mut lacking_since = None;
        loop {
            match attempt() {
                Err(error) if error.is_temporary() => {
                    if stop.is_requested() {
                        return Ok(None);
                    }
                    if !is_told && began.elapsed() > START_TIME {
                        is_told = true;
                        self.events.tell(&format!("still trying: {error}"));
                    }
                    if !error.lacks_jetstream() {
                        lacking_since = None;
                    } else if lacking_since.get_or_insert_with(Instant::now).elapsed() > START_TIME {
                        return Err(ClusterError::NoJetStream(error.to_string()));
                    }
                    stop.sleep(RETRY_PAUSE);
                }
                result => return result.map(Some),
            }
        }
    }

    /// Waits until all messages have been sent.
    pub fn flush(&self) {
        // Without a connection there is nothing to wait for.
        let _ = self.runtime.block_on(async { tokio::time::timeout(TIMEOUT, self.client.flush()).await });
    }
}
