//! `gamete cluster reset`: clears all tasks away from a server.

use cluster::pool::reset;

use super::Which;
use crate::output::{Failure, print};

/// Arguments of `gamete cluster reset`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    which: Which,
}

/// Clears it. Studies that run give out again what they miss.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let address = arguments.which.address()?;
    reset(&address)?;
    print(&format!(
        "All tasks and results are cleared away from {}.\n",
        address.url
    ))
}
