//! Matches: tournaments of two players, counted game by game.

use hexzero_games::Game;
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;

use super::games::Tournament;
use super::match_result::MatchResult;
use super::stored_game::{Conditions, PlayerId, StoredGame};
use crate::matches::{Finished, Fixture, MAX_FAULTS, MatchError, Threads, Venue};
use crate::played_game::{PlayedGame, Thinking};
use crate::players::Player;
use crate::rating::{SequentialReport, SequentialTest, Tally, Verdict};

/// Settings of a match on the threads of this process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchSettings {
    /// The board's size.
    pub size: usize,
    /// The number of games. If odd, the last pair is only half played.
    pub games: usize,
    /// Decides the openings and every player's seed in every game.
    pub seed: u64,
    /// Stops the match when the test is decided.
    pub sequential: Option<SequentialTest>,
    /// The number of games played at once; 0 for one on each core.
    pub threads: usize,
}

/// The games of a match between the players of a tournament.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchPlan {
    /// The board's size.
    pub size: usize,
    /// The number of games. If odd, the last pair is only half played.
    pub games: usize,
    /// Stops the match when the test is decided.
    pub sequential: Option<SequentialTest>,
}

/// The state of a match after a game. Games are reported in order, even if they end out of order.
#[derive(Debug)]
pub struct MatchProgress<'a> {
    /// The game counted last.
    pub last: &'a PlayedGame,
    /// The tally of all counted games.
    pub tally: &'a Tally,
    /// The maximum number of games of the match.
    pub planned_games: usize,
    /// The sequential test, if there is one.
    pub sequential: Option<SequentialReport>,
}

/// Plays a match on the threads of this process, from the openings that ship for the board, if any do.
///
/// `make_a` and `make_b` make a player for each thread; otherwise as [`play_match_at`].
///
/// # Errors
/// If there is no such board, or threads cannot be started.
pub fn play_match<A: Player, B: Player>(
    game: Game,
    make_a: impl Fn() -> A + Sync,
    make_b: impl Fn() -> B + Sync,
    settings: &MatchSettings,
    stop: &StopSignal,
    on_game: impl FnMut(&MatchProgress),
) -> Result<MatchResult, MatchError> {
    let make = |number| -> Box<dyn Player + '_> { if number == 0 { Box::new(make_a()) } else { Box::new(make_b()) } };
    let players = [make_a().name(), make_b().name()].map(PlayerId::named);
    let conditions = Conditions::new(game, settings.seed, Limits::default());
    let mut games = Tournament::new(conditions, players.into());
    let plan = MatchPlan { size: settings.size, games: settings.games, sequential: settings.sequential };
    play_match_at(&Threads::new(settings.threads, MAX_FAULTS, make), &mut games, &plan, stop, |_| true, on_game)
}

/// Plays a match between players 0 and 1 of a tournament, which has its conditions, at a venue.
///
/// Games are played in pairs from the same opening; A is the first player in the first game of a pair and the second
/// player in the other. The result does not depend on the number of threads or machines, unless a player looks at the
/// clock: games are counted in order, and when the sequential test ends the match after a pair, later games that other
/// threads have finished do not count.
///
/// Once `stop` is requested the games under way are abandoned, after the present move unless the player heeds the stop
/// sooner ([`Player::set_stop_signal`]), and all finished ones are counted. A player that fails or breaks the rules
/// loses the game; after too many such games in a row it is out, which ends the match, as the result then says.
///
/// Games that the tournament has are not played again. `keep` gets each new one as it ends; if it returns false, the
/// game does not count and ends the match.
///
/// # Errors
/// If there is no such board, or the venue cannot be reached.
pub fn play_match_at(
    venue: &dyn Venue,
    games: &mut Tournament,
    plan: &MatchPlan,
    stop: &StopSignal,
    keep: impl FnMut(&StoredGame) -> bool,
    mut on_game: impl FnMut(&MatchProgress),
) -> Result<MatchResult, MatchError> {
    let (game, planned_games) = (games.conditions.game, plan.games);
    // Even if there are no games.
    game.game_board(plan.size)?;
    let mut count = Count { size: plan.size, planned_games, ..Count::default() };
    count.sequential = plan.sequential.map(|test| test.report(count.tally.pairs, 1.0));
    count.add_next(games, &mut on_game);
    let list = (0..planned_games).map(|index| count.fixture(index)).filter(|_| !count.decided());
    let list: Vec<Fixture> = list.collect();
    let failures = games.play_until(venue, &list, stop, keep, |games| {
        count.add_next(games, &mut on_game);
        count.decided()
    })?;
    // Only an outside stop or an eliminated player leaves gaps.
    for index in count.played.len()..planned_games {
        if let Some(finished) = games.games.get(&count.fixture(index)).filter(|_| !count.decided()) {
            count.add(finished, &mut on_game);
        }
    }
    let [a, b] = [0, 1].map(|number: usize| games.players[number].name.clone());
    Ok(MatchResult {
        elo: count.tally.elo(),
        a,
        b,
        game: game.name(),
        size: plan.size,
        openings: games.conditions.book().usage(plan.size, count.played.len().div_ceil(2)),
        planned_games,
        tally: count.tally,
        sequential: count.sequential,
        stopped_early: count.played.len() < planned_games,
        failure: failures.into_iter().next().map(|(_, failure)| failure),
        thinking: count.thinking,
        played: count.played,
    })
}

/// The games that count so far.
#[derive(Default)]
struct Count {
    size: usize,
    planned_games: usize,
    tally: Tally,
    thinking: [Thinking; 2],
    sequential: Option<SequentialReport>,
    played: Vec<PlayedGame>,
}

impl Count {
    fn fixture(&self, index: usize) -> Fixture {
        Fixture { a: 0, b: 1, size: self.size, index }
    }

    fn decided(&self) -> bool {
        self.sequential.is_some_and(|report| report.verdict != Verdict::Continue)
    }

    /// Adds the games that follow in order.
    fn add_next(&mut self, games: &Tournament, on_game: &mut impl FnMut(&MatchProgress)) {
        while !self.decided()
            && self.played.len() < self.planned_games
            && let Some(finished) = games.games.get(&self.fixture(self.played.len()))
        {
            self.add(finished, on_game);
        }
    }

    fn add(&mut self, finished: &Finished, on_game: &mut impl FnMut(&MatchProgress)) {
        let Finished { game, thinking } = finished;
        self.tally.add(game);
        self.thinking.iter_mut().zip(thinking).for_each(|(sum, thinking)| *sum += *thinking);
        let (pairs, independence) = (self.tally.pairs, self.tally.independence());
        // A test ends after a pair, not within one.
        if !game.index.is_multiple_of(2) {
            self.sequential = self.sequential.map(|report| report.test.report(pairs, independence));
        }
        let (planned_games, sequential) = (self.planned_games, self.sequential);
        on_game(&MatchProgress { last: game, tally: &self.tally, planned_games, sequential });
        self.played.push(game.clone());
    }
}
