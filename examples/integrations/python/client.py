"""A client of the card API that survives what networks and services do: lost connections, timeouts, 429 and 5xx."""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal

ATTEMPTS = 5
TIMEOUT_SECONDS = 10
FIRST_PAUSE_SECONDS = 0.05
PAGE_SIZE = 50


class ApiError(Exception):
    """A response of the API that is not a success."""

    def __init__(self, status, body):
        error = body.get("error") if isinstance(body, dict) else None
        details = error if isinstance(error, dict) else {"message": error}
        super().__init__(f"{status}: {details.get('message') or 'no details'}")
        self.status = status
        self.code = details.get("code")


class Client:
    def __init__(self, base_url, read_key):
        """`read_key` returns the current API key. It is called for each request: a rotated key needs no restart."""
        self._base_url = base_url
        self._read_key = read_key

    def get(self, path, query=None):
        """Reads a record. A read changes nothing, so it can always be repeated."""
        address = f"{path}?{urllib.parse.urlencode(query)}" if query else path
        return self._attempt("GET", address, None, lambda: None)

    def write(self, method, path, body, find_result):
        """Changes something exactly once.

        `find_result` looks the result up and returns None when there is none. It runs after each attempt whose outcome
        is unknown: that attempt may have been applied before its response was lost.
        """
        return self._attempt(method, path, body, find_result)

    def list(self, path, query=None):
        """All records of a list, page by page. A record that moves to a later page meanwhile counts once."""
        seen = set()
        page = 1
        while True:
            answer = self.get(path, {**(query or {}), "page": page, "limit": PAGE_SIZE})
            for record in answer["data"]:
                if record["id"] not in seen:
                    yield record
                seen.add(record["id"])
            if not answer["data"] or page * PAGE_SIZE >= answer["total"]:
                return
            page += 1

    def find(self, path, query, fits):
        """The first record of a list that fits, or None."""
        return next((record for record in self.list(path, query) if fits(record)), None)

    def _attempt(self, method, path, body, find_result):
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._send(method, path, body)
            except urllib.error.HTTPError as response:
                with response:
                    error = ApiError(response.code, parse_or_none(response.read()))
                    retry_after = response.headers.get("Retry-After")
            # No response, or half of one: whether the request was applied is unknown.
            except (OSError, http.client.HTTPException, ValueError) as failure:
                error = failure
            status = error.status if isinstance(error, ApiError) else None
            # Any other 4xx is a decision. To repeat the request would only get the same answer again.
            is_temporary = status is None or status == 429 or status >= 500
            if not is_temporary or attempt == ATTEMPTS:
                raise error
            if status == 429:
                time.sleep(float(retry_after or 1))
                continue  # A 429 was not applied, so there is nothing to look up.
            time.sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
            result = find_result()
            if result is not None:
                return result

    def _send(self, method, path, body):
        request = urllib.request.Request(self._base_url + path, method=method)
        request.add_header("x-service-api-key", self._read_key())
        if body is not None:
            request.add_header("content-type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            # Amounts stay decimal numbers: a float cannot hold 19.99.
            return json.loads(response.read(), parse_float=Decimal)


def parse_or_none(raw):
    try:
        return json.loads(raw)
    except ValueError:
        return None  # A gateway in between may respond with HTML.
