// KYC on the hosted page: one saga per user, an async function that waits for the signals that webhooks give.
import { EventEmitter, once } from 'node:events';
import { isGenuine, planted, sleep } from './plumbing.js';

class Refused extends Error {}

export function createHostedKyc({ fetch, baseUrl, apiKey, secret }) {
  const users = new Map();
  /** Rows of the table of cardholders, with the primary key `id`. */
  const directory = [];
  const signals = new EventEmitter().setMaxListeners(0);
  const seen = new Set();
  const greetings = [];

  async function call(method, path, body) {
    for (let attempt = 0; ; attempt++) {
      const init = { method, headers: { 'x-service-api-key': apiKey(), 'content-type': 'application/json' } };
      if (body) init.body = JSON.stringify(body);
      try {
        const response = await fetch(baseUrl + path, init);
        const content = await response.json();
        if (response.status === 429) await sleep(1000 * Number(response.headers.get('retry-after')));
        else if (response.ok) return { ...content, repeated: attempt > 0 };
        else if (response.status < 500)
          throw new Refused(`${path}: ${JSON.stringify(content.error)}`, { cause: attempt });
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      if (attempt === 9) throw new Error(`${path}: unavailable`);
      await sleep(40 * 2 ** Math.min(attempt, 6));
    }
  }

  /** Creates the cardholder of a session; a refusal after a lost response means that it exists. */
  async function createCardholder(user) {
    const { name: externalUserId, email, phone: phoneNumber, sessionId: kycSessionId } = user;
    try {
      const body = { externalUserId, email, phoneNumber, kycSource: 'web', kycSessionId };
      return await call('POST', '/partner/cardholders', body);
    } catch (error) {
      if (!(error instanceof Refused) || error.cause === 0) throw error;
      const path = `/partner/cardholders?externalUserId=${encodeURIComponent(externalUserId)}`;
      const { data } = await call('GET', path);
      if (data.length === 0) throw error;
      return data[0];
    }
  }

  async function submit(cardholderId) {
    try {
      await call('POST', `/partner/cardholders/${cardholderId}/kyc`, { cardProgramId: 'prog_everyday' });
    } catch (error) {
      // Refused after a lost response: it has been submitted.
      if (planted('submitted-already') || !(error instanceof Refused) || error.cause === 0) throw error;
    }
  }

  function insert(row) {
    if (directory.some(({ id }) => id === row.id)) {
      if (planted('insert-conflict')) throw new Error(`duplicate key ${row.id}`);
      return;
    }
    directory.push(row);
  }

  /** The saga. What is awaited is remembered in `user`, so a signal that comes early is not lost. */
  async function onboard(user) {
    try {
      const session = await call('POST', '/partner/kyc-sessions', { externalUserId: user.name });
      user.sessionId = session.id;
      user.url = session.url;
      signals.emit(`started:${user.name}`);
      while (user.session === undefined) await once(signals, user.name);
      if (user.session === 'rejected') {
        user.state = 'refused';
        return;
      }
      const cardholder = await createCardholder(user);
      user.cardholderId = cardholder.id;
      insert({ id: cardholder.id, name: user.name });
      await submit(cardholder.id);
      user.state = 'submitted';
      while (user.kyc === undefined) await once(signals, user.name);
      user.state = user.kyc;
      if (user.kyc === 'approved') greetings.push(user.name);
    } catch (error) {
      user.state = 'failed';
      user.problem = error.message;
      signals.emit(`started:${user.name}`);
    }
  }

  function checkMembers(data) {
    const known =
      'id url status externalUserId createdAt expiresAt firstName lastName email phoneNumber kycSource kycStatus';
    const unknown = Object.keys(data).find(name => !known.split(' ').includes(name));
    if (unknown) throw new Error(`unexpected member ${unknown}`);
  }

  async function handle({ eventType, data }) {
    const user = users.get(data.externalUserId);
    if (planted('strict-event')) checkMembers(data);
    if (!user) return;
    if (eventType === 'kyc_session.completed' || eventType === 'kyc_session.failed') {
      if (planted('completed-twice') && user.session !== undefined) {
        // The second creation is refused, and the refusal becomes the result.
        await createCardholder(user).catch(() => {
          user.kyc = 'failed';
        });
      }
      user.session = eventType === 'kyc_session.completed' ? 'approved' : 'rejected';
    }
    if (eventType === 'cardholder.created') insert({ id: data.id, name: data.externalUserId });
    if (eventType === 'cardholder.kyc.updated') {
      // The decision is read again: an old event may come late.
      const { kycStatus } = await call('GET', `/partner/cardholders/${data.id}`);
      if (kycStatus !== 'pending') user.kyc = kycStatus;
    }
    signals.emit(user.name);
  }

  async function receive(request) {
    const rawBody = await request.text();
    if (!isGenuine(rawBody, request.headers.get('x-service-signature'), secret)) {
      return new Response(null, { status: 401 });
    }
    const event = JSON.parse(rawBody);
    const isFirst = !seen.has(event.id);
    seen.add(event.id);
    if (isFirst || planted('completed-twice'))
      void handle(event).catch(error => console.error(error.message));
    return new Response(null, { status: 200 });
  }

  return {
    receive,
    greetings,
    directory,
    user: name => users.get(name),
    /** Resolves with the user once there is a page for the person. */
    async start({ name, email, phone }) {
      const user = { name, email, phone, state: 'started' };
      users.set(name, user);
      const started = once(signals, `started:${name}`);
      void onboard(user);
      await started;
      return user;
    },
  };
}
