"""Certificates: proofs of claims about a game, as files. docs/certificates.md describes every byte.

A claim is that the first player scores at least, or at most, some value from a position. Its proof is the strategy of
whoever benefits, the claimant: one move for each position of the claimant that the strategy can lead to, in the order
in which a walk through the rules meets them. The opponent's replies are not stored: a checker takes them from the
rules, so that none can be missing. A certificate holds one claim, or the two that pin down a value.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.certificates.rulebook import fingerprint
from zermelo.rules import Game, Position, Unsuitable, ZermeloError
from zermelo.rules.files import read_json, read_text, save

MAGIC = b"\x89ZERMELO-PROOF\r\n\x1a\n"
VERSION = 1
GRAPH, TREE = "graph", "tree"
CHUNK = 1 << 16
_LARGEST = 1 << 63
_SIZES = struct.Struct("<II")
_DIGEST = 32


class Damaged(ZermeloError):
    """A file that is no certificate, or no longer one."""


@dataclass(frozen=True)
class Claim:
    """That the first player scores at least, or at most, a value."""

    at_least: bool
    value: float

    @property
    def claimant(self) -> int:
        """The player whose strategy proves it."""
        return 0 if self.at_least else 1

    def allows(self, score: float) -> bool:
        return score >= self.value if self.at_least else score <= self.value

    def __str__(self) -> str:
        return f"the first player scores at {'least' if self.at_least else 'most'} {self.value:g}"


@dataclass(frozen=True)
class Proof:
    """A claim and the claimant's moves, compressed. `longest` is None where lines may go round in circles."""

    claim: Claim
    form: str
    ours: int
    positions: int
    longest: int | None
    moves: bytes
    width: int = 1  # bytes for each move

    def chunks(self) -> Iterator[Any]:
        """The moves as arrays, one piece after another."""
        decoder, data, left = zlib.decompressobj(), self.moves, b""
        kind = np.dtype("<u1" if self.width == 1 else "<u2")
        try:
            while data and not decoder.eof:
                piece = left + decoder.decompress(data, CHUNK)
                data = decoder.unconsumed_tail
                whole = len(piece) - len(piece) % self.width
                left = piece[whole:]
                if whole:
                    yield np.frombuffer(piece[:whole], kind)
            rest = left + decoder.flush()
        except zlib.error:
            raise Damaged("the certificate is damaged: its moves cannot be unpacked") from None
        if not decoder.eof or decoder.unused_data or len(rest) % self.width:
            raise Damaged("the certificate is damaged: its moves cannot be unpacked")
        if rest:
            yield np.frombuffer(rest, kind)


class Packing:
    """The claimant's moves on their way into a proof."""

    def __init__(self, game: Game) -> None:
        self.width = 1 if game.max_moves <= 256 else 2
        self.encoder = zlib.compressobj(9)
        self.pieces: list[bytes] = []

    def add(self, moves: Any) -> None:
        kind = "<u1" if self.width == 1 else "<u2"
        self.pieces.append(self.encoder.compress(np.asarray(moves).astype(kind).tobytes()))

    def finish(self) -> bytes:
        return b"".join([*self.pieces, self.encoder.flush()])


@dataclass(frozen=True)
class Certificate:
    """Proofs about one position. `about` says which game, which position, and how the certificate was made."""

    about: dict[str, Any]
    proofs: tuple[Proof, ...]
    size: int = field(default=0, compare=False)  # of the file, in bytes

    @property
    def claim(self) -> str:
        """What is proved, in words."""
        if len(self.proofs) == 2:
            return f"the first player scores exactly {self.proofs[0].claim.value:g}"
        return str(self.proofs[0].claim)

    @property
    def positions(self) -> int:
        return sum(proof.positions for proof in self.proofs)

    def encode(self) -> bytes:
        """The certificate as the bytes of its file."""
        proofs = [
            {
                "claim": "at least" if proof.claim.at_least else "at most",
                "value": proof.claim.value,
                "form": proof.form,
                "ours": proof.ours,
                "positions": proof.positions,
                "longest": proof.longest,
                "width": proof.width,
                "bytes": len(proof.moves),
            }
            for proof in self.proofs
        ]
        header = json.dumps({**self.about, "proofs": proofs}, ensure_ascii=False).encode()
        body = MAGIC + _SIZES.pack(VERSION, len(header)) + header + b"".join(proof.moves for proof in self.proofs)
        return body + hashlib.sha256(body).digest()

    def save(self, file: str | Path) -> int:
        """Write the file, whole or not at all; returns its size. What stood there before stays if this fails."""
        data = self.encode()
        save(file, data)
        return len(data)

    @classmethod
    def load(cls, file: str | Path) -> Certificate:
        try:
            data = Path(file).read_bytes()
        except OSError as failed:
            raise Unsuitable(f"{file} cannot be read: {failed.strerror or failed}") from None
        return cls.decode(data, str(file))

    @classmethod
    def decode(cls, data: bytes, name: str = "this") -> Certificate:
        """Read a certificate's bytes; whatever is wrong with them is said in one sentence."""
        if not data.startswith(MAGIC):
            if MAGIC.startswith(data[: len(MAGIC)]):
                raise Damaged(f"{name} is damaged: it is cut off after {len(data)} bytes")
            raise Damaged(f"{name} is not a certificate of Zermelo")
        body, seal = data[:-_DIGEST], data[-_DIGEST:]
        begin = len(MAGIC) + _SIZES.size
        if len(body) < begin or hashlib.sha256(body).digest() != seal:
            raise Damaged(f"{name} is damaged: it is cut off or was changed, its checksum does not fit")
        version, length = _SIZES.unpack_from(body, len(MAGIC))
        if version != VERSION:
            raise Damaged(f"{name} has format {version}, this Zermelo reads format {VERSION}")
        try:
            if length > len(body) - begin:
                raise ValueError
            header = json.loads(body[begin : begin + length].decode())
            return cls._from_header(header, body[begin + length :], len(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Damaged(f"{name} is damaged: its header cannot be read") from None

    @classmethod
    def _from_header(cls, header: Any, moves: bytes, size: int) -> Certificate:
        listed, proofs = header.pop("proofs"), []
        for entry in listed:
            if entry["claim"] not in ("at least", "at most") or entry["form"] not in (GRAPH, TREE):
                raise ValueError
            longest = 0 if entry["longest"] is None else entry["longest"]
            counts = [entry["ours"], entry["positions"], entry["bytes"], entry["width"], longest]
            if not all(type(count) is int and 0 <= count < _LARGEST for count in counts):
                raise ValueError
            if entry["width"] not in (1, 2):
                raise ValueError
            if type(entry["value"]) not in (int, float) or not abs(entry["value"]) < _LARGEST:
                raise ValueError
            length = entry["bytes"]
            if length > len(moves):
                raise ValueError
            proofs.append(
                Proof(
                    Claim(entry["claim"] == "at least", entry["value"]), entry["form"], entry["ours"],
                    entry["positions"], entry["longest"], moves[:length], entry["width"],
                )
            )  # fmt: skip
            moves = moves[length:]
        pair = len(proofs) == 2 and proofs[0].claim.at_least and not proofs[1].claim.at_least
        if moves or not (len(proofs) == 1 or (pair and proofs[0].claim.value == proofs[1].claim.value)):
            raise ValueError
        start, played = header["start"], header["moves"]
        if not isinstance(start, dict) or not all(isinstance(move, str) for move in played):
            raise ValueError
        if not {"game", "parameters", "graph"} <= set(header):
            raise ValueError
        return cls(header, tuple(proofs), size)



# Which game and position a certificate is about


def describe(position: Position, spec: str | None, made: dict[str, Any]) -> dict[str, Any]:
    """The part of the header that tells somebody else which game, which position and how it was made."""
    from zermelo.version import __version__

    game = position.game
    graph = None
    if game.name == "graph" and "file" in game.parameters:
        graph = read_json(read_text(game.parameters["file"]), game.parameters["file"])
    start, moves = _written(position)
    return {
        "game": "graph" if graph is not None else _named(spec) or _listed(game),
        "parameters": {} if graph is not None else dict(game.parameters),
        "graph": graph,
        "start": start,
        "moves": moves,
        "position": position.text(),
        "rules": fingerprint(game),
        "zermelo": __version__,
        "made": made,
    }


def _named(spec: str | None) -> str | None:
    """How a person named the game, but not in which folder it lies."""
    return spec if spec is None or spec.startswith("openspiel:") else Path(spec).name


def _listed(game: Game) -> str | None:
    from zermelo import games

    return game.name if game.name in games.names() else None


def _written(position: Position) -> tuple[dict[str, str], list[str]]:
    """A position as where it begins and the moves from there. Without cycles only the position itself counts."""
    game = position.game
    for first in _beginnings(position):
        text = "" if first.state is game.start else first.text()
        moves = position.history()[len(first.history()) :]
        for start in ({"text": text}, *([{"state": first.state.tobytes().hex()}] if game.compilable else [])):
            with contextlib.suppress(ZermeloError):
                again = _position(game, start, moves)
                if [*_names(again)] == [*_names(position)]:
                    return start, moves
    raise Unsuitable(f"{game.name}: the position cannot be written down so that it can be read again")


def _beginnings(position: Position) -> Iterator[Position]:
    if not position.game.cyclic:
        yield position
    while position.previous is not None:
        position = position.previous
    yield position


def _names(position: Position) -> Sequence[Any]:
    """What two positions must share to be the same to the rules."""
    from zermelo.certificates.walk_kernel import identity

    name = identity(position.game)
    path = position.path() if position.game.cyclic else [position.state]
    return [name(state) for state in path] if position.game.compilable else [position.text()]


def _position(game: Game, start: dict[str, str], moves: Sequence[str]) -> Position:
    if "state" in start:
        data = bytes.fromhex(start["state"])
        if game.State is None or len(data) != game.State.dtype.itemsize:
            raise ValueError
        position = Position(game, game.State.frombytes(data))
    else:
        position = game.position(start["text"])
    for move in moves:
        position = position.play(move)
    return position


def game_of(certificate: Certificate) -> Game:
    """The game that a certificate is about, as far as a file may say which."""
    from zermelo import games

    about = certificate.about
    return games.from_file(about["game"], about["parameters"], about["graph"])


def raw(certificate: Certificate) -> bool:
    """Whether the position is given as the bytes of a state, which no rule has looked at."""
    return "state" in certificate.about["start"]


def position_of(certificate: Certificate, game: Game) -> Position:
    """The position that a certificate is about. One that the rules cannot even look at is none."""
    try:
        position = _position(game, certificate.about["start"], certificate.about["moves"])
        if raw(certificate):
            _ = position.result, position.moves(), position.text(), str(position)
        return position
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        raise Damaged("the certificate is damaged: it does not say which position it is about") from None


def same_rules(certificate: Certificate, game: Game) -> bool:
    return bool(certificate.about.get("rules") == fingerprint(game))
