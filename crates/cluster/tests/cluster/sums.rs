//! Jobs that tests can tell right from wrong: hashing numbers, quickly or slowly, honestly or not.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cluster::pool::{JobSource, Origin};
use cluster::wire::{pack, unpack};
use cluster::worker::JobHandler;

/// What comes out of a job.
pub(crate) fn hash(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Numbers to be hashed.
pub(crate) struct Sums {
    numbers: usize,
    /// How long each takes, in microseconds.
    micros: u64,
    /// The number at which whoever gets it dies.
    poison: Option<u64>,
    /// Those below were given to somebody.
    given: AtomicUsize,
    found: Mutex<Vec<Option<u64>>>,
    /// Results that came after one of the same number.
    again: AtomicUsize,
    checked: AtomicUsize,
}

impl Sums {
    pub(crate) fn new(numbers: usize, micros: u64) -> Self {
        Self {
            numbers,
            micros,
            poison: None,
            given: AtomicUsize::new(0),
            found: Mutex::new(vec![None; numbers]),
            again: AtomicUsize::new(0),
            checked: AtomicUsize::new(0),
        }
    }

    /// Results that were taken from somebody else before.
    pub(crate) fn again(&self) -> usize {
        self.again.load(Ordering::Relaxed)
    }

    /// Results that were compared with others.
    pub(crate) fn checked(&self) -> usize {
        self.checked.load(Ordering::Relaxed)
    }

    pub(crate) fn poisoned_at(mut self, number: u64) -> Self {
        self.poison = Some(number);
        self
    }

    pub(crate) fn done(&self) -> usize {
        self.found.lock().expect("found").iter().flatten().count()
    }

    /// Numbers below this were given to somebody.
    pub(crate) fn given(&self) -> usize {
        self.given.load(Ordering::Relaxed)
    }

    /// All results of the numbers below this are there.
    pub(crate) fn are_done(&self, below: usize) -> bool {
        let found = self.found.lock().expect("found");
        found[..below].iter().all(Option::is_some)
    }

    /// Every result is there, and right.
    pub(crate) fn check(&self) {
        let found = self.found.lock().expect("found");
        for (number, found) in (0..).zip(found.iter()) {
            assert_eq!(*found, Some(hash(number)), "number {number}");
        }
    }
}

type Body = (Vec<u64>, u64, Option<u64>);

impl JobSource for Sums {
    fn jobs(&self) -> usize {
        self.numbers
    }

    fn body(&self, jobs: Range<usize>) -> Vec<u8> {
        self.given.fetch_max(jobs.end, Ordering::Relaxed);
        let numbers: Vec<u64> = jobs.map(|number| number as u64).collect();
        pack(&(numbers, self.micros, self.poison))
    }

    fn accept(&self, jobs: Range<usize>, answer: &[u8], origin: Origin<'_>) -> bool {
        let Some(hashes) = unpack::<Vec<u64>>(answer) else {
            return false;
        };
        self.checked
            .fetch_add(origin.checked.len(), Ordering::Relaxed);
        let mut found = self.found.lock().expect("found");
        for (place, hash) in jobs.zip(hashes) {
            if found[place].replace(hash).is_some() {
                self.again.fetch_add(1, Ordering::Relaxed);
            }
        }
        true
    }

    fn agrees(&self, answer: &[u8], part: Range<usize>, of_part: &[u8]) -> bool {
        let [answer, of_part] = [answer, of_part].map(unpack::<Vec<u64>>);
        let answer = answer.as_ref().and_then(|answer| answer.get(part));
        answer.is_some() && answer == of_part.as_deref()
    }
}

/// Who hashes them.
pub(crate) struct Hasher {
    /// From which chunk on its results are wrong.
    pub(crate) lies_from: Option<u64>,
    pub(crate) chunks: Mutex<u64>,
}

impl JobHandler for Hasher {
    fn work(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let (numbers, micros, poison) = unpack::<Body>(body).ok_or("no numbers")?;
        if poison.is_some_and(|poison| numbers.contains(&poison)) {
            std::process::abort();
        }
        std::thread::sleep(Duration::from_micros(micros) * numbers.len() as u32);
        let mut chunks = self.chunks.lock().expect("chunks");
        let wrong = u64::from(self.lies_from.is_some_and(|from| *chunks >= from));
        *chunks += 1;
        let hashes: Vec<u64> = numbers
            .into_iter()
            .map(|number| hash(number) + wrong)
            .collect();
        Ok(pack(&hashes))
    }

    fn work_apart(&self, body: &[u8]) -> Result<Vec<u8>, String> {
        let (numbers, _, poison) = unpack::<Body>(body).ok_or("no numbers")?;
        match poison.is_some_and(|poison| numbers.contains(&poison)) {
            true => Err("its process ended".to_owned()),
            false => self.work(body),
        }
    }
}
