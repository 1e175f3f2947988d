//! A server that speaks S3, the real protocol, for tests: moto, installed into an environment of its own beside what is built.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

const PACKAGE: &str = "moto[server]==5.2.5";

/// Serves until standard input closes, so that it never outlives the tests. One bucket is there. With `guarded`, only two keys are known: one that
/// may do everything with the bucket, and one that may only read it.
const SERVE: &str = r#"
import sys
from moto.server import ThreadedMotoServer
import boto3, requests
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://{host}:{port}"
def client(kind):
    return boto3.client(kind, endpoint_url=url, region_name="us-east-1", aws_access_key_id="any", aws_secret_access_key="any")
client("s3").create_bucket(Bucket="bucket")
def key(user, actions):
    iam = client("iam")
    iam.create_user(UserName=user)
    policy = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":%s,"Resource":"*"}]}' % actions
    iam.put_user_policy(UserName=user, PolicyName="policy", PolicyDocument=policy)
    key = iam.create_access_key(UserName=user)["AccessKey"]
    return f'{key["AccessKeyId"]} {key["SecretAccessKey"]}'
keys = ["any any"]
if sys.argv[1] == "guarded":
    keys = [key("keeper", '["s3:*"]'), key("reader", '["s3:ListBucket","s3:GetObject"]')]
    requests.post(url + "/moto-api/reset-auth", data=b"0")
print(url, *keys, flush=True)
sys.stdin.read()
"#;

/// A key and its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) id: String,
    pub(crate) secret: String,
}

/// A server that runs.
pub(crate) struct S3Server {
    child: Child,
    /// Its address.
    pub(crate) url: String,
    /// Who may use it.
    pub(crate) keys: Vec<Key>,
}

impl S3Server {
    /// A server that anybody may use; none, which is told, if it cannot be installed.
    pub(crate) fn start() -> Option<Self> {
        Self::serve("open")
    }

    /// A server that only known keys may use.
    pub(crate) fn start_guarded() -> Option<Self> {
        Self::serve("guarded")
    }

    fn serve(manner: &str) -> Option<Self> {
        let Some(python) = python() else {
            let text = format!("skipped: a test with {PACKAGE}, which cannot be installed here");
            assert!(std::env::var_os("CI").is_none(), "{text}");
            eprintln!("{text}");
            return None;
        };
        let mut child = Command::new(python)
            .args(["-c", SERVE, manner])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let told = child.stdout.take().expect("a pipe");
        BufReader::new(told).read_line(&mut line).expect("a line");
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert!(words.len() >= 3, "the server says '{line}'");
        let keys = words[1..].chunks(2).map(|pair| Key {
            id: pair[0].clone(),
            secret: pair[1].clone(),
        });
        Some(Self {
            keys: keys.collect(),
            url: words[0].clone(),
            child,
        })
    }

    /// Variables by which the server is reached with a key.
    pub(crate) fn variables(&self, key: usize) -> Vec<(String, String)> {
        let key = &self.keys[key];
        let variables = [
            ("AWS_ENDPOINT_URL", &self.url),
            ("AWS_ACCESS_KEY_ID", &key.id),
            ("AWS_SECRET_ACCESS_KEY", &key.secret),
        ];
        variables
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .to_vec()
    }

    /// Sends the server a signal.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill").success());
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.child.kill().expect("it can be ended");
        self.child.wait().expect("it ends");
    }
}

/// Python with the package, if it can be had; installed once, however many tests and test programs ask.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    PYTHON.get_or_init(install).as_deref()
}

fn install() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moto");
    fs::create_dir_all(&folder).expect("a directory");
    let lock = File::create(folder.join("lock")).expect("a lock");
    lock.lock().expect("a lock");
    let python = folder.join("bin/python");
    let done = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if done(Command::new(&python).args(["-c", "import moto.server, boto3"])) {
        return Some(python);
    }
    let made = done(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    let install = ["-m", "pip", "install", "--quiet", PACKAGE];
    (made && done(Command::new(&python).args(install))).then_some(python)
}
