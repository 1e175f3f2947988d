//! `gamete completions`: the completion script of a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::output::{Failure, print};

const EXAMPLES: &str = "\
Examples:
  gamete completions bash > ~/.local/share/bash-completion/completions/gamete
  gamete completions zsh > ~/.zfunc/_gamete
  gamete completions fish > ~/.config/fish/completions/gamete.fish";

/// Arguments of `gamete completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut crate::arguments::Arguments::command(),
        "gamete",
        &mut script,
    );
    print(&String::from_utf8_lossy(&script))
}
