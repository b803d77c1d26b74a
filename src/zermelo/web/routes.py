"""The addresses: pages and files as they lie in `static`, and the API under /api/v1. See docs/web.md.

Every question names a game and where in it one stands: {"game": …, "set": {…}, "position": text, "moves": [texts]}.
What goes wrong is answered by {"error": sentence} and a status from 400 on.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from zermelo.version import __version__
from zermelo.web.catalogue import Catalogue
from zermelo.web.jobs import Jobs
from zermelo.web.laboratory import Laboratory
from zermelo.web.workers import Failed, Named, Workers

PAGES = {
    "/": "board.html", "/proof": "proof.html", "/tree": "search-tree.html", "/shelf": "shelf.html", "/lab": "lab.html",
}  # fmt: skip
"""The pages by their addresses; every file of `static` has one of its own, /static/NAME."""
MOST_MOVES, LONGEST_TEXT = 5000, 20_000

mimetypes.add_type("text/javascript", ".js")


class Api:
    """The answers to all requests, from the catalogue, the processes and the jobs."""

    def __init__(self, catalogue: Catalogue, workers: Workers, jobs: Jobs, laboratory: Laboratory) -> None:
        self.catalogue, self.workers, self.jobs, self.laboratory = catalogue, workers, jobs, laboratory

    def routes(self) -> list[BaseRoute]:
        api = "/api/v1"
        answers: list[tuple[str, Callable[[Request], Awaitable[Response]], str]] = [
            ("/about", self.about, "GET"),
            ("/games", self.games, "GET"),
            ("/game", self.game, "POST"),
            ("/position", self.position, "POST"),
            ("/record", self.record, "POST"),
            ("/analysis", self.analysis, "GET"),
            ("/solve", self.start_job, "POST"),
            ("/search", self.start_job, "POST"),
            ("/tree", self.start_tree, "POST"),
            ("/proofs", self.proofs, "GET"),
            ("/open-proof", self.open_proof, "POST"),
            ("/proof", self.proof, "POST"),
            ("/shelf", self.shelf, "POST"),
            ("/lab", self.lab, "GET"),
            ("/lab/{name}", self.experiment, "GET"),
            ("/lab/plots/{name}", self.plot, "GET"),
            ("/jobs/{number:int}", self.job, "GET"),
            ("/jobs/{number:int}", self.end_job, "DELETE"),
        ]
        return [*_static(), *(Route(api + path, _told(answer), methods=[how]) for path, answer, how in answers)]

    async def about(self, request: Request) -> Response:
        """How the server is: its version, and what is at work."""
        workers = self.workers
        return JSONResponse(
            {"version": __version__, "searching": workers.searching, "queued": workers.queued, "cores": workers.cores}
        )

    async def games(self, request: Request) -> Response:
        """What can be asked about: the shape of `zermelo games --json`."""
        return JSONResponse(await self.catalogue.described())

    async def game(self, request: Request) -> Response:
        """One game: its summary, its parameters, who can play it."""
        asked = await _body(request)
        return JSONResponse((await self.workers.of(self.named(asked))).about)

    async def position(self, request: Request) -> Response:
        """A position with its picture and its moves."""
        asked = await _body(request)
        return JSONResponse(await self.workers.ask(self.named(asked), "position", where(asked)))

    async def record(self, request: Request) -> Response:
        """A game as a text, or, where a `text` is given, the moves that it holds."""
        asked = await _body(request)
        if "text" in asked:
            fields = {"text": _text(asked, "text", LONGEST_TEXT * 10)}
            return JSONResponse(await self.workers.ask(self.named(asked), "read_record", fields))
        return JSONResponse(await self.workers.ask(self.named(asked), "record", where(asked)))

    async def analysis(self, request: Request) -> Response:
        """What every move is worth, as server-sent events: state, progress, move, value, and done or error at the end.
        Who leaves ends it."""
        try:
            asked = json.loads(request.query_params.get("q", ""))
        except ValueError:
            asked = None
        if not isinstance(asked, dict):
            raise Failed('ask by ?q={"game": …, "moves": […]}, written as JSON')
        named, fields = self.named(asked), where(asked) | _number(asked, "seconds")
        heard = self.workers.search(named, "analysis", fields)
        return StreamingResponse(_events(heard), media_type="text/event-stream")

    async def start_job(self, request: Request) -> Response:
        """Begin to solve or to search; the answer is a job to ask for."""
        asked, do = await _body(request), request.url.path.rpartition("/")[2]
        named, fields = self.named(asked), where(asked) | _number(asked, "seconds")
        if do == "search":
            fields |= _number(asked, "depth", whole=True)
        if asked.get("method") is not None:
            fields["method"] = _text(asked, "method", 500)
        number = self.jobs.start(self.workers.search(named, do, fields))
        return JSONResponse({"job": number}, status_code=202)

    async def shelf(self, request: Request) -> Response:
        """What endgame tables and the book say of a position."""
        asked = await _body(request)
        return JSONResponse(await self.workers.ask(self.named(asked), "shelf", where(asked)))

    async def lab(self, request: Request) -> Response:
        """All experiments, and which of them have results in the folder that was named."""
        return JSONResponse(await self.laboratory.listed())

    async def experiment(self, request: Request) -> Response:
        """The table and the plots of an experiment."""
        return JSONResponse(self.laboratory.result(request.path_params["name"]))

    async def plot(self, request: Request) -> Response:
        """A plot as a picture."""
        return Response(self.laboratory.plot(request.path_params["name"]), media_type="image/svg+xml")

    async def start_tree(self, request: Request) -> Response:
        """Begin to look at one position as alpha-beta does; the answer is a job to ask for."""
        asked = await _body(request)
        fields = where(asked) | _number(asked, "seconds") | _number(asked, "depth", whole=True, least=0)
        fields |= _bound(asked, "low") | _bound(asked, "high")
        return JSONResponse(
            {"job": self.jobs.start(self.workers.search(self.named(asked), "tree", fields))}, status_code=202
        )

    async def proofs(self, request: Request) -> Response:
        """The certificates that the server was started with."""
        return JSONResponse({"proofs": list(self.catalogue.proofs)})

    async def open_proof(self, request: Request) -> Response:
        """Begin to check a certificate; the answer is a job to ask for."""
        asked = await _body(request)
        heard = self.workers.search(self.catalogue.proof(asked.get("proof")), "open_proof", _side(asked))
        return JSONResponse({"job": self.jobs.start(heard)}, status_code=202)

    async def proof(self, request: Request) -> Response:
        """One step of a walk through a certificate: {"proof": name, "side": 0 or 1, "moves": […]}."""
        asked = await _body(request)
        fields = _side(asked) | {"moves": where(asked)["moves"]}
        return JSONResponse(await self.workers.ask(self.catalogue.proof(asked.get("proof")), "proof", fields))

    async def job(self, request: Request) -> Response:
        """How a job stands; ?wait=SECONDS answers when it is done, or after that time."""
        wait = request.query_params.get("wait", "0")
        seconds = min(float(wait), 30.0) if wait.replace(".", "", 1).isdecimal() else 0.0
        return JSONResponse(await self.jobs.look(request.path_params["number"], seconds))

    async def end_job(self, request: Request) -> Response:
        """Stop a job; what it has found is its answer."""
        return JSONResponse(await self.jobs.end(request.path_params["number"]))

    def named(self, asked: Mapping[str, Any]) -> Named:
        return self.catalogue.find(asked.get("game"), asked.get("set"))


def where(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The position that a question is about: a text, and the moves from there."""
    moves = asked.get("moves") or []
    if not isinstance(moves, list) or len(moves) > MOST_MOVES or not all(isinstance(move, str) for move in moves):
        raise Failed(f"moves is a list of texts, {MOST_MOVES} at most")
    return {"position": _text(asked, "position", LONGEST_TEXT, ""), "moves": moves}


def _text(asked: Mapping[str, Any], name: str, longest: int, default: str | None = None) -> str:
    text = asked.get(name)
    text = default if text is None else text
    if not isinstance(text, str) or len(text) > longest:
        raise Failed(f"{name} is a text of at most {longest:,} letters")
    return text


def _number(asked: Mapping[str, Any], name: str, whole: bool = False, least: float | None = None) -> dict[str, Any]:
    number = asked.get(name)
    if number is None:
        return {}
    fits = isinstance(number, int) or (isinstance(number, float) and not whole)
    enough = not isinstance(number, bool) and fits and (number > 0 if least is None else number >= least)
    if not enough or number >= 1e6:
        raise Failed(f"{name} is a {'whole ' * whole}number {'above 0' if least is None else f'from {least:g} on'}")
    return {name: number}


def _bound(asked: Mapping[str, Any], name: str) -> dict[str, Any]:
    """One end of a window; none is open."""
    number = asked.get(name)
    if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
        raise Failed(f"{name} is a score, or null where the window is open")
    return {name: number}


def _side(asked: Mapping[str, Any]) -> dict[str, Any]:
    side = asked.get("side")
    if side not in (None, 0, 1) or isinstance(side, bool):
        raise Failed("side is 0 for the first player's strategy, 1 for the second's")
    return {"side": side}


async def _body(request: Request) -> dict[str, Any]:
    try:
        asked = json.loads(await request.body())
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        raise Failed("send one JSON object")
    return asked


def _told(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """An answer whose failures are sentences."""

    async def asked(request: Request) -> Response:
        try:
            return await answer(request)
        except Failed as failed:
            return JSONResponse({"error": str(failed)}, status_code=failed.status)

    return asked


async def _events(heard: AsyncIterator[Any]) -> AsyncIterator[str]:
    """What is heard, as server-sent events. The last one is done or error, after which who listens must close."""
    try:
        async with aclosing(heard) as told:  # type: ignore[type-var]
            async for event, data in told:
                yield f"event: {'failed' if event == 'error' else event}\ndata: {json.dumps(data)}\n\n"
    except Failed as failed:
        yield f"event: failed\ndata: {json.dumps({'error': str(failed)})}\n\n"


def _static() -> list[BaseRoute]:
    """A route for each file that lies in `static` now: no path from a client is ever opened."""
    folder = files("zermelo.web") / "static"
    shelf = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}
    named = {f"/static/{name}": name for name in shelf} | PAGES

    def route(path: str, name: str) -> Route:
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"

        async def answer(request: Request) -> Response:
            return Response(shelf[name], media_type=kind)

        return Route(path, answer, methods=["GET"])

    return [route(path, name) for path, name in named.items() if name in shelf]
