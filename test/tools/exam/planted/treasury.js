// A treasury with an outbox: commands are jobs that a worker repeats until they are done or refused, webhooks are jobs as
// well, and the API key comes from a vault.
import { createServer, request as httpRequest } from 'node:http';
import { isGenuine, planted, sleep } from './plumbing.js';

export function createTreasury({ baseUrl, vault, secret }) {
  const state = { available: null, topUps: 0, cards: {}, jobs: [], seen: new Set() };
  const firstKey = vault.read();
  let isRunning = true;
  let limitedUntil = 0;

  function http(method, path, body) {
    return new Promise((resolve, reject) => {
      const key = planted('key-cached') ? firstKey : vault.read();
      const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
      const request = httpRequest(baseUrl + path, { method, headers, timeout: 15_000 }, async response => {
        try {
          const chunks = await response.toArray();
          // All requests count towards the limit, so all jobs wait.
          if (response.statusCode === 429)
            limitedUntil = Date.now() + 1000 * Number(response.headers['retry-after']);
          resolve({
            status: response.statusCode,
            body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
          });
        } catch (error) {
          reject(error);
        }
      });
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', reject);
      request.end(body && JSON.stringify(body));
    });
  }

  /** One step of a job. Returns 'again' or 'done'. Throws for a refusal. */
  const steps = {
    async balance(job) {
      const { status, body } = await http('GET', '/partner/balance');
      if (status !== 200) return 'again';
      state.available = planted('balance-of-old-event') && job.data ? job.data.available : body.available;
      return 'done';
    },
    async issue(job) {
      const { cardholderId, isUncertain } = job;
      if (isUncertain) {
        const list = await http('GET', `/partner/cards?cardholderId=${cardholderId}`);
        if (list.status !== 200) return 'again';
        if (list.body.total > 0) {
          state.cards[cardholderId] = { id: list.body.data[0].id, status: list.body.data[0].status };
          return 'done';
        }
      }
      job.isUncertain = true;
      const { status, body } = await http('POST', '/partner/cards', {
        cardholderId,
        cardProgramId: 'prog_everyday',
      });
      if (status === 429) job.isUncertain = false;
      if (status === 429 || status >= 500) return 'again';
      if (status !== 201) throw new Error(`issue: ${status}`);
      state.cards[cardholderId] = { id: body.id, status: body.status };
      return 'done';
    },
    async activate(job) {
      const card = state.cards[job.cardholderId];
      const path = `/partner/cards/${card.id}`;
      if (job.attempts > 0 && !planted('refusal-repeated')) {
        const current = await http('GET', path);
        if (current.status !== 200) return 'again';
        card.status = current.body.status;
        if (card.status === 'active') return 'done';
      }
      const { status, body } = await http('POST', `${path}/activate`);
      if (status === 200) card.status = body.status;
      if (status === 200) return 'done';
      if (status === 429 || status >= 500 || planted('refusal-repeated')) return 'again';
      throw new Error(`activate: ${status}`);
    },
  };

  async function work() {
    while (isRunning) {
      const isDue = ({ result, notBefore }) => !result && Math.max(notBefore, limitedUntil) <= Date.now();
      const job = state.jobs.find(isDue);
      if (!job) {
        await sleep(10);
        continue;
      }
      const outcome = await steps[job.kind](job).catch(error =>
        /: \d+$/.test(error.message) ? error : 'again',
      );
      job.attempts++;
      const isHasty = planted('gives-up-at-once');
      if (outcome === 'again' && isHasty && job.attempts < 3) job.notBefore = Date.now() + 10;
      else if (outcome === 'again' && !isHasty && job.attempts < 12)
        job.notBefore = Date.now() + Math.min(2000, 50 * 2 ** job.attempts);
      else job.result = outcome === 'done' ? 'done' : 'failed';
    }
  }

  const add = (kind, details) => {
    const job = { kind, attempts: 0, notBefore: 0, ...details };
    state.jobs.push(job);
    return job;
  };
  async function run(kind, details) {
    const job = add(kind, details);
    while (!job.result) await sleep(5);
    if (job.result === 'failed') throw new Error(`${kind} failed`);
    return state.cards[details.cardholderId];
  }

  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray()).toString('utf8');
    if (!isGenuine(rawBody, request.headers['x-service-signature'], secret))
      return response.writeHead(401).end();
    response.writeHead(200).end();
    const event = JSON.parse(rawBody);
    if (state.seen.has(event.id)) return;
    state.seen.add(event.id);
    if (event.eventType === 'balance.top_up') state.topUps++;
    if (event.eventType.startsWith('balance.')) add('balance', { data: event.data });
  });

  return {
    state,
    issue: cardholderId => run('issue', { cardholderId }),
    activate: cardholderId => run('activate', { cardholderId }),
    async start() {
      void work();
      await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${server.address().port}/`;
    },
    stop() {
      isRunning = false;
      server.close();
      server.closeAllConnections();
    },
  };
}
