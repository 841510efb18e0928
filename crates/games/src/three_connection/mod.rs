//! 3-Connection: Y, Gale and Hex side by side. The player who wins two of the three wins.
//!
//! The first turn is one move in one of the games. After that a turn is two moves in different
//! games. While all three games are unfinished, a player may not choose the same pair of games as
//! in their previous turn. A finished game takes no more moves; if only one is left, a turn is one
//! move.

mod info;

use crate::shared::joining::{Links, Stones};
use crate::{
    Action, Change, ChangeLog, GameInfo, GameRng, InvalidMove, Outcome, Rules, Score, Seat, draw_until_legal, flag,
    rules_by_fields,
};
use hexzero_board::Shape;

/// The number of cells of all games.
const CELLS: usize = 21 + 13 + 25;
/// The sum of the games' indices.
const SUM: u8 = 3;
/// All games, as a bit mask.
const ALL: u8 = 0b111;
/// The names of the games.
const NAMES: [&str; 3] = ["Y", "Gale", "Hex"];
/// Points for a game that is won.
const WON: i32 = 240;
/// The most points for an unfinished game.
const PROMISED: i32 = 160;

/// A position of 3-Connection. The games have the indices of their boards: Y 0, Gale 1, Hex 2.
#[derive(Debug, Clone)]
pub struct ThreeConnection {
    to_move: Seat,
    turns: u8,
    outcome: Option<Outcome>,
    stones: Stones<CELLS>,
    winners: [Option<Seat>; 3],
    /// The game of the first move of this turn, while the second is still to be made.
    first: Option<u8>,
    /// The game that each seat left out in its last turn of two moves.
    left_out: [Option<u8>; 2],
}

impl ThreeConnection {
    fn links(_size: usize) -> &'static Links {
        Links::of(&Shape::several([
            ("Y", Shape::Triangle { side: 6 }),
            ("G", Shape::Crossings { size: 3 }),
            ("H", Shape::Rhombus { side: 5 }),
        ]))
    }

    /// Returns the unfinished games, as a bit mask.
    fn live(&self) -> u8 {
        (0..3).filter(|&game| self.winners[game].is_none()).fold(0, |live, game| live | 1 << game)
    }

    /// Returns the games in which a move may be made now, as a bit mask.
    fn open(&self) -> u8 {
        let live = self.live();
        let Some(first) = self.first else { return live };
        let barred = match self.left_out[self.to_move.index()] {
            Some(left_out) if live == ALL && left_out != first => 1 << (SUM - first - left_out),
            _ => 0,
        };
        live & !(1 << first) & !barred
    }

    fn games(set: u8) -> impl Iterator<Item = usize> {
        (0..3).filter(move |game| set & 1 << game != 0)
    }

    fn won_by(&self, seat: Seat) -> usize {
        self.winners.iter().filter(|&&winner| winner == Some(seat)).count()
    }

    /// Returns why no move can be made in a game that is not open.
    fn refusal(&self, game: usize) -> String {
        let name = NAMES[game];
        if let Some(winner) = self.winners[game] {
            let winner = Self::INFO.seats[winner.index()].name;
            format!("{winner} has won {name}; play in another game")
        } else if self.first == Some(game as u8) {
            format!("the second move of a turn is made in another game than {name}")
        } else {
            let first = NAMES[self.first.map_or(game, usize::from)];
            format!("{first} and {name} were the pair of your turn before; play in the third game")
        }
    }

    fn next_turn(&mut self) {
        self.first = None;
        self.to_move = self.to_move.opponent();
    }
}

impl Rules for ThreeConnection {
    const INFO: GameInfo = info::INFO;

    fn new(size: usize) -> Self {
        Self {
            to_move: Seat::First,
            turns: 0,
            outcome: None,
            stones: Stones::new(Self::links(size)),
            winners: [None; 3],
            first: None,
            left_out: [None; 2],
        }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain, links);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let cell = action.index();
        let Some(stone) = self.stones.owners().get(cell) else {
            return Err(InvalidMove::NoSuchAction { index: cell, actions: CELLS });
        };
        let game = self.stones.links().part_of(cell);
        if self.open() & 1 << game == 0 {
            return Err(InvalidMove::refused(self.refusal(game)));
        }
        match stone {
            Some(_) => Err(InvalidMove::Occupied { cell: self.stones.name(cell) }),
            None => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        for game in Self::games(self.open()) {
            let empty = self.stones.links().part(game).filter(|&cell| self.stones.owner(cell).is_none());
            actions.extend(empty.map(|cell| Action(cell as u16)));
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let open = self.open();
        let is_open = |cell| open & 1 << self.stones.links().part_of(cell) != 0;
        let is_legal = |cell| self.stones.owner(cell).is_none() && is_open(cell);
        Some(draw_until_legal(rng, 0..CELLS as u32, is_legal))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        changes.note(Change::Placed(action.0));
        let (mover, game) = (self.to_move, self.stones.links().part_of(action.index()) as u8);
        if self.stones.place(mover, action.index()) {
            self.winners[game as usize] = Some(mover);
            if self.won_by(mover) == 2 {
                self.outcome = Some(Outcome::connection(mover));
            }
        }
        self.turns += 1;
        match self.first {
            _ if self.turns == 1 => self.next_turn(),
            Some(first) => {
                self.left_out[mover.index()] = Some(SUM - first - game);
                self.next_turn();
            }
            None => {
                self.first = Some(game);
                if self.open() == 0 {
                    self.next_turn();
                }
            }
        }
    }

    fn winning_action(&self) -> Option<Action> {
        if self.won_by(self.to_move) == 0 {
            return None;
        }
        let cells = Self::games(self.open()).flat_map(|game| self.stones.links().part(game));
        self.stones.joining_cell(self.to_move, cells).map(|cell| Action(cell as u16))
    }

    fn score(&self) -> Option<Score> {
        let points = [Seat::First, Seat::Second].map(|seat| self.won_by(seat) as u32);
        Some(Score { what: "games won", points })
    }

    fn heuristic(&self) -> Option<i32> {
        let game = |game: usize| match self.winners[game] {
            Some(winner) if winner == self.to_move => WON,
            Some(_) => -WON,
            None => {
                let [own, enemy] = [self.to_move, self.to_move.opponent()].map(|seat| self.stones.points(seat, game));
                (own - enemy).clamp(-PROMISED, PROMISED)
            }
        };
        Some((0..3).map(game).sum())
    }

    /// Planes after those of [`Stones::encode`]: the mover's bridge leads down; a cell of Y, of
    /// Gale, of Hex; a move may be made in the game now; the first move of this turn was made in
    /// it; the mover has won it, the enemy has won it; the mover left it out in the last turn, the
    /// enemy left it out. The last two are 0 when pairs are free.
    ///
    /// Globals: this is the first turn; this is the second move of a turn; pairs are free; games
    /// won by the mover, by the enemy.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (planes, links) = (Self::INFO.view.cell_inputs, self.stones.links());
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let (open, free) = (self.open(), self.live() != ALL);
        self.stones.encode(mover, cells, planes);
        for game in 0..3 {
            let is = |number: Option<u8>| number == Some(game as u8);
            let told = [
                flag(game == 0),
                flag(game == 1),
                flag(game == 2),
                flag(open & 1 << game != 0),
                flag(is(self.first)),
                flag(self.winners[game] == Some(mover)),
                flag(self.winners[game] == Some(enemy)),
                flag(!free && is(self.left_out[mover.index()])),
                flag(!free && is(self.left_out[enemy.index()])),
            ];
            // Each game has the same place in both frames.
            for cell in links.part(game) {
                let more = &mut cells[cell * planes..][links.planes()..planes];
                more[0] = flag(links.is_upright(cell));
                more[1..].copy_from_slice(&told);
            }
        }
        let won = |seat: Seat| flag(self.won_by(seat) > 0);
        globals.copy_from_slice(&[
            flag(self.turns == 0),
            flag(self.first.is_some()),
            flag(free),
            won(mover),
            won(enemy),
        ]);
    }
}
