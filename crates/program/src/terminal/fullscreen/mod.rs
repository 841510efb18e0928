//! The board on the whole screen of a terminal, with the engine's thoughts beside it while it thinks.
//!
//! [`view`] is what there is to show and knows no terminal; [`board`] and [`panel`] draw it; [`input`] turns keys and
//! clicks into commands; [`work`] is what the engine does meanwhile on its own thread.

mod board;
mod input;
mod panel;
mod play;
mod view;
mod work;

use std::io::{self, stdout};
use std::mem::ManuallyDrop;
use std::time::Duration;

use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;

use hexzero_engine::Engine;
use hexzero_games::Position;
use hexzero_system::stop::StopSignal;

use self::play::Play;
use super::table::Options;

/// Restores the terminal when dropped, whatever happens.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        // The terminal may be gone, and then there is nobody to tell.
        let _ = execute!(stdout(), DisableMouseCapture, Show);
        let _ = ratatui::try_restore();
    }
}

/// Plays on the whole screen until the person leaves or `stop` is requested. Not every game can be shown; see
/// [`can_be_shown`].
///
/// # Errors
/// If the terminal fails.
pub fn play_on_screen(engine: Engine, options: Options, stop: &StopSignal) -> io::Result<()> {
    let _restored = Restored;
    // Never dropped: its destructor would report on standard error that it cannot show the cursor,
    // and fail at that too.
    let mut terminal = ManuallyDrop::new(ratatui::try_init()?);
    execute!(stdout(), EnableMouseCapture)?;
    let events = |patience: Duration| if event::poll(patience)? { event::read().map(Some) } else { Ok(None) };
    Play::new(engine, options).run(&mut terminal, events, stop)
}

/// Returns whether a game can be played on the whole screen: all of its choices and buttons must have a number key.
pub fn can_be_shown(position: &Position) -> bool {
    let game = position.game();
    game.choices.len() + game.actions.len() <= NUMBER_KEYS
}

/// The keys from 1 to 9.
const NUMBER_KEYS: usize = 9;

#[cfg(test)]
mod tests;
