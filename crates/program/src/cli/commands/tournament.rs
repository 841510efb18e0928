//! `hexzero tournament`.

use std::collections::BTreeSet;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::ladder::LadderArgs;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::cli::options::game::{GameArg, board_size, game_of_players, match_size};
use crate::cli::options::search::SearchArgs;
use crate::cli::options::venue::VenueArgs;
use crate::cli::support::interrupt::interrupted;
use crate::cli::support::matches::{fault_lines, style};
use crate::cli::support::output_files::{check_creatable, games_file, svg_file, warn_of_torn};
use crate::cli::support::standings::{cross_table, ranking};
use crate::error::CliError;
use hexzero_arena::players::{PlayerSource, PlayerSpec};
use hexzero_arena::{
    Conditions, Fixture, GameStore, Pairings, PlayerFailure, PlayerId, Results, Standings, play_missing,
};
use hexzero_experiments::report::chart::{Interval, IntervalChart};
use hexzero_games::Game;
use hexzero_nn::Backend;
use hexzero_system::files::write_whole;
use hexzero_system::notice;
use hexzero_system::{plain_line, text_output};
use hexzero_train::model_files::player_source;

const EXAMPLES: &str = "\
Players are named as in 'hexzero arena' (see 'hexzero arena --help').

The ratings are the maximum likelihood fit of the Bradley-Terry model to all games; each player is
given one virtual draw, so that a player who won every game gets a finite rating. The intervals are
those of the difference to the anchor; they account for pairs of games that share an opening and for
repeated games. Ratings over several boards weigh each game equally.

--save keeps the games. The same command with the same file plays only the missing ones: after
Ctrl-C or a crash, or with more games, boards or players.

Examples:
  hexzero tournament shipped alphabeta:3 mcts:1000 --size 5,7 --games 40
  hexzero tournament shipped@visits=50 shipped@visits=100 shipped@visits=200 --picture elo.svg
  hexzero tournament new.safetensors old1.safetensors old2.safetensors --gauntlet --save games.jsonl
  hexzero tournament shipped \"gtp:./other-engine --gtp\" alphabeta:2 --time 0.5 --json";

/// Play a tournament between any number of players on any number of boards; print ratings and cross tables.
///
/// On each board every pairing plays the same openings, each twice with colours exchanged.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct TournamentArgs {
    #[command(subcommand)]
    command: Option<TournamentCommand>,
    /// The players
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    pub players: Vec<String>,
    /// The game.
    #[command(flatten)]
    pub game: GameArg,
    /// The boards' sizes, separated by commas (default: the one that the first run named plays most, else the game's own)
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = board_size)]
    pub size: Vec<usize>,
    /// Play G games of each pairing on each board
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// Let only the first player meet all others
    #[arg(long)]
    pub gauntlet: bool,
    /// The player rated 0 (default: the first)
    #[arg(long, value_name = "PLAYER")]
    pub anchor: Option<String>,
    /// Limits of players that search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Print the result as a JSON object on one line
    #[arg(long)]
    pub json: bool,
    /// The seed of the openings and of the players
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Keep the games in the file PATH, or in games.jsonl in the folder PATH, one JSON object a line, and
    /// continue from the games there
    #[arg(long, value_name = "PATH")]
    pub save: Option<PathBuf>,
    /// Draw the ratings with their intervals to FILE, an SVG; replaces the file
    #[arg(long, value_name = "FILE", value_parser = svg_file)]
    pub picture: Option<PathBuf>,
    /// Where the games are played.
    #[command(flatten)]
    pub venue: VenueArgs,
}

#[derive(Debug, Subcommand)]
enum TournamentCommand {
    Ladder(LadderArgs),
}

impl TournamentArgs {
    /// Plays the tournament and prints the standings.
    pub fn run(self) -> Result<(), CliError> {
        if let Some(TournamentCommand::Ladder(args)) = self.command {
            return args.run();
        }
        let spec = |text: &String| text.parse::<PlayerSpec>().map_err(CliError::failed);
        let players: Vec<PlayerSpec> = self.players.iter().map(spec).collect::<Result<_, _>>()?;
        let game = self.game.or_else(|| game_of_players(&players))?;
        let mut sizes: BTreeSet<usize> = self.size.iter().copied().collect();
        if sizes.is_empty() {
            sizes.insert(match_size(game, &players));
        }
        let sizes: Vec<usize> = sizes.into_iter().collect();
        sizes.iter().try_for_each(|&size| game.on(size).map(drop))?;
        let anchor = self.anchor(&players)?;
        self.picture.as_deref().map_or(Ok(()), check_creatable)?;
        let stop = interrupted();
        let host = self.venue.host()?;
        let sources: Vec<PlayerSource> = (players.into_iter())
            .map(|player| player_source(game, player, self.search.limits(), &Backend::default()))
            .collect::<Result<_, _>>()?;
        let ids: Vec<PlayerId> = sources.iter().map(PlayerId::from).collect();
        let sources: Vec<(usize, PlayerSource)> = sources.into_iter().enumerate().collect();
        let twice = (1..ids.len()).find(|&number| ids[..number].iter().any(|earlier| earlier.name == ids[number].name));
        if let Some(number) = twice {
            let name = &ids[number].name;
            return Err(CliError::Request(format!("'{name}' is named twice; name each player once")));
        }
        let conditions = Conditions::new(game, self.seed, self.search.limits());
        let mut results = Results::new(ids);
        let mut store = self.save.as_deref().map(|path| open(path, &conditions, &mut results)).transpose()?;

        let pairings = if self.gauntlet { Pairings::Gauntlet } else { Pairings::RoundRobin };
        let fixtures = pairings.fixtures(sources.len(), &sizes, self.games as usize);
        let present = fixtures.iter().filter(|fixture| results.contains(fixture)).count();
        if present > 0 {
            notice(format_args!("{present} of {} games have been played already", fixtures.len()));
        }
        let bar = ProgressBar::new(fixtures.len() as u64).with_position(present as u64);
        bar.set_style(style("{wide_bar} {pos}/{len} games, {msg}, {eta} left"));
        bar.reset_eta();
        let venue = host.venue(&sources).map_err(CliError::failed)?;
        let outcome = play_missing(&*venue, &fixtures, &conditions, &mut results, store.as_mut(), stop, |played| {
            let board = game.board_name(played.size);
            bar.set_message(plain_line(&format!("{} - {} at {board}", played.a.name, played.b.name)).into_owned());
            bar.inc(1);
        });
        bar.finish_and_clear();

        // Finished games count, whatever ended the tournament.
        let reported = match self.json || !results.is_empty() {
            true => report(game, &self, &results, anchor),
            false => Ok(()),
        };
        outcome.map_err(CliError::failed)?;
        reported?;
        if stop.is_requested() && self.save.is_some() {
            notice("stopped; run the same command to continue");
        }
        Ok(())
    }

    /// Returns the index of the anchor.
    fn anchor(&self, players: &[PlayerSpec]) -> Result<usize, CliError> {
        let Some(text) = &self.anchor else { return Ok(0) };
        let names: Vec<String> = players.iter().map(PlayerSpec::to_string).collect();
        // The name as typed counts too: 'mcts' becomes 'mcts:1000'.
        let named = |number: &usize| self.players[*number] == *text || names[*number] == *text;
        (0..names.len()).find(named).ok_or_else(|| {
            CliError::Request(format!(
                "the anchor '{text}' is not a player of the tournament; choose one of '{}'",
                names.join("', '")
            ))
        })
    }
}

/// Opens the file of games and adds them to `results`.
fn open(path: &Path, conditions: &Conditions, results: &mut Results) -> Result<GameStore, CliError> {
    let path = games_file(path);
    let (store, games, torn) = GameStore::open(&path).map_err(CliError::failed)?;
    warn_of_torn(&path, torn);
    results.add_stored(&path, conditions, &games).map_err(CliError::failed)?;
    Ok(store)
}

fn report(game: Game, args: &TournamentArgs, results: &Results, anchor: usize) -> Result<(), CliError> {
    let on = |size| Standings::new(results, size, anchor);
    let sizes: Vec<Standings> = results.sizes().into_iter().map(|size| on(Some(size))).collect();
    // With a single board the summary over all boards would repeat it.
    let overall = (sizes.len() != 1).then(|| on(None));
    let text = if args.json {
        let faults = results.faults();
        let faults = faults.iter().map(|(fixture, failure)| {
            let [a, b] = [fixture.a, fixture.b].map(|number| results.players()[number].name.as_str());
            ReportedFault { size: fixture.size, a, b, failure }
        });
        let (game, faults) = (game.name(), faults.collect());
        let report = Report { game, seed: args.seed, overall: overall.as_ref(), sizes: &sizes, faults };
        serde_json::to_string(&report).map_err(std::io::Error::from)? + "\n"
    } else {
        let boards = sizes.iter().chain(&overall).map(|standings| {
            let board = standings.size.map_or_else(|| "All boards".to_owned(), |size| game.board_name(size));
            let anchor = &standings.players[anchor].name;
            let (ranking, points) = (ranking(standings), cross_table(standings));
            format!("{board}, {anchor} = 0:\n\n{ranking}\nPoints of games:\n\n{points}")
        });
        boards.collect::<Vec<_>>().join("\n") + &faults(game, results)
    };
    let printed =
        if args.json { stdout().write_all(text.as_bytes()) } else { text_output().write_all(text.as_bytes()) };
    // Written after the output, so that a file that cannot be written does not cost the output. A broken pipe must not
    // cost the file either, so its error comes last.
    if let Some(path) = &args.picture {
        let picture = picture(game, &overall.iter().chain(&sizes).collect::<Vec<_>>());
        let written = write_whole(path, picture.draw().standalone().as_bytes());
        written.map_err(|source| CliError::Write { path: path.clone(), source })?;
    }
    Ok(printed?)
}

/// Lists the faults; nothing without any.
fn faults(game: Game, results: &Results) -> String {
    let faults = results.faults();
    let within = |number: usize| {
        let (fixture, _): &(Fixture, _) = &faults[number];
        let [a, b] = [fixture.a, fixture.b].map(|player| &results.players()[player].name);
        Some(format!("{a} against {b} at {}", game.board_name(fixture.size)))
    };
    let lines = fault_lines(faults.iter().map(|(_, failure)| failure), within);
    if lines.is_empty() { lines } else { format!("\nLost by faults, counted as losses:\n\n{lines}") }
}

/// Charts the ratings on one board or on several, the strongest players first.
fn picture(game: Game, standings: &[&Standings]) -> IntervalChart {
    let mut rows = Vec::new();
    for one in standings {
        let board = match one.size {
            _ if standings.len() == 1 => String::new(),
            Some(size) => format!(", {}", game.board_name(size)),
            None => ", all boards".to_owned(),
        };
        for player in one.ranking().into_iter().map(|number| &one.players[number]) {
            if let (Some(value), Some(low), Some(high)) = (player.elo, player.elo_low, player.elo_high) {
                rows.push(Interval { name: format!("{}{board}", player.name), value, low, high });
            }
        }
    }
    let title = match standings {
        [Standings { size: Some(size), .. }] => format!("Ratings on {}, with 95 % intervals", game.board_name(*size)),
        _ => "Ratings with 95 % intervals".to_owned(),
    };
    let anchor = standings.first().map_or("", |one| &one.players[one.anchor].name);
    IntervalChart { title, x_name: format!("Elo; {anchor} = 0"), rows }
}

/// The result as JSON.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    seed: u64,
    /// The standings over all boards, if there are several.
    overall: Option<&'a Standings>,
    sizes: &'a [Standings],
    faults: Vec<ReportedFault<'a>>,
}

/// A fault as JSON.
#[derive(Serialize)]
struct ReportedFault<'a> {
    size: usize,
    a: &'a str,
    b: &'a str,
    #[serde(flatten)]
    failure: &'a PlayerFailure,
}
