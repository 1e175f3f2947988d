//! How fast a network learns.
use games::twenty48::{Rules, Twenty48};
use learn::twenty48::Course2048;
use learn::{Alone, Coherence, Exchange, Learner, Method, Plain, Setup};
use players::network::{Tuples, twenty48::BoardLookup};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

struct Barrier<'a> { me: usize, threads: usize, count: &'a AtomicUsize, sums: &'a [Vec<AtomicU32>; 2], turn: usize }
impl Exchange for Barrier<'_> {
    fn exchange(&mut self, sums: &mut [f32], own: Range<usize>, tables: usize) {
        let shared = &self.sums[self.turn & 1];
        for (row, values) in sums.chunks_exact(tables).enumerate() {
            for t in own.clone() { shared[row * tables + t].store(values[t].to_bits(), Ordering::Relaxed); }
        }
        self.turn += 1;
        self.count.fetch_add(1, Ordering::AcqRel);
        let want = self.turn * self.threads;
        let mut n = 0u32;
        while self.count.load(Ordering::Acquire) < want { n += 1; if n > 20000 { std::thread::yield_now() } else { std::hint::spin_loop() } }
        for (row, values) in sums.chunks_exact_mut(tables).enumerate() {
            for t in (0..tables).filter(|t| !own.contains(t)) { values[t] = f32::from_bits(shared[row * tables + t].load(Ordering::Relaxed)); }
        }
    }
}

fn run<M: Method>(setup: Setup, network: &str, games: u64, show: u64, threads: usize) {
    let tuples = Tuples::read(network, 4, 4).unwrap();
    let tables = tuples.cells().len();
    let count = AtomicUsize::new(0);
    let sums = [(); 2].map(|()| (0..10000).map(|_| AtomicU32::new(0)).collect::<Vec<_>>());
    std::thread::scope(|scope| for me in 0..threads {
        let (tuples, count, sums) = (&tuples, &count, &sums);
        scope.spawn(move || {
            let course = Course2048::new(Twenty48::new(Rules::from_options(&"".parse().unwrap()).unwrap()), BoardLookup::new(tuples), 1);
            let own = me * tables / threads..(me + 1) * tables / threads;
            let mut learner = Learner::<_, M>::new(course, setup, own).unwrap();
            let mut barrier = Barrier { me, threads, count, sums, turn: 0 };
            let (mut done, mut sum, mut moves, mut shown) = (0, 0, 0, 0);
            let t0 = cpu(); let w0 = std::time::Instant::now(); let mut tl = t0;
            while done < games {
                if threads == 1 { learner.step(&mut Alone) } else { learner.step(&mut barrier) }
                for f in learner.take_finished() { done += 1; sum += f.score;
                    if done % show == 0 && barrier.me == 0 {
                        println!("{done} games, mean {}, {:.3} M moves/CPU-s, {:.1} CPU-s {:.1} s", sum as u64 / show, (learner.moves() - moves) as f64 / (cpu() - tl) / 1e6, cpu() - t0, w0.elapsed().as_secs_f64());
                        sum = 0; moves = learner.moves(); tl = cpu(); shown += 1;
                    } }
            }
            let _ = shown;
        });
    });
}
fn cpu() -> f64 { let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime); t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9 }
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let setup = Setup { rate: a[3].parse().unwrap(), lambda: a[4].parse().unwrap(), side_by_side: a[5].parse().unwrap(), apart: 2000 };
    let (games, show, threads) = (a[6].parse().unwrap(), a[7].parse().unwrap(), a[8].parse().unwrap());
    match a[1].as_str() { "td" => run::<Plain>(setup, &a[2], games, show, threads), _ => run::<Coherence>(setup, &a[2], games, show, threads) }
}
