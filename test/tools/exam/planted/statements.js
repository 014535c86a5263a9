// Statements of fees: pure functions over an API reader, no webhooks; a nightly job calls them with today's date.
import { planted, sleep } from './plumbing.js';

const clamp = (year, month, day) => {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, last))).toISOString().slice(0, 10);
};

/** A reader of lists: repeats what failed, and reads all pages. */
export function createReader({ fetch, baseUrl, apiKey }) {
  async function once(path) {
    const response = await fetch(baseUrl + path, { headers: { 'x-service-api-key': apiKey() } });
    if (!response.ok) {
      const error = new Error(`${path}: ${response.status}`);
      error.isFinal = response.status < 500 && response.status !== 429;
      error.retryAfter = response.headers.get('retry-after');
      throw error;
    }
    return response.json();
  }

  async function page(path) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(path);
      } catch (error) {
        if (error.isFinal || attempt === 8) throw error;
        await sleep(error.retryAfter ? 1000 * Number(error.retryAfter) : 50 * 2 ** attempt);
      }
    }
  }

  return {
    async list(path) {
      const limit = planted('page-two-unread') ? 20 : 100;
      const first = await page(`${path}&limit=${limit}`);
      const records = [...first.data];
      for (let number = 2; records.length < first.total && !planted('page-two-unread'); number++) {
        const { data } = await page(`${path}&limit=${limit}&page=${number}`);
        if (data.length === 0) break;
        records.push(...data);
      }
      return records;
    },
  };
}

export function createStatements(reader) {
  const sum = records => Math.round(records.reduce((total, { amount }) => total + amount, 0) * 100) / 100;

  /** Fees by type in a billing period, `YYYY-MM`. */
  async function invoice(period) {
    const records = await reader.list(`/partner/usage/records?billingPeriod=${period}`);
    const of = type => records.filter(record => record.type === type);
    return { cards: of('card_issuance').length, checks: of('kyc_verification').length, total: sum(records) };
  }

  return {
    invoice,

    /** The invoice of the month before a date. */
    lastMonth(today) {
      const [year, month] = today.split('-').map(Number);
      if (planted('year-turn')) return invoice(`${year}-${String(month - 1).padStart(2, '0')}`);
      return invoice(clamp(year, month - 2, 1).slice(0, 7));
    },

    /** The date of the next statement: the same day of the next month, or its last day. */
    nextStatement(today) {
      const [year, month, day] = today.slice(0, 10).split('-').map(Number);
      if (planted('next-month-overflows')) {
        const next = new Date(`${today.slice(0, 10)}T00:00:00Z`);
        next.setUTCMonth(next.getUTCMonth() + 1);
        return next.toISOString().slice(0, 10);
      }
      return clamp(year, month, day);
    },

    /** The fees of the year that ends with a moment. */
    async lastYear(now) {
      const [year, month, day] = now.slice(0, 10).split('-').map(Number);
      const from = planted('leap-day') ? `${year - 1}${now.slice(4, 10)}` : clamp(year - 1, month - 1, day);
      return sum(await reader.list(`/partner/usage/records?from=${from}&to=${now}`));
    },
  };
}
