"""Lists of moves in UCCI, as xiangqi engines speak it: see `move_lists`."""

from zermelo.play.foreign.dialect import UCCI
from zermelo.play.formats.move_lists import MoveLists

_LISTS = MoveLists(UCCI)
read, write = _LISTS.read, _LISTS.write
