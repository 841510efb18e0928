//! Files of opening maps.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use hexzero_games::game_named;
use hexzero_system::checked_lines::{checksum, with_checksum};

use super::{OpeningMap, first_move, symmetries};

/// The format version of files of opening maps.
const FORMAT_VERSION: u32 = 1;

/// A file of maps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningMaps {
    version: u32,
    maps: Vec<OpeningMap>,
}

/// An error in a file of maps.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpeningMapsError(String);

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
            let after = start.after(first);
            let replies = opening.reply.iter().chain(opening.replies.keys());
            if let Some(reply) = replies.into_iter().find(|reply| first_move(&after, reply).is_none()) {
                return Err(format!("'{reply}' is no reply to '{}'", opening.name));
            }
        }
        Ok(())
    }
}

impl OpeningMaps {
    /// Reads the text of a file of maps.
    ///
    /// # Errors
    /// If the text is no such file, is of another version, has a chance outside 0 to 1 or a move
    /// that cannot be played, or does not match its checksum.
    pub fn parse(text: &str) -> Result<Self, OpeningMapsError> {
        let no_file = |error: serde_json::Error| OpeningMapsError(format!("not a file of opening maps: {error}"));
        let mut maps: Self = serde_json::from_str(text).map_err(no_file)?;
        if maps.version != FORMAT_VERSION {
            let problem = format!("its version is {}, but this program reads version {FORMAT_VERSION}", maps.version);
            return Err(OpeningMapsError(problem));
        }
        for opening in maps.maps.iter().flat_map(|map| &map.openings) {
            if let Some(chance) = opening.chances().find(|chance| !(0.0..=1.0).contains(chance)) {
                let problem = format!("a chance after '{}' is {chance}; accepted: 0 to 1", opening.name);
                return Err(OpeningMapsError(problem));
            }
        }
        for map in &mut maps.maps {
            if let Some(problem) = map.take_checksum().or_else(|| map.validate().err()) {
                return Err(OpeningMapsError(format!("the map of {}, size {}: {problem}", map.game, map.size)));
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

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::super::OpeningSearch;
    use super::*;
    use crate::model::LoadedModel;
    use hexzero_games::all_games;
    use hexzero_models::shipped_openings;
    use hexzero_system::stop::StopSignal;

    /// Returns the map of a board of Hex, judged without a network.
    fn map(size: usize) -> OpeningMap {
        let search = OpeningSearch { game: game_named("hex").unwrap(), size, visits: 20, reply_visits: Some(5) };
        let (model, never) = (LoadedModel::uniform(), StopSignal::new());
        OpeningMap::search(search, &model, None, NonZeroUsize::MIN, &never, |_, _| {}).unwrap().unwrap()
    }

    #[test]
    fn maps_are_kept_in_a_file() {
        let mut maps = OpeningMaps::default();
        for size in [3, 2, 3] {
            maps.put(map(size));
        }
        let read = OpeningMaps::parse(&maps.to_text()).unwrap();
        assert_eq!(read.maps().iter().map(|map| map.size).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(read.maps(), maps.maps());
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
                let count = game.start(map.size).unwrap().legal().len();
                assert_eq!(map.unfolded(game).unwrap().len(), count, "{game:?}");
                seen += 1;
            }
        }
        assert!(seen >= 2);
    }
}
