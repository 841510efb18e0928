//! A connection to the broker, synchronous outside. With `delivery` and `mirror` the only place that knows NATS and tokio.
//!
//! | module | what lives there |
//! |---|---|
//! | here | connecting, waiting for answers, trying again |
//! | `layout` | what a run needs at the broker |
//! | `streams` | work that is dealt out, games that come in |
//! | `matches` | the same for matches |
//! | `files` | checkpoints and jobs |
//! | `keys` | state, reports, lease |

mod files;
mod keys;
mod layout;
mod matches;
mod streams;

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, ServerAddr, ServerError};
use futures_util::TryStreamExt;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::watch;

use crate::threads;

use super::error::ClusterError;

/// How long a broker that does not answer is waited for before trying again.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(300);
/// What a worker reports is forgotten after this time.
pub(in crate::cluster) const REPORTS_LAST: Duration = Duration::from_secs(20);
/// A lease that is not renewed ends after this time.
pub(in crate::cluster) const LEASE_LASTS: Duration = Duration::from_secs(10);
/// A match that its host does not speak of for so long is over.
pub(in crate::cluster) const MATCH_LASTS: Duration = Duration::from_secs(20);
/// The largest message; the broker's own limit is a mebibyte unless it is configured otherwise.
pub(in crate::cluster) const LARGEST_MESSAGE: usize = 900 * 1024;

/// How to reach the broker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// `nats://host:port` or `tls://host:port`, perhaps with `user:password@`.
    pub address: String,
    /// A file with credentials (JWT and NKey seed), as `nsc` makes them.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of who may vouch for the broker, beside those that the system knows.
    pub certificates: Option<PathBuf>,
}

/// Hears of the connection.
type News = Box<dyn Fn(&str) + Send + Sync>;

/// A connection to the broker. It connects again by itself as often as it breaks.
pub struct Broker {
    runtime: Handle,
    /// There until the end.
    threads: Option<Runtime>,
    client: Client,
    jetstream: Context,
    /// The last thing that the broker's account did not allow.
    forbidden: Arc<Mutex<Option<String>>>,
    /// Who wants to know that the connection is lost or there again.
    news: Arc<Mutex<Option<News>>>,
    /// How often it has been connected.
    connections: watch::Receiver<u64>,
    buckets: Mutex<HashMap<&'static str, Store>>,
    consumers: Mutex<HashMap<&'static str, PullConsumer>>,
}

/// Waits for nothing: the last to hold it may be a task of another runtime, which must not wait.
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

pub(in crate::cluster) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for an answer, but not for ever.
async fn answered<T, E: fmt::Display>(
    doing: &str,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, ClusterError> {
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(result) => result.map_err(|error| ClusterError::broker(doing, error)),
        Err(_) => Err(ClusterError::broker(doing, "no answer")),
    }
}

/// The messages of a stream under some subjects, counted.
async fn messages_by_subject(
    jetstream: &Context,
    stream: &str,
    subjects: &str,
) -> Result<Vec<(String, usize)>, ClusterError> {
    let stream = answered("to find a stream", jetstream.get_stream(stream)).await?;
    let info = answered("to look at a stream", stream.info_with_subjects(subjects)).await?;
    answered("to look at a stream", info.try_collect()).await
}

impl Broker {
    /// Connects as `name`.
    ///
    /// # Errors
    /// If the address is none, a file cannot be read, or nobody answers or lets us in.
    pub fn connect(access: &Access, name: &str) -> Result<Self, ClusterError> {
        // Without the password that may stand in it.
        let shown = match access.address.rsplit_once('@') {
            Some((_, host)) => host.to_owned(),
            None => access.address.clone(),
        };
        let address: ServerAddr =
            access.address.parse().map_err(|_| ClusterError::Address { address: shown.clone() })?;
        // Tokio would panic. One more to find the address and to read files.
        threads::try_some(2)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let forbidden = Arc::new(Mutex::new(None));
        let told = forbidden.clone();
        let news = Arc::new(Mutex::new(None::<News>));
        let listener = news.clone();
        let (connected, connections) = watch::channel(0);
        let connected = Arc::new(connected);
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempts| (PAUSE * attempts.min(8) as u32).min(Duration::from_secs(2)))
            .event_callback(move |event| {
                let (told, connected, listener) = (told.clone(), connected.clone(), listener.clone());
                async move {
                    let tell = |text: &str| locked(&listener).iter().for_each(|tell| tell(text));
                    match event {
                        Event::Connected => {
                            connected.send_modify(|times| *times += 1);
                            if *connected.borrow() > 1 {
                                tell("connected to the broker again");
                            }
                        }
                        Event::Disconnected => tell("the connection to the broker is lost; trying again"),
                        _ => {}
                    }
                    if let Event::ServerError(ServerError::Other(text)) = event
                        && text.to_lowercase().contains("permissions violation")
                    {
                        *locked(&told) = Some(text);
                    }
                }
            });
        // The client itself passes over what stands in the address.
        if let Some(user) = address.username() {
            options = options.user_and_password(user.to_owned(), address.password().unwrap_or_default().to_owned());
        }
        let unreadable = |path: &Path, error: std::io::Error| ClusterError::File {
            path: path.display().to_string(),
            problem: error.to_string(),
        };
        if let Some(path) = &access.credentials {
            let read = runtime.block_on(options.credentials_file(path));
            options = read.map_err(|error| unreadable(path, error))?;
        }
        if let Some(path) = &access.certificates {
            // The client would not say which file it is.
            std::fs::File::open(path).map_err(|error| unreadable(path, error))?;
            options = options.add_root_certificates(path.clone());
        }
        let client = runtime.block_on(options.connect(address));
        let client = client.map_err(|error| ClusterError::Connect { address: shown, problem: error.to_string() })?;
        // The first connection is told of a moment later; it must not look like another one.
        let mut first = connections.clone();
        let _ = runtime.block_on(async { tokio::time::timeout(PATIENCE, first.wait_for(|&count| count > 0)).await });
        // It starts a task of its own.
        let inside = runtime.enter();
        let jetstream =
            jetstream::context::ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client.clone());
        drop(inside);
        Ok(Self {
            runtime: runtime.handle().clone(),
            threads: Some(runtime),
            client,
            jetstream,
            forbidden,
            news,
            connections,
            buckets: Mutex::default(),
            consumers: Mutex::default(),
        })
    }

    /// Has `tell` called whenever the connection is lost, and when it is there again.
    pub fn tell_of_connection(&self, tell: impl Fn(&str) + Send + Sync + 'static) {
        *locked(&self.news) = Some(Box::new(tell));
    }

    /// Runs something of the connection, here. What the account does not allow gets no answer, only an event.
    fn wait<T>(&self, work: impl Future<Output = Result<T, ClusterError>>) -> Result<T, ClusterError> {
        let forbidden = async {
            loop {
                if let Some(text) = locked(&self.forbidden).take() {
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

    /// Tries again until it works, or until `stop`: then none.
    ///
    /// # Errors
    /// If trying again does not help.
    pub(in crate::cluster) fn persist<T>(
        &self,
        stop: &AtomicBool,
        mut attempt: impl FnMut() -> Result<T, ClusterError>,
    ) -> Result<Option<T>, ClusterError> {
        loop {
            match attempt() {
                Err(ClusterError::Broker { .. }) if !stop.load(Ordering::Relaxed) => std::thread::sleep(PAUSE),
                Err(ClusterError::Broker { .. }) => return Ok(None),
                result => return result.map(Some),
            }
        }
    }

    /// Waits until everything that was said is on its way.
    pub fn flush(&self) {
        // Who is cut off says nothing more.
        let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, self.client.flush()).await });
    }
}
