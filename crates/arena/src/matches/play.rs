//! Matches: many games between two players.

use std::collections::BTreeMap;

use hexzero_games::Game;

use super::fixture::{Finished, Fixture};
use super::result::MatchResult;
use super::venue::{Fixtures, MatchError, Threads, Venue};
use crate::played_game::{PlayedGame, Thinking};
use crate::players::Player;
use crate::rating::Tally;
use crate::rating::{SequentialReport, SequentialTest, Verdict};
use hexzero_system::stop::StopSignal;

/// Settings of a match.
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
    /// The number of games played at once by [`play_match`]; 0 for one on each core.
    pub threads: usize,
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

/// Keeps the games of a match, so that it can go on after an interruption.
pub trait KeptGames {
    /// Returns the games kept before, by index.
    fn known(&mut self) -> BTreeMap<usize, Finished>;

    /// Keeps a game as it ends; returns false if that failed, to end the match.
    fn keep(&mut self, index: usize, game: &Finished) -> bool;
}

/// Plays a match on the threads of this process.
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
    let names = [make_a().name(), make_b().name()];
    play_match_at(&Threads::new(settings.threads, make), game, names, settings, stop, None, on_game)
}

/// Plays a match at a venue whose players 0 and 1 are A and B.
///
/// Games are played in pairs from the same opening (see [`crate::openings`]); A is the first player in the first
/// game of a pair and the second player in the other. The result does not depend on the number of threads or machines,
/// unless a player looks at the clock: games are counted in order, and when the sequential test ends the match after a
/// pair, later games that others have finished do not count.
///
/// Once `stop` is requested the games under way are abandoned, after the present move unless the player heeds the
/// stop sooner ([`Player::set_stop_signal`]), and all finished ones are counted. A player that fails or breaks the rules loses
/// the game; after too many of these in a row it is out, which ends the match, as the result then says.
///
/// Games in `kept` are not played again.
///
/// # Errors
/// If there is no such board, or the venue cannot be reached.
pub fn play_match_at(
    venue: &dyn Venue,
    game: Game,
    names: [String; 2],
    settings: &MatchSettings,
    stop: &StopSignal,
    mut kept: Option<&mut dyn KeptGames>,
    mut on_game: impl FnMut(&MatchProgress),
) -> Result<MatchResult, MatchError> {
    let planned_games = settings.games;
    let mut waiting = kept.as_mut().map(|kept| kept.known()).unwrap_or_default();
    waiting.retain(|&index, _| index < planned_games);
    let missing = (0..planned_games).filter(|index| !waiting.contains_key(index));
    let mut list: Vec<Fixture> = missing.map(|index| Fixture { a: 0, b: 1, size: settings.size, index }).collect();
    // Even if there are no games.
    game.on(settings.size)?;
    let mut count = Count::default();
    count.sequential = settings.sequential.map(|test| test.report(count.tally.pairs, 1.0));
    count.add_next(&mut waiting, planned_games, &mut on_game);
    if count.decided() {
        list.clear();
    }
    let fixtures = Fixtures { game, list: &list, seed: settings.seed };
    let failures = venue.play(&fixtures, stop, &mut |number, finished| {
        let index = list[number].index;
        if count.decided() {
            return true;
        }
        if !kept.as_mut().is_none_or(|kept| kept.keep(index, &finished)) {
            return true;
        }
        waiting.insert(index, finished);
        count.add_next(&mut waiting, planned_games, &mut on_game);
        count.decided()
    })?;
    // Only an outside stop or an eliminated player leaves gaps.
    for finished in waiting.into_values() {
        if !count.decided() {
            count.add(finished, planned_games, &mut on_game);
        }
    }

    let [a, b] = names;
    Ok(MatchResult {
        elo: count.tally.elo(),
        a,
        b,
        game: game.name(),
        size: settings.size,
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
    tally: Tally,
    thinking: [Thinking; 2],
    sequential: Option<SequentialReport>,
    played: Vec<PlayedGame>,
}

impl Count {
    fn decided(&self) -> bool {
        self.sequential.is_some_and(|report| report.verdict != Verdict::Continue)
    }

    /// Adds the games that follow in order.
    fn add_next(
        &mut self,
        waiting: &mut BTreeMap<usize, Finished>,
        planned_games: usize,
        on_game: &mut impl FnMut(&MatchProgress),
    ) {
        while !self.decided()
            && let Some(finished) = waiting.remove(&self.played.len())
        {
            self.add(finished, planned_games, on_game);
        }
    }

    fn add(&mut self, finished: Finished, planned_games: usize, on_game: &mut impl FnMut(&MatchProgress)) {
        let Finished { game, thinking } = finished;
        self.tally.add(&game);
        self.thinking.iter_mut().zip(thinking).for_each(|(sum, thinking)| *sum += thinking);
        let (pairs, independence) = (self.tally.pairs, self.tally.independence());
        self.sequential = self.sequential.map(|report| report.test.report(pairs, independence));
        let sequential = self.sequential;
        on_game(&MatchProgress { last: &game, tally: &self.tally, planned_games, sequential });
        self.played.push(game);
    }
}
