//! Stores to try things in, and a directory that is kept there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fixtures::s3::S3Server;
use tempfile::TempDir;
use vault::{Care, Environment, Place, Shelf, Thrift, Vault, Writer};

/// What is kept of the directories in these tests: states before what they speak of, no locks and no files that are being written.
pub(crate) const CARE: Care = Care {
    turns: 2,
    turn: |path| match path {
        "lock" => None,
        path if path.ends_with(".new") => None,
        path if path.starts_with("state") => Some(0),
        _ => Some(1),
    },
    is_state: |path| path != "status",
};

/// Everything that is too much goes at once.
pub(crate) const SPARING: Thrift = Thrift {
    snapshots: 3,
    grace: Duration::ZERO,
};

/// A store that is thrown away.
pub(crate) struct Store {
    pub(crate) place: Place,
    pub(crate) environment: Environment,
    directory: TempDir,
    _server: Option<S3Server>,
}

impl Store {
    pub(crate) fn in_directory() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        Self {
            place: Place::directory(&directory.path().join("store")),
            environment: Environment::default(),
            directory,
            _server: None,
        }
    }

    pub(crate) fn in_bucket() -> Option<Self> {
        let server = S3Server::start()?;
        Some(Self {
            place: "s3://bucket/some/prefix".parse().expect("a place"),
            environment: server.variables(0).into_iter().collect(),
            directory: tempfile::tempdir().expect("a directory"),
            _server: Some(server),
        })
    }

    pub(crate) fn vault(&self) -> Vault {
        Vault::open(&self.place, &self.environment).expect("it opens")
    }

    /// The shelf that these tests use.
    pub(crate) fn shelf(&self) -> Shelf {
        self.vault().shelf("kept")
    }

    /// A path that is not in the store.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A file of the shelf, in a directory.
    pub(crate) fn object(&self, path: &str) -> PathBuf {
        self.path("store/kept").join(path)
    }

    /// Names of the objects of a kind on the shelf, in a directory.
    pub(crate) fn objects(&self, kind: &str) -> Vec<String> {
        let entries = fs::read_dir(self.object(kind)).expect("objects");
        let names = entries.map(|entry| entry.expect("an object").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.into_string().expect("text"))
            .collect();
        names.sort();
        names
    }

    /// Whoever goes on with a directory from now.
    pub(crate) fn writer(&self, folder: &Path) -> Writer {
        let view = self.shelf().look().expect("a view");
        Writer::new(view, folder, CARE, SPARING)
    }

    /// What comes back, with what was said of damage.
    pub(crate) fn restored(&self) -> (Files, Vec<String>) {
        let into = self.path("back");
        let mut view = self.shelf().look().expect("a view");
        view.restore(&into).expect("it comes back");
        let files = read(&into);
        fs::remove_dir_all(into).expect("it is there");
        (files, view.damage)
    }
}

/// A check with every kind of store.
pub(crate) fn with_every_store(check: impl Fn(&Store)) {
    check(&Store::in_directory());
    if let Some(store) = Store::in_bucket() {
        check(&store);
    }
}

/// Files by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Writes files into a directory.
pub(crate) fn write(folder: &Path, files: &[(&str, &[u8])]) {
    for (path, contents) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, contents).expect("a file");
    }
}

/// All files of a directory, but for what only the vault needs.
pub(crate) fn read(folder: &Path) -> Files {
    let mut files = Files::new();
    collect(folder, folder, &mut files);
    files.remove(vault::MARKER);
    files
}

fn collect(root: &Path, folder: &Path, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("a directory") {
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
