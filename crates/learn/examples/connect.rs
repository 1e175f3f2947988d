//! experiments
use games::connect::{Column, Connect, Position, Rules};
use games::{Game, Turn};
use learn::connect::{CourseConnect, Exploration};
use learn::{Alone, Coherence, Difference, Learner, Method, Restart, Setup, Training};
use players::network::{Floats, Lookup, Network, Tuples, connect::CellLookup};
use players::solver::{Budget, Config, Solver, Verdict};
use streams::{below, stream};

fn walk(seed: u64, n: usize) -> Vec<u8> {
    let mut rng = stream(seed, &[7]);
    let mut cells: Vec<(i32, i32)> = vec![(below(&mut rng, 6) as i32, below(&mut rng, 7) as i32)];
    let mut at = cells[0];
    while cells.len() < n {
        let (dr, dc) = [
            (0, 1),
            (1, 0),
            (0, -1),
            (-1, 0),
            (1, 1),
            (1, -1),
            (-1, 1),
            (-1, -1),
        ][below(&mut rng, 8) as usize];
        let to = (at.0 + dr, at.1 + dc);
        if !(0..6).contains(&to.0) || !(0..7).contains(&to.1) {
            continue;
        }
        at = to;
        if !cells.contains(&at) {
            cells.push(at)
        }
    }
    let mut v: Vec<u8> = cells.iter().map(|&(r, c)| (r * 7 + c) as u8).collect();
    v.sort_unstable();
    v
}
fn mirror(t: &[u8]) -> Vec<u8> {
    let mut v: Vec<u8> = t.iter().map(|&c| c / 7 * 7 + 6 - c % 7).collect();
    v.sort_unstable();
    v
}
fn push(all: &mut Vec<Vec<u8>>, cells: Vec<(i32, i32)>) {
    let mut v: Vec<u8> = cells
        .into_iter()
        .filter(|&(r, c)| (0..6).contains(&r) && (0..7).contains(&c))
        .map(|(r, c)| (r * 7 + c) as u8)
        .collect();
    v.sort_unstable();
    v.dedup();
    if !all.contains(&v) && !all.contains(&mirror(&v)) {
        all.push(v)
    }
}
fn window(all: &mut Vec<Vec<u8>>, h: i32, w: i32) {
    for r in 0..=6 - h {
        for c in 0..=7 - w {
            push(
                all,
                (0..h)
                    .flat_map(|i| (0..w).map(move |j| (r + i, c + j)))
                    .collect(),
            );
        }
    }
}
fn lines(all: &mut Vec<Vec<u8>>, below: i32) {
    for r in 0..6 {
        for c in 0..7 {
            for (dr, dc) in [(0, 1), (1, 1), (1, -1)] {
                if r + 3 * dr > 5 || c + 3 * dc > 6 || c + 3 * dc < 0 {
                    continue;
                }
                let line: Vec<(i32, i32)> = (0..4).map(|k| (r + k * dr, c + k * dc)).collect();
                let mut cells = line.clone();
                for k in 1..=below {
                    cells.extend(line.iter().map(|&(r, c)| (r + k, c)));
                }
                push(all, cells);
            }
        }
    }
}
fn set(name: &str) -> Vec<Vec<u8>> {
    let mut all = vec![];
    for part in name.split('+') {
        if let Some(n) = part.strip_prefix("walk") {
            let (n, size) = n.split_once('x').unwrap();
            let n: u64 = n.parse().unwrap();
            for s in 0..n {
                let w = walk(s, size.parse().unwrap());
                if !all.contains(&w) {
                    all.push(w)
                }
            }
        } else if part == "lines" {
            lines(&mut all, 1)
        } else if part == "bare" {
            lines(&mut all, 0)
        } else if let Some(w) = part.strip_prefix("win") {
            let (h, w) = w.split_once('x').unwrap();
            window(&mut all, h.parse().unwrap(), w.parse().unwrap())
        } else {
            panic!("{part}")
        }
    }
    all
}

struct Case {
    position: Position<u64>,
    verdicts: Vec<(u8, Verdict)>,
    best: Verdict,
}
fn cases(n: usize) -> Vec<Case> {
    let rules = Rules {
        rows: 6,
        cols: 7,
        connect: 4,
        pieces: 21,
    };
    let game = Connect::<u64>::new(rules);
    let mut solver = Solver::new(
        rules,
        Config {
            table: 22,
            remember: true,
            book: true,
        },
    );
    let mut out = vec![];
    let path = format!("/tmp/fl_cases_{n}.txt");
    if let Ok(text) = std::fs::read_to_string(&path) {
        for line in text.lines() {
            let mut words = line.split(' ');
            let position = words.next().unwrap().parse().unwrap();
            let verdicts: Vec<(u8, Verdict)> = words
                .map(|w| {
                    let (c, v) = w.split_once('=').unwrap();
                    (
                        c.parse().unwrap(),
                        match v {
                            "win" => Verdict::Win,
                            "draw" => Verdict::Draw,
                            _ => Verdict::Loss,
                        },
                    )
                })
                .collect();
            let best = verdicts.iter().map(|v| v.1).max().unwrap();
            out.push(Case {
                position,
                verdicts,
                best,
            });
        }
        return out;
    }
    let mut number = 0;
    while out.len() < n {
        number += 1;
        let mut rng = stream(20_000, &[number]);
        let plies = 8 + below(&mut rng, 23);
        let mut position = game.start();
        while position.plies() < plies && game.turn(&position) != Turn::Over {
            let c = game.random_move(&position, &mut rng);
            game.play_unchecked(&mut position, c);
        }
        if game.turn(&position) == Turn::Over {
            continue;
        }
        let mut moves = vec![];
        game.moves(&position, &mut moves);
        let verdicts: Vec<(u8, Verdict)> = moves
            .iter()
            .map(|&m| {
                let mut after = position;
                game.play_unchecked(&mut after, m);
                if game.turn(&after) == Turn::Over {
                    return (
                        m.0,
                        if game.winner(&after).is_some() {
                            Verdict::Win
                        } else {
                            Verdict::Draw
                        },
                    );
                }
                let v = match solver.weak(&after, &Budget::default()).unwrap().verdict {
                    Verdict::Win => Verdict::Loss,
                    Verdict::Draw => Verdict::Draw,
                    Verdict::Loss => Verdict::Win,
                };
                (m.0, v)
            })
            .collect();
        let best = verdicts.iter().map(|v| v.1).max().unwrap();
        if verdicts.iter().all(|v| v.1 == best) {
            continue;
        }
        out.push(Case {
            position,
            verdicts,
            best,
        });
    }
    let text: String = out
        .iter()
        .map(|c| {
            format!(
                "{}{}\n",
                c.position,
                c.verdicts
                    .iter()
                    .map(|(m, v)| format!(" {m}={v}"))
                    .collect::<String>()
            )
        })
        .collect();
    std::fs::write(path, text).unwrap();
    out
}
fn share(
    cases: &[Case],
    network: &Network<CellLookup>,
    game: &Connect<u64>,
) -> (f64, f64, Vec<f64>) {
    let (mut kept, mut hard, mut hard_kept) = (0, 0, 0);
    let mut by = vec![(0, 0); 5];
    for case in cases {
        let mut best = (f32::MIN, 0);
        let mut is_hard = true;
        for &(m, _) in &case.verdicts {
            let mut after = case.position;
            game.play_unchecked(&mut after, Column(m));
            let v = if game.winner(&after).is_some() {
                is_hard = false;
                2.0
            } else if game.turn(&after) == Turn::Over {
                0.0
            } else {
                network.value(after)
            };
            if v > best.0 {
                best = (v, m)
            }
        }
        let ok = case.verdicts.iter().find(|v| v.0 == best.1).unwrap().1 == case.best;
        kept += usize::from(ok);
        if is_hard {
            hard += 1;
            hard_kept += usize::from(ok);
        }
        let b = &mut by[((case.position.plies() - 8) / 5).min(4) as usize];
        b.1 += 1;
        b.0 += usize::from(ok);
    }
    (
        kept as f64 / cases.len() as f64,
        hard_kept as f64 / hard as f64,
        by.iter()
            .map(|b| (1000.0 * b.0 as f64 / b.1 as f64).round() / 10.0)
            .collect(),
    )
}
fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

fn run<M: Method>(setup: Setup, name: &str, exploration: Exploration, seconds: f64, every: f64) {
    let rules = Rules {
        rows: 6,
        cols: 7,
        connect: 4,
        pieces: 21,
    };
    let game = Connect::<u64>::new(rules);
    let text = set(name)
        .iter()
        .map(|t| {
            t.iter()
                .map(|c| c.to_string())
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect::<Vec<_>>()
        .join(" ");
    let tuples = players::network::connect::read(&text, rules).unwrap();
    let lookup = CellLookup::new(&tuples);
    let tables = tuples.cells().len();
    let entries: usize = Lookup::<Position<u64>>::tables(&lookup).iter().sum();
    println!("{name}: {tables} tables, {entries} entries; {setup:?} {exploration:?}");
    let cases = cases(3000);
    let mut learner = Learner::<_, M>::new(
        CourseConnect::new(game.clone(), lookup.clone(), exploration, 1),
        setup,
        0..tables,
    )
    .unwrap();
    let (t0, mut next, mut done, mut first, mut draws, mut moves) =
        (cpu(), every, 0u64, 0u64, 0u64, 0u64);
    let (mut lastdone, mut lastt) = (0, t0);
    let mut spent = 0.0;
    loop {
        let mut finished = vec![];
        learner.advance(2000, u64::MAX, &mut Alone, &mut finished);
        for f in finished {
            done += 1;
            moves += u64::from(f.moves);
            if f.score > 0 {
                first += 1
            } else if f.score == 0 {
                draws += 1
            }
        }
        let now = cpu();
        if now - t0 - spent > next {
            let mut weights = Floats::<f32>::zeroed(entries).unwrap();
            learner.weights(weights.entries_mut());
            let used = weights.entries().iter().filter(|w| **w != 0.0).count();
            let network = Network::new::<Position<u64>>(lookup.clone(), weights);
            let (kept, hard, by) = share(&cases, &network, &game);
            let d = (done - lastdone) as f64;
            println!(
                "{:.0} s {done} games {:.0}/s kept {:.2} hard {:.2} {by:?} first {:.3} draw {:.3} moves {:.1} used {used} start {:.3}",
                now - t0 - spent,
                d / (now - lastt),
                kept * 100.0,
                hard * 100.0,
                first as f64 / d,
                draws as f64 / d,
                moves as f64 / d,
                network.value(game.position_after("4").unwrap())
            );
            (first, draws, moves, lastdone) = (0, 0, 0, done);
            next += every;
            lastt = cpu();
            spent += lastt - now;
            if next > seconds + 0.1 {
                return;
            }
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = |i: usize| a[i].parse::<f64>().unwrap();
    let setup = Setup {
        rate: f(3) as f32,
        lambda: f(4) as f32,
        side_by_side: f(5) as usize,
        initial: 0.0,
        restart: Restart::Start,
        seed: 1,
    };
    let exploration = Exploration {
        opening: f(6) as u32,
        share: f(7),
    };
    match a[1].as_str() {
        "td" => run::<Difference>(setup, &a[2], exploration, f(8), f(9)),
        _ => run::<Coherence>(setup, &a[2], exploration, f(8), f(9)),
    }
}
