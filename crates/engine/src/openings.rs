//! Opening maps: the value of each first move and its best reply.
//!
//! Every position is searched separately with the same number of visits, so a map does not depend
//! on the number of threads. Of first moves that are equivalent by a symmetry of the board, only
//! one is searched.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use hexzero_games::{Action, Game, Position, Seat, SizeError, game_named};
use hexzero_models::shipped_openings;
use hexzero_search::{Limits, Search, SearchSettings};
use hexzero_system::checked_lines::{checksum, with_checksum};
use hexzero_system::stop::StopSignal;

use super::analysis::points;
use super::model::{BoxedEvaluator, LoadedModel};
use super::parallel::parallel_map;

/// Default visits of each position after a first move.
pub const DEFAULT_VISITS: u32 = 1000;

/// The format version of files of opening maps.
const FORMAT_VERSION: u32 = 1;

/// The values of the first moves on a board. docs/formats.md describes the JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningMap {
    /// The game's name.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The digest of the model that judged ([`hexzero_models::digest`]); none for random playouts.
    pub model: Option<String>,
    /// Visits of each position after a first move.
    pub visits: u32,
    /// Visits of each position after a reply; none if replies were not searched.
    pub reply_visits: Option<u32>,
    /// The first moves, one of each set of equivalents by symmetry.
    pub openings: Vec<FirstMove>,
    /// In files the CRC-32 of the map without this field; none once it is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crc: Option<String>,
}

/// A first move. Chances are shares of the points that the first player can expect, to two digits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstMove {
    /// The move's name.
    #[serde(rename = "move")]
    pub name: String,
    /// The first moves that are equivalent by symmetry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    /// Chances if the second player does not swap.
    pub kept: f32,
    /// Chances if the second player swaps; none where it may not swap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapped: Option<f32>,
    /// The best reply other than the swap; none if the game is over.
    pub reply: Option<String>,
    /// Chances after each reply other than the swap, if searched.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replies: BTreeMap<String, f32>,
}

/// A file of maps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningMaps {
    version: u32,
    maps: Vec<OpeningMap>,
}

/// Error reading a file of maps.
#[derive(Debug, thiserror::Error)]
pub enum OpeningMapsError {
    /// The file is not JSON of this form.
    #[error("not a file of opening maps: {0}")]
    Form(#[from] serde_json::Error),
    /// The file has another version.
    #[error("its version is {found}, but this program reads version {FORMAT_VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
    /// A chance outside 0 to 1.
    #[error("a chance after '{0}' is {1}; accepted: 0 to 1")]
    Chance(String, f32),
    /// A map that is damaged, or has moves that cannot be played.
    #[error("the map of {game}, size {size}: {problem}")]
    Map {
        /// The game.
        game: String,
        /// The board's size.
        size: usize,
        /// The problem.
        problem: String,
    },
}

/// The search for the values of a board's first moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningSearch {
    /// The game.
    pub game: Game,
    /// The board's size.
    pub size: usize,
    /// Visits of each position after a first move, and after a swap.
    pub visits: u32,
    /// Visits of each position after a reply; none for no replies.
    pub reply_visits: Option<u32>,
}

/// A position to be judged.
struct Question {
    moves: Vec<Action>,
    without: Option<Action>,
    visits: u32,
}

impl FirstMove {
    /// Returns the first player's chances, given that the second swaps if that is better for it.
    pub fn expected(&self) -> f32 {
        self.swapped.map_or(self.kept, |swapped| swapped.min(self.kept))
    }

    /// Lists the chances after the move and its replies.
    fn chances(&self) -> impl Iterator<Item = f32> {
        [self.kept].into_iter().chain(self.swapped).chain(self.replies.values().copied())
    }

    /// Returns whether the second player swaps.
    pub fn is_swapped(&self) -> bool {
        self.swapped.is_some_and(|swapped| swapped < self.kept)
    }
}

impl OpeningMap {
    /// Searches the positions after all first moves on several threads. Reports to `progress` how
    /// many positions of how many are done. Returns none if stopped before the end.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn search(
        search: OpeningSearch,
        model: &LoadedModel,
        digest: Option<String>,
        threads: NonZeroUsize,
        stop: &StopSignal,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Option<Self>, SizeError> {
        let OpeningSearch { game, size, visits, reply_visits } = search;
        let start = game.start(size)?;
        let classes = classes(&start);
        let mut questions = Vec::new();
        for (first, _) in &classes {
            let after = played(&start, &[*first]);
            let swap = game.on(size)?.swap().filter(|&swap| after.check(swap).is_ok());
            questions.push(Question { moves: vec![*first], without: swap, visits });
            questions.extend(swap.map(|swap| Question { moves: vec![*first, swap], without: None, visits }));
            if let Some(visits) = reply_visits {
                let replies = legal(&after).into_iter().filter(|&reply| Some(reply) != swap);
                questions.extend(replies.map(|reply| Question { moves: vec![*first, reply], without: None, visits }));
            }
        }
        let (count, done) = (questions.len(), AtomicUsize::new(0));
        let evaluators = (0..threads.get().min(count)).map(|_| model.evaluator.fork()).collect();
        let settings = model.search;
        let found = parallel_map(evaluators, count, stop, |evaluator, index| {
            let answer = questions[index].answer(&start, evaluator, settings);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
            answer
        });
        let Some(found) = found else { return Ok(None) };
        let mut answers = questions.iter().zip(found).peekable();
        let mut openings = Vec::new();
        for (first, same) in classes {
            let Some((Question { without: swap, .. }, (kept, reply))) = answers.next() else { break };
            let after = played(&start, &[first]);
            let mut opening = FirstMove {
                name: start.action_name(first),
                same: same.into_iter().map(|action| start.action_name(action)).collect(),
                kept,
                swapped: None,
                reply: reply.map(|reply| after.action_name(reply)),
                replies: BTreeMap::new(),
            };
            while let Some((question, (chance, _))) = answers.next_if(|(question, _)| question.moves.len() > 1) {
                let reply = question.moves[1];
                match Some(reply) == *swap {
                    true => opening.swapped = Some(chance),
                    false => drop(opening.replies.insert(after.action_name(reply), chance)),
                }
            }
            openings.push(opening);
        }
        Ok(Some(Self { game: game.name().to_owned(), size, model: digest, visits, reply_visits, openings, crc: None }))
    }

    /// Returns the map with an entry for every first move, including those that are equivalent by
    /// symmetry.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn unfolded(&self, game: Game) -> Result<Vec<FirstMove>, SizeError> {
        let start = game.start(self.size)?;
        let mut all = Vec::new();
        for opening in &self.openings {
            all.push(FirstMove { same: Vec::new(), ..opening.clone() });
            let Some(first) = first_move(&start, &opening.name) else { continue };
            for name in &opening.same {
                let Some(same) = first_move(&start, name) else { continue };
                let Some(symmetry) = symmetries(&start).find(|&by| start.image(first, by) == same) else { continue };
                all.push(opening.seen_through(&start, first, same, symmetry));
            }
        }
        Ok(all)
    }
}

impl OpeningMap {
    fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }

    /// Removes the checksum. Returns an error message if it does not match the map.
    fn take_checksum(&mut self) -> Option<String> {
        let (said, found) = (self.crc.take()?, checksum(&self.to_line()));
        (said != found).then(|| format!("its checksum is {found}, and it says {said}; a map made by hand needs no crc"))
    }

    /// Checks the map's moves. A map of a game that this program does not know passes.
    ///
    /// # Errors
    /// The first problem.
    fn validate(&self) -> Result<(), String> {
        let Ok(game) = game_named(&self.game) else { return Ok(()) };
        let start = game.start(self.size).map_err(|error| error.to_string())?;
        let mut seen = BTreeSet::new();
        for opening in &self.openings {
            let Some(first) = first_move(&start, &opening.name) else {
                return Err(format!("'{}' is no first move", opening.name));
            };
            for name in [&opening.name].into_iter().chain(&opening.same) {
                let Some(same) = first_move(&start, name) else { return Err(format!("'{name}' is no first move")) };
                if !symmetries(&start).any(|by| start.image(first, by) == same) {
                    return Err(format!("'{name}' is not the same as '{}' by a symmetry", opening.name));
                }
                if !seen.insert(same) {
                    return Err(format!("the first move '{name}' is there twice"));
                }
            }
            let after = played(&start, &[first]);
            let replies = opening.reply.iter().chain(opening.replies.keys());
            if let Some(reply) = replies.into_iter().find(|reply| first_move(&after, reply).is_none()) {
                return Err(format!("'{reply}' is no reply to '{}'", opening.name));
            }
        }
        Ok(())
    }
}

impl FirstMove {
    /// Returns the map with all moves mapped by a symmetry of the empty board.
    fn seen_through(&self, start: &Position, first: Action, same: Action, symmetry: usize) -> Self {
        let (from, to) = (played(start, &[first]), played(start, &[same]));
        let moved = |name: &String| {
            let action = start.image(from.parse_action(name).ok()?, symmetry);
            to.check(action).is_ok().then(|| to.action_name(action))
        };
        Self {
            name: start.action_name(same),
            same: Vec::new(),
            reply: self.reply.as_ref().and_then(moved),
            replies: self.replies.iter().filter_map(|(name, &chance)| Some((moved(name)?, chance))).collect(),
            ..*self
        }
    }
}

impl OpeningMaps {
    /// Reads the text of a file of maps.
    ///
    /// # Errors
    /// If the text is no such file, is of another version, has a chance outside 0 to 1 or a move
    /// that cannot be played, or does not match its checksum.
    pub fn parse(text: &str) -> Result<Self, OpeningMapsError> {
        let mut maps: Self = serde_json::from_str(text)?;
        if maps.version != FORMAT_VERSION {
            return Err(OpeningMapsError::Version { found: maps.version });
        }
        for opening in maps.maps.iter().flat_map(|map| &map.openings) {
            if let Some(chance) = opening.chances().find(|chance| !(0.0..=1.0).contains(chance)) {
                return Err(OpeningMapsError::Chance(opening.name.clone(), chance));
            }
        }
        for map in &mut maps.maps {
            if let Some(problem) = map.take_checksum().or_else(|| map.validate().err()) {
                return Err(OpeningMapsError::Map { game: map.game.clone(), size: map.size, problem });
            }
        }
        Ok(maps)
    }

    /// Formats the file, one map per line.
    pub fn to_text(&self) -> String {
        let lines: Vec<String> = self.maps.iter().map(|map| with_checksum(&map.to_line())).collect();
        format!("{{\"version\":{FORMAT_VERSION},\"maps\":[\n{}\n]}}\n", lines.join(",\n"))
    }

    /// Inserts a map, replacing one of the same game and size.
    pub fn put(&mut self, map: OpeningMap) {
        self.maps.retain(|old| (&old.game, old.size) != (&map.game, map.size));
        self.maps.push(map);
        self.maps.sort_by(|a, b| (&a.game, a.size).cmp(&(&b.game, b.size)));
    }

    /// Returns the maps.
    pub fn maps(&self) -> &[OpeningMap] {
        &self.maps
    }
}

/// Returns the map that ships for a game's board, if there is one.
pub fn shipped_map(game: Game, size: usize) -> Option<OpeningMap> {
    let maps = OpeningMaps::parse(shipped_openings(game)?).ok()?.maps;
    maps.into_iter().find(|map| map.game == game.name() && map.size == size)
}

impl Question {
    /// Returns the first player's chances and the best move; none if the game is over.
    fn answer(
        &self,
        start: &Position,
        evaluator: &mut BoxedEvaluator,
        settings: SearchSettings,
    ) -> (f32, Option<Action>) {
        let position = played(start, &self.moves);
        if let Some(outcome) = position.outcome() {
            return (outcome.winner.map_or(0.5, |winner| f32::from(u8::from(winner == Seat::First))), None);
        }
        let mover = position.to_move();
        let mut search = Search::new(position, settings).without(self.without);
        let judge = &mut |position: &Position, legal: &[Action]| evaluator.evaluate(position, legal);
        search.run(judge, &Limits::visits(self.visits));
        let best = search.best_action();
        let moves = search.root_moves();
        let found = moves.iter().find(|found| Some(found.action) == best && found.is_judged());
        let share = points(found.map_or_else(|| search.root_outcome(), |found| found.outcome).value());
        (two_digits(if mover == Seat::First { share } else { 1.0 - share }), best)
    }
}

fn two_digits(share: f32) -> f32 {
    (100.0 * share).round() / 100.0
}

fn legal(position: &Position) -> Vec<Action> {
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    actions
}

/// Returns the first move with this name; none if it is illegal, as names in a file may be.
fn first_move(start: &Position, name: &str) -> Option<Action> {
    start.parse_action(name).ok().filter(|&action| start.check(action).is_ok())
}

/// Returns the position after some legal moves.
fn played(start: &Position, moves: &[Action]) -> Position {
    let mut position = start.clone();
    moves.iter().for_each(|&action| position.play(action));
    position
}

/// Returns the first moves, each with its equivalents by symmetry.
fn classes(start: &Position) -> Vec<(Action, Vec<Action>)> {
    let mut classes: Vec<(Action, Vec<Action>)> = Vec::new();
    for action in legal(start) {
        if classes.iter().any(|(_, same)| same.contains(&action)) {
            continue;
        }
        let mut same: Vec<Action> = symmetries(start).map(|by| start.image(action, by)).collect();
        same.sort_unstable();
        same.dedup();
        same.retain(|&other| other != action && start.check(other).is_ok());
        classes.push((action, same));
    }
    classes
}

/// Returns the numbers of the symmetries that the rules keep.
fn symmetries(start: &Position) -> impl Iterator<Item = usize> {
    0..start.on().symmetries().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{all_games, game_named};

    fn map(game: &str, size: usize, threads: usize) -> OpeningMap {
        let search = OpeningSearch { game: game_named(game).unwrap(), size, visits: 2000, reply_visits: Some(500) };
        let (model, never) = (LoadedModel::uniform(), StopSignal::new());
        let threads = NonZeroUsize::new(threads).unwrap();
        OpeningMap::search(search, &model, None, threads, &never, |_, _| {}).unwrap().unwrap()
    }

    #[test]
    fn symmetric_first_moves_are_searched_once() {
        let map = map("hex", 3, 2);
        // The half turn leaves the middle alone and pairs the others off.
        assert_eq!(map.openings.len(), 5);
        assert_eq!((map.openings[0].name.as_str(), &map.openings[0].same[..]), ("a1", &["c3".to_owned()][..]));
        let names: Vec<String> =
            map.unfolded(game_named("hex").unwrap()).unwrap().into_iter().map(|opening| opening.name).collect();
        assert_eq!(names.len(), 9, "{names:?}");
        let middle = map.openings.iter().find(|opening| opening.name == "b2").unwrap();
        assert!(middle.kept > 0.9 && middle.swapped.is_some_and(|chance| chance < 0.1), "the middle wins: {middle:?}");
        assert!(middle.is_swapped() && Some(middle.expected()) == middle.swapped);
        assert_eq!(middle.replies.len(), 8);
        assert!(middle.replies.values().all(|&chance| chance > 0.5), "{middle:?}");
    }

    #[test]
    fn map_without_the_swap_rule_offers_no_swap() {
        let map = map("hex-noswap", 3, 1);
        assert!(map.openings.iter().all(|opening| opening.swapped.is_none() && !opening.is_swapped()));
        assert!(map.openings.iter().all(|opening| opening.reply.as_deref() != Some("swap")));
        assert_eq!(map, super::tests::map("hex-noswap", 3, 3), "threads change nothing");
    }

    /// A first move and what a symmetry makes of it lead to positions that differ by the same symmetry: the same number of
    /// replies, each of which may be played there.
    #[test]
    fn replies_are_turned_with_their_first_moves() {
        for game in all_games() {
            let start = game.start(*game.boards.sizes.start()).unwrap();
            for (first, same) in classes(&start) {
                let replies = legal(&played(&start, &[first]));
                for other in same {
                    let by = symmetries(&start).find(|&by| start.image(first, by) == other).unwrap();
                    let after = played(&start, &[other]);
                    let mut turned: Vec<Action> = replies.iter().map(|&reply| start.image(reply, by)).collect();
                    turned.sort_unstable();
                    assert_eq!(turned, legal(&after), "{game:?}: {}", start.action_name(other));
                }
            }
        }
    }

    #[test]
    fn maps_are_kept_in_a_file() {
        let mut maps = OpeningMaps::default();
        maps.put(map("hex", 3, 1));
        maps.put(map("hex", 2, 1));
        maps.put(map("hex", 3, 1));
        let read = OpeningMaps::parse(&maps.to_text()).unwrap();
        assert_eq!(read.maps().iter().map(|map| map.size).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(read.maps(), maps.maps());
        assert!(OpeningMaps::parse("{\"version\":9,\"maps\":[]}").unwrap_err().to_string().contains("version is 9"));
        assert!(OpeningMaps::parse("[]").is_err());
        // JSON has no infinity, but numbers that overflow a chance.
        for chance in ["1e99", "-0.1"] {
            let opening = format!(r#"{{"move":"a1","kept":0.5,"swapped":{chance},"reply":null}}"#);
            let map = format!(
                r#"{{"game":"hex","size":3,"model":null,"visits":1,"reply_visits":null,"openings":[{opening}]}}"#
            );
            let error = OpeningMaps::parse(&format!(r#"{{"version":1,"maps":[{map}]}}"#)).unwrap_err().to_string();
            assert!(error.starts_with("a chance after 'a1' is ") && error.ends_with("; accepted: 0 to 1"), "{error}");
        }
    }

    /// Returns the file of a map of these first moves, without a checksum.
    fn file(game: &str, openings: &str) -> String {
        let head = format!(r#"{{"game":"{game}","size":3,"model":null,"visits":1,"reply_visits":null"#);
        format!(r#"{{"version":1,"maps":[{head},"openings":[{openings}]}}]}}"#)
    }

    #[test]
    fn moves_that_may_not_be_played_are_refused() {
        let first = |name: &str, more: &str| format!(r#"{{"move":"{name}"{more},"kept":0.5,"reply":null}}"#);
        let reply = |more: &str| format!(r#"{{"move":"a1","kept":0.5,"reply":{more}}}"#);
        assert!(OpeningMaps::parse(&file("hex", &first("a1", r#","same":["c3"]"#))).is_ok());
        assert!(OpeningMaps::parse(&file("a-game-of-others", &first("z9", ""))).is_ok());
        for (game, openings, said) in [
            ("hex", first("d1", ""), "'d1' is no first move"),
            ("hex", first("swap", ""), "'swap' is no first move"),
            ("hex", first("a1", r#","same":["c4"]"#), "'c4' is no first move"),
            ("hex", first("a1", r#","same":["b3"]"#), "'b3' is not the same as 'a1' by a symmetry"),
            ("hex", first("a1", r#","same":["c3","c3"]"#), "'c3' is there twice"),
            ("hex", format!("{},{}", first("a1", ""), first("a1", "")), "'a1' is there twice"),
            ("hex", reply(r#""a1""#), "'a1' is no reply to 'a1'"),
            ("hex", reply(r#"null,"replies":{"b2":0.5,"z1":0.5}"#), "'z1' is no reply to 'a1'"),
            ("hex", reply(r#"null,"sbme":["c3"]"#), "unknown field `sbme`"),
            // The first player of Vex has to decide on the neutral stone.
            ("vex", first("a1", r#","same":["c3"]"#), "'a1' is no first move"),
        ] {
            let error = OpeningMaps::parse(&file(game, &openings)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}, not {said}");
        }
    }

    #[test]
    fn shipped_maps_are_of_the_models_that_ship() {
        let games = all_games().into_iter().filter_map(|game| Some((game, shipped_openings(game)?)));
        let mut seen = 0;
        for (game, text) in games {
            let maps = OpeningMaps::parse(text).unwrap();
            for map in maps.maps().iter().filter(|map| map.game == game.name()) {
                assert_eq!(map.model, hexzero_models::shipped_digest(game), "{game:?}: make the maps of this model");
                let count = legal(&game.start(map.size).unwrap()).len();
                assert_eq!(map.unfolded(game).unwrap().len(), count, "{game:?}");
                seen += 1;
            }
        }
        assert!(seen >= 2);
    }
}
