//! Where runs are kept: `--runs-dir`, or `GAMETE_RUNS`, or `runs` in the current directory.

use std::path::PathBuf;

use lab::store::Store;

/// Where they are if nothing says otherwise.
pub(crate) const RUNS: &str = "runs";

/// The argument that says where.
#[derive(Debug, clap::Args)]
pub(crate) struct RunsDir {
    /// Where runs are kept
    #[arg(long, value_name = "DIR", env = "GAMETE_RUNS", default_value = RUNS)]
    runs_dir: PathBuf,
}

impl RunsDir {
    /// The store there.
    pub(crate) fn store(&self) -> Store {
        Store::new(&self.runs_dir)
    }
}
