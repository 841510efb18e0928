//! What the networks of a run think of positions.

use std::collections::HashMap;
use std::fs;
use std::time::SystemTime;

use parking_lot::Mutex;

use hexzero_games::{Action, Game, Position};
use hexzero_nn::{Checkpoint, NetworkEvaluator, Opinion, Precision};
use hexzero_train::RunFolder;

/// The number of opinions that are remembered.
const MAX_REMEMBERED: usize = 2000;

/// Step, size and moves of a query, and the time at which the checkpoint was written. The text of the query may be long
/// without meaning anything.
type Key = (u64, usize, Vec<Action>, SystemTime);

/// The opinions so far. One is computed at a time.
#[derive(Debug, Default)]
pub(super) struct Opinions(Mutex<HashMap<Key, String>>);

/// The error for a query that lacks a part.
const NO_QUERY: &str = "ask with ?step=NUMBER&size=NUMBER&moves=MOVE,MOVE";

impl Opinions {
    /// Returns the opinion of a network on a position, `step=N&size=S&moves=M,M`, as JSON: the first player's expected
    /// score, the moves with their places and probabilities, and the pieces. An error says why there is none.
    pub fn of(&self, game: Game, folder: &RunFolder, query: &str) -> Result<String, String> {
        let step: u64 = field(query, "step").and_then(|step| step.parse().ok()).ok_or(NO_QUERY)?;
        let size: usize = field(query, "size").and_then(|size| size.parse().ok()).ok_or(NO_QUERY)?;
        let (moves, position) = played(game, size, &field(query, "moves").unwrap_or_default())?;
        let not_kept = || format!("the network of step {step} is not kept");
        let path = folder.checkpoint(step);
        let written = fs::metadata(&path).and_then(|file| file.modified()).map_err(|_| not_kept())?;
        // Others wait meanwhile.
        let mut known = self.0.lock();
        let key = (step, size, moves, written);
        if let Some(opinion) = known.get(&key) {
            return Ok(opinion.clone());
        }
        let mut network = Checkpoint::read(&path)
            .and_then(|checkpoint| NetworkEvaluator::new(game, &checkpoint, "of this run", Precision::best()))
            .map_err(|_| not_kept())?;
        let opinion = Opinion::of(&position, &mut network);
        let opinion = serde_json::to_string(&opinion).expect("texts and numbers are JSON");
        if known.len() >= MAX_REMEMBERED {
            known.clear();
        }
        known.insert(key, opinion.clone());
        Ok(opinion)
    }
}

/// Plays moves separated by commas from the start. Returns them and the position after them.
fn played(game: Game, size: usize, moves: &str) -> Result<(Vec<Action>, Position), String> {
    let mut position = game.start(size).map_err(|error| error.to_string())?;
    let names = moves.split(',').filter(|name| !name.is_empty());
    let moves: Result<Vec<Action>, _> = names.map(|name| position.play_named(name)).collect();
    Ok((moves.map_err(|error| error.to_string())?, position))
}

/// Returns a field of a query; none if it is missing or wrongly encoded.
fn field(query: &str, name: &str) -> Option<String> {
    let found = query.split('&').filter_map(|field| field.split_once('=')).find(|(key, _)| *key == name);
    let mut bytes = Vec::new();
    let mut rest = found?.1.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                (16 * digit()? + digit()?) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use hexzero_games::game_named;

    use super::*;

    #[test]
    fn fields_are_decoded() {
        let query = "step=12&moves=a1%2Cb2%3Ec3+&bad=%4&worse=%zz&none=%ff";
        assert_eq!(field(query, "step").as_deref(), Some("12"));
        assert_eq!(field(query, "moves").as_deref(), Some("a1,b2>c3 "));
        for name in ["bad", "worse", "none", "size"] {
            assert_eq!(field(query, name), None, "{name}");
        }
    }

    /// However long the text is.
    #[test]
    fn opinions_are_known_by_their_moves() {
        let hex = game_named("hex").unwrap();
        let moves = |text: &str| played(hex, 3, text).unwrap().0;
        assert_eq!(moves(&format!(",a1{}b2", ",".repeat(1000))), moves("a1,b2"));
    }
}
