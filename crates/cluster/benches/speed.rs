//! How much of the machines' time reaches the jobs: `cargo bench -p gamete-cluster`.
//!
//! Everything is compared with something in the same run: worker processes with threads of one process, and sleeping jobs
//! with the shortest time in which this many slots can sleep so long. Nothing is asserted.

use std::ops::Range;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cluster::address::Address;
use cluster::pool::{JobSource, Origin, Pool, Settings};
use cluster::wire::{PRESENCE, Presence, VERSION, pack, sent_by, unpack};
use cluster::worker::{JobHandler, WorkerConfig, work};
use fixtures::nats::{Nats, program};

const ROLE: &str = "GAMETE_BENCH_WORKER";
const CORES: &str = "GAMETE_BENCH_CORES";

/// What a job does for its time.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
enum Kind {
    Compute,
    Sleep,
}

/// Jobs that take a time of their own, from nothing to twice the mean, as games do.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
struct Jobs {
    kind: Kind,
    count: usize,
    mean: f64,
}

impl Jobs {
    fn seconds(&self, number: usize) -> f64 {
        let mut x = (number as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 31;
        self.mean * 2.0 * (x >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn run(&self, number: usize) {
        let time = Duration::from_secs_f64(self.seconds(number));
        match self.kind {
            Kind::Sleep => std::thread::sleep(time),
            Kind::Compute => compute(time),
        }
    }

    fn total(&self) -> f64 {
        (0..self.count).map(|number| self.seconds(number)).sum()
    }

    /// The shortest time in which this many slots can do them, as far as that can be said.
    fn ideal(&self, slots: usize) -> f64 {
        let longest = (0..self.count)
            .map(|number| self.seconds(number))
            .fold(0.0, f64::max);
        longest.max(self.total() / slots as f64)
    }

    /// The time if every slot is given an equal number of them beforehand.
    fn fixed_split(&self, slots: usize) -> f64 {
        let each = self.count.div_ceil(slots);
        let of = |slot: usize| {
            let numbers = (slot * each).min(self.count)..((slot + 1) * each).min(self.count);
            numbers.map(|number| self.seconds(number)).sum::<f64>()
        };
        (0..slots).map(of).fold(0.0, f64::max)
    }
}

/// Work that takes a given CPU time of this thread, however many others want the core.
fn compute(time: Duration) {
    let clock = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    };
    let end = clock() + time;
    while clock() < end {
        std::hint::black_box(
            (0..200_u64).fold(0, |sum: u64, x| sum.wrapping_mul(31).wrapping_add(x)),
        );
    }
}

struct Batch(Jobs, AtomicUsize);

impl JobSource for Batch {
    fn jobs(&self) -> usize {
        self.0.count
    }

    fn body(&self, jobs: Range<usize>) -> Vec<u8> {
        pack(&(self.0, jobs.start, jobs.end))
    }

    fn accept(&self, jobs: Range<usize>, _: &[u8], _: Origin<'_>) -> bool {
        self.1.fetch_add(jobs.len(), Ordering::Relaxed);
        true
    }

    fn agrees(&self, _: &[u8], _: Range<usize>, _: &[u8]) -> bool {
        true
    }
}

struct Doer;

impl JobHandler for Doer {
    fn work(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let (jobs, start, end) = unpack::<(Jobs, usize, usize)>(body).ok_or("no jobs")?;
        (start..end).for_each(|number| jobs.run(number));
        Ok(Vec::new())
    }

    fn work_apart(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        self.work(body)
    }
}

/// Worker processes, which end with this.
struct WorkerRegistry(Vec<Child>);

impl WorkerRegistry {
    fn join(url: &str, processes: usize, cores: usize) -> Self {
        let program = std::env::current_exe().expect("this program");
        let start = |_| {
            Command::new(&program)
                .env(ROLE, url)
                .env(CORES, cores.to_string())
                .stdin(Stdio::null())
                .spawn()
                .expect("a worker")
        };
        Self((0..processes).map(start).collect())
    }

    fn cpu_seconds(&self) -> f64 {
        self.0.iter().map(|child| cpu_seconds(child.id())).sum()
    }
}

impl Drop for WorkerRegistry {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// CPU time that a process has used.
fn cpu_seconds(process: u32) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    let ticks = ticks
        .filter_map(|word| word.parse::<f64>().ok())
        .sum::<f64>();
    ticks / rustix::param::clock_ticks_per_second() as f64
}

fn open(url: &str) -> Pool {
    let settings = Settings {
        study: "speed".to_owned(),
        key: "speed".to_owned(),
        patience: Duration::from_secs(30),
        checked: 0.0,
        doubled: 0.0,
        handler: Arc::new(Doer),
        found_wrong: Arc::new(|_| {}),
        stop: Arc::default(),
        tell: Arc::new(|_| {}),
    };
    Pool::open(&Address::read(url).expect("an address"), settings).expect("a pool")
}

fn on_pool(pool: &Pool, jobs: Jobs) -> f64 {
    let (batch, began) = (Batch(jobs, AtomicUsize::new(0)), Instant::now());
    pool.run(&batch, &AtomicBool::new(false)).expect("done");
    assert_eq!(batch.1.into_inner(), jobs.count);
    began.elapsed().as_secs_f64()
}

fn on_threads(threads: usize, jobs: Jobs) -> f64 {
    let (next, began) = (AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs.count {
                        return;
                    }
                    jobs.run(number);
                }
            });
        }
    });
    began.elapsed().as_secs_f64()
}

fn await_slots(pool: &Pool, slots: usize) {
    while pool.slots() < slots {
        std::thread::sleep(Duration::from_millis(50));
    }
    // The first result of every worker is checked; that is not what is measured.
    on_pool(
        pool,
        Jobs {
            kind: Kind::Sleep,
            count: 4 * slots,
            mean: 0.01,
        },
    );
}

/// Two worker processes beside two threads of this one, alternating so that both meet the same machine.
fn compare_with_threads(url: &str) {
    let registry = WorkerRegistry::join(url, 2, 1);
    let pool = open(url);
    await_slots(&pool, 2);
    println!("two worker processes beside two threads of one process");
    for (mean, count) in [(0.1, 100), (0.01, 1_000), (0.001, 8_000)] {
        let jobs = Jobs {
            kind: Kind::Compute,
            count,
            mean,
        };
        let rounds: Vec<(f64, f64)> = (0..3)
            .map(|_| (on_threads(2, jobs), on_pool(&pool, jobs)))
            .collect();
        let mut ratios: Vec<f64> = rounds
            .iter()
            .map(|(threads, pool)| threads / pool)
            .collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "  {:>5} ms a job: {:.1} % of the speed in process (three rounds: {:.1} to {:.1} %)",
            mean * 1e3,
            100.0 * ratios[1],
            100.0 * ratios[0],
            100.0 * ratios[2]
        );
    }
    drop(registry);
}

/// Sleeping jobs on more slots than there are cores.
fn compare_with_ideal(nats: &Nats, processes: usize, cores: usize) {
    let (url, slots) = (&nats.url(), processes * cores);
    let registry = WorkerRegistry::join(url, processes, cores);
    let pool = open(url);
    await_slots(&pool, slots);
    let jobs = Jobs {
        kind: Kind::Sleep,
        count: 40 * slots,
        mean: 0.1,
    };
    let cpu = || {
        let here = cpu_seconds(std::process::id());
        [cpu_seconds(nats.process()), registry.cpu_seconds(), here]
    };
    let (before, messages) = (cpu(), nats.messages());
    let took = on_pool(&pool, jobs);
    let (after, messages) = (cpu(), nats.messages() - messages);
    let (ideal, fixed) = (jobs.ideal(slots), jobs.fixed_split(slots));
    println!(
        "{slots} slots, {} sleeping jobs of 100 ms on average",
        jobs.count
    );
    println!(
        "  pulled: {:.1} % of the ideal schedule; a fixed split: {:.1} %",
        100.0 * ideal / took,
        100.0 * ideal / fixed
    );
    let each = |part: usize| (after[part] - before[part]) * 1e6 / jobs.count as f64;
    let (whole, count) = (
        each(0) + each(1) + each(2),
        messages as f64 / jobs.count as f64,
    );
    println!(
        "  CPU a job in a chunk of its own: {whole:.0} us (server {:.0}, workers {:.0}, coordinator {:.0}) for {count:.1} messages: {:.0} us each",
        each(0),
        each(1),
        each(2),
        whole / count
    );
}

/// What a coordinator spends on hearing of this many workers, sent by one that plays them all.
fn heartbeats(url: &str, workers: usize) {
    let pool = open(url);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    let client = runtime
        .block_on(async_nats::connect(url))
        .expect("a connection");
    let presence = |number: usize| Presence {
        id: format!("{number:012}"),
        name: format!("machine-{number}"),
        version: VERSION.to_owned(),
        cores: 1,
        held: 2,
        chunks: 123_456,
        jobs: 123_456_789,
        jobs_per_second: 1_234.5,
        busy: 0.98,
        seconds: 86_400.0,
        leaving: false,
    };
    let bytes = serde_json::to_vec(&presence(0)).expect("plain data").len();
    let round = || {
        runtime.block_on(async {
            for number in 0..workers {
                let text = serde_json::to_vec(&presence(number)).expect("plain data");
                let subject = sent_by(&format!("{number:012}"), PRESENCE);
                client.publish(subject, text.into()).await.expect("sent");
            }
            client.flush().await.expect("sent");
        });
    };
    let sent = std::process::id();
    round();
    while pool.slots() < workers {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Sending alone is measured with nobody listening, and taken off.
    let before = cpu_seconds(sent);
    (0..5).for_each(|_| round());
    std::thread::sleep(Duration::from_secs(1));
    let both = cpu_seconds(sent) - before;
    drop(pool);
    let before = cpu_seconds(sent);
    (0..5).for_each(|_| round());
    let sending = cpu_seconds(sent) - before;
    let each = (both - sending).max(0.0) / (5 * workers) as f64;
    println!("heartbeats of {workers} workers, {bytes} bytes every two seconds each");
    println!(
        "  a coordinator spends {:.1} us on each: {:.1} % of a core",
        each * 1e6,
        100.0 * each * workers as f64 / 2.0
    );
}

fn main() {
    if let Ok(url) = std::env::var(ROLE) {
        let config = WorkerConfig {
            name: "bench".to_owned(),
            cores: std::env::var(CORES)
                .ok()
                .and_then(|text| text.parse().ok())
                .unwrap_or(1),
            idle: None,
            away: None,
            stop: Arc::default(),
            tell: |_| {},
        };
        let handler: Arc<dyn JobHandler> = Arc::new(Doer);
        let left = work(&Address::read(&url).expect("an address"), &config, &handler);
        panic!("it left: {left:?}");
    }
    let Some(program) = program() else {
        return;
    };
    let place = tempfile::tempdir().expect("a directory");
    let nats = Nats::start(&program, place.path());
    compare_with_threads(&nats.url());
    compare_with_ideal(&nats, 4, 16);
    compare_with_ideal(&nats, 4, 64);
    heartbeats(&nats.url(), 10_000);
}
