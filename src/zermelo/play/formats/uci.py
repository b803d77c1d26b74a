"""Lists of moves in UCI, as chess engines speak it: see `move_lists`."""

from zermelo.play.foreign.dialect import UCI
from zermelo.play.formats.move_lists import MoveLists

_LISTS = MoveLists(UCI)
read, write = _LISTS.read, _LISTS.write
