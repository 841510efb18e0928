//! `hexzero study openings`.

use std::io::{ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::options::{GameArg, board_size, thread_count, threads_or_cores, visit_count};
use crate::cli::support::openings_picture::{by_place, percent, picture};
use crate::cli::support::{bar_of, check_creatable, interrupted, svg_file, write_file};
use crate::counted;
use crate::error::CliError;
use hexzero_board::TextScale;
use hexzero_engine::openings::{DEFAULT_VISITS, FirstMove, OpeningMap, OpeningMaps, OpeningSearch};
use hexzero_games::Position;
use hexzero_nn::Backend;
use hexzero_system::files::read_text_at_most;
use hexzero_train::model_files::{digest_of, load_evaluator};

/// Characters of a place in the text picture: three digits, or two and a mark.
const GLYPH: usize = 3;

/// The maximum size of a file: many times what ships.
const MAX_FILE_BYTES: u64 = 1 << 26;

const EXAMPLES: &str = "\
Examples:
  hexzero study openings --game hex --size 11
  hexzero study openings runs/mine --visits 5000 --svg openings.svg
  hexzero study openings --game hex --size 7 --reply-visits 200 --json > map.json
  hexzero study openings --game hex --size 7 --into models/hex.openings.json

Where the second player may swap, the position after each first move is searched twice: as if the
swap were forbidden, and after the swap. The second player is taken to swap where that is better for
it. Of first moves that a symmetry of the board makes equal only one is searched. Numbers are the
first player's expected score in percent.";

/// Evaluate every first move, kept and swapped, and find the best reply.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct OpeningsArgs {
    /// The checkpoint, or the folder of a run, to analyse with (default: the model that ships with the program)
    #[arg(value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Search V visits after each first move; fewer if the tree reaches 512 MiB
    #[arg(long, value_name = "V", default_value_t = DEFAULT_VISITS, value_parser = visit_count())]
    visits: u32,
    /// Also search every reply to every first move, with V visits each
    #[arg(long, value_name = "V", value_parser = visit_count())]
    reply_visits: Option<u32>,
    /// Search T positions at the same time (default: one per core)
    #[arg(long, value_name = "T", value_parser = thread_count())]
    threads: Option<u32>,
    /// Print a JSON object on one line; docs/formats.md describes it
    #[arg(long)]
    json: bool,
    /// Draw the board with coloured cells to FILE, an SVG
    #[arg(long, value_name = "FILE", value_parser = svg_file)]
    svg: Option<PathBuf>,
    /// Add the map to FILE, replacing one of the same game and size; creates FILE if it does not exist
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

impl OpeningsArgs {
    /// Searches the first moves and prints the map.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        let size = self.size.unwrap_or(game.boards.default);
        let start = game.start(size)?;
        check_creatable(self.svg.as_deref())?;
        // Checked before the search, which may take an hour.
        check_creatable(self.into.as_deref())?;
        self.into.as_deref().map(maps_in).transpose()?;
        let model = load_evaluator(game, self.model.as_deref(), &Backend::default())?;
        let digest = digest_of(game, self.model.as_deref())?;
        let threads = threads_or_cores(self.threads);
        let bar = bar_of(0, "positions");
        let search = OpeningSearch { game, size, visits: self.visits, reply_visits: self.reply_visits };
        let map = OpeningMap::search(search, &model, digest, threads, interrupted(), |done, count| {
            bar.set_length(count as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let unfinished = || CliError::Request("interrupted before every first move was searched".to_owned());
        let map = map?.ok_or_else(unfinished)?;
        let all = map.unfolded(game)?;
        let found = match self.json {
            true => serde_json::to_string(&map)? + "\n",
            false => text(&start, &map, &all),
        };
        // Printed first, so that a file that cannot be written does not cost the output. A broken pipe must not cost a
        // file either, so its error comes last.
        let mut output = stdout().lock();
        let printed = output.write_all(found.as_bytes()).and_then(|()| output.flush());
        if let Some(path) = &self.into {
            // Read again: another process may have added to it meanwhile.
            let mut maps = maps_in(path)?;
            maps.put(map);
            write_file(path, maps.to_text())?;
        }
        if let Some(path) = &self.svg {
            write_file(path, picture(&start, &all))?;
        }
        Ok(printed?)
    }
}

/// Reads the maps of a file; none if there is no file.
fn maps_in(path: &Path) -> Result<OpeningMaps, CliError> {
    match read_text_at_most(path, MAX_FILE_BYTES) {
        Ok(text) => OpeningMaps::parse(&text)
            .map_err(|error| CliError::Request(format!("cannot add to {}: {error}", path.display()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(OpeningMaps::default()),
        Err(error) => Err(CliError::cannot_read(path, error)),
    }
}

fn text(start: &Position, map: &OpeningMap, all: &[FirstMove]) -> String {
    let game = start.game();
    let [first, second] = game.seats.each_ref().map(|seat| seat.name);
    let mut text = format!(
        "{} on {}, {}, {} visits each: expected score of {first} in percent\n",
        map.game,
        game.a_board(map.size),
        counted(all.len(), "first move", "first moves"),
        map.visits,
    );
    let swaps = all.iter().any(|opening| opening.swapped.is_some());
    text += &drawing(start, all, |opening| format!("{:>2}{}", percent(opening.expected()), mark(opening)));
    if swaps {
        text += &format!("*: {second} swaps. Without the swap:\n");
        text += &drawing(start, all, |opening| format!("{:>2}", percent(opening.kept)));
    }
    let mut best: Vec<&FirstMove> = map.openings.iter().collect();
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

/// Marks a swapped move, if there is room.
fn mark(opening: &FirstMove) -> &'static str {
    if opening.is_swapped() && percent(opening.expected()) < 100 { "*" } else { "" }
}

fn drawing(start: &Position, all: &[FirstMove], number: impl Fn(&FirstMove) -> String) -> String {
    let shown = by_place(start, all);
    let layout = start.board().text_with(TextScale { width: GLYPH, lines: 1 });
    layout.draw_wide(|place| shown.get(&place).map_or_else(|| " .".to_owned(), |opening| number(opening)), None)
}
