// Sign-up of customers: functions around one Map, the client is the injected `fetch`, webhooks come as web Requests.
import { isGenuine, planted, sleep } from './plumbing.js';

/** A request whose effect is unknown: its response was lost, or was a 5xx. */
class UncertainError extends Error {}

export function createSignup({ fetch, baseUrl, apiKey, secret }) {
  const customers = new Map();
  const cards = new Map();
  const seen = new Set();
  const earlyEvents = [];
  const mails = [];

  async function send(method, path, body) {
    let response;
    let content;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'x-service-api-key': apiKey(), 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      content = await response.json();
    } catch (error) {
      throw new UncertainError(`${method} ${path}: ${error.message}`);
    }
    if (response.status === 429) {
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
      return send(method, path, body);
    }
    if (response.status >= 500) throw new UncertainError(`${method} ${path}: ${response.status}`);
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(content.error)}`);
    return content;
  }

  async function read(path) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send('GET', path);
      } catch (error) {
        if (!(error instanceof UncertainError) || attempt === 6) throw error;
        await sleep(50 * 2 ** attempt);
      }
    }
  }

  /** Writes until the effect is certain. `find` returns what an uncertain attempt has made, or undefined. */
  async function write(path, body, find) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send('POST', path, body);
      } catch (error) {
        if (!(error instanceof UncertainError) || attempt === 6) throw error;
        await sleep(50 * 2 ** attempt);
        const found = await find();
        if (found) return found;
      }
    }
  }

  const findCardholder = async name =>
    (await read(`/partner/cardholders?externalUserId=${encodeURIComponent(name)}`)).data[0];

  async function findCard(customer) {
    if (planted('double-issue')) return undefined;
    return (await read(`/partner/cards?cardholderId=${customer.cardholderId}`)).data[0];
  }

  async function refresh(customer) {
    customer.kyc = (await read(`/partner/cardholders/${customer.cardholderId}`)).kycStatus;
  }

  async function signUp({ name, email, phone, shareToken }) {
    const customer = { name, email, kyc: 'none', card: null };
    customers.set(name, customer);
    const body = {
      externalUserId: name,
      email,
      phoneNumber: phone,
      kycSource: 'idp1',
      idp1ShareToken: shareToken,
    };
    const find = planted('lost-response-orphans') ? () => undefined : () => findCardholder(name);
    const cardholder = await write('/partner/cardholders', body, find);
    customer.cardholderId = cardholder.id;
    customer.kyc = cardholder.kycStatus;
    let isUncertain = false;
    const submit = `/partner/cardholders/${cardholder.id}/kyc`;
    await write(submit, { cardProgramId: 'prog_everyday' }, () => {
      isUncertain = true;
    }).catch(error => {
      // The lost attempt has submitted it: the repetition is refused.
      if (!isUncertain || !error.message.includes(' 400 ')) throw error;
    });
    return customer;
  }

  async function orderCard(name) {
    const customer = customers.get(name);
    const body = { cardholderId: customer.cardholderId, cardProgramId: 'prog_everyday' };
    const card = await write('/partner/cards', body, () => findCard(customer));
    customer.card = card.id;
    cards.set(card.id, customer);
    for (const event of earlyEvents.splice(0)) await handle(event);
    return customer;
  }

  async function handle(event) {
    if (event.eventType.startsWith('cardholder.')) {
      const customer = [...customers.values()].find(({ cardholderId }) => cardholderId === event.data.id);
      if (!customer) return; // Its state is read when the response of the creation arrives.
      if (planted('older-event-wins')) customer.kyc = event.data.kycStatus;
      else await refresh(customer);
    } else if (event.eventType === 'card.issued') {
      const customer = cards.get(event.data.id);
      if (customer) mails.push(`${customer.email}: your card is ready`);
      else if (!planted('event-before-record')) earlyEvents.push(event);
    }
  }

  async function receive(request) {
    const rawBody = await request.text();
    if (!isGenuine(rawBody, request.headers.get('x-service-signature'), secret)) {
      return new Response(null, { status: 401 });
    }
    const event = JSON.parse(rawBody);
    if (seen.has(event.id)) return new Response();
    seen.add(event.id);
    try {
      await handle(event);
    } catch {
      seen.delete(event.id);
      return new Response(null, { status: 503 });
    }
    return new Response();
  }

  return { signUp, orderCard, receive, mails, customer: name => customers.get(name) };
}
