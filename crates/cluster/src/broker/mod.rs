//! Connection to the broker, with a blocking interface: the only place that knows NATS and tokio.
//!
//! | module | contents |
//! |---|---|
//! | `connection` | [`Broker`]: connecting, timeouts, retries |
//! | `layout` | streams, buckets and files of a run, and of matches |
//! | `streams` | self-play work and finished games; a message of a stream, and its acknowledgement |
//! | `buckets` | keys with their values (state, reports, lease), a local copy that follows changes, banned workers |
//! | here | checkpoints and jobs: files in the object store, by name |

mod buckets;
mod connection;
mod layout;
mod streams;

use std::time::Duration;

use async_nats::jetstream::object_store;
use tokio::io::AsyncReadExt;

use crate::ClusterError;
use crate::wire::{FILES, MATCH_FILES};
use hexzero_nn::MAX_CHECKPOINT_BYTES;

use connection::{TIMEOUT, answered, answered_within, messages_by_subject};

pub(super) use buckets::FollowedBucket;
pub use buckets::unban;
pub use connection::{Access, Broker};
pub(super) use connection::{LEASE_TTL, MATCH_TTL, MAX_MESSAGE};
pub(super) use streams::Incoming;
pub use streams::{Delivery, KeepAlive};

/// Timeout of the transfer of a file.
const TRANSFER_TIMEOUT: Duration = Duration::from_secs(120);
/// Timeout of the next part of a file. If the file was removed meanwhile, the client would wait for ever.
const PART_TIMEOUT: Duration = Duration::from_secs(10);

impl Broker {
    /// Stores `bytes` as file `name`, unless it is stored already.
    ///
    /// # Errors
    /// If the broker does not accept it.
    pub fn store(&self, name: &str, bytes: &[u8]) -> Result<(), ClusterError> {
        self.wait(async {
            let files = answered("to find the files", self.jetstream.get_object_store(FILES)).await?;
            let found = tokio::time::timeout(TIMEOUT, files.info(name)).await;
            if found.is_ok_and(|found| found.is_ok_and(|info| info.size == bytes.len() && !info.deleted)) {
                return Ok(());
            }
            let mut reader = bytes;
            answered_within(TRANSFER_TIMEOUT, "to store a file", files.put(name, &mut reader)).await.map(drop)
        })
    }

    /// Returns the file `name`, or `None` if there is none. Checks the checksum.
    ///
    /// # Errors
    /// If the broker does not deliver it.
    pub fn fetch(&self, name: &str) -> Result<Option<Vec<u8>>, ClusterError> {
        const DOING: &str = "to fetch a file";
        self.wait(async {
            let mut connections = self.connections.clone();
            connections.mark_unchanged();
            let files = answered("to find the files", self.jetstream.get_object_store(FILES)).await?;
            let found = tokio::time::timeout(TIMEOUT, files.get(name)).await;
            let mut object = match found.map_err(|_| ClusterError::broker(DOING, "no answer"))? {
                Ok(object) => object,
                Err(error) if error.kind() == object_store::GetErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(ClusterError::broker(DOING, error)),
            };
            let mut bytes = Vec::with_capacity(object.info().size.min(1 << 24));
            let read = async {
                loop {
                    match answered_within(PART_TIMEOUT, DOING, object.read_buf(&mut bytes)).await? {
                        0 => return Ok(()),
                        _ if bytes.len() as u64 > MAX_CHECKPOINT_BYTES => {
                            return Err(ClusterError::broker(DOING, "it is longer than any checkpoint"));
                        }
                        _ => {}
                    }
                }
            };
            tokio::select! {
                read = tokio::time::timeout(TRANSFER_TIMEOUT, read) => {
                    read.map_err(|_| ClusterError::broker(DOING, "no answer"))??;
                }
                // A restarted broker may keep the file under other subjects.
                _ = connections.changed() => {
                    return Err(ClusterError::broker(DOING, "the connection was lost meanwhile"));
                }
            }
            Ok(Some(bytes))
        })
    }

    /// Removes all files of runs except `kept`.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn retain_files(&self, kept: &[String]) -> Result<(), ClusterError> {
        self.remove_files(|name| !kept.contains(name) && !name.starts_with(MATCH_FILES))
    }

    /// Removes files by name, and the entries of removed ones. Finds them by the broker's list of subjects: the client's list
    /// of files may be incomplete or endless if files change meanwhile.
    fn remove_files(&self, unwanted: impl Fn(&String) -> bool) -> Result<(), ClusterError> {
        const DOING: &str = "to remove a file";
        let (stream, descriptions) = (format!("OBJ_{FILES}"), format!("$O.{FILES}.M.>"));
        self.wait(async {
            let files = answered("to find the files", self.jetstream.get_object_store(FILES)).await?;
            let found = messages_by_subject(&self.jetstream, &stream, &descriptions).await?;
            let stream = answered("to find the files", self.jetstream.get_stream(stream)).await?;
            for (subject, _) in found {
                // Another process may have removed it.
                let Ok(description) = answered(DOING, stream.get_last_raw_message_by_subject(&subject)).await else {
                    continue;
                };
                let Ok(info) = serde_json::from_slice::<object_store::ObjectInfo>(&description.payload) else {
                    continue;
                };
                if !unwanted(&info.name) {
                    continue;
                }
                if !info.deleted {
                    answered(DOING, files.delete(&info.name)).await?;
                }
                answered(DOING, async { stream.purge().filter(subject).await }).await?;
            }
            Ok(())
        })
    }
}
