//! Temporary stores with one directory that is backed up there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fixtures::s3::S3Server;
use snapshot::{
    CapturePolicy, Environment, Location, Repository, Retention, SnapshotStore, Writer,
};
use tempfile::TempDir;

/// States before what they describe; neither locks nor unfinished files.
pub(crate) const POLICY: CapturePolicy = CapturePolicy {
    phases: 2,
    phase: |path| match path {
        "lock" => None,
        path if path.ends_with(".new") => None,
        path if path.starts_with("state") => Some(0),
        _ => Some(1),
    },
    is_state: |path| path != "status",
};

/// Garbage is deleted at once.
pub(crate) const KEEP_THREE: Retention = Retention {
    snapshots: 3,
    grace: Duration::ZERO,
};

/// A temporary store.
pub(crate) struct TestStore {
    pub(crate) location: Location,
    pub(crate) environment: Environment,
    directory: TempDir,
    pub(crate) server: Option<S3Server>,
}

impl TestStore {
    pub(crate) fn in_directory() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        Self {
            location: Location::directory(&directory.path().join("store")),
            environment: Environment::default(),
            directory,
            server: None,
        }
    }

    pub(crate) fn in_bucket() -> Option<Self> {
        let server = S3Server::start()?;
        Some(Self {
            location: "s3://bucket/some/prefix".parse().expect("a location"),
            environment: server.variables(0).into_iter().collect(),
            directory: tempfile::tempdir().expect("a directory"),
            server: Some(server),
        })
    }

    pub(crate) fn open(&self) -> SnapshotStore {
        SnapshotStore::open(&self.location, &self.environment).expect("a store")
    }

    /// The repository that these tests use.
    pub(crate) fn repository(&self) -> Repository {
        self.open().repository("study")
    }

    /// A path outside the store.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A file of the repository, in a directory.
    pub(crate) fn object(&self, path: &str) -> PathBuf {
        self.path("store/study").join(path)
    }

    /// Names of the repository's objects of a kind, in a directory.
    pub(crate) fn objects(&self, kind: &str) -> Vec<String> {
        let entries = fs::read_dir(self.object(kind)).expect("objects");
        let names = entries.map(|entry| entry.expect("an object").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.into_string().expect("text"))
            .collect();
        names.sort();
        names
    }

    /// A process that backs up a directory from now on.
    pub(crate) fn writer(&self, directory: &Path) -> Writer {
        let view = self.repository().view().expect("a view");
        Writer::new(view, directory, POLICY, KEEP_THREE)
    }

    /// Takes one snapshot of a directory, and returns its number.
    pub(crate) fn snapshot(&self, directory: &Path) -> u64 {
        let number = self.writer(directory).snapshot().expect("a snapshot");
        number.expect("the first one is always written")
    }

    /// Restores the newest snapshot, and returns what is damaged.
    pub(crate) fn restore(&self, target: &Path) -> Vec<String> {
        let mut view = self.repository().view().expect("a view");
        view.restore(target).expect("it is restored");
        view.damage
    }

    /// The files of the newest snapshot, and what is damaged.
    pub(crate) fn restored(&self) -> (Files, Vec<String>) {
        let target = self.path("restored");
        let damage = self.restore(&target);
        let files = read(&target);
        fs::remove_dir_all(target).expect("it exists");
        (files, damage)
    }
}

/// Runs a check with every kind of store.
pub(crate) fn with_every_store(check: impl Fn(&TestStore)) {
    check(&TestStore::in_directory());
    if let Some(store) = TestStore::in_bucket() {
        check(&store);
    }
}

/// Contents of files by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Writes files into a directory.
pub(crate) fn write(directory: &Path, files: &[(&str, &[u8])]) {
    for (path, contents) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, contents).expect("a file");
    }
}

/// All files of a directory except the crate's own.
pub(crate) fn read(directory: &Path) -> Files {
    let mut files = Files::new();
    collect(directory, directory, &mut files);
    files.remove(snapshot::SYNC_FILE);
    files
}

fn collect(root: &Path, directory: &Path, files: &mut Files) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("within");
            let name = name.to_str().expect("text").to_owned();
            files.insert(name, fs::read(&path).expect("a file"));
        }
    }
}
