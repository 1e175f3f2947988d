//! Features by their plain definitions, cell by cell, in random positions of several boards.

use std::collections::BTreeMap;

use games::connect::{Column, Rules};
use games::{Game, below, stream};

use super::sets::COMING_NAMES;
use super::*;

/// A board as rows and columns, from the side of the player who has just moved.
struct Plain<'a> {
    rules: Rules,
    lines: &'a [Vec<Cell>],
    own: u8,
    stones: BTreeMap<Cell, u8>,
}

type Cell = (i32, i32);

fn cells(rules: Rules) -> Vec<Cell> {
    let (rows, cols) = (i32::from(rules.rows), i32::from(rules.cols));
    (0..cols)
        .flat_map(|col| (0..rows).map(move |row| (row, col)))
        .collect()
}

fn lines(rules: Rules) -> Vec<Vec<Cell>> {
    let (cells, length) = (cells(rules), i32::from(rules.connect));
    let mut lines = Vec::new();
    for &(row, col) in &cells {
        for (up, right) in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
            let line: Vec<Cell> = (0..length)
                .map(|step| (row + up * step, col + right * step))
                .collect();
            if line.iter().all(|cell| cells.contains(cell)) {
                lines.push(line);
            }
        }
    }
    lines
}

impl<'a> Plain<'a> {
    fn of(rules: Rules, lines: &'a [Vec<Cell>], position: &Position<u64>) -> Self {
        let stone = |cell: Cell| {
            let seat = position.stone(cell.0 as u8, cell.1 as u8)?;
            Some((cell, seat))
        };
        Self {
            rules,
            lines,
            own: ((position.plies() + 1) % 2) as u8,
            stones: cells(rules).into_iter().filter_map(stone).collect(),
        }
    }

    /// How good the facts are, from 0.
    fn facts(&self) -> usize {
        let (own, its) = (self.own, 1 - self.own);
        let facts = [
            self.has_won(own),
            !self.wins(its).is_empty(),
            self.traps(),
            self.traps_of(its) > 0.0,
        ];
        match facts {
            [true, ..] => 4,
            [_, true, ..] => 0,
            [_, _, true, _] => 3,
            [.., true] => 1,
            _ => 2,
        }
    }

    fn stone(&self, cell: Cell) -> Option<u8> {
        self.stones.get(&cell).copied()
    }

    /// With one more stone, of the player who then has just moved.
    fn after(&self, cell: Cell, own: u8) -> Self {
        let mut stones = self.stones.clone();
        stones.insert(cell, own);
        Plain {
            own,
            stones,
            ..*self
        }
    }

    /// Cells that this player can play and that complete a line of it.
    fn wins(&self, seat: u8) -> Vec<Cell> {
        let wins = |&cell: &Cell| self.is_playable(cell) && self.is_threat(cell, seat);
        self.cells().into_iter().filter(wins).collect()
    }

    fn has_won(&self, seat: u8) -> bool {
        let full = |line: &Vec<Cell>| line.iter().all(|&cell| self.stone(cell) == Some(seat));
        self.lines.iter().any(full)
    }

    fn cells(&self) -> Vec<Cell> {
        cells(self.rules)
    }

    fn is_playable(&self, (row, col): Cell) -> bool {
        self.stone((row, col)).is_none() && (row == 0 || self.stone((row - 1, col)).is_some())
    }

    /// Does the cell complete a line of this player?
    fn is_threat(&self, cell: Cell, seat: u8) -> bool {
        let completes = |line: &Vec<Cell>| {
            line.contains(&cell)
                && line
                    .iter()
                    .all(|&other| other == cell || self.stone(other) == Some(seat))
        };
        self.stone(cell).is_none() && self.lines.iter().any(completes)
    }

    /// Does the row fall to this player when columns fill up?
    fn falls_to((row, _): Cell, seat: u8) -> bool {
        row % 2 == i32::from(seat)
    }

    /// May this player lay a stone on the cell without giving the other a line right above?
    fn is_sound(&self, (row, col): Cell, seat: u8) -> bool {
        let above = (row + 1, col);
        let on_board = self.cells().contains(&above);
        self.is_playable((row, col)) && !(on_board && self.is_threat(above, 1 - seat))
    }

    fn count(&self, holds: impl Fn(Cell) -> bool) -> f64 {
        self.cells().into_iter().filter(|&cell| holds(cell)).count() as f64
    }

    /// Has the opponent no reply that prevents a line with the next own stone?
    fn traps(&self) -> bool {
        let (own, its) = (self.own, 1 - self.own);
        let replies = self.count(|cell| self.is_playable(cell));
        let prevents = self.count(|reply| {
            self.is_sound(reply, its) && self.wins(own).iter().all(|&cell| cell == reply)
        });
        self.wins(its).is_empty() && replies > 0.0 && prevents == 0.0
    }

    /// With how many stones would this player make a trap?
    fn traps_of(&self, seat: u8) -> f64 {
        let other = 1 - seat;
        self.count(|cell| {
            self.is_sound(cell, seat)
                && self.wins(other).iter().all(|&win| win == cell)
                && self.after(cell, seat).traps()
        })
    }

    /// Who wins when the columns fill up, by the threats that there are now?
    fn winner_of_filling(&self) -> Option<u8> {
        let threats = |seat| {
            let cells = self.cells().into_iter();
            cells
                .filter(move |&cell| self.is_threat(cell, seat))
                .collect()
        };
        let threats: [Vec<Cell>; 2] = [threats(0), threats(1)];
        let is_threat = |cell: Cell, seat: u8| threats[usize::from(seat)].contains(&cell);
        let mut board = self.after((-1, -1), self.own);
        loop {
            let (mover, last) = (1 - board.own, board.own);
            let cells = board.cells().into_iter();
            // Column by column, from the left.
            let playable: Vec<Cell> = cells.filter(|&cell| board.is_playable(cell)).collect();
            if playable.is_empty() {
                return None;
            }
            if playable.iter().any(|&cell| is_threat(cell, mover)) {
                return Some(mover);
            }
            let to_prevent = playable.iter().filter(|&&cell| is_threat(cell, last));
            let to_prevent: Vec<&Cell> = to_prevent.collect();
            let safe = |seat: u8| move |&&(row, col): &&Cell| !is_threat((row + 1, col), seat);
            let mut careful = playable
                .iter()
                .filter(|cell| safe(last)(cell) && safe(mover)(cell));
            let mut safe = playable.iter().filter(safe(last));
            let chosen = match to_prevent[..] {
                [] => careful.next().or_else(|| safe.next()),
                [one] => Some(one),
                _ => None,
            };
            match chosen {
                Some(&cell) => board = board.after(cell, mover),
                None => return Some(last),
            }
        }
    }

    /// What threats will come to.
    fn coming(&self) -> Vec<(&'static str, bool)> {
        let (own, its) = (self.own, 1 - self.own);
        let won = self.has_won(own);
        let lost = !won && !self.wins(its).is_empty();
        let traps = |seat| match won || lost {
            true => 0.0,
            false => self.traps_of(seat),
        };
        let (mine, others) = (traps(own), traps(its));
        let filling = match won || lost {
            true => None,
            false => self.winner_of_filling(),
        };
        vec![
            ("traps", self.traps()),
            ("own-traps-1", mine == 1.0),
            ("own-traps-2", mine > 1.0),
            ("its-traps-1", others == 1.0),
            ("its-traps-2", others > 1.0),
            ("fills-won", won || filling == Some(own)),
            ("fills-lost", lost || filling == Some(its)),
        ]
    }

    fn features(&self, set: Set) -> BTreeMap<String, f64> {
        let mut found: BTreeMap<String, f64> = set
            .features(self.rules.connect)
            .into_iter()
            .map(|name| (name, 0.0))
            .collect();
        let mut put = |name: String, more: f64| {
            let count = found.get_mut(&name);
            *count.unwrap_or_else(|| panic!("there is a feature {name}")) += more;
        };
        let middle = f64::from(self.rules.cols - 1) / 2.0;
        for (whose, seat) in [("own", self.own), ("its", 1 - self.own)] {
            let threat = |cell| self.is_threat(cell, seat);
            let now = |cell| self.is_playable(cell);
            let at_once = self.count(|cell| threat(cell) && now(cell));
            let name = if whose == "own" { "threatens" } else { "gives" };
            put(name.to_owned(), at_once);
            let hanging = |right: bool| {
                self.count(|cell| threat(cell) && !now(cell) && Self::falls_to(cell, seat) == right)
            };
            put(format!("{whose}-right"), hanging(true));
            put(format!("{whose}-wrong"), hanging(false));
            let sound = self.count(|cell| self.is_sound(cell, seat));
            put(format!("{whose}-moves"), sound);
            for cell in self.cells() {
                if self.stone(cell) == Some(seat) {
                    let closeness = (middle - (f64::from(cell.1) - middle).abs()).floor();
                    let sign = if whose == "own" { 1.0 } else { -1.0 };
                    put("centre".to_owned(), sign * closeness);
                }
            }
            for line in self.lines {
                if line.iter().any(|&cell| self.stone(cell) == Some(1 - seat)) {
                    continue;
                }
                let empty: Vec<Cell> = line
                    .iter()
                    .copied()
                    .filter(|&cell| self.stone(cell).is_none())
                    .collect();
                let stones = line.len() - empty.len();
                if empty.is_empty() && whose == "own" {
                    put("wins".to_owned(), 1.0);
                }
                if stones == 0 || empty.is_empty() {
                    continue;
                }
                if set == Set::Lines {
                    put(format!("{whose}-{stones}"), 1.0);
                    continue;
                }
                let wrong = empty.iter().filter(|&&cell| !Self::falls_to(cell, seat));
                put(format!("{whose}-{stones}-wrong-{}", wrong.count()), 1.0);
                match empty.iter().filter(|&&cell| now(cell)).count() {
                    0 => {}
                    now => put(format!("{whose}-{stones}-now-{}", now.min(2)), 1.0),
                }
            }
        }
        let coming = match set {
            Set::Lines => Vec::new(),
            Set::Parity => vec![("traps", self.traps())],
            Set::Traps | Set::Facts => self.coming(),
        };
        for (name, holds) in coming {
            put(name.to_owned(), f64::from(u8::from(holds)));
        }
        // However many lines the move completed.
        let wins = found.get_mut("wins").expect("a feature");
        *wins = wins.min(1.0);
        found
    }
}

#[test]
fn features_are_what_their_plain_definitions_say() {
    let boards: [(u8, u8, u8); 5] = [(6, 7, 4), (5, 5, 3), (4, 6, 4), (7, 6, 5), (3, 4, 2)];
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for (rows, cols, connect) in boards {
        let rules = Rules {
            rows,
            cols,
            connect,
            pieces: rows * cols,
        };
        let (game, lines) = (Connect::<u64>::new(rules), lines(rules));
        for number in 0..20 {
            let mut rng = stream(19, &[u64::from(rows), number]);
            let mut position = game.position_after("").expect("an empty board");
            let mut moves: Vec<Column> = Vec::new();
            while game.winner(&position).is_none() {
                moves.clear();
                game.moves(&position, &mut moves);
                if moves.is_empty() {
                    break;
                }
                let chosen = below(&mut rng, moves.len() as u32) as usize;
                game.play_unchecked(&mut position, moves[chosen]);
                let plain = Plain::of(rules, &lines, &position);
                for (_, set) in Set::ALL {
                    let names = set.features(connect);
                    let mut counted = vec![f64::NAN; names.len()];
                    Counter::new(&game, set).count(&game, &position, &mut counted);
                    let counted: BTreeMap<String, f64> = names.into_iter().zip(counted).collect();
                    assert_eq!(counted, plain.features(set), "{set:?} of {position}");
                    for (name, _) in counted.iter().filter(|(_, count)| **count != 0.0) {
                        *seen.entry(name.clone()).or_default() += 1;
                    }
                }
            }
        }
    }
    for name in COMING_NAMES {
        let times = seen.get(name).copied().unwrap_or(0);
        assert!(times > 5, "only {times} positions have {name}");
    }
    for name in Set::Traps.names(4) {
        assert!(seen.contains_key(&name), "no position has {name}");
    }
}

#[test]
fn facts_outweigh_everything_else() {
    let rules = Rules {
        rows: 6,
        cols: 7,
        connect: 4,
        pieces: 42,
    };
    let (game, lines) = (Connect::<u64>::new(rules), lines(rules));
    let counter = Counter::new(&game, Set::Facts);
    let features = Set::Facts.features(4);
    let mut seen = [0; 5];
    for number in 0..60 {
        let mut rng = stream(23, &[number]);
        let names = Set::Facts.names(4);
        let given: Vec<f64> = names
            .iter()
            .map(|_| f64::from(below(&mut rng, 2001)) - 1000.0)
            .collect();
        let of_name: BTreeMap<&String, f64> = names.iter().zip(given.iter().copied()).collect();
        let weights = counter.weights(&given);
        let mut position = game.position_after("").expect("an empty board");
        while game.winner(&position).is_none() && position.plies() < 42 {
            let mut moves: Vec<Column> = Vec::new();
            game.moves(&position, &mut moves);
            // Facts, cells to give, what the other features sum up to, and the value.
            let judged: Vec<(usize, f64, f64, f64)> = moves
                .iter()
                .map(|&column| {
                    let mut after = position;
                    game.play_unchecked(&mut after, column);
                    let plain = Plain::of(rules, &lines, &after);
                    let counts = plain.features(Set::Facts);
                    let others = of_name.iter().map(|(name, weight)| counts[*name] * weight);
                    let mut counted = vec![0.0; features.len()];
                    counter.count(&game, &after, &mut counted);
                    let value = counted.iter().zip(&weights).map(|(f, w)| f * w).sum();
                    (plain.facts(), counts["gives"], others.sum(), value)
                })
                .collect();
            for one in &judged {
                seen[one.0] += 1;
                for other in &judged {
                    if one.0 > other.0 {
                        assert!(one.3 > other.3, "{one:?}, {other:?} in {position}");
                    } else if one.0 == other.0 && one.1 == other.1 && one.0 < 4 {
                        let by_others = one.2 - other.2;
                        assert!((one.3 - other.3 - by_others).abs() < 1e-3, "{position}");
                    }
                }
            }
            let chosen = below(&mut rng, moves.len() as u32) as usize;
            game.play_unchecked(&mut position, moves[chosen]);
        }
    }
    assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
}

#[test]
fn a_set_has_as_many_weights_as_names() {
    for (_, set) in Set::ALL {
        for connect in 1..9 {
            let names = set.names(connect);
            assert_eq!(set.weights_by_hand(connect).len(), names.len());
            let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
            assert_eq!(distinct.len(), names.len());
        }
    }
    assert_eq!(Set::Lines.names(4).len(), 16);
    assert_eq!(Set::Parity.names(4).len(), 41);
    assert_eq!(Set::Traps.names(4).len(), 45);
    assert_eq!(Set::Facts.names(4).len(), 40);
}
