//! `hexzero openings`.

use std::fs;
use std::io::{ErrorKind, Write, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;
use indicatif::ProgressBar;

use crate::board::TextScale;
use crate::engine::model::{digest_of, load_evaluator};
use crate::engine::openings::{DEFAULT_VISITS, Opening, OpeningMap, OpeningMaps, OpeningMapsError, OpeningSearch};
use crate::files::write_whole;
use crate::games::Position;
use crate::interfaces::counted::counted;
use crate::interfaces::error::CliError;
use crate::search::{Limits, MOST_THREADS};

use super::game::{GameArg, board_size};
use super::interrupt::interrupted;
use super::matches::style;
use super::openings_picture::{by_place, percent, picture};
use super::picture::svg_file;
use super::place::check_place;

/// Characters of a place in the text picture: three digits, or two and a mark.
const GLYPH: usize = 3;

const EXAMPLES: &str = "\
Examples:
  hexzero openings --game hex --size 11
  hexzero openings runs/mine --visits 5000 --svg openings.svg
  hexzero openings --game hex --size 7 --reply-visits 200 --json > map.json
  hexzero openings --game hex --size 7 --into models/hex.openings.json

The position after each first move is searched twice where the second player may swap: as if it
might not, and after the swap. The second player swaps where that is better for it. Of first moves
that are the same by a symmetry of the board one is searched. Numbers are what the first player can
expect, in percent of the points.";

/// Print how good each first move is, kept or swapped, and the best reply.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct OpeningsArgs {
    /// The checkpoint, or the folder of a run, to judge with (default: the model that ships with the program)
    #[arg(value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Search V visits after each first move, fewer where their tree would take more than 512 MiB
    #[arg(long, value_name = "V", default_value_t = DEFAULT_VISITS, value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    visits: u32,
    /// Search every reply to every first move too, with this many visits each
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    reply_visits: Option<u32>,
    /// Look at this many positions at a time (default: one a core)
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    threads: Option<u32>,
    /// Print one JSON object on a line; docs/formats.md describes it
    #[arg(long)]
    json: bool,
    /// Write a picture of the board with coloured cells
    #[arg(long, value_name = "FILE", value_parser = svg_file)]
    svg: Option<PathBuf>,
    /// Put the map into FILE, in place of one of the same game and size; creates FILE if it does not exist
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

/// It was stopped before the end.
#[derive(Debug, thiserror::Error)]
#[error("interrupted before every first move was searched")]
struct Interrupted;

/// A file that maps cannot be put into.
#[derive(Debug, thiserror::Error)]
#[error("cannot add to {}: {source}", path.display())]
struct NoMaps {
    path: PathBuf,
    source: OpeningMapsError,
}

impl OpeningsArgs {
    /// Searches the first moves and prints what was found.
    pub(super) fn run(self) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        let size = self.size.unwrap_or(game.boards.default);
        let start = game.start(size)?;
        self.svg.as_deref().map_or(Ok(()), check_place)?;
        // A file that cannot be added to is no reason to search for an hour first.
        self.into.as_deref().map_or(Ok(()), check_place)?;
        self.into.as_deref().map(maps_in).transpose()?;
        let model = load_evaluator(game, self.model.as_deref())?;
        let digest = digest_of(game, self.model.as_deref())?;
        let asked = self.threads.and_then(|threads| NonZeroUsize::new(threads as usize));
        let threads = asked.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        let bar = ProgressBar::new(0).with_style(style("{wide_bar} {pos}/{len} positions, {eta} left"));
        let search = OpeningSearch { visits: self.visits, reply_visits: self.reply_visits };
        let map = OpeningMap::search((game, size), (&model, digest), search, threads, interrupted(), |done, count| {
            bar.set_length(count as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let map = map?.ok_or_else(|| CliError::failed(Interrupted))?;
        let all = map.unfolded(game)?;
        let found = match self.json {
            true => serde_json::to_string(&map).map_err(std::io::Error::from)? + "\n",
            false => text(&start, &map, &all),
        };
        // First, so that a file that cannot be written costs nothing else; a reader that is gone costs no file.
        let mut output = stdout().lock();
        let printed = output.write_all(found.as_bytes()).and_then(|()| output.flush());
        if let Some(path) = &self.into {
            // Read again: others may have added to it meanwhile.
            let mut maps = maps_in(path)?;
            maps.put(map);
            write(path, &maps.to_text())?;
        }
        if let Some(path) = &self.svg {
            write(path, &picture(&start, &all))?;
        }
        Ok(printed?)
    }
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    write_whole(path, text.as_bytes()).map_err(|source| CliError::Write { path: path.to_owned(), source })
}

/// The maps that are in a file already.
fn maps_in(path: &Path) -> Result<OpeningMaps, CliError> {
    match fs::read_to_string(path) {
        Ok(text) => {
            OpeningMaps::parse(&text).map_err(|source| CliError::failed(NoMaps { path: path.to_owned(), source }))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(OpeningMaps::default()),
        Err(source) => Err(CliError::Read { path: path.to_owned(), source }),
    }
}

fn text(start: &Position, map: &OpeningMap, all: &[Opening]) -> String {
    let game = start.game();
    let [first, second] = game.seats.each_ref().map(|seat| seat.name);
    let mut text = format!(
        "{} on a {} board, {}, {} visits each: what {first} can expect, in percent\n",
        map.game,
        game.board_name(map.size),
        counted(all.len(), "first move", "first moves"),
        map.visits,
    );
    let swaps = all.iter().any(|opening| opening.swapped.is_some());
    text += &drawing(start, all, |opening| format!("{:>2}{}", percent(opening.expected()), mark(opening)));
    if swaps {
        text += &format!("*: {second} swaps. If it may not:\n");
        text += &drawing(start, all, |opening| format!("{:>2}", percent(opening.kept)));
    }
    let mut best: Vec<&Opening> = map.openings.iter().collect();
    best.sort_by(|a, b| b.expected().total_cmp(&a.expected()));
    text += &format!("{:<10}{:>6}", "move", "kept");
    text += &if swaps { format!("{:>9}  {:<6}reply\n", "swapped", "") } else { "  reply\n".to_owned() };
    for opening in best {
        text += &format!("{:<10}{:>6}", opening.name, percent(opening.kept));
        if swaps {
            let swapped = opening.swapped.map(|chance| percent(chance).to_string()).unwrap_or_default();
            text += &format!("{swapped:>9}  {:<6}", if opening.is_swapped() { "swap" } else { "" });
        } else {
            text += "  ";
        }
        text += opening.reply.as_deref().unwrap_or_default();
        if !opening.same.is_empty() {
            text += &format!("  (the same: {})", opening.same.join(" "));
        }
        text.push('\n');
    }
    text
}

/// Marks what is swapped, where there is room.
fn mark(opening: &Opening) -> &'static str {
    if opening.is_swapped() && percent(opening.expected()) < 100 { "*" } else { "" }
}

fn drawing(start: &Position, all: &[Opening], number: impl Fn(&Opening) -> String) -> String {
    let shown = by_place(start, all);
    let layout = start.board().text_with(TextScale { width: GLYPH, lines: 1 });
    layout.draw_wide(|place| shown.get(&place).map_or_else(|| " .".to_owned(), |opening| number(opening)), None)
}
