//! The boards that people share on this server, by the tokens that open them.
//!
//! A board has three tokens: one for each seat, and one for those who only watch. Whoever has a
//! token may do what it is for; there are no accounts. The boards are kept in memory and end with
//! the server.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;

use hexzero_games::Seat;
use hexzero_protocol::request::PositionRequest;
use hexzero_protocol::shared_board::{BoardAction, SharedBoard, SharedView, Tokens};

use super::connection_limiter::subnet;

/// A board on which nothing happens for this long is dropped.
const MAX_IDLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Random bytes of a token: 128 bits cannot be guessed.
const TOKEN_BYTES: usize = 16;

/// The message that followers get when a board is dropped.
pub(super) const CLOSED: &str =
    "this board was closed: others needed its place, or nothing had happened on it for long";

const UNKNOWN: &str = "there is no board with this link; it was closed, or the server was started anew";

/// Follows what happens on a board.
#[derive(Debug)]
pub(super) struct Follower {
    /// The seat that the token is for; none to watch.
    pub seat: Option<Seat>,
    /// The board as it is.
    pub views: watch::Receiver<SharedView>,
}

/// All boards.
#[derive(Debug)]
pub(super) struct SharedBoards {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    last_number: u64,
    boards: HashMap<u64, KeptBoard>,
    /// The board and the seat of each token.
    tokens: HashMap<String, (u64, Option<Seat>)>,
}

#[derive(Debug)]
struct KeptBoard {
    board: SharedBoard,
    /// The subnet of the client who created the board.
    subnet: IpAddr,
    last_used: Instant,
    views: watch::Sender<SharedView>,
}

impl SharedBoards {
    /// Creates room for `most` boards.
    pub fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    /// Returns whether boards can be shared here.
    pub fn are_offered(&self) -> bool {
        self.most > 0
    }

    /// Shares a board; `address` is that of the client who asks. At the limit, evicts the longest idle board of the
    /// subnet that has created the most. Fails if the position cannot be set up, boards are not shared here, or the
    /// system gives no random numbers.
    pub fn share(&self, position: &PositionRequest, address: IpAddr) -> Result<Tokens, String> {
        if !self.are_offered() {
            return Err("this server shares no boards; 'hexzero serve --shared N' lets it".to_owned());
        }
        let board = SharedBoard::new(position)?;
        let tokens = Tokens { first: token()?, second: token()?, watch: token()? };
        let views = watch::Sender::new(board.view().clone());
        let mut kept = self.kept.lock();
        kept.drop_idle();
        while kept.boards.len() >= self.most {
            kept.drop_one();
        }
        kept.last_number += 1;
        let number = kept.last_number;
        let seats = [(&tokens.first, Some(Seat::First)), (&tokens.second, Some(Seat::Second)), (&tokens.watch, None)];
        kept.tokens.extend(seats.map(|(token, seat)| (token.clone(), (number, seat))));
        let subnet = subnet(address);
        kept.boards.insert(number, KeptBoard { board, subnet, last_used: Instant::now(), views });
        Ok(tokens)
    }

    /// Opens the board of a token. Fails if there is none.
    pub fn follow(&self, token: &str) -> Result<Follower, String> {
        self.with(token, |kept, seat| Ok(Follower { seat, views: kept.views.subscribe() }))
    }

    /// Plays a move for the seat of a token. Fails if the token is for no seat, or the move cannot be played.
    pub fn play(&self, token: &str, ply: usize, text: &str) -> Result<(), String> {
        self.change(token, |board, seat| board.play(seat, ply, text))
    }

    /// Does something other than a move for a token's seat. Fails if the token is for no seat, or it cannot be done.
    pub fn act(&self, token: &str, action: BoardAction) -> Result<(), String> {
        self.change(token, |board, seat| board.act(seat, action))
    }

    fn change(
        &self,
        token: &str,
        change: impl FnOnce(&mut SharedBoard, Seat) -> Result<(), String>,
    ) -> Result<(), String> {
        self.with(token, |kept, seat| {
            let seat = seat.ok_or("this link is for watching; only the players move")?;
            change(&mut kept.board, seat)?;
            kept.views.send_replace(kept.board.view().clone());
            Ok(())
        })
    }

    fn with<R>(
        &self,
        token: &str,
        act: impl FnOnce(&mut KeptBoard, Option<Seat>) -> Result<R, String>,
    ) -> Result<R, String> {
        let mut kept = self.kept.lock();
        let (number, seat) = *kept.tokens.get(token).ok_or(UNKNOWN)?;
        let found = kept.boards.get_mut(&number).ok_or(UNKNOWN)?;
        found.last_used = Instant::now();
        act(found, seat)
    }
}

impl Kept {
    /// Drops the boards on which nothing has happened for very long.
    fn drop_idle(&mut self) {
        self.boards.retain(|_, board| board.last_used.elapsed() < MAX_IDLE);
        self.forget_tokens();
    }

    /// Evicts the longest idle board of the subnet that has created the most, so that nobody can
    /// close the boards of others by creating many.
    fn drop_one(&mut self) {
        let mut made: HashMap<IpAddr, usize> = HashMap::new();
        self.boards.values().for_each(|board| *made.entry(board.subnet).or_default() += 1);
        let most = made.values().copied().max();
        let candidates = self.boards.iter().filter(|(_, board)| made.get(&board.subnet).copied() == most);
        let oldest = candidates.min_by_key(|(_, board)| board.last_used).map(|(&number, _)| number);
        if let Some(number) = oldest {
            self.boards.remove(&number);
        }
        self.forget_tokens();
    }

    fn forget_tokens(&mut self) {
        let boards = &self.boards;
        self.tokens.retain(|_, (number, _)| boards.contains_key(number));
    }
}

/// Returns a token that nobody can guess.
fn token() -> Result<String, String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
