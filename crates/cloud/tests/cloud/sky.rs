//! Calls to SkyPilot: a fake that records them and answers like version 0.14.1.

use std::path::Path;

use cloud::clouds::cloud;
use cloud::sky::{Follow, Job, JobState, Sky, SkyError};

use crate::fake_program::FakeProgram;

fn sky(program: &FakeProgram) -> Sky {
    Sky::new(Some(program.program().into()))
}

#[test]
fn jobs_are_launched_shown_and_cancelled() {
    let program = FakeProgram::new("sky", "");
    let sky = sky(&program);
    let keys = ["AWS_ACCESS_KEY_ID", "AWS_REGION"];
    sky.launch(Path::new("/state/head.yaml"), "a-head", 1, &[])
        .expect("launched");
    sky.launch(Path::new("/state/worker.yaml"), "a-worker", 8, &keys)
        .expect("launched");
    sky.logs(3, Follow::No).expect("logs");
    sky.logs(3, Follow::Yes).expect("logs");
    sky.cancel(&[3, 4, 11]).expect("cancelled");
    assert_eq!(
        program.calls(),
        "jobs launch --yes --detach-run --name a-head --num-jobs 1 /state/head.yaml\n\
         jobs launch --yes --detach-run --name a-worker --num-jobs 8 --secret AWS_ACCESS_KEY_ID --secret AWS_REGION /state/worker.yaml\n\
         jobs logs --no-follow 3\n\
         jobs logs --follow 3\n\
         jobs cancel --yes 3 4 11\n"
    );
}

#[test]
fn the_queue_is_read() {
    let answer = r#"cat <<'END'
[2mFailed to connect to SkyPilot API server. Starting a local server.
[
  {"job_id": 12, "task_id": 0, "job_name": "a-head", "status": "RUNNING", "job_duration": 61.5, "recovery_count": 2, "resources": "1x[CPU:2]", "pool": null},
  {"job_id": 13, "job_name": "a-worker", "status": "FAILED_NO_RESOURCE", "job_duration": null, "recovery_count": null}
]
END"#;
    let program = FakeProgram::new("sky", answer);
    let job = |id, name: &str, state: &str, seconds, recoveries| Job {
        id,
        name: name.to_owned(),
        state: JobState(state.to_owned()),
        seconds,
        recoveries,
    };
    assert_eq!(
        sky(&program).queue().expect("jobs"),
        [
            job(12, "a-head", "RUNNING", 61.5, 2),
            job(13, "a-worker", "FAILED_NO_RESOURCE", 0.0, 0),
        ]
    );
    assert_eq!(program.calls(), "jobs queue --all -o json\n");
}

#[test]
fn states_say_whether_a_job_has_a_machine() {
    for (state, over, done) in [
        ("PENDING", false, false),
        ("STARTING", false, false),
        ("RUNNING", false, false),
        ("WINDING_DOWN", false, false),
        ("RECOVERING", false, false),
        ("CANCELLING", false, false),
        ("SUCCEEDED", true, true),
        ("CANCELLED", true, false),
        ("FAILED", true, false),
        ("FAILED_SETUP", true, false),
        ("FAILED_CONTROLLER", true, false),
    ] {
        let found = JobState(state.to_owned());
        assert_eq!((found.is_over(), found.is_done()), (over, done), "{state}");
    }
}

#[test]
fn if_nothing_was_launched_the_queue_is_empty() {
    let text = "echo 'sky.exceptions.ClusterNotUpError: No in-progress managed jobs.' >&2; exit 1";
    assert_eq!(
        sky(&FakeProgram::new("sky", text)).queue().expect("none"),
        []
    );
}

#[test]
fn access_to_a_cloud_is_checked() {
    let gcp = cloud("gcp").expect("a cloud");
    let yes = r#"echo '{"default": {"GCP": ["compute", "storage"]}}'"#;
    let program = FakeProgram::new("sky", yes);
    sky(&program).check_access(gcp).expect("access");
    assert_eq!(program.calls(), "check gcp -o json\n");
    for no in [
        r#"echo '{"default": {}}'"#,
        r#"echo '{"default": {"AWS": ["storage"]}}'"#,
    ] {
        let error = sky(&FakeProgram::new("sky", no)).check_access(gcp);
        let message = error.expect_err("no access").to_string();
        assert!(
            message.contains("no access to gcp; 'sky check gcp' says why"),
            "{message}"
        );
    }
}

#[test]
fn failures_are_reported() {
    let aws = cloud("aws").expect("a cloud");
    let missing = Sky::new(Some("/nowhere/sky".into()));
    let message = missing.check_access(aws).expect_err("missing").to_string();
    assert!(
        message.contains("'/nowhere/sky', which rents the machines, was not found"),
        "{message}"
    );
    assert!(message.contains("pip install"), "{message}");

    let folder = tempfile::tempdir().expect("a directory");
    let error = Sky::new(Some(folder.path().into()))
        .queue()
        .expect_err("no program");
    assert!(matches!(error, SkyError::CannotStart { .. }), "{error}");

    let failing = FakeProgram::new("sky", "echo working; echo 'the server is down' >&2; exit 5");
    let message = sky(&failing).queue().expect_err("failed").to_string();
    assert!(
        message
            .contains("'sky jobs queue --all -o json' failed (exit status: 5): the server is down"),
        "{message}"
    );
    let message = sky(&failing).cancel(&[1]).expect_err("failed").to_string();
    assert!(
        message.contains("'sky jobs cancel --yes 1' failed (exit status: 5); see its output above"),
        "{message}"
    );

    for (answer, expected) in [
        ("hello", "no JSON"),
        ("[{\"job_id\": 1}]", "a job has no status"),
        ("[{\"status\": \"RUNNING\"}]", "a job has no job_id"),
        ("[1]", "invalid type"),
    ] {
        let program = FakeProgram::new("sky", &format!("echo '{answer}'"));
        let message = sky(&program).queue().expect_err(answer).to_string();
        assert!(
            message.contains(expected) && message.contains("0.14.1"),
            "{message}"
        );
    }
}

#[test]
fn without_a_name_the_program_is_sky() {
    for named in [None, Some("".into())] {
        assert!(format!("{:?}", Sky::new(named)).contains("\"sky\""));
    }
}
