//! A connection to the broker, synchronous outside. With `delivery` and `mirror` the only place that knows NATS and tokio.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::kv::{self, Store};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context, context, object_store};
use async_nats::{Client, ConnectOptions, Event, ServerAddr, ServerError};
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;

use super::delivery::{Arriving, Delivery};
use super::error::ClusterError;
use super::mirror::Mirror;
use super::names::{
    FILES, GAMES, GAMES_CONSUMER, GAMES_SUBJECTS, LEASE, STATE, WORK, WORK_CONSUMER, WORK_SUBJECT, WORKERS,
};

/// Games that the coordinator has not acknowledged for so long are sent to it again.
const GAMES_ACK_WAIT: Duration = Duration::from_secs(60);
/// The broker drops a message whose id it has seen in this time.
const DUPLICATES: Duration = Duration::from_secs(600);
/// How long a broker that does not answer is waited for before trying again.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(300);
/// A watch that hears nothing for so long is begun anew, whatever the reason.
const WATCH_ANEW: Duration = Duration::from_secs(15);
/// What a worker reports is forgotten after this time.
pub(super) const REPORTS_LAST: Duration = Duration::from_secs(20);
/// A lease that is not renewed ends after this time.
pub(super) const LEASE_LASTS: Duration = Duration::from_secs(10);
/// The largest message; the broker's own limit is a mebibyte unless it is configured otherwise.
pub(super) const LARGEST_MESSAGE: usize = 900 * 1024;
/// More threads of workers than this wait in vain for each other's turn.
const MOST_WAITING: i64 = 1 << 14;

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

/// A connection to the broker. It connects again by itself as often as it breaks.
pub struct Broker {
    runtime: Runtime,
    client: Client,
    jetstream: Context,
    /// The last thing that the broker's account did not allow.
    forbidden: Arc<Mutex<Option<String>>>,
    buckets: Mutex<HashMap<&'static str, Store>>,
    consumers: Mutex<HashMap<&'static str, PullConsumer>>,
}

impl fmt::Debug for Broker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Broker").finish_non_exhaustive()
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let forbidden = Arc::new(Mutex::new(None));
        let told = forbidden.clone();
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempts| (PAUSE * attempts.min(8) as u32).min(Duration::from_secs(2)))
            .event_callback(move |event| {
                let told = told.clone();
                async move {
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
        if let Some(path) = &access.credentials {
            let read = runtime.block_on(options.credentials_file(path));
            let unreadable = |error: std::io::Error| ClusterError::File {
                path: path.display().to_string(),
                problem: error.to_string(),
            };
            options = read.map_err(unreadable)?;
        }
        if let Some(path) = &access.certificates {
            options = options.add_root_certificates(path.clone());
        }
        let client = runtime.block_on(options.connect(address));
        let client = client.map_err(|error| ClusterError::Connect { address: shown, problem: error.to_string() })?;
        // It starts a task of its own.
        let inside = runtime.enter();
        let jetstream =
            jetstream::context::ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client.clone());
        drop(inside);
        Ok(Self { runtime, client, jetstream, forbidden, buckets: Mutex::default(), consumers: Mutex::default() })
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
    pub(super) fn persist<T>(
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

    /// Makes the streams and buckets that are not there yet. Work that its worker has not spoken of for `patience` is
    /// dealt out to another.
    ///
    /// # Errors
    /// If the broker has no JetStream, or its account does not allow it.
    pub fn lay_out(&self, patience: Duration) -> Result<(), ClusterError> {
        let stream = |name: &str, subject: &str| StreamConfig {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            duplicate_window: DUPLICATES,
            max_message_size: LARGEST_MESSAGE as i32,
            num_replicas: 1,
            ..StreamConfig::default()
        };
        let consumer = |name: &str, ack_wait| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: MOST_WAITING,
            max_waiting: MOST_WAITING,
            ..pull::Config::default()
        };
        // The client's own way asks for the account first, in words that brokers before 2.10 do not have.
        let bucket = |name: &str, max_age| StreamConfig {
            name: format!("KV_{name}"),
            subjects: vec![format!("$KV.{name}.>")],
            max_messages_per_subject: 1,
            max_age,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            storage: StorageType::File,
            num_replicas: 1,
            ..StreamConfig::default()
        };
        locked(&self.consumers).clear();
        self.wait(async {
            let parts = [
                (WORK, WORK_SUBJECT, WORK_CONSUMER, patience),
                (GAMES, GAMES_SUBJECTS, GAMES_CONSUMER, GAMES_ACK_WAIT),
            ];
            for (name, subject, reader, ack_wait) in parts {
                let found = self.jetstream.get_or_create_stream(stream(name, subject));
                let found = answered("to make a stream", found).await?;
                answered("to make a consumer", found.create_consumer(consumer(reader, ack_wait))).await?;
            }
            for (name, max_age) in [(STATE, Duration::ZERO), (WORKERS, REPORTS_LAST), (LEASE, LEASE_LASTS)] {
                let made = self.jetstream.get_or_create_stream(bucket(name, max_age));
                answered("to make a bucket", made).await?;
            }
            if self.jetstream.get_object_store(FILES).await.is_err() {
                let config = object_store::Config {
                    bucket: FILES.to_owned(),
                    storage: StorageType::File,
                    num_replicas: 1,
                    ..object_store::Config::default()
                };
                answered("to make a store of files", self.jetstream.create_object_store(config)).await?;
            }
            Ok(())
        })
    }

    /// Publishes messages, each with a subject and an id, and waits until the broker has them all. A message whose id it
    /// has is not stored again, so this may be repeated.
    ///
    /// # Errors
    /// If the broker does not take one.
    pub fn publish(&self, messages: &[(String, String, Vec<u8>)]) -> Result<(), ClusterError> {
        const DOING: &str = "to send messages";
        self.wait(async {
            let mut acknowledgements = Vec::new();
            for (subject, id, bytes) in messages {
                let message = PublishMessage::build().payload(bytes.clone().into()).message_id(id);
                let sent = self.jetstream.send_publish(subject.clone(), message).await;
                let too_large =
                    |error: &context::PublishError| error.kind() == context::PublishErrorKind::MaxPayloadExceeded;
                acknowledgements.push(sent.map_err(|error| match error {
                    error if too_large(&error) => super::frame::FrameProblem::TooLarge(bytes.len()).into(),
                    error => ClusterError::broker(DOING, error),
                })?);
            }
            for acknowledgement in acknowledgements {
                answered(DOING, acknowledgement.into_future()).await?;
            }
            Ok(())
        })
    }

    /// The next piece of work, if there is one within this time.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn next_work(&self, wait: Duration) -> Result<Option<Delivery>, ClusterError> {
        const DOING: &str = "to ask for work";
        let asked = self.wait(async {
            let consumer = self.consumer(WORK, WORK_CONSUMER).await?;
            let batch = consumer.batch().max_messages(1).expires(wait).messages();
            let mut batch = answered(DOING, batch).await?;
            match tokio::time::timeout(wait + PAUSE * 3, batch.next()).await {
                Ok(Some(Ok(message))) => {
                    let keep = consumer.cached_info().config.ack_wait / 3;
                    Ok(Some(Delivery { message, keep, handle: self.runtime.handle().clone() }))
                }
                Ok(Some(Err(error))) => Err(ClusterError::broker(DOING, error)),
                Ok(None) | Err(_) => Ok(None),
            }
        });
        if asked.is_err() {
            locked(&self.consumers).remove(WORK);
        }
        asked
    }

    async fn consumer(&self, stream: &'static str, name: &'static str) -> Result<PullConsumer, ClusterError> {
        if let Some(consumer) = locked(&self.consumers).get(stream) {
            return Ok(consumer.clone());
        }
        let consumer: PullConsumer =
            answered("to find a consumer", self.jetstream.get_consumer_from_stream(name, stream)).await?;
        locked(&self.consumers).insert(stream, consumer.clone());
        Ok(consumer)
    }

    /// Finished games as they come, until it is dropped.
    pub(super) fn games(&self) -> Arriving {
        let (sender, receiver) = std::sync::mpsc::sync_channel(256);
        let (jetstream, handle) = (self.jetstream.clone(), self.runtime.handle().clone());
        let listen = async move {
            loop {
                let consumer: Result<PullConsumer, _> = jetstream.get_consumer_from_stream(GAMES_CONSUMER, GAMES).await;
                if let Ok(consumer) = consumer
                    && let Ok(mut messages) = consumer
                        .stream()
                        .max_messages_per_batch(128)
                        .expires(Duration::from_secs(6))
                        .heartbeat(Duration::from_secs(1))
                        .messages()
                        .await
                {
                    while let Some(Ok(message)) = messages.next().await {
                        let mut delivery = Delivery { message, keep: GAMES_ACK_WAIT / 3, handle: handle.clone() };
                        // A channel that is full must not hold up the connection's only thread.
                        while let Err(error) = sender.try_send(delivery) {
                            match error {
                                std::sync::mpsc::TrySendError::Full(back) => delivery = back,
                                std::sync::mpsc::TrySendError::Disconnected(_) => return,
                            }
                            tokio::time::sleep(Duration::from_millis(5)).await;
                        }
                    }
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        Arriving { receiver, task: self.runtime.spawn(listen).abort_handle() }
    }

    /// Messages that wait to be delivered or acknowledged: work first, then games.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn waiting(&self) -> Result<(u64, u64), ClusterError> {
        self.wait(async {
            let work = answered("to look at the work", self.consumer(WORK, WORK_CONSUMER).await?.get_info()).await?;
            // After the work: a worker sends its games before it acknowledges its work.
            let games =
                answered("to look at the games", self.consumer(GAMES, GAMES_CONSUMER).await?.get_info()).await?;
            Ok((work.num_pending + work.num_ack_pending as u64, games.num_pending))
        })
    }

    /// Takes back all work that was dealt out.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn take_work_back(&self) -> Result<(), ClusterError> {
        self.wait(async {
            let stream = answered("to find the work", self.jetstream.get_stream(WORK)).await?;
            answered("to take work back", stream.purge().into_future()).await.map(|_| ())
        })
    }

    /// Stores a file under a name, unless there is one.
    ///
    /// # Errors
    /// If the broker does not take it.
    pub fn store(&self, name: &str, bytes: &[u8]) -> Result<(), ClusterError> {
        self.wait(async {
            let files = answered("to find the files", self.jetstream.get_object_store(FILES)).await?;
            if files.info(name).await.is_ok_and(|info| info.size == bytes.len() && !info.deleted) {
                return Ok(());
            }
            let mut reader = bytes;
            let stored = files.put(name, &mut reader).await;
            stored.map(|_| ()).map_err(|error| ClusterError::broker("to store a file", error))
        })
    }

    /// The file with a name; none if there is none. The broker's checksum of it is checked.
    ///
    /// # Errors
    /// If the broker does not give it.
    pub fn fetch(&self, name: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        const DOING: &str = "to fetch a file";
        self.wait(async {
            let files = answered("to find the files", self.jetstream.get_object_store(FILES)).await?;
            let found = tokio::time::timeout(PATIENCE, files.get(name)).await;
            let mut object = match found.map_err(|_| ClusterError::broker(DOING, "no answer"))? {
                Ok(object) => object,
                Err(error) if error.kind() == object_store::GetErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(ClusterError::broker(DOING, error)),
            };
            let mut bytes = Vec::with_capacity(object.info().size.min(1 << 28));
            answered(DOING, object.read_to_end(&mut bytes)).await?;
            Ok(Some(bytes))
        })
    }

    /// Removes all files but these.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn keep_files(&self, kept: &[String]) -> Result<(), ClusterError> {
        self.wait(async {
            let files = answered("to find the files", self.jetstream.get_object_store(FILES)).await?;
            let mut found = answered("to list the files", files.list()).await?;
            let mut names = Vec::new();
            while let Ok(Some(Ok(info))) = tokio::time::timeout(PATIENCE, found.next()).await {
                names.push(info.name);
            }
            for name in names.iter().filter(|name| !kept.contains(name)) {
                answered("to remove a file", files.delete(name)).await?;
            }
            Ok(())
        })
    }

    async fn bucket(&self, name: &'static str) -> Result<Store, ClusterError> {
        if let Some(store) = locked(&self.buckets).get(name) {
            return Ok(store.clone());
        }
        let store = answered("to find a bucket", self.jetstream.get_key_value(name)).await?;
        locked(&self.buckets).insert(name, store.clone());
        Ok(store)
    }

    /// Sets a key.
    ///
    /// # Errors
    /// If the broker does not take it.
    pub fn put(&self, bucket: &'static str, key: &str, value: &[u8]) -> Result<(), ClusterError> {
        let value = value.to_vec().into();
        self.wait(async { answered("to set a key", self.bucket(bucket).await?.put(key, value)).await.map(|_| ()) })
    }

    /// The value of a key and its revision.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn get(&self, bucket: &'static str, key: &str) -> Result<Option<(Vec<u8>, u64)>, ClusterError> {
        self.wait(async {
            let entry = answered("to read a key", self.bucket(bucket).await?.entry(key)).await?;
            let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
            Ok(entry.map(|entry| (entry.value.to_vec(), entry.revision)))
        })
    }

    /// Sets a key that is not set, or one that has this revision; the new revision. None if another has been faster.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub(super) fn exchange(
        &self,
        bucket: &'static str,
        key: &str,
        value: &[u8],
        revision: Option<u64>,
    ) -> Result<Option<u64>, ClusterError> {
        const DOING: &str = "to set a key";
        let value = value.to_vec().into();
        self.wait(async {
            let store = self.bucket(bucket).await?;
            match revision {
                None => match store.create(key, value).await {
                    Ok(revision) => Ok(Some(revision)),
                    Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => Ok(None),
                    Err(error) => Err(ClusterError::broker(DOING, error)),
                },
                Some(revision) => match store.update(key, value, revision).await {
                    Ok(revision) => Ok(Some(revision)),
                    Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => Ok(None),
                    Err(error) => Err(ClusterError::broker(DOING, error)),
                },
            }
        })
    }

    /// Removes a key.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn remove(&self, bucket: &'static str, key: &str) -> Result<(), ClusterError> {
        self.wait(async { answered("to remove a key", self.bucket(bucket).await?.delete(key)).await })
    }

    /// All keys of a bucket with their values.
    ///
    /// # Errors
    /// If the broker does not answer, or has no such bucket.
    pub fn entries(&self, bucket: &'static str) -> Result<Vec<(String, Vec<u8>)>, ClusterError> {
        const DOING: &str = "to read a bucket";
        self.wait(async {
            let store = self.bucket(bucket).await?;
            let mut keys = answered(DOING, store.keys()).await?;
            let mut entries = Vec::new();
            while let Ok(Some(Ok(key))) = tokio::time::timeout(PATIENCE, keys.next()).await {
                if let Some(value) = answered(DOING, store.get(key.clone())).await? {
                    entries.push((key, value.to_vec()));
                }
            }
            entries.sort();
            Ok(entries)
        })
    }

    /// Follows a bucket from now on.
    pub(super) fn mirror(&self, bucket: &'static str) -> Mirror {
        let entries = Arc::new(Mutex::new(HashMap::new()));
        let (jetstream, seen) = (self.jetstream.clone(), entries.clone());
        let follow = async move {
            loop {
                if let Ok(store) = jetstream.get_key_value(bucket).await
                    && let Ok(mut changes) = store.watch_with_history(">").await
                {
                    while let Ok(Some(Ok(entry))) = tokio::time::timeout(WATCH_ANEW, changes.next()).await {
                        let mut seen = locked(&seen);
                        match entry.operation {
                            kv::Operation::Put => seen.insert(entry.key, entry.value.to_vec()),
                            kv::Operation::Delete | kv::Operation::Purge => seen.remove(&entry.key),
                        };
                    }
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        Mirror { entries, task: self.runtime.spawn(follow).abort_handle() }
    }

    /// Waits until everything that was said is on its way.
    pub fn flush(&self) {
        // Who is cut off says nothing more.
        let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, self.client.flush()).await });
    }
}
