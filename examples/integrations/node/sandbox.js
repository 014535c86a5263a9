// What the tests need from the sandbox beyond the API: time, purchases, and what became of the webhooks.

const { CARD_SANDBOX_URL, CARD_SANDBOX_WORLD = 'main' } = process.env;
const CONTROL = `${CARD_SANDBOX_URL}/_sandbox/worlds/${CARD_SANDBOX_WORLD}`;

async function control(method, path, body) {
  const response = await fetch(`${CONTROL}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Moves the sandbox clock and runs what falls due. */
export const advance = async duration => (await control('POST', '/clock/advance', { duration })).json();

/** The current time of the sandbox clock. */
export const now = async () => (await (await control('GET', '/clock')).json()).now;

/** Uses a card, as its cardholder would. */
export const purchase = async (cardId, amount) =>
  (await control('POST', '/transactions', { cardId, amount })).json();

export const settle = async id => (await control('POST', `/transactions/${id}/settle`, {})).json();
export const reverse = async id => (await control('POST', `/transactions/${id}/reverse`, {})).json();

/** How many records of a kind the partner has. */
export const count = async kind =>
  Number((await control('GET', `/${kind}?limit=1`)).headers.get('x-total-count'));

/** Waits until every webhook has been delivered. Fails with the list of those that the receiver refuses. */
export async function allDelivered() {
  const deadline = Date.now() + 10_000;
  for (;;) {
    await control('POST', '/deliveries/settle', {});
    const pending = await (await control('GET', '/deliveries?status=pending')).json();
    if (pending.length === 0) return;
    if (Date.now() > deadline) {
      throw new Error(
        `not delivered: ${pending.map(each => `${each.eventType} ${each.lastResponseStatus}`)}`,
      );
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
