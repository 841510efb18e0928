//! Memory for files of games and for what is made of them. When it is used up, the largest file of
//! the subnet that uses the most is evicted, so that no client keeps others out.

use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::connection_limiter::{Holder, Holders, subnet};

/// A limit on the bytes that all files take together.
#[derive(Debug)]
pub(super) struct Room {
    max: usize,
    /// The files with their bytes.
    holders: Mutex<Holders<usize>>,
}

/// The bytes that a file takes, given back when dropped.
#[derive(Debug)]
pub(super) struct Share {
    room: Arc<Room>,
    number: u64,
    revoked: Arc<Notify>,
}

impl Room {
    /// Creates room for `max` bytes.
    pub fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, holders: Mutex::default() })
    }

    /// Adds a file of no bytes, from this address.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Share {
        let (number, revoked) = self.holders.lock().add(subnet(address), 0);
        Share { room: Arc::clone(self), number, revoked }
    }
}

/// Returns the index of the largest file of the subnet that takes the most.
fn largest(holders: &Holders<usize>) -> Option<usize> {
    let taken = holders.by_subnet(|&bytes| bytes);
    let weight = |holder: &Holder<usize>| (taken.get(&holder.subnet).copied(), holder.usage);
    holders.list().iter().enumerate().max_by_key(|(_, holder)| weight(holder)).map(|(index, _)| index)
}

impl Share {
    /// Takes `bytes` more, perhaps by evicting other files. Returns false if this file is evicted.
    pub fn grow(&self, bytes: usize) -> bool {
        let mut holders = self.room.holders.lock();
        let Some(own) = holders.usage(self.number) else { return false };
        *own += bytes;
        while holders.list().iter().map(|holder| holder.usage).sum::<usize>() > self.room.max {
            let Some(largest) = largest(&holders) else { return false };
            if holders.evict(largest) == self.number {
                return false;
            }
        }
        true
    }

    /// Returns what is notified when this file is evicted.
    pub fn revocation(&self) -> Arc<Notify> {
        Arc::clone(&self.revoked)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.room.holders.lock().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn is_revoked(share: &Share) -> bool {
        share.room.holders.lock().usage(share.number).is_none()
    }

    #[test]
    fn largest_subnet_gives_way() {
        let room = Room::new(100);
        let large: Vec<Share> = [40, 30, 20]
            .map(|bytes| (room.enter(address(1)), bytes))
            .into_iter()
            .map(|(share, bytes)| {
                assert!(share.grow(bytes));
                share
            })
            .collect();
        let other = room.enter(address(2));
        assert!(other.grow(24) && is_revoked(&large[0]) && !is_revoked(&large[1]));
        assert!(!large[0].grow(1), "it has given way");
        // Its own subnet has the most by far, and this is its largest file.
        assert!(!large[1].grow(60) && !is_revoked(&other) && !is_revoked(&large[2]));
        drop((large, other));
        assert!(room.enter(address(1)).grow(100) && room.holders.lock().list().is_empty());
    }

    #[test]
    fn small_file_displaces_a_large_one() {
        let room = Room::new(100);
        let shares: Vec<Share> = (0..4).map(|_| room.enter(address(1))).collect();
        assert!(shares.iter().all(|share| share.grow(25)));
        assert!(room.enter(address(1)).grow(24));
        assert_eq!(shares.iter().filter(|share| is_revoked(share)).count(), 1);
        assert!(!room.enter(address(1)).grow(101), "more than there is");
    }

    #[test]
    fn announced_files_take_no_room() {
        let room = Room::new(100);
        let silent: Vec<Share> = (0..1000).map(|_| room.enter(address(1))).collect();
        assert!(room.enter(address(1)).grow(100) && !silent.iter().any(is_revoked));
    }
}
