"""Lists of moves in USI, as shogi engines speak it: see `move_lists`."""

from zermelo.play.foreign.dialect import USI
from zermelo.play.formats.move_lists import MoveLists

_LISTS = MoveLists(USI)
read, write = _LISTS.read, _LISTS.write
