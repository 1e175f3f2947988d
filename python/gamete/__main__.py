"""The command ``gamete``, and ``python -m gamete``."""

import os
import signal
import sys
import sysconfig

from ._gamete import main as _main


def main() -> int:
    """Runs the command line with the words of this process."""
    # The command line has a handler of its own; Python's would only wait until it returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    launcher = os.path.join(sysconfig.get_path("scripts"), "gamete")
    sys.stdout.flush()
    return _main(["gamete", *sys.argv[1:]], launcher)


if __name__ == "__main__":
    sys.exit(main())
