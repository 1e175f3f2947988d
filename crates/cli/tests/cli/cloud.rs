//! `gamete cloud`: plans, and machines rented from a fake SkyPilot that records its calls.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::shown::{commands, workspace};

const STUDY: &str = r#"
repeats = 2
preset = "2048-ga"
game.name = "2048"
fitness.games = 2
optimizer.population = 10
stop.generations = 5
final.games = 10
"#;

const HEAD: &str = "InstanceType,AcceleratorName,vCPUs,Price,SpotPrice,Region,AvailabilityZone";
const AWS: &str = "c5.large,,2.0,0.085,0.034,us-east-1,us-east-1a\n\
                   c5.4xlarge,,16.0,0.68,0.26,us-east-1,us-east-1a\n\
                   c5.4xlarge,,16.0,0.72,0.24,eu-west-1,eu-west-1a\n\
                   c5.large,,2.0,0.096,0.038,eu-west-1,eu-west-1a\n";
const GCP: &str = "n2-standard-32,,32.0,1.55,0.40,us-central1,us-central1-a\n";

/// What the fake answers: queue and access come from files, and so do the launches that fail.
const SKY: &str = r#"
case "$1 $2" in
  "check "*) cat "$(dirname "$0")/access" ;;
  "jobs queue") cat "$(dirname "$0")/queue" ;;
  "jobs launch") echo "about to launch"; grep -qs "$(basename "$(eval echo \$$#)")" "$(dirname "$0")/failing" && exit 9 ;;
  "jobs logs") echo "what the job wrote" ;;
esac
exit 0
"#;

/// A user with SkyPilot, prices and access to clouds.
pub(crate) struct Account {
    home: TempDir,
}

impl Account {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().expect("a directory");
        let account = Self { home };
        for (cloud, rows) in [("aws", AWS), ("gcp", GCP)] {
            let folder = account.path(&format!(".sky/catalogs/v8/{cloud}"));
            fs::create_dir_all(&folder).expect("a directory");
            fs::write(folder.join("vms.csv"), format!("{HEAD}\n{rows}")).expect("prices");
        }
        fs::create_dir(account.path("bin")).expect("a directory");
        let sky = account.path("bin/sky");
        let calls = account.path("calls");
        let text = format!("#!/bin/sh\necho \"$*\" >>'{}'\n{SKY}", calls.display());
        fs::write(&sky, text).expect("a script");
        fs::set_permissions(&sky, fs::Permissions::from_mode(0o755)).expect("it may be run");
        account.has_access(r#"{"default": {"AWS": ["compute"], "GCP": ["compute"]}}"#);
        account.has_queue(&json!([]));
        account
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn has_access(&self, told: &str) {
        fs::write(self.path("bin/access"), told).expect("written");
    }

    fn has_queue(&self, jobs: &Value) {
        fs::write(self.path("bin/queue"), jobs.to_string()).expect("written");
    }

    /// A small study with something added to it.
    pub(crate) fn study(&self, name: &str, more: &str) -> String {
        let path = self.path(&format!("{name}.toml"));
        fs::write(&path, format!("name = \"{name}\"\n{STUDY}{more}")).expect("a study");
        path.to_str().expect("a path").to_owned()
    }

    /// An environment with the fake on its path.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let text = |path: PathBuf| path.to_str().expect("a path").to_owned();
        let path = std::env::var("PATH").expect("a path");
        vec![
            ("HOME", text(self.path(""))),
            ("XDG_STATE_HOME", text(self.path("state"))),
            ("PATH", format!("{}:{path}", text(self.path("bin")))),
            ("GAMETE_SKY", String::new()),
        ]
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
        command
            .envs(self.variables())
            .env_remove("AWS_ACCESS_KEY_ID")
            .env_remove("AWS_REGION")
            .current_dir(self.home.path())
            .stdin(Stdio::null());
        command
    }

    fn cloud(&self, words: &[&str]) -> Output {
        let mut command = self.command();
        command
            .arg("cloud")
            .args(words)
            .output()
            .expect("gamete runs")
    }

    /// The output of a command that succeeds.
    pub(crate) fn works(&self, words: &[&str]) -> String {
        let output = self.cloud(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {told}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Wrong usage: exit code 2, a message, nothing printed or rented.
    fn refuses(&self, words: &[&str], expected: &str) {
        let output = self.cloud(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(
            told.contains(expected),
            "{words:?}: {told}\nshould say: {expected}"
        );
        assert!(output.stdout.is_empty(), "{words:?}");
        assert_eq!(self.calls_of("jobs launch"), Vec::<String>::new());
        assert_eq!(self.calls_of("jobs cancel"), Vec::<String>::new());
    }

    /// Calls of the fake that start like this.
    pub(crate) fn calls_of(&self, start: &str) -> Vec<String> {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let calls = calls.lines().filter(|call| call.starts_with(start));
        calls.map(str::to_owned).collect()
    }

    pub(crate) fn state(&self, study: &str, file: &str) -> PathBuf {
        self.path("state/gamete/cloud").join(study).join(file)
    }

    /// The common prefix of a study's job names.
    fn job_name(&self, study: &str) -> String {
        let text = fs::read_to_string(self.state(study, "launched.json")).expect("a launch");
        let launched: Value = serde_json::from_str(&text).expect("JSON");
        launched["name"].as_str().expect("a name").to_owned()
    }
}

fn job(id: u32, name: &str, state: &str, seconds: f64) -> Value {
    json!({"job_id": id, "job_name": name, "status": state, "job_duration": seconds, "recovery_count": 1})
}

fn plan_json(account: &Account, more: &[&str]) -> Value {
    let study = account.study("weights", "");
    let text = account.works(&[&["plan", &study, "--json"], more].concat());
    serde_json::from_str(&text).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn a_plan_says_time_and_cost_of_every_machine_type() {
    let account = Account::new();
    let plan = plan_json(&account, &["--workers", "3"]);
    assert_eq!(
        (&plan["study"], &plan["runs"], &plan["steps"]),
        (&json!("weights"), &json!(2), &json!("generations"))
    );
    // Two runs of the first generation and five more.
    assert_eq!(plan["work"]["steps"], json!(12));
    let machines = plan["machines"].as_array().expect("a list");
    let types: Vec<&str> = machines
        .iter()
        .filter_map(|row| row["worker"]["machine_type"].as_str())
        .collect();
    assert_eq!(types.len(), 3, "{types:?}");
    for row in machines {
        let seconds = number(&row["step_seconds"]["low"]);
        let dollars = number(&row["step_cost"]["low"]);
        assert!(
            (dollars - seconds * number(&row["worker_price"]) / 3600.0).abs() < 1e-12,
            "{row}"
        );
        let hourly = 3.0 * number(&row["worker_price"]) + number(&row["head_price"]);
        for end in ["low", "high"] {
            let cost = number(&row["seconds"][end]) / 3600.0 * hourly;
            assert!((cost - number(&row["cost"][end])).abs() < 1e-9, "{row}");
        }
        assert_eq!(row["head"]["region"], row["worker"]["region"]);
    }
    assert_eq!(plan["recommended"], json!(types[0]));
    let source = plan["prices"].as_str().expect("a source");
    assert!(
        source.starts_with("SkyPilot's catalogue, downloaded on 20"),
        "{source}"
    );
    // A plan does not call SkyPilot.
    assert_eq!(account.calls_of(""), Vec::<String>::new());
}

#[test]
fn a_plan_is_a_table() {
    let account = Account::new();
    let study = account.study("weights", "");
    let text = account.works(&[
        "plan",
        &study,
        "--workers",
        "8",
        "--deadline",
        "2h",
        "--max-price",
        "0.30",
    ]);
    for expected in [
        "weights: 2 runs, 12 generations",
        "$/hour",
        "s/generation",
        "$/generation",
        "time with 8 + head",
        "in time",
        "c5.4xlarge  aws/eu-west-1     16  0.2400",
        "prices     SkyPilot's catalogue, downloaded on 20",
        "up to 2 times slower",
        "recommended: 8 x c5",
    ] {
        assert!(text.contains(expected), "{text}\nshould say: {expected}");
    }
    // It is above the price limit.
    assert!(!text.contains("n2-standard-32"), "{text}");
}

#[test]
fn without_a_catalogue_built_in_prices_suffice_for_a_plan_only() {
    let account = Account::new();
    fs::remove_dir_all(account.path(".sky")).expect("removed");
    let study = account.study("weights", "");
    let text = account.works(&["plan", &study]);
    assert!(
        text.contains("EC2 spot prices of 2017 from the 2048-ga work"),
        "{text}"
    );
    assert!(
        text.contains("c4.8xlarge") && text.contains("0.4371"),
        "{text}"
    );
    let up = ["up", &study, "--store", "s3://bucket/runs", "--yes"];
    account.refuses(&up, "renting needs prices with regions");
}

#[test]
fn a_deadline_that_cannot_be_met_is_reported() {
    let account = Account::new();
    let study = account.study("weights", "");
    // Machines need longer to start than that.
    let text = account.works(&["plan", &study, "--deadline", "5m"]);
    assert!(
        text.contains("none is certain to finish within 5m, with any number of workers"),
        "{text}"
    );
    let up = [
        "up",
        &study,
        "--store",
        "s3://bucket/runs",
        "--yes",
        "--deadline",
        "5m",
    ];
    account.refuses(
        &up,
        "none is certain to finish within 5m, with any number of workers; nothing was rented",
    );
}

#[test]
fn a_study_is_launched_followed_and_ended() {
    let account = Account::new();
    let study = account.study("weights", "[notify]\ncommand = \"true\"\n");
    let up = [
        "up",
        &study,
        "--workers",
        "2",
        "--store",
        "s3://bucket/runs/",
        "--on-demand",
        "head",
        "--clouds",
        "gcp",
        "--yes",
    ];
    let text = account.works(&up);
    assert!(
        text.contains("recommended: 2 x n2-standard-32 in gcp/us-central1"),
        "{text}"
    );
    assert!(text.contains("weights is launched"), "{text}");
    let name = account.job_name("weights");
    let files = ["head", "worker"].map(|role| account.state("weights", &format!("{role}.yaml")));
    let launch = |role: &str, count: u32, file: &Path| {
        format!(
            "jobs launch --yes --detach-run --name {name}-{role} --num-jobs {count} {}",
            file.display()
        )
    };
    assert_eq!(
        account.calls_of(""),
        [
            "check gcp -o json".to_owned(),
            launch("head", 1, &files[0]),
            launch("worker", 2, &files[1])
        ]
    );
    for file in files
        .iter()
        .chain([&account.state("weights", "launched.json")])
    {
        let mode = fs::metadata(file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    let head = fs::read_to_string(&files[0]).expect("a task");
    for expected in [
        "infra: gcp/us-central1",
        "instance_type: n2-standard-32",
        "use_spot: false",
        &format!("~/gamete/study.toml: {study}"),
        "--store s3://bucket/runs\n",
    ] {
        assert!(head.contains(expected), "{head}\nshould have: {expected}");
    }
    let program = format!("~/gamete/bin/gamete: {}", env!("CARGO_BIN_EXE_gamete"));
    assert!(head.contains(&program), "{head}");

    let (head, worker) = (format!("{name}-head"), format!("{name}-worker"));
    account.has_queue(&json!([
        job(7, &worker, "RUNNING", 3600.0),
        job(6, &worker, "SUCCEEDED", 1800.0),
        job(5, &head, "RUNNING", 7200.0),
        job(4, "somebody-else", "RUNNING", 9.0),
    ]));
    let text = account.works(&["status"]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    for expected in [
        "weights: 2 x n2-standard-32 and a head of n2-standard-32 in gcp/us-central1, launched at 20",
        "results are stored in s3://bucket/runs",
        "head 5 RUNNING 2h",
        "worker 1 6 SUCCEEDED 30m",
        "worker 2 7 RUNNING 1h",
        "about 3.70 dollars so far",
    ] {
        assert!(text.contains(expected), "{text}\nshould say: {expected}");
    }
    assert!(!text.contains("somebody-else"), "{text}");
    let told: Value =
        serde_json::from_str(&account.works(&["status", "weights", "--json"])).expect("JSON");
    assert_eq!(
        (&told[0]["head"]["id"], &told[0]["workers"][1]["state"]),
        (&json!(5), &json!("RUNNING"))
    );

    assert_eq!(account.works(&["logs", "weights"]), "what the job wrote\n");
    account.works(&["logs", "weights", "--worker", "2", "--follow"]);
    assert_eq!(
        account.calls_of("jobs logs"),
        ["jobs logs --no-follow 5", "jobs logs --follow 7"]
    );

    let output = account.cloud(&up);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("weights already has 2 jobs"), "{told}");
    assert_eq!(account.calls_of("jobs launch").len(), 2);

    let text = account.works(&["down", "weights"]);
    assert_eq!(
        text,
        "weights: 2 jobs cancelled; results so far are in s3://bucket/runs\n"
    );
    assert_eq!(account.calls_of("jobs cancel"), ["jobs cancel --yes 5 7"]);
    assert!(!account.state("weights", "launched.json").exists());
    assert_eq!(account.works(&["status"]), "nothing was launched\n");
}

#[test]
fn studies_run_side_by_side() {
    let account = Account::new();
    let up = |study: &str| {
        account.works(&[
            "up",
            study,
            "--workers",
            "1",
            "--store",
            "s3://bucket/runs",
            "--yes",
        ])
    };
    up(&account.study("first", ""));
    up(&account.study("second", ""));
    let names = ["first", "second"].map(|study| account.job_name(study));
    let jobs = [(1, &names[0]), (3, &names[1])].map(|(id, name)| {
        [
            job(id, &format!("{name}-head"), "RUNNING", 1.0),
            job(id + 1, &format!("{name}-worker"), "STARTING", 1.0),
        ]
    });
    account.has_queue(&json!(jobs.concat()));
    let text = account.works(&["status"]);
    assert!(
        text.contains("first: 1 x") && text.contains("\nsecond: 1 x"),
        "{text}"
    );
    account.works(&["down", "second"]);
    assert_eq!(account.calls_of("jobs cancel"), ["jobs cancel --yes 3 4"]);
    assert!(account.state("first", "launched.json").exists());
    // A study that has ended can be launched again.
    account.has_queue(&json!([job(
        1,
        &format!("{}-head", names[0]),
        "SUCCEEDED",
        1.0
    )]));
    assert!(
        account
            .works(&["status", "first"])
            .contains("the study has ended")
    );
    up(&account.path("first.toml").display().to_string());
}

/// Something may have been rented before SkyPilot failed; it is not forgotten.
#[test]
fn a_launch_that_fails_half_way_can_be_ended() {
    let account = Account::new();
    let study = account.study("weights", "");
    fs::write(account.path("bin/failing"), "worker.yaml").expect("written");
    let output = account.cloud(&["up", &study, "--store", "s3://bucket/runs", "--yes"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("'gamete cloud down weights' releases what was rented so far"),
        "{told}"
    );
    assert!(told.contains("failed (exit status: 9)"), "{told}");
    // Messages of SkyPilot are not part of the output.
    assert!(told.contains("about to launch"), "{told}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("about to launch"));
    account.has_queue(&json!([job(
        3,
        &format!("{}-head", account.job_name("weights")),
        "PENDING",
        0.0
    )]));
    account.works(&["down", "weights"]);
    assert_eq!(account.calls_of("jobs cancel"), ["jobs cancel --yes 3"]);
}

#[test]
fn keys_are_passed_on_by_name_only() {
    let account = Account::new();
    let study = account.study("weights", "");
    let mut command = account.command();
    command.args([
        "cloud",
        "up",
        &study,
        "--store",
        "s3://bucket/runs",
        "--yes",
    ]);
    command
        .env("AWS_ACCESS_KEY_ID", "AKIA-of-mine")
        .env("AWS_SECRET_ACCESS_KEY", "very-secret");
    command
        .env("AWS_SESSION_TOKEN", "")
        .env("AZURE_STORAGE_ACCOUNT_KEY", "other-secret");
    let output = command.output().expect("gamete runs");
    assert!(output.status.success(), "{output:?}");
    for call in account.calls_of("jobs launch") {
        let names = " --secret AWS_ACCESS_KEY_ID --secret AWS_SECRET_ACCESS_KEY /";
        assert!(call.contains(names), "{call}");
    }
    let mut seen = [output.stdout, output.stderr].concat();
    for file in ["head.yaml", "worker.yaml", "launched.json"] {
        seen.extend(fs::read(account.state("weights", file)).expect("a file"));
    }
    seen.extend(fs::read(account.path("calls")).expect("calls"));
    let seen = String::from_utf8_lossy(&seen);
    for secret in ["AKIA-of-mine", "very-secret", "other-secret"] {
        assert!(!seen.contains(secret), "{secret} is to be seen");
    }
}

#[test]
fn a_dry_run_shows_the_task_files() {
    let account = Account::new();
    let study = account.study("weights", "");
    let text = account.works(&[
        "up",
        &study,
        "--store",
        "s3://bucket/runs",
        "--idle",
        "90m",
        "--dry-run",
    ]);
    for expected in [
        "recommended: 4 x",
        "name: gamete-weights-",
        "gamete run study.toml",
        "--idle 1h30m\n",
    ] {
        assert!(text.contains(expected), "{text}\nshould say: {expected}");
    }
    assert_eq!(account.calls_of(""), Vec::<String>::new());
    assert!(!account.path("state").exists());
}

#[test]
fn what_cannot_be_rented_is_refused_before_anything_is_done() {
    let account = Account::new();
    let study = account.study("weights", "");
    let up = ["up", &study, "--store", "s3://bucket/runs", "--yes"];
    let with = |more: &[&str], expected: &str| {
        account.refuses(&[&up[..], more].concat(), expected);
        account.refuses(&[&["plan", &study], more].concat(), expected);
    };
    with(
        &["--max-price", "0.01"],
        "every machine costs more than 0.01 dollars per hour: the cheapest worker, c5.large, costs 0.034",
    );
    for bad in ["0", "-1", "NaN", "inf", "cheap", "10001"] {
        with(
            &[&format!("--max-price={bad}")],
            "expected a number above 0, at most 10000",
        );
    }
    with(&["--deadline", "59s"], "expected at least a minute");
    with(&["--deadline", "soon"], "invalid value 'soon'");
    with(&["--workers", "0"], "0 is not in 1..=1000");
    with(&["--workers", "1001"], "1001 is not in 1..=1000");
    with(
        &["--clouds", "aws,ibm"],
        "unknown cloud 'ibm'; expected one of aws, gcp",
    );
    with(
        &["--region", "mars"],
        "no spot machine in mars in the price table (SkyPilot's catalogue",
    );
    with(
        &["--type", "c5.tiny", "--clouds", "aws"],
        "no spot machine of type c5.tiny on aws",
    );
    with(
        &["--on-demand", "some"],
        "[possible values: none, head, all]",
    );
    with(
        &["--prices", "absent.csv"],
        "cannot read prices from absent.csv",
    );
    fs::write(
        account.path("bad.csv"),
        format!("Cloud,{HEAD}\naws,c5.large,,2,cheap,0.1,r,z\n"),
    )
    .expect("written");
    with(
        &["--prices", "bad.csv"],
        "bad.csv, line 2: Price is 'cheap'; expected a number from 0 to 10000, or nothing",
    );
    for bad in [
        "bucket",
        "/tmp/runs",
        "s3://",
        "s3://bucket/a b",
        "http://bucket",
    ] {
        account.refuses(
            &["up", &study, "--yes", "--store", bad],
            "is not a bucket location; expected s3://bucket/prefix",
        );
    }
    account.refuses(&["up", &study, "--yes"], "--store <LOCATION>");
    for bad in ["10s", "25h"] {
        account.refuses(
            &[&up[..], &["--idle", bad]].concat(),
            "expected a minute to a day",
        );
    }
    account.refuses(
        &up[..4],
        "Rent these machines? Standard input is not a terminal, so you cannot be asked; confirm with --yes",
    );
    account.refuses(
        &["plan", "absent.toml"],
        "cannot read the study absent.toml",
    );
    assert_eq!(account.calls_of(""), Vec::<String>::new());
    assert!(!account.path("state").exists());
}

#[test]
fn studies_that_other_machines_cannot_run_are_refused() {
    let account = Account::new();
    let exec = "name = \"pid\"\noptimizer.population = 4\nstop.generations = 1\n[fitness]\nexec = \"cat\"\ngenes = 2\nlow = 0\nhigh = 1\n";
    fs::write(account.path("pid.toml"), exec).expect("a study");
    let speed = "name = \"fast\"\nkind = \"speed\"\ngame.name = \"2048\"\nplayer = \"random\"\n";
    fs::write(account.path("fast.toml"), speed).expect("a study");
    account.refuses(
        &["plan", "fast.toml"],
        "fast measures speed on one machine; more machines do not help",
    );
    account.refuses(
        &["up", "pid.toml", "--store", "s3://bucket/runs", "--yes"],
        "a study on rented machines cannot use programs and files of this machine",
    );
}

#[test]
fn without_skypilot_or_access_the_message_says_what_to_do() {
    let account = Account::new();
    let study = account.study("weights", "");
    let up = [
        "up",
        &study,
        "--store",
        "s3://bucket/runs",
        "--clouds",
        "gcp",
        "--yes",
    ];
    account.has_access(r#"{"default": {"AWS": ["compute"]}}"#);
    account.refuses(
        &up,
        "SkyPilot has no access to gcp; 'sky check gcp' says why",
    );
    let mut command = account.command();
    command
        .args(["cloud"])
        .args(up)
        .env("GAMETE_SKY", "/nowhere/sky");
    let output = command.output().expect("gamete runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("'/nowhere/sky', which rents the machines, was not found"),
        "{told}"
    );
    assert!(told.contains("pip install"), "{told}");
    assert!(!account.path("state").exists());
}

#[test]
fn unknown_launches_are_reported() {
    let account = Account::new();
    for words in [
        &["status", "weights"],
        &["logs", "weights"],
        &["down", "weights"],
    ] {
        account.refuses(words, "no launch of study 'weights'; nothing was launched");
    }
    account.refuses(&["down", "../weights"], "no launch of study '../weights'");
    assert_eq!(account.works(&["status"]), "nothing was launched\n");
    assert_eq!(account.works(&["status", "--json"]), "[]\n");
    let study = account.study("weights", "");
    account.works(&[
        "up",
        &study,
        "--store",
        "s3://bucket/runs",
        "--workers",
        "1",
        "--yes",
    ]);
    let name = account.job_name("weights");
    fs::remove_file(account.path("calls")).expect("removed");
    account.refuses(&["logs", "weights"], "SkyPilot has no head for weights");
    account.refuses(
        &["logs", "weights", "--worker", "1"],
        "there is no worker 1: SkyPilot has no workers for weights",
    );
    account.has_queue(&json!([job(1, &format!("{name}-worker"), "RUNNING", 1.0)]));
    account.refuses(
        &["logs", "weights", "--worker", "2"],
        "there is no worker 2; weights has workers 1 to 1",
    );
    account.refuses(&["logs", "weights", "--worker", "0"], "0 is not in 1..");
    account.refuses(
        &["down", "weight"],
        "no launch of study 'weight'; launched: weights",
    );
    fs::write(account.state("weights", "launched.json"), "{").expect("written");
    let output = account.cloud(&["status"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("launched.json is not a launch record"),
        "{told}"
    );
}

#[test]
fn commands_of_the_manual_on_rented_machines_work() {
    let page = workspace().join("docs/manual/cloud.md");
    let commands = commands(&fs::read_to_string(page).expect("the page"));
    assert!(commands.len() >= 7, "{commands:?}");
    let account = Account::new();
    account.study("my-study", "");
    for command in commands {
        // Once it is launched it has a head, whose output can be shown.
        if account.state("my-study", "launched.json").exists() {
            let head = format!("{}-head", account.job_name("my-study"));
            account.has_queue(&json!([job(1, &head, "RUNNING", 1.0)]));
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(words[..2], ["gamete", "cloud"], "{command}");
        account.works(&words[2..]);
    }
}
