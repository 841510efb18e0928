//! `hexzero tournament`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ladder::LadderArgs;
use crate::cli::options::{BookArgs, GameArg, SearchArgs, VenueArgs, board_size, game_of_players, match_size};
use crate::cli::support::{Report, advance, check_creatable, games_bar, interrupted, open_games, svg_file, write_file};
use crate::error::CliError;
use hexzero_arena::players::{PlayerSource, PlayerSpec};
use hexzero_arena::{Conditions, Pairings, PlayerId, Tournament};
use hexzero_games::Game;
use hexzero_nn::Backend;
use hexzero_system::notice;
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
    players: Vec<String>,
    #[command(flatten)]
    game: GameArg,
    /// The boards' sizes, separated by commas (default: the one that the first run named plays most, else the game's
    /// own)
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = board_size)]
    size: Vec<usize>,
    /// Play G games of each pairing on each board
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Let only the first player meet all others
    #[arg(long)]
    gauntlet: bool,
    /// The player rated 0 (default: the first)
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Print the result as a JSON object on one line
    #[arg(long)]
    json: bool,
    /// The seed of the openings and of the players
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Keep the games in the file PATH, or in games.jsonl in the folder PATH, one JSON object a line, and
    /// continue from the games there
    #[arg(long, value_name = "PATH")]
    save: Option<PathBuf>,
    /// Draw the ratings with their intervals to FILE, an SVG; replaces the file
    #[arg(long, value_name = "FILE", value_parser = svg_file)]
    picture: Option<PathBuf>,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    venue: VenueArgs,
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
        let spec = |text: &String| text.parse::<PlayerSpec>();
        let players: Vec<PlayerSpec> = self.players.iter().map(spec).collect::<Result<_, _>>()?;
        let game = self.game.or_else(|| game_of_players(&players))?;
        let sizes = self.sizes(game, &players)?;
        let anchor = self.anchor(&players)?;
        check_creatable(self.picture.as_deref())?;
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
        let book = self.book.book(game, &sizes)?;
        let conditions = Conditions::new(game, self.seed, self.search.limits()).with_book(book);
        let mut store = open_games(self.save.as_deref())?;
        let mut tournament = Tournament::resume(conditions, ids, &mut store, false)?;

        let pairings = if self.gauntlet { Pairings::Gauntlet } else { Pairings::RoundRobin };
        let fixtures = pairings.fixtures(sources.len(), &sizes, self.games as usize);
        let present = fixtures.iter().filter(|fixture| tournament.contains(fixture)).count();
        if present > 0 {
            notice(format_args!("{present} of {} games have been played already", fixtures.len()));
        }
        let bar = games_bar(fixtures.len(), present);
        let venue = host.venue(&sources)?;
        let outcome = tournament.play(&*venue, &fixtures, stop, |ended| {
            store.append(ended)?;
            advance(&bar, ended);
            Ok(())
        });
        bar.finish_and_clear();

        // Finished games count, whatever ended the tournament.
        let any = self.json || tournament.count(None) > 0;
        let reported = if any { self.report(&tournament, anchor) } else { Ok(()) };
        outcome?;
        reported?;
        if stop.is_requested() && self.save.is_some() {
            notice("stopped; run the same command to continue");
        }
        Ok(())
    }

    /// Returns the boards, in ascending order.
    fn sizes(&self, game: Game, players: &[PlayerSpec]) -> Result<Vec<usize>, CliError> {
        let mut sizes: BTreeSet<usize> = self.size.iter().copied().collect();
        if sizes.is_empty() {
            sizes.insert(match_size(game, players));
        }
        sizes.iter().try_for_each(|&size| game.game_board(size).map(drop))?;
        Ok(sizes.into_iter().collect())
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

    /// Prints the ratings, and draws them.
    fn report(&self, tournament: &Tournament, anchor: usize) -> Result<(), CliError> {
        let report = Report::new(tournament, &tournament.sizes(), anchor);
        let printed = report.print(self.json);
        // Written after the output, so that a file that cannot be written does not cost the output. A broken pipe must
        // not cost the file either, so its error comes last.
        if let Some(path) = &self.picture {
            write_file(path, report.picture().draw().standalone())?;
        }
        Ok(printed?)
    }
}
