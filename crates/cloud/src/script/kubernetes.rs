//! Kubernetes: a Job with one pod per worker. A join file is mounted from a Secret.

use serde_json::{Value, json};

use super::{GRACE, System, Workers};
use crate::shell::quoted;
use crate::yaml;

pub(super) const SYSTEM: System = System {
    name: "kubernetes",
    about: "a Job for kubectl apply: one pod per worker, the join file from a Secret",
    needs_image: true,
    write: script,
};

const SECRET: &str = "gamete-join";
const FOLDER: &str = "/etc/gamete";
const FILE: &str = "worker.join";
/// How often a failing worker is restarted, on average.
const RETRIES: u32 = 3;
/// Readable by the owner only; JSON has no octal numbers.
const OWNER_ONLY: u32 = 0o400;

fn script(workers: &Workers) -> String {
    yaml::document(&comment(workers), &job(workers))
}

/// Locations in buckets and addresses are not secret; a file is.
fn is_file(workers: &Workers) -> bool {
    !workers.join.contains("://")
}

fn comment(workers: &Workers) -> String {
    let mut comment = "Gamete workers, one per pod. Start them with:\n".to_owned();
    if is_file(workers) {
        let join = quoted(&format!("--from-file={FILE}={}", workers.join));
        comment += &format!("  kubectl create secret generic {SECRET} {join}\n");
    }
    comment + "  kubectl apply -f FILE\n"
}

fn job(workers: &Workers) -> Value {
    let mut pod = json!({
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": GRACE.as_secs(),
        "automountServiceAccountToken": false,
        "containers": [container(workers)],
    });
    if is_file(workers) {
        let secret = json!({"secretName": SECRET, "defaultMode": OWNER_ONLY});
        pod["volumes"] = json!([{"name": "join", "secret": secret}]);
    }
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "gamete-worker", "labels": {"app": "gamete-worker"}},
        "spec": {
            "parallelism": workers.workers,
            "completions": workers.workers,
            "backoffLimit": workers.workers.saturating_mul(RETRIES),
            "activeDeadlineSeconds": workers.time.as_secs(),
            // A pod whose machine was taken away has not failed.
            "podFailurePolicy": {"rules": [
                {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
            ]},
            "template": {"metadata": {"labels": {"app": "gamete-worker"}}, "spec": pod},
        },
    })
}

fn container(workers: &Workers) -> Value {
    let join = if is_file(workers) {
        format!("{FOLDER}/{FILE}")
    } else {
        workers.join.clone()
    };
    let cores = workers.cores.to_string();
    let mut container = json!({
        "name": "worker",
        "image": workers.image,
        "command": ["gamete", "worker"],
        "args": ["--join", join, "--cores", cores, "--idle", format!("{}s", workers.idle.as_secs())],
        "resources": {"requests": {"cpu": cores}, "limits": {"cpu": cores}},
        "securityContext": {"allowPrivilegeEscalation": false},
    });
    if is_file(workers) {
        container["volumeMounts"] =
            json!([{"name": "join", "mountPath": FOLDER, "readOnly": true}]);
    }
    container
}
