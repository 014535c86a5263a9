// A wallet that freezes and cancels cards: classes, a node:http receiver that responds first and works afterwards, and a
// JSON file as the store.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isGenuine, planted, sleep } from './plumbing.js';

class CardApi {
  constructor(baseUrl, apiKey) {
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
  }

  async once(method, path) {
    const headers = { 'x-service-api-key': this.apiKey() };
    const signal = AbortSignal.timeout(15_000);
    const response = await fetch(this.baseUrl + path, { method, headers, signal });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Repeats what was not processed, or what can be repeated: 429 for all methods, the rest for reads only. */
  async request(method, path) {
    for (let attempt = 1; ; attempt++) {
      const result = await this.once(method, path).catch(error => ({ error }));
      if (result.status === 429 && attempt < 20) {
        if (!planted('retry-after-ignored'))
          await sleep(1000 * Number(result.headers.get('retry-after') ?? 1));
      } else if (method === 'GET' && attempt < 8 && !(result.status < 500)) {
        await sleep(50 * 2 ** attempt);
      } else if (result.error) {
        throw result.error;
      } else {
        return result;
      }
    }
  }

  async card(id) {
    const { status, body } = await this.request('GET', `/partner/cards/${id}`);
    if (status !== 200) throw new Error(`card ${id}: ${status}`);
    return body;
  }

  /** Moves a card to a status. A move whose response was lost or refused counts if the card has the status. */
  async move(id, action, wanted) {
    for (let attempt = 1; ; attempt++) {
      const result = await this.request('POST', `/partner/cards/${id}/${action}`).catch(error => ({ error }));
      if (result.status === 200) return result.body;
      const card = await this.card(id);
      if (card.status === wanted) return card;
      if (result.status < 500 || attempt === 6)
        throw new Error(`${action}: ${result.status} ${result.body.error}`);
      await sleep(50 * 2 ** attempt);
    }
  }
}

class Store {
  constructor(file) {
    this.file = file;
    this.write({ cards: {}, notices: [], seen: [] });
  }
  read() {
    return JSON.parse(readFileSync(this.file, 'utf8'));
  }
  write(content) {
    writeFileSync(this.file, JSON.stringify(content));
  }
  update(change) {
    const content = this.read();
    const result = change(content);
    this.write(content);
    return result;
  }
}

export class Wallet {
  constructor({ baseUrl, apiKey, secret, file }) {
    this.api = new CardApi(baseUrl, apiKey);
    this.secret = secret;
    this.store = new Store(file);
    this.server = createServer((request, response) => void this.receive(request, response));
    this.queue = Promise.resolve();
    this.handlers = {
      'card.status.changed': event => this.statusChanged(event),
      'card.issued': event => this.keep(event.data.id, event.data.status),
    };
  }

  async listen() {
    await new Promise(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.server.address().port}/webhooks`;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  keep(id, status) {
    this.store.update(({ cards }) => {
      cards[id] ??= status;
    });
  }

  async add(id) {
    const { status } = await this.api.card(id);
    this.store.update(({ cards }) => {
      cards[id] = status;
    });
  }

  async move(id, action, wanted) {
    const { status } = await this.api.move(id, action, wanted);
    this.store.update(({ cards }) => {
      cards[id] = status;
    });
  }

  status(id) {
    return this.store.read().cards[id];
  }

  notices(id) {
    return this.store.read().notices.filter(notice => notice.startsWith(`${id} `));
  }

  async receive(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const rawBody = Buffer.concat(chunks).toString('utf8');
    const signature = request.headers['x-service-signature'];
    const isUnsigned = planted('unsigned-accepted') && signature === undefined;
    if (!isUnsigned && !isGenuine(rawBody, signature, this.secret)) return response.writeHead(401).end();
    const event = JSON.parse(rawBody);
    const handler = this.handlers[event.eventType];
    if (!handler) {
      if (planted('unknown-type-crashes')) return response.writeHead(500).end();
      return response.writeHead(200).end();
    }
    const isNew = this.store.update(content => {
      if (content.seen.includes(event.id)) return false;
      // Only the newest one is kept: a repetition comes at once.
      if (planted('last-event-id-only')) content.seen = [];
      content.seen.push(event.id);
      return true;
    });
    response.writeHead(200).end();
    if (isNew)
      this.queue = this.queue.then(() => handler(event)).catch(error => console.error(error.message));
  }

  async statusChanged({ data }) {
    const status = planted('status-of-old-event') ? data.status : (await this.api.card(data.id)).status;
    this.store.update(({ cards, notices }) => {
      cards[data.id] = status;
      notices.push(`${data.id} ${data.status}`);
    });
  }
}
