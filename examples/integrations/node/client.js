// A client of the card API that survives what networks and services do: lost connections, timeouts, 429 and 5xx.

const ATTEMPTS = 5;
const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const PAGE_SIZE = 50;

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** A response of the API that is not a success. */
export class ApiError extends Error {
  constructor(status, body) {
    super(`${status}: ${body?.error?.message ?? body?.error ?? 'no details'}`);
    this.status = status;
    this.code = body?.error?.code ?? null;
  }
}

export class Client {
  #baseUrl;
  #readKey;

  /** `readKey` returns the current API key. It is called for each request, so that a rotated key needs no restart. */
  constructor(baseUrl, readKey) {
    this.#baseUrl = baseUrl;
    this.#readKey = readKey;
  }

  /** Reads a record. A read changes nothing, so it can always be repeated. */
  get(path, query = {}) {
    const search = new URLSearchParams(query).toString();
    return this.#attempt('GET', search === '' ? path : `${path}?${search}`, undefined, async () => null);
  }

  /**
   * Changes something exactly once. `findResult` looks the result up and returns null when there is none. It runs
   * after each attempt whose outcome is unknown: that attempt may have been applied before its response was lost.
   */
  write(method, path, body, findResult) {
    return this.#attempt(method, path, body, findResult);
  }

  /** All records of a list, page by page. A record that moves to a later page while others are added counts once. */
  async *list(path, query = {}) {
    const seen = new Set();
    for (let page = 1; ; page += 1) {
      const { data, total } = await this.get(path, {
        ...query,
        page: String(page),
        limit: String(PAGE_SIZE),
      });
      for (const record of data) {
        if (!seen.has(record.id)) yield record;
        seen.add(record.id);
      }
      if (data.length === 0 || page * PAGE_SIZE >= total) return;
    }
  }

  /** The first record of a list that fits, or null. */
  async find(path, query, fits) {
    for await (const record of this.list(path, query)) if (fits(record)) return record;
    return null;
  }

  async #attempt(method, path, body, findResult) {
    for (let attempt = 1; ; attempt += 1) {
      const { failure, response, json } = await this.#send(method, path, body);
      if (response?.ok) return json;
      const error = failure ?? new ApiError(response.status, json);
      // Any other 4xx is a decision. To repeat the request would only get the same answer again.
      const isTemporary = failure !== undefined || response.status === 429 || response.status >= 500;
      if (!isTemporary || attempt === ATTEMPTS) throw error;
      if (response?.status === 429) {
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
        continue; // A 429 was not applied, so there is nothing to look up.
      }
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      const result = await findResult();
      if (result !== null) return result;
    }
  }

  async #send(method, path, body) {
    const headers = { 'x-service-api-key': this.#readKey() };
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      const response = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // A gateway in between may respond with HTML. It is not a success in any case.
      const text = await response.text();
      return { response, json: response.ok ? JSON.parse(text) : parseOrNull(text) };
    } catch (failure) {
      return { failure }; // No response, or half of one: whether the request was applied is unknown.
    }
  }
}

function parseOrNull(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
