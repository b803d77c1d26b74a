"""Who may ask: the checks that every request passes before anything else happens, and the headers of every answer.

The server runs on the machine of the person who started it and searches for whoever asks. So other people, and pages of
other people that are open in the same browser, must not be able to ask:

-   the `Host` must be this machine by a name that nobody else can point at it, which ends DNS rebinding;
-   who asks must have the token that was printed, once in the address and then in a cookie that no script reads and no
    other site's request carries, or as `Authorization: Bearer`;
-   `Origin`, if sent, must be this server, and `Sec-Fetch-Site` must not tell of another one;
-   what changes anything is JSON, which no plain form of another site can send;
-   bodies are small, and nothing is fetched from or framed by elsewhere.

Jupyter and mitmproxy do the same, after the same holes had been found in them.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.web.workers import Failed

COOKIE = "zermelo_token"
BODY = 1 << 20
"""The most bytes that a request may carry."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class _Refused(Exception):
    """Why a request goes no further."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Guard:
    """The application behind all checks. `hosts`: names by which this server may be called, beside those of every
    machine for itself."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str] = ()) -> None:
        self.app, self.token = app, token
        self.hosts = {*LOOPBACK, *hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def armed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            self._check_host(headers)
            self._check_origin(headers)
            if scope["method"] in ("GET", "HEAD") and self._has_token_in_address(scope):
                await self._welcome(scope, armed)
                return
            self._check_token(headers)
            self._check_content(scope["method"], headers)
            await self.app(scope, _limited(receive), armed)
        except _Refused as refused:
            await _answer(armed, refused.status, str(refused))

    def _check_host(self, headers: Headers) -> None:
        host = headers.get("host", "")
        name, colon, port = host.rpartition(":")
        plain = name if colon and port.isdecimal() else host
        if len(headers.getlist("host")) != 1 or plain.lower() not in self.hosts:
            raise _Refused(403, "this server is called by the address that it printed, and by no other name")

    def _check_origin(self, headers: Headers) -> None:
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{headers['host']}":
            raise _Refused(403, "requests from other sites are not answered")
        if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            raise _Refused(403, "requests from other sites are not answered")

    def _has_token_in_address(self, scope: Scope) -> bool:
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token")
        return given is not None and self._fits(given)

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """The token goes from the address, where others could read it, into a cookie."""
        rest = [pair for pair in parse_qsl(scope["query_string"].decode("latin-1")) if pair[0] != "token"]
        path = "/" + scope["path"].lstrip("/")  # two slashes would begin the name of another server
        target = path + (f"?{urlencode(rest)}" if rest else "")
        cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", target.encode("latin-1", "replace")), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _check_token(self, headers: Headers) -> None:
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._fits(bearer.strip()):
            return
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            found = None
        if found is None or not self._fits(found.value):
            raise _Refused(401, "open the address that zermelo serve has printed: it holds the token that is missing")

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _check_content(self, method: str, headers: Headers) -> None:
        if method in ("GET", "HEAD", "DELETE"):
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _Refused(415, "send application/json: nothing else is read")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY:
            raise _Refused(413, f"a request may carry {BODY:,} bytes at most")


def _limited(receive: Receive) -> Receive:
    """Counts what really comes: a length may be missing, or wrong. Who reads it, the route, tells that it failed."""
    seen = 0

    async def counting() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > BODY:
            raise Failed( f"a request may carry {BODY:,} bytes at most", 413)
        return message

    return counting


async def _answer(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
