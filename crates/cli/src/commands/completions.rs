//! `gamete completions`: what a shell has to read so that it completes commands, options and names.

use clap_complete::env::Shells;

use crate::completion::ASKED;
use crate::output::{Failure, print};

const EXAMPLES: &str = "\
Commands and options are completed, and players, presets, algorithms, study files and runs.

Examples:
  gamete completions bash > ~/.local/share/bash-completion/completions/gamete
  gamete completions zsh > ~/.zfunc/_gamete     # in a directory of $fpath
  gamete completions fish > ~/.config/fish/completions/gamete.fish";

/// Zsh reads the script when `gamete` is first completed, as the function `_gamete`, and wants an answer then. The script only says whom
/// to ask from then on.
const ZSH_FIRST_TIME: &str = "
if [[ $funcstack[1] == _gamete ]]; then
    _clap_dynamic_completer_gamete \"$@\"
fi
";

/// Arguments of `gamete completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_parser = Shells::builtins().names().collect::<Vec<_>>())]
    shell: String,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let shells = Shells::builtins();
    let shell = shells
        .completer(&arguments.shell)
        .expect("only these are accepted");
    let mut script = Vec::new();
    shell.write_registration(ASKED, "gamete", "gamete", "gamete", &mut script)?;
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if arguments.shell == "zsh" {
        script += ZSH_FIRST_TIME;
    }
    print(&script)
}
