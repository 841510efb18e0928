//! A game on the screen: the person's commands and the engine's work in turns.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use hexzero_engine::{Engine, end_of_path};
use hexzero_games::{Action, Pick};
use hexzero_search::Level;
use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

use super::super::saving::{save, suggested_name};
use super::super::table::{Options, Table, Undone};
use super::board::Layout;
use super::input::Command;
use super::panel;
use super::view::{Thoughts, View};
use super::work::Work;

/// Time between two redraws while no key is pressed.
const TICK: Duration = Duration::from_millis(80);

/// A table and its view.
pub(super) struct Play {
    table: Table,
    view: View,
    /// Whether a hint has been asked for.
    hint: bool,
    /// The last command, if it has to be repeated to confirm it.
    asked: Option<Command>,
}

impl Play {
    pub fn new(engine: Engine, options: Options) -> Self {
        let table = Table::new(engine, options);
        let mut view = View::of(&table);
        let usual = || "arrow keys or a cell name move the cursor, Enter plays, ? shows help".to_owned();
        view.message = table.options.warning.clone().unwrap_or_else(usual);
        Self { table, view, hint: false, asked: None }
    }

    /// Plays until the person leaves or `stop` is requested. `events` waits for an event, for at most the given time.
    pub fn run<B: Backend<Error: Send + Sync + 'static>>(
        mut self,
        terminal: &mut Terminal<B>,
        mut events: impl FnMut(Duration) -> io::Result<Option<Event>>,
        stop: &StopSignal,
    ) -> io::Result<()> {
        let stop_work = self.table.engine.stop_signal();
        loop {
            let work = Work::due(&self.table, self.hint, self.view.analysis);
            let (tell, thoughts) = channel();
            let Self { table, view, .. } = &mut self;
            let (command, found) = thread::scope(|scope| {
                let worker = threads::spawn_scoped(scope, || work.run(table, &stop_work, &tell))?;
                let command = show(view, work, &thoughts, stop, terminal, &mut events, || worker.is_finished());
                // Also after an error: the scope waits for the engine.
                stop_work.request();
                let found = worker.join();
                stop_work.withdraw();
                command.map(|command| (command, found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))))
            })?;
            match (work, command) {
                (_, Some(Command::Quit)) => return Ok(()),
                (_, Some(Command::Leave)) if self.asked == Some(Command::Leave) || !self.table.is_at_stake() => {
                    return Ok(());
                }
                (Work::Move, None | Some(Command::Hurry)) => self.play(found)?,
                (Work::Hint, None | Some(Command::Hurry)) => self.give_hint(found),
                (work, Some(command)) => {
                    if work == Work::Move {
                        self.table.give_time_back();
                    }
                    self.execute(command)?;
                }
                (Work::Ponder | Work::Rest, None) => {}
            }
        }
    }

    fn give_hint(&mut self, found: Option<Action>) {
        self.hint = false;
        let position = self.table.engine.position();
        let Some(action) = found else { return };
        self.view.message = format!("hint: {}", position.action_name(action));
        let first = position.picks(action).into_iter().take(1).collect::<Vec<_>>();
        if let Some(place) = end_of_path(position.board(), &first) {
            self.view.input.cursor = place;
        }
    }

    /// Picks the place under the cursor; if the move so far ends there, takes the last pick back.
    fn pick_place(&mut self) -> io::Result<()> {
        let (table, view) = (&self.table, &mut self.view);
        if let Some(pick) = view.pick_at_cursor() {
            return self.pick(pick);
        }
        let (cursor, picks) = (view.input.cursor, view.picking.picks());
        let name = view.board.label(cursor);
        if end_of_path(view.board, picks) == Some(cursor) {
            view.unpick();
        } else if picks.is_empty() {
            view.message = if view.is_over { "the game is over".to_owned() } else { why_not(table, name) };
        } else {
            view.message = format!("{name} is not possible here; Esc cancels");
        }
        Ok(())
    }

    /// Adds a pick to the person's move, and plays it if it is complete.
    fn pick(&mut self, pick: Pick) -> io::Result<()> {
        let action = self.view.picking.add(pick);
        if action.is_some() {
            return self.play(action);
        }
        let view = &mut self.view;
        view.picks_changed();
        let places = view.picking.candidates().iter().any(|pick| matches!(pick, Pick::Place(_)))
            || view.offers.iter().any(|offer| offer.place.is_some());
        let next = match (places, !view.offers.is_empty()) {
            (true, false) => "a marked place",
            (true, true) => "a marked place or a number",
            (false, _) => "a number",
        };
        view.message = format!("now pick {next}; Esc cancels");
        Ok(())
    }

    /// Picks what a number key stands for, or plays the picks so far.
    fn pick_option(&mut self, number: usize) -> io::Result<()> {
        let Some(offer) = self.view.offers.get(number) else { return Ok(()) };
        match offer.pick {
            Some(pick) => self.pick(pick),
            None => self.play(self.view.picking.action()),
        }
    }

    /// Picks the button that is offered, or says why there is none.
    fn pick_offered(&mut self) -> io::Result<()> {
        let view = &mut self.view;
        let button = view.offers.iter().filter_map(|offer| offer.pick).find(|p| matches!(p, Pick::Button(_)));
        if let Some(button) = button {
            return self.pick(button);
        }
        view.message = match view.game.info().actions.first() {
            // A move that is not offered is tried anyway: the game says why it is not possible.
            Some(action) => why_not(&self.table, action.word),
            None => "every move of this game is on the board".to_owned(),
        };
        Ok(())
    }

    /// Saves the game under the name that was entered. An existing file is replaced only if that is confirmed.
    fn save(&mut self, is_confirmed: bool) {
        let view = &mut self.view;
        let Some(name) = view.naming.clone() else { return };
        if !is_confirmed && Path::new(&name).exists() {
            self.asked = Some(Command::Save);
            view.message = "exists; Enter replaces it, Esc does not".to_owned();
            return;
        }
        view.naming = None;
        view.message = save(&mut self.table, &name).err().unwrap_or_else(|| format!("saved in {name}"));
    }

    fn play(&mut self, action: Option<Action>) -> io::Result<()> {
        if let Some(action) = action {
            self.table.engine.play(action).map_err(io::Error::other)?;
        }
        self.view.refresh(&self.table);
        Ok(())
    }

    /// Executes a command.
    fn execute(&mut self, command: Command) -> io::Result<()> {
        let (table, view) = (&mut self.table, &mut self.view);
        view.message.clear();
        let asked = self.asked.take();
        self.hint = false;
        match command {
            Command::Place => return self.pick_place(),
            Command::Nowhere => view.message = "no place of this board has that name".to_owned(),
            Command::Option(number) => return self.pick_option(number),
            Command::Offered => return self.pick_offered(),
            Command::Back => {
                view.unpick();
                return Ok(());
            }
            Command::Undo => match table.undo() {
                Undone::Nothing => view.message = "you have made no move that could be taken back".to_owned(),
                Undone::Resignation => view.message = "you go on after all".to_owned(),
                Undone::Moves(_) => {}
            },
            Command::Hint | Command::Resign if table.is_over() => view.message = "the game is over".to_owned(),
            Command::Hint => {
                self.hint = true;
                view.message = "looking for a hint …".to_owned();
                return Ok(());
            }
            Command::Analysis => view.analysis = !view.analysis,
            Command::Resign if asked != Some(command) => {
                self.asked = Some(command);
                view.message = "press r again to resign".to_owned();
            }
            Command::Resign => table.resigned = true,
            Command::New if asked != Some(command) && table.is_at_stake() => {
                self.asked = Some(command);
                view.message = "press n again to begin a new game; w saves this one".to_owned();
            }
            Command::Leave => {
                self.asked = Some(command);
                view.message = "the game is not over: press q again to leave; w saves it".to_owned();
            }
            Command::Name => {
                view.naming = Some(suggested_name(table));
                return Ok(());
            }
            Command::Save => {
                self.save(asked == Some(command));
                return Ok(());
            }
            Command::New => table.restart().map_err(io::Error::other)?,
            Command::Stronger | Command::Weaker => {
                let level = &mut table.options.strength.level;
                *level = next_level(*level, command == Command::Stronger);
                view.message = format!("the engine plays on level {}", level.name());
            }
            Command::Help => view.help = !view.help,
            Command::Hurry | Command::Quit | Command::Nothing => {}
        }
        view.refresh(table);
        Ok(())
    }
}

/// Changes the name that the person enters.
fn enter_name(view: &mut View, key: KeyEvent) -> Command {
    let Some(name) = &mut view.naming else { return Command::Nothing };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => return Command::Quit,
        KeyCode::Enter => return Command::Save,
        KeyCode::Char(c) if !control => name.push(c),
        KeyCode::Backspace => drop(name.pop()),
        KeyCode::Esc => view.naming = None,
        _ => return Command::Nothing,
    }
    view.message.clear();
    Command::Nothing
}

/// Returns the level above or below another; the last one has none beyond it.
fn next_level(level: Level, stronger: bool) -> Level {
    let at = Level::ALL.iter().position(|&other| other == level).unwrap_or_default();
    let to = if stronger { at + 1 } else { at.wrapping_sub(1) };
    *Level::ALL.get(to).unwrap_or(&level)
}

/// Explains why a move is not possible.
fn why_not(table: &Table, text: &str) -> String {
    let position = table.engine.position();
    let refused = position.parse_action(text).ok().and_then(|action| position.check(action).err());
    refused.map_or_else(|| format!("{text} is not possible now"), |error| error.to_string())
}

/// Shows the view until the work is done, or until a command that needs the table, which is returned.
fn show<B: Backend<Error: Send + Sync + 'static>>(
    view: &mut View,
    work: Work,
    thoughts: &Receiver<Thoughts>,
    stop: &StopSignal,
    terminal: &mut Terminal<B>,
    events: &mut impl FnMut(Duration) -> io::Result<Option<Event>>,
    is_done: impl Fn() -> bool,
) -> io::Result<Option<Command>> {
    loop {
        // Checked first, so that findings made before the end are not missed.
        let done = is_done() && matches!(work, Work::Move | Work::Hint);
        if let Some(thoughts) = thoughts.try_iter().last() {
            view.thoughts = Some(thoughts);
        }
        terminal.draw(|frame| panel::draw(view, frame)).map_err(io::Error::other)?;
        if stop.is_requested() {
            return Ok(Some(Command::Quit));
        }
        if done {
            return Ok(None);
        }
        let next = view.input.next_command(Instant::now());
        let event = if next.is_some() { None } else { events(TICK)? };
        let now = Instant::now();
        let area = terminal.size().map_err(io::Error::other)?;
        let command = match event {
            _ if next.is_some() => next.unwrap_or(Command::Nothing),
            Some(Event::Key(key)) if view.naming.is_some() && key.kind != KeyEventKind::Release => {
                enter_name(view, key)
            }
            Some(_) if view.naming.is_some() => Command::Nothing,
            // Any key closes the help.
            Some(Event::Key(_)) if view.help => Command::Help,
            Some(event) => {
                let (layout, board) = (Layout::of(view, area.into()), view.board);
                let place_at = |at| layout.place_at(at).filter(|&place| board.places()[place].playable);
                view.input.command(&event, now, place_at)
            }
            None => view.input.overdue(now).unwrap_or(Command::Nothing),
        };
        match command {
            Command::Nothing => {}
            Command::Back if view.picking.picks().is_empty() => return Ok(Some(Command::Leave)),
            Command::Help => view.help = !view.help,
            // Nothing else can be done before the engine has moved.
            Command::Undo | Command::New | Command::Leave | Command::Quit | Command::Hurry => {
                return Ok(Some(command));
            }
            Command::Analysis if work == Work::Move => view.analysis = !view.analysis,
            _ if work == Work::Move => {
                view.message = "the engine is thinking; space makes it move now".to_owned();
            }
            _ => return Ok(Some(command)),
        }
    }
}
