//! Rating a run's checkpoints while the run goes on.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use hexzero_arena::{GameStore, Standing, ThisMachine};
use hexzero_games::Game;
use hexzero_system::stop::StopSignal;
use hexzero_train::RunFolder;

use super::play::{Ladder, LadderError, LadderSettings};

/// News from the background rating.
#[derive(Debug)]
pub enum RatingNews<'a> {
    /// A checkpoint has played its games and has this rating so far.
    Rated {
        /// The checkpoint.
        standing: &'a Standing,
        /// The opponent rated 0.
        anchor: &'a str,
    },
    /// Rating has ended, for this reason.
    Ended(LadderError),
}

/// The rating plays for one part in this many of the time and rests otherwise: on two cores it
/// takes a fortieth of the run's time.
const DUTY_CYCLE: u32 = 20;

/// The threads that play; the run has all others.
const THREADS: usize = 1;

/// Games between two rests.
const GAMES: usize = 4;

/// A thread that plays games for each new checkpoint. It reads the checkpoints' files and shares nothing with the
/// run, so that it changes nothing of the run but its speed.
#[derive(Debug)]
pub struct Background {
    kept: Option<Sender<u64>>,
    stop: StopSignal,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Begins to wait for checkpoints, and plays `games` games for each. An error ends the rating but nothing else.
    pub fn start(
        game: Game,
        folder: RunFolder,
        settings: LadderSettings,
        games: usize,
        tell: impl Fn(RatingNews) + Send + 'static,
    ) -> Self {
        let (kept, checkpoints) = channel();
        let stop = StopSignal::new();
        let signal = stop.clone();
        let rate = move || {
            if let Err(error) = rate(game, &folder, settings, games, &checkpoints, &signal, &tell) {
                tell(RatingNews::Ended(error));
            }
        };
        // Without a thread there are no ratings; 'hexzero tournament ladder' computes them later.
        let thread = Builder::new().name("rating".to_owned()).spawn(rate).ok();
        Self { kept: Some(kept), stop, thread }
    }

    /// Adds a checkpoint that is kept, and all others up to its step.
    pub fn checkpoint_kept(&self, step: u64) {
        if let Some(kept) = &self.kept {
            // A thread that has given up does not listen.
            let _ = kept.send(step);
        }
    }
}

/// Ends the rating, abandoning a game in progress.
impl Drop for Background {
    fn drop(&mut self) {
        self.kept = None;
        self.stop.request();
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed.
            let _ = thread.join();
        }
    }
}

fn rate(
    game: Game,
    folder: &RunFolder,
    settings: LadderSettings,
    games: usize,
    checkpoints: &Receiver<u64>,
    stop: &StopSignal,
    tell: &impl Fn(RatingNews),
) -> Result<(), LadderError> {
    let mut ladder: Option<Ladder> = None;
    while let Ok(mut step) = checkpoints.recv() {
        let mut owed = games;
        // Also the checkpoints that arrived meanwhile.
        while let Ok(next) = checkpoints.try_recv() {
            (step, owed) = (next, owed + games);
        }
        let ladder = match &mut ladder {
            Some(ladder) => ladder,
            none => {
                let store = GameStore::open(&folder.ladder())?;
                none.insert(Ladder::new(game, folder, settings.clone(), store)?)
            }
        };
        ladder.admit(step)?;
        let goal = ladder.games() + owed;
        while ladder.games() < goal && !stop.is_requested() {
            let began = Instant::now();
            ladder.play(goal.min(ladder.games() + GAMES), &ThisMachine::new(THREADS), stop, |_| ())?;
            stop.sleep(began.elapsed() * (DUTY_CYCLE - 1));
        }
        let standings = ladder.standings();
        if let Some(standing) = standings.players.iter().find(|player| player.step == Some(step)) {
            tell(RatingNews::Rated { standing, anchor: standings.anchor_name() });
        }
    }
    Ok(())
}
