//! `hexzero arena`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::cli::options::{
    BookArgs, DeviceArgs, GameArg, SearchArgs, VenueArgs, board_size, game_of_players, match_size,
};
use crate::cli::support::{open_games, play_with_progress, summary, write_json};
use crate::error::CliError;
use hexzero_arena::players::{PlayerSource, PlayerSpec};
use hexzero_arena::{Conditions, MatchPlan, MatchResult, PlayerId, SequentialTest, StoredGame, Tournament};
use hexzero_system::{Plain, notice};
use hexzero_train::model_files::player_source;

const EXAMPLES: &str = "\
Players:
  FILE               a checkpoint, or the folder of a run for its latest
  shipped            the model that ships with the program
  random             any legal move
  alphabeta[:DEPTH]  alpha-beta search over the shortest connection
  mcts[:PLAYOUTS]    tree search with random playouts
  gtp:COMMAND        a program that speaks the Go Text Protocol

FILE and shipped take options after an '@', separated by commas:
  f32, int8          precision of the network (default: the faster one on this machine)
  visits=N           instead of --visits and --time
  time=SECONDS       instead of --visits and --time
  stop=RULE          when a search stops early: never (default), certain or likely (docs/search.md)
  threads=N          threads of one search (default: 1; see also --threads)
  level=NAME         a playing level, as for 'hexzero play --level'
  temperature=T      draw a weaker level's moves at temperature T instead of its own
  exact=VALUES       exact values in the search: ends (default), of games that solve them; board,
                     of all positions of a small board; or off
  transpositions=off do not share results between move orders that reach the same position
  NAME=NUMBER        a constant of the search: init, base, fpu_reduction, draw_penalty,
                     prior_temperature, deviations, least_share
A name may be shortened while it is unambiguous.

A GTP program is started once for each game played at the same time. It is sent boardsize,
clear_board, play and genmove; with --time also 'time_settings 0 SECONDS 1' before each game,
if it lists that command. Options after 'gtp:COMMAND@', separated by commas:
  time=SECONDS       its time for a move, instead of --time
  margin=SECONDS     it loses on time when it takes longer than its time and this margin (1)
  swap=STYLE         how it handles the swap: pieces (the stone is mirrored), sides (the stone
                     stays and the players exchange colours), setup (the mirrored stone is set up
                     by clear_board and play), none, or auto (the default: find out)

A player that crashes, breaks the rules, answers with an error or exceeds its time loses the game
by a fault; its program is started again for the next one. After --max-faults in a row it is out.

--save keeps the games as they end. The same command with the same file plays only the missing
ones: after Ctrl-C or a crash, or with more games.

Examples:
  hexzero arena shipped alphabeta:3
  hexzero arena runs/cachex-001 shipped --size 7 --games 200
  hexzero arena mcts:1000 random --json
  hexzero arena shipped@visits=200 shipped@visits=100
  hexzero arena shipped@init=1.5,fpu=0.3 shipped --games 400
  hexzero arena shipped \"gtp:./other-engine --gtp\" --time 0.5
  hexzero arena shipped@visits=2000 shipped@visits=200 --openings openings.jsonl
  hexzero arena new.safetensors old.safetensors --games 1000 --sprt=0:30";

/// Play a match between two players and print the Elo difference with its 95 % interval.
///
/// Each opening is played twice with colours exchanged. The interval is computed from these pairs of games;
/// repeated games do not narrow it. --visits and --time limit players with a network, --time also programs; the
/// others have their own limits.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ArenaArgs {
    /// The first player
    #[arg(value_name = "A")]
    a: String,
    /// The second player
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: the one that the first run named plays most, else the game's own; 'hexzero games'
    /// lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Play at most G games
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    #[command(flatten)]
    search: SearchArgs,
    /// Print the result as a JSON object on one line
    #[arg(long)]
    json: bool,
    /// The seed of the openings' order, and of players that choose at random; full strength does not, so games with
    /// the same opening are the same
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Keep the games in the file PATH, or in games.jsonl in the folder PATH, one JSON object a line, and
    /// continue from the games there
    #[arg(long, value_name = "PATH")]
    save: Option<PathBuf>,
    #[command(flatten)]
    venue: VenueArgs,
    /// Stop as soon as a sequential probability ratio test decides whether A is stronger than B by ELO0 or by
    /// ELO1, with 5 % error each
    #[arg(long, value_name = "ELO0:ELO1", num_args = 0..=1, require_equals = true, default_missing_value = "0:50", value_parser = hypotheses)]
    sprt: Option<SequentialTest>,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    device: DeviceArgs,
}

impl ArenaArgs {
    /// Plays the match and prints the result.
    pub fn run(self) -> Result<(), CliError> {
        let backend = self.device.backend()?;
        let players: [PlayerSpec; 2] = [self.a.parse()?, self.b.parse()?];
        let game = self.game.or_else(|| game_of_players(&players))?;
        let size = self.size.unwrap_or_else(|| match_size(game, &players));
        game.game_board(size)?;
        let book = self.book.book(game, &[size])?;
        let limits = self.search.limits();
        let [a, b] = players;
        let host = self.venue.host()?;
        let players = [(0, player_source(game, a, limits, &backend)?), (1, player_source(game, b, limits, &backend)?)];
        let ids = players.iter().map(|(_, player)| PlayerId::from(player)).collect();
        let mut store = open_games(self.save.as_deref())?;
        let conditions = Conditions::new(game, self.seed, limits).with_book(book);
        let mut kept = Tournament::resume(conditions, ids, &mut store, false)?;
        if kept.count(Some(size)) > 0 {
            let present = kept.count(Some(size));
            notice(format_args!("{present} of {} games have been played already", self.games));
        }
        let plan = MatchPlan { size, games: self.games as usize, sequential: self.sprt };
        let mut problem = None;
        let keep = |game: &StoredGame| {
            problem = store.append(game).err();
            problem.is_none()
        };
        let result = play_with_progress(&mut kept, &players, &*host, &plan, keep)?;
        if let (Some(failure), true) = (&result.failure, result.played.is_empty()) {
            return Err(failure.clone().into());
        }
        // The result is printed even if games cannot be written.
        let saved = problem.map_or(Ok(()), Err);
        let [(_, a), (_, b)] = &players;
        let mut output = stdout().lock();
        if self.json {
            let hits = |source: &PlayerSource| source.cache_use().map(|usage| usage.hit_rate());
            let report = Report { result: &result, cache_hits: [hits(a), hits(b)] };
            write_json(&mut output, &report)?;
        } else {
            let mut output = Plain(output);
            write!(output, "{}", summary(game, &result))?;
            for source in [a, b] {
                if let Some(usage) = source.cache_use() {
                    let (name, share) = (source.name(), 100.0 * usage.hit_rate());
                    writeln!(output, "{name}: {share:.0} % of {} positions from the evaluation cache", usage.lookups)?;
                }
            }
        }
        saved?;
        result.failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    result: &'a MatchResult,
    /// The hit rates of A's and B's evaluation caches.
    cache_hits: [Option<f64>; 2],
}

/// Parses the two hypotheses of `--sprt`.
fn hypotheses(text: &str) -> Result<SequentialTest, String> {
    let parsed = text.split_once(':').and_then(|(elo0, elo1)| Some((elo0.parse().ok()?, elo1.parse().ok()?)));
    match parsed {
        Some((elo0, elo1)) if -1000.0 <= elo0 && elo0 < elo1 && elo1 <= 1000.0 => Ok(SequentialTest { elo0, elo1 }),
        _ => Err("give two Elo differences, the smaller first, such as 0:50".to_owned()),
    }
}
