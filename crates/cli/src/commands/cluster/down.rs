//! `gamete cluster down`: stops the server.

use cluster::server::down;

use super::ServerDirectory;
use crate::output::{Failure, print};

/// Arguments of `gamete cluster down`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    directory: ServerDirectory,
}

/// Stops it. Studies that still run wait for it to come back.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let directory = arguments.directory.path()?;
    print(match down(&directory)? {
        true => "The server is stopped.\n",
        false => "No server was running.\n",
    })
}
