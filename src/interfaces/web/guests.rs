//! Places for connections, shared out among the addresses that they come from.
//!
//! When all places are taken, a newcomer gets one of the address that has the most, so that no address can shut out the
//! others; beside others of as many places, that of the connection that has been idle the longest.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};

/// The connections of one kind.
#[derive(Debug)]
pub(super) struct Guests {
    most: usize,
    /// A connection that has been idle for this long may have to leave even if its address has few places.
    patience: Duration,
    present: Mutex<Present>,
    count: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Present {
    last_number: u64,
    guests: Vec<Guest>,
}

#[derive(Debug)]
struct Guest {
    number: u64,
    address: IpAddr,
    heard: Instant,
    leave: Arc<Notify>,
}

/// The place of a connection, free again when dropped.
#[derive(Debug)]
pub(super) struct Place {
    guests: Arc<Guests>,
    number: u64,
    leave: Arc<Notify>,
}

impl Guests {
    /// Creates `most` places.
    pub fn new(most: usize, patience: Duration) -> Arc<Self> {
        Arc::new(Self { most, patience, present: Mutex::default(), count: watch::Sender::new(0) })
    }

    /// Returns a place for a connection from this address, perhaps another's; none if nobody has to leave.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let address = household(address);
        let mut present = self.present();
        if present.guests.len() >= self.most {
            let leaving = present.who_leaves(address, self.patience)?;
            present.guests.swap_remove(leaving).leave.notify_one();
        }
        present.last_number += 1;
        let (number, leave) = (present.last_number, Arc::new(Notify::new()));
        present.guests.push(Guest { number, address, heard: Instant::now(), leave: Arc::clone(&leave) });
        self.count.send_replace(present.guests.len());
        Some(Place { guests: Arc::clone(self), number, leave })
    }

    /// Returns the number of places taken, and signals when it changes.
    pub fn count(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    /// Returns when all places are free.
    pub async fn ended(&self) {
        // It fails if the sender is gone, which it is not.
        let _ = self.count().wait_for(|&count| count == 0).await;
    }

    /// Nothing under the lock can panic half way.
    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Present {
    /// The guest whose place a newcomer from this address gets.
    fn who_leaves(&self, newcomer: IpAddr, patience: Duration) -> Option<usize> {
        let mut places: HashMap<IpAddr, usize> = HashMap::new();
        self.guests.iter().for_each(|guest| *places.entry(guest.address).or_default() += 1);
        let of = |address| places.get(&address).copied().unwrap_or_default();
        let most = places.values().copied().max()?;
        let longest_idle = |may_leave: &dyn Fn(&Guest) -> bool| {
            let candidates = self.guests.iter().enumerate().filter(|(_, guest)| may_leave(guest));
            candidates.min_by_key(|(_, guest)| guest.heard).map(|(index, _)| index)
        };
        if most > of(newcomer) + 1 {
            return longest_idle(&|guest| of(guest.address) == most);
        }
        // A newcomer whose own address has as many as any takes a place of such an address.
        let idle = |guest: &Guest| guest.heard.elapsed() >= patience;
        longest_idle(&|guest| idle(guest) && of(guest.address) >= of(newcomer)).or_else(|| longest_idle(&idle))
    }
}

impl Place {
    /// Notes that the connection is in use.
    pub fn heard(&self) {
        let mut present = self.guests.present();
        if let Some(guest) = present.guests.iter_mut().find(|guest| guest.number == self.number) {
            guest.heard = Instant::now();
        }
    }

    /// Returns when the place is another's, and the connection has to end.
    pub async fn taken(&self) {
        self.leave.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut present = self.guests.present();
        present.guests.retain(|guest| guest.number != self.number);
        self.guests.count.send_replace(present.guests.len());
    }
}

/// Joins addresses that one machine can have any number of: those of an IPv6 network.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_taken(place: &Place) -> bool {
        !place.guests.present().guests.iter().any(|guest| guest.number == place.number)
    }

    #[test]
    fn an_address_with_many_places_gives_its_oldest_to_others() {
        let guests = Guests::new(4, Duration::from_secs(3600));
        let many: Vec<Place> = (0..4).map(|_| guests.enter(address("10.0.0.1")).unwrap()).collect();
        many[0].heard();
        assert!(guests.enter(address("10.0.0.1")).is_none(), "an address takes none of its own");
        let first = guests.enter(address("10.0.0.2")).unwrap();
        let second = guests.enter(address("10.0.0.2")).unwrap();
        assert_eq!(many.iter().map(is_taken).collect::<Vec<_>>(), [false, true, true, false]);
        assert!(guests.enter(address("10.0.0.2")).is_none(), "as many as the other has");
        assert!(guests.enter(address("10.0.0.3")).is_some(), "one that has none gets one");
        assert!(*guests.count().borrow() == 3 && !is_taken(&second), "{first:?}");
    }

    #[test]
    fn the_longest_idle_goes_first() {
        let guests = Guests::new(2, Duration::ZERO);
        let places = [guests.enter(address("::1")).unwrap(), guests.enter(address("::1")).unwrap()];
        places[0].heard();
        let third = guests.enter(address("::1")).unwrap();
        assert_eq!([is_taken(&places[0]), is_taken(&places[1]), is_taken(&third)], [false, true, false]);
    }

    #[test]
    fn a_flood_of_one_address_takes_its_own_places() {
        let guests = Guests::new(4, Duration::ZERO);
        let visitor = guests.enter(address("10.0.0.2")).unwrap();
        let flood: Vec<Place> = (0..12).filter_map(|_| guests.enter(address("10.0.0.1"))).collect();
        assert!(flood.len() == 12 && !is_taken(&visitor));
    }

    #[test]
    fn addresses_of_a_network_are_one() {
        assert_eq!(household(address("2001:db8:1:2:3::4")), household(address("2001:db8:1:2::9")));
        assert_ne!(household(address("2001:db8:1:2::1")), household(address("2001:db8:1:3::1")));
        assert_eq!(household(address("::ffff:10.0.0.1")), address("10.0.0.1"));
        assert_ne!(household(address("10.0.0.1")), household(address("10.0.0.2")));
    }
}
