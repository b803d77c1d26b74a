"""`python -m zermelo` is the command `zermelo`."""

from zermelo.cli import main

main()
