//! A server of its own for every test, over runs of its own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use lab::store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;
use web::{Server, Settings};

use crate::client::{HANG, Reply, Stream, send, until};

/// A server that ends with the test.
pub(crate) struct House {
    pub(crate) address: SocketAddr,
    pub(crate) runs: TempDir,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl House {
    pub(crate) fn open() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::over(tempfile::tempdir().unwrap(), change)
    }

    /// A server over runs that are there already.
    pub(crate) fn over(runs: TempDir, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::local(Store::new(runs.path()));
        // A player on a busy machine has time.
        settings.limits.time = 2 * HANG;
        settings.limits.grace = 2 * HANG;
        change(&mut settings);
        let server = Server::bind(settings).unwrap();
        let (address, stop) = (server.address(), Arc::<AtomicBool>::default());
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || server.run(&flag).unwrap());
        Self {
            address,
            runs,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn store(&self) -> Store {
        Store::new(self.runs.path())
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        send(self.address, "GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let headers = [("content-type", "application/json")];
        send(self.address, "POST", path, &headers, &body.to_string())
    }

    pub(crate) fn listen(&self, path: &str) -> Stream {
        Stream::open(self.address, path, &[])
    }

    /// Runs a study to its end.
    pub(crate) fn run_study(&self, toml: &str) -> String {
        let started = self.post("/api/studies", &json!({"toml": toml}));
        let name = started.ok()["study"].as_str().unwrap().to_owned();
        self.wait_for(&name, "finished");
        name
    }

    /// Waits until a study is in this state.
    #[track_caller]
    pub(crate) fn wait_for(&self, study: &str, state: &str) {
        until(&format!("{study} is {state}"), || {
            let reply = self.get(&format!("/api/studies/{study}"));
            reply.status == 200 && reply.json()["state"] == state
        });
    }
}

impl House {
    /// Waits until a run of a study works, which is a little later than that its study does.
    #[track_caller]
    pub(crate) fn wait_for_work(&self, study: &str) {
        let running = format!("/api/runs?study={study}&state=running");
        until(&format!("a run of {study} works"), || {
            self.get(&running).ok()["total"] != 0
        });
    }
}

impl House {
    /// Ends the server; the runs stay.
    pub(crate) fn end(mut self) -> TempDir {
        let other = tempfile::tempdir().unwrap();
        std::mem::replace(&mut self.runs, other)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                ended.is_ok() || std::thread::panicking(),
                "the server failed"
            );
        }
    }
}

/// A study that ends in a moment: two settings, two repeats.
pub(crate) const QUICK: &str = "
name = \"quick\"
question = \"Which is <b>better</b>?\"
repeats = 2
preset = \"2048-ga\"
chromosome = \"reals\"
initial = 10.0
[game]
name = \"2048\"
[fitness]
games = 1
[stop]
generations = 3
[final]
games = 6
finalists = 2
[optimizer]
population = 4
[[vary]]
\"fitness.games\" = [1, 2]
";

/// A study that would go on for hours.
pub(crate) const LONG: &str = "
name = \"long\"
preset = \"2048-ga\"
chromosome = \"reals\"
initial = 10.0
[game]
name = \"2048\"
[fitness]
games = 2
[stop]
generations = 1000000
[optimizer]
population = 8
";

/// A measurement of two players of Connect-N.
pub(crate) const MEETING: &str = "
name = \"meeting\"
kind = \"measure\"
player = \"greedy\"
against = \"random\"
[game]
name = \"connect\"
[measure]
games = 20
";
