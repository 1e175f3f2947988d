//! Networks of Connect-N: what is looked up where.

use std::collections::HashMap;

use games::connect::{Bits, Column, Connect, Position, Rules};
use games::{Game, Stream, Turn, below, stream};
use players::network::connect::{CellLookup, Sights, read, squash};
use players::network::{Floats, Lookup, Network};

const BOARDS: [(u8, u8, u8); 7] = [
    (6, 7, 4),
    (4, 4, 3),
    (1, 9, 3),
    (9, 1, 4),
    (8, 8, 5),
    (5, 12, 4),
    (2, 3, 2),
];
const WIDE_BOARDS: [(u8, u8, u8); 4] = [(9, 10, 5), (2, 64, 7), (64, 2, 4), (16, 8, 6)];

fn rules((rows, cols, connect): (u8, u8, u8)) -> Rules {
    let pieces = (u32::from(rows) * u32::from(cols)).div_ceil(2) as u8;
    Rules {
        rows,
        cols,
        connect,
        pieces,
    }
}

/// Tuples of up to eight cells anywhere on the board, and threats unless it is too large.
fn random_sights(rules: Rules, rng: &mut Stream) -> Sights {
    let cells = rules.cells();
    let tuple = |rng: &mut Stream| {
        let count = 1 + below(rng, cells.min(8)) as usize;
        let cells = streams::distinct(rng, cells as usize, count);
        let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
        cells.join(",")
    };
    let mut words: Vec<String> = (0..5).map(|_| tuple(rng)).collect();
    if rules.rows <= 8 && rules.cols <= 10 {
        words.push("threats".to_owned());
    }
    read(&words.join(" "), rules).expect("a list of cells")
}

/// A position of a random game that is not over, and the same moves mirrored.
fn random_positions<B: Bits>(game: &Connect<B>, rng: &mut Stream) -> [Position<B>; 2] {
    let mut positions = [game.start(); 2];
    for _ in 0..below(rng, game.rules().longest_game()) {
        let Column(column) = game.random_move(&positions[0], rng);
        let columns = [column, game.rules().cols - 1 - column];
        let mut after = positions;
        for (position, column) in after.iter_mut().zip(columns) {
            game.play_unchecked(position, Column(column));
        }
        if game.turn(&after[0]) == Turn::Over {
            break;
        }
        positions = after;
    }
    positions
}

fn entries<B: Bits>(lookup: &CellLookup, position: Position<B>) -> Vec<Vec<usize>> {
    let tables = Lookup::<Position<B>>::tables(lookup).len();
    let mut entries = Vec::new();
    lookup.each(position, 0..tables, |_, found| entries.push(found.to_vec()));
    entries
}

/// What stands on the cells of a tuple, for the player who has just moved.
fn contents<B: Bits>(tuple: &[u8], position: &Position<B>) -> String {
    let (rows, cols) = (position.rows(), position.cols());
    let to_move = (position.plies() % 2) as u8;
    let cell = |&cell: &u8| {
        let (row, column) = (rows - 1 - cell / cols, cell % cols);
        let is_stone = |row| position.stone(row, column).is_some();
        match position.stone(row, column) {
            Some(seat) if seat == to_move => 't',
            Some(_) => 'm',
            None if row == 0 || is_stone(row - 1) => 'n',
            None => 'e',
        }
    };
    let cells: String = tuple.iter().map(cell).collect();
    format!("{cells} {to_move}")
}

/// Columns that share a table of threats, in the order of these tables.
fn pairs(cols: u8) -> Vec<[u8; 2]> {
    let all = (0..cols).flat_map(|left| (left + 1..cols).map(move |right| [left, right]));
    let is_first = |[left, right]: &[u8; 2]| left + right < cols;
    all.filter(is_first).collect()
}

/// The lowest cell of a column, from 1, where a stone of this player would complete a line; 0 if there is none.
fn lowest_threat<B: Bits>(game: &Connect<B>, position: &Position<B>, seat: u8, column: u8) -> u8 {
    let completes = |row: &u8| {
        let cell = B::bit(u32::from(column) * u32::from(position.rows()) + u32::from(*row));
        position.stone(*row, column).is_none() && game.has_line(position.stones(seat) | cell)
    };
    (0..position.rows())
        .find(completes)
        .map_or(0, |row| row + 1)
}

/// What a table of threats knows: of a pair of columns, or of all.
fn threats<B: Bits>(game: &Connect<B>, position: &Position<B>, pair: Option<&[u8; 2]>) -> String {
    let (rows, cols) = (position.rows(), position.cols());
    let to_move = (position.plies() % 2) as u8;
    let height = |column| {
        (0..rows)
            .filter(|&row| position.stone(row, column).is_some())
            .count()
    };
    let lowest =
        |column| [1 - to_move, to_move].map(|seat| lowest_threat(game, position, seat, column));
    if let Some(pair) = pair {
        let known = pair.map(|column| (height(column), lowest(column)));
        return format!("{known:?} {to_move}");
    }
    let all: Vec<(usize, [u8; 2])> = (0..cols)
        .map(|column| (height(column), lowest(column)))
        .collect();
    let count = |keep: &dyn Fn(usize, u8, u8) -> bool, side: usize| {
        let kept = all.iter().filter(|(height, threats)| {
            threats[side] > 0 && keep(*height, threats[side], threats[1 - side])
        });
        kept.count().min(3)
    };
    let now = |height: usize, threat: u8, _: u8| usize::from(threat) == height + 1;
    let first = |threat: u8, against: u8| against == 0 || threat <= against;
    let odd = |_: usize, threat: u8, against: u8| threat % 2 == 1 && first(threat, against);
    let even =
        |_: usize, threat: u8, against: u8| threat.is_multiple_of(2) && first(threat, against);
    let counts = [0, 1].map(|side| [count(&now, side), count(&odd, side), count(&even, side)]);
    format!("{counts:?} {to_move}")
}

/// An entry stands for what its table looks at and for the mover, and for nothing else.
fn check_entries<B: Bits>(rules: Rules, seed: u64) {
    let game = Connect::<B>::new(rules);
    let mut rng = stream(seed, &[]);
    let sights = random_sights(rules, &mut rng);
    let tuples = sights.tuples.cells();
    let pairs = pairs(rules.cols);
    let lookup = CellLookup::new(&sights);
    let tables = Lookup::<Position<B>>::tables(&lookup);
    let mut entry_of = vec![HashMap::new(); tables.len()];
    let mut contents_of = vec![HashMap::new(); tables.len()];
    for _ in 0..500 {
        let views = random_positions(&game, &mut rng);
        for (table, found) in entries(&lookup, views[0]).iter().enumerate() {
            for (&entry, view) in found.iter().zip(&views) {
                assert!(entry < tables[table]);
                let contents = match tuples.get(table) {
                    Some(tuple) => contents(tuple, view),
                    None => threats(&game, view, pairs.get(table - tuples.len())),
                };
                let first = *entry_of[table].entry(contents.clone()).or_insert(entry);
                assert_eq!(entry, first, "{contents} in {view}");
                let first = contents_of[table].entry(entry).or_insert(contents.clone());
                assert_eq!(contents, *first, "{view}");
            }
        }
    }
}

#[test]
fn an_entry_stands_for_the_cells_of_a_tuple_and_the_mover() {
    for (seed, board) in BOARDS.into_iter().enumerate() {
        check_entries::<u64>(rules(board), seed as u64);
        check_entries::<u128>(rules(board), seed as u64);
    }
    for (seed, board) in WIDE_BOARDS.into_iter().enumerate() {
        check_entries::<u128>(rules(board), seed as u64);
    }
}

#[test]
fn a_board_of_one_word_is_looked_up_as_any_other() {
    for (seed, board) in BOARDS.into_iter().enumerate() {
        let game = Connect::<u64>::new(rules(board));
        let mut rng = stream(seed as u64, &[1]);
        let lookup = CellLookup::new(&random_sights(rules(board), &mut rng));
        for _ in 0..500 {
            let [position, _] = random_positions(&game, &mut rng);
            let wide = entries(&lookup, position.widened());
            assert_eq!(entries(&lookup, position), wide, "{position}");
        }
    }
}

#[test]
fn mirrored_positions_have_equal_values() {
    for (seed, board) in BOARDS.into_iter().enumerate() {
        let game = Connect::<u64>::new(rules(board));
        let mut rng = stream(seed as u64, &[2]);
        let lookup = CellLookup::new(&random_sights(rules(board), &mut rng));
        let count = Lookup::<Position<u64>>::tables(&lookup).iter().sum();
        let mut weights = Floats::<f32>::zeroed(count).expect("memory");
        for weight in weights.entries_mut() {
            // Multiples of a quarter, whose sums are exact in any order.
            *weight = below(&mut rng, 64) as f32 / 4.0 - 8.0;
        }
        let network = Network::new::<Position<u64>>(lookup, weights);
        for _ in 0..200 {
            let [position, mirrored] = random_positions(&game, &mut rng);
            assert_eq!(
                network.value(position),
                network.value(mirrored),
                "{position}"
            );
            assert_eq!(network.expected(&position), squash(network.value(position)));
        }
    }
}

#[test]
fn named_tuples_suit_the_board() {
    let count =
        |name: &str, board| read(name, rules(board)).map(|sights| sights.tuples.cells().len());
    // 24 lines lie level on 6x7 and 24 slant; two mirror images share a tuple.
    assert_eq!(count("lines", (6, 7, 4)), Ok(24));
    assert_eq!(count("lines", (4, 4, 3)), Ok(8));
    assert_eq!(count("small", (6, 7, 4)), Ok(45));
    assert_eq!(count("windows", (6, 7, 4)), Ok(62));
    assert!(count("windows", (9, 10, 5)).is_ok());
    let problem = |name: &str, board| count(name, board).expect_err("no tuples").to_string();
    assert_eq!(
        problem("lines", (9, 1, 4)),
        "lines has no tuple on a board of 9x1; list cells, like '0,1,2,3'"
    );
    assert_eq!(
        problem("lines", (2, 64, 30)),
        "lines, with lines of 30: a tuple of 60 cells in 30 runs of columns is too large: cells and runs may be at most 24 together; \
         list cells, like '0,1,2,3'"
    );
    assert_eq!(
        problem("window", (6, 7, 4)),
        "'window' (did you mean 'windows'?): not a cell from 0 to 41; expected one of small, windows, lines, or cells like '0,1,2,3 4,5,6,7'"
    );
    assert_eq!(problem("0,0", (6, 7, 4)), "'0,0' has the cell 0 twice");
    assert_eq!(
        problem("0,1 threats", (2, 64, 7)),
        "threats are known on boards of at most 8 rows and 10 columns, not of 2 and 64"
    );
    let threats = |name: &str, board| read(name, rules(board)).expect("a set").threats;
    assert!(
        threats("small", (6, 7, 4))
            && !threats("small", (2, 64, 7))
            && !threats("lines", (6, 7, 4))
    );
}
