// Without webhooks: a scheduled job polls the service and keeps a copy of the cards, which a report groups by month.
import { planted, sleep } from './plumbing.js';

export function createPoller({ fetch, baseUrl, apiKey, loadKey = async () => apiKey }) {
  let key = apiKey;
  const applicants = new Map();
  let cards = new Map();

  async function get(path, attempts = 9) {
    let hasNewKey = false;
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(baseUrl + path, { headers: { 'x-service-api-key': key } }).catch(
        () => undefined,
      );
      const body = await response?.json().catch(() => undefined);
      if (response?.status === 200 && body) return body;
      if (response?.status === 401 && !hasNewKey) {
        hasNewKey = true;
        key = await loadKey();
        continue;
      }
      if (response?.status === 429) await sleep(1000 * Number(response.headers.get('retry-after')));
      else if (attempt >= attempts || (body && response.status < 500)) {
        throw Object.assign(new Error(`${path}: ${response?.status ?? 'no response'}`), {
          status: response?.status,
        });
      } else await sleep(30 * 2 ** attempt);
    }
  }

  /** One round about the applicants. A round that fails leaves the rest for the next one. */
  async function pollApplicants() {
    for (const [id, applicant] of applicants) {
      if (applicant.state !== 'waiting') continue;
      applicant.rounds++;
      if (planted('gives-up-early') && applicant.rounds > 3) applicant.state = 'rejected';
      const attempts = planted('error-is-rejection') ? 1 : 9;
      try {
        const { kycStatus } = await get(`/partner/cardholders/${id}`, attempts);
        if (kycStatus !== 'pending') applicant.state = kycStatus;
      } catch {
        if (planted('error-is-rejection')) applicant.state = 'rejected';
      }
    }
  }

  /** One round about the cards: the new copy replaces the old one. */
  async function pollCards() {
    const next = new Map();
    const limit = 2;
    const attempts = planted('partial-list-deletes') ? 1 : 9;
    let isComplete = false;
    for (let page = 1; !isComplete; page++) {
      const path = `/partner/cards?limit=${limit}&page=${page}`;
      try {
        const { data, total } = await get(path, attempts);
        for (const card of data) next.set(card.id, card);
        isComplete = page * limit >= total;
      } catch (error) {
        if (!planted('partial-list-deletes') || page === 1) throw error;
        break;
      }
    }
    cards = next;
  }

  return {
    watch: id => applicants.set(id, { state: 'waiting', rounds: 0 }),
    state: id => applicants.get(id).state,
    cards: () => [...cards.values()],
    async round() {
      await pollApplicants();
      await pollCards();
    },
    /** Number of cards by month of creation. */
    report() {
      const months = {};
      for (const { createdAt } of cards.values()) {
        const date = new Date(createdAt);
        const local = `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
        const month = planted('month-in-local-time') ? local : createdAt.slice(0, 7);
        months[month] = (months[month] ?? 0) + 1;
      }
      return months;
    },
  };
}
