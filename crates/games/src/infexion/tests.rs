use super::*;
use crate::{Game, Position, play_all};

/// Returns a position with these stacks, the first seat's positive.
fn with<const SPEC: bool>(to_move: Seat, stacks: &[(usize, i8)]) -> InfexionRules<SPEC> {
    let mut rules = InfexionRules { to_move, turns: 10, ..InfexionRules::new(SIDE) };
    for &(cell, power) in stacks {
        let owner = if power > 0 { Seat::First } else { Seat::Second };
        rules.stacks[cell] = Some((owner, power.unsigned_abs()));
        rules.power[owner.index()] += u16::from(power.unsigned_abs());
    }
    rules
}

fn named(rules: &Infexion, text: &str) -> Action {
    rules.parse_action(Infexion::board(SIDE), text).unwrap()
}

#[test]
fn directions_are_those_of_the_course() {
    let steps =
        [("DownRight", 0, 1), ("Down", 6, 1), ("DownLeft", 6, 0), ("UpLeft", 0, 6), ("Up", 1, 6), ("UpRight", 1, 0)];
    for (name, row, column) in steps {
        let mut rules = with(Seat::First, &[(0, 1), (24, -1)]);
        rules.play(named(&rules, &format!("m:0,0:{name}")), &mut ());
        assert_eq!(rules.stacks[row * SIDE + column], Some((Seat::First, 1)), "{name}");
    }
    assert_eq!(direction_named("upright"), direction_named("UpRight"));
}

#[test]
fn spread_takes_what_it_lands_on() {
    // Along row 0: an enemy of 3, nothing, an own 6, which overflows.
    let mut rules = with(Seat::First, &[(0, 3), (1, -3), (3, 6), (24, -1)]);
    let mut changes = Vec::new();
    rules.play(named(&rules, "m:0,0:DownRight"), &mut changes);
    assert_eq!(rules.stacks[..4], [None, Some((Seat::First, 4)), Some((Seat::First, 1)), None]);
    assert_eq!(changes, [Change::Removed(0), Change::Recoloured(1), Change::Placed(2), Change::Removed(3)]);
    assert_eq!((rules.power, rules.outcome), ([5, 1], None));
}

#[test]
fn last_token_wins_only_by_the_specification() {
    fn winner<const SPEC: bool>(enemy: i8) -> Option<Option<Seat>> {
        let mut rules = with::<SPEC>(Seat::First, &[(0, 1), (1, enemy)]);
        rules.play(rules.action(3, 0), &mut ());
        rules.outcome.map(|outcome| outcome.winner)
    }
    assert_eq!((winner::<false>(-2), winner::<true>(-2)), (Some(Some(Seat::First)), Some(Some(Seat::First))));
    // Both sides are gone; with the overflow nothing is left.
    assert_eq!((winner::<false>(-6), winner::<true>(-6)), (Some(None), Some(None)));
    // A stack of power two spreads onto a full stack and an empty cell: one token is left.
    fn alone<const SPEC: bool>() -> Option<Outcome> {
        let mut rules = with::<SPEC>(Seat::First, &[(0, 2), (1, -6)]);
        let found = rules.winning_action();
        rules.play(rules.action(3, 0), &mut ());
        assert_eq!(found.is_some(), rules.outcome.unwrap().winner.is_some());
        rules.outcome
    }
    assert_eq!(alone::<false>(), Some(Outcome { winner: None, reason: GONE }));
    assert_eq!(alone::<true>(), Some(Outcome { winner: Some(Seat::First), reason: GONE }));
}

#[test]
fn spawning_is_barred_on_a_full_board_of_power() {
    let stacks: Vec<(usize, i8)> = (0..8).map(|cell| (cell, 6)).chain([(20, -1)]).collect();
    let rules = with::<false>(Seat::First, &stacks);
    assert!(rules.check(rules.action(0, 30)).is_err());
    let mut legal = Vec::new();
    rules.legal_actions(&mut legal);
    assert_eq!(legal.len(), 48);
}

#[test]
fn gain_of_a_spread_is_the_change_of_the_lead() {
    let mut rng = <GameRng as rand::SeedableRng>::seed_from_u64(5);
    let mut rules = Infexion::new(SIDE);
    let lead = |rules: &Infexion, seat: Seat| {
        i32::from(rules.power[seat.index()]) - i32::from(rules.power[seat.opponent().index()])
    };
    while rules.outcome.is_none() {
        let drawn = rules.random_action(&mut rng).unwrap();
        let (mover, before) = (rules.to_move, lead(&rules, rules.to_move));
        let expected = rules.gain_of(drawn);
        rules.play(drawn, &mut ());
        assert_eq!(lead(&rules, mover) - before, expected);
        assert!(rules.points().abs() < 100_000);
    }
    let mut position: Position = Game::new::<Infexion>().start(SIDE).unwrap();
    play_all(&mut position, "s:3,3 s:3,4 m:3,3:DownRight").unwrap();
    assert_eq!(position.outcome(), Some(Outcome { winner: Some(Seat::First), reason: GONE }));
}

impl Infexion {
    fn gain_of(&self, action: Action) -> i32 {
        match self.read(action) {
            Play::Spawn(_) => 1,
            Play::Spread(cell, direction) => {
                let power = self.stacks[cell].map_or(0, |(_, power)| power);
                self.landing(self.to_move).gain(cell, direction, power)
            }
        }
    }
}
