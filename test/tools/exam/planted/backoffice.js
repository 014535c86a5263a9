// A back office that copies the cardholders of the service by list, marks changes by webhook, and exports CSV.
import { isGenuine, planted, sleep } from './plumbing.js';

const KYC_LABELS = { pending: 'in review', approved: 'verified', rejected: 'refused' };
const MEMBERS = ['id', 'externalUserId', 'firstName', 'lastName', 'email', 'phoneNumber'];
MEMBERS.push('kycSource', 'kycStatus', 'status', 'createdAt');

export class BackOffice {
  #rows = new Map();
  #stale = new Set();

  constructor({ fetch, baseUrl, apiKey, secret }) {
    Object.assign(this, { fetch, baseUrl, apiKey, secret });
  }

  async get(path) {
    let problem;
    for (let attempt = 0; attempt < 9; attempt++) {
      try {
        const response = await this.fetch(this.baseUrl + path, {
          headers: { 'x-service-api-key': this.apiKey() },
        });
        if (response.ok) return await response.json();
        problem = Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
        const seconds = response.headers.get('retry-after');
        if (seconds) await sleep(1000 * Number(seconds));
      } catch (error) {
        problem = error;
      }
      if (problem.status < 500 && problem.status !== 429) break;
      await sleep(40 * 2 ** attempt);
    }
    throw problem;
  }

  toRow(cardholder) {
    if (planted('unknown-members-rejected')) {
      for (const name of Object.keys(cardholder))
        if (!MEMBERS.includes(name)) throw new Error(`unknown ${name}`);
    }
    const { id, firstName, lastName, email, phoneNumber, kycStatus, status } = cardholder;
    const label = planted('unknown-status-crashes') ? KYC_LABELS[kycStatus].trim() : KYC_LABELS[kycStatus];
    const name = `${firstName} ${lastName}`;
    return {
      id,
      name: planted('names-in-latin1') ? Buffer.from(name, 'latin1').toString('latin1') : name,
      email,
      phone: planted('null-phone') ? `***${phoneNumber.slice(-3)}` : `***${phoneNumber?.slice(-3) ?? ''}`,
      kyc: label ?? kycStatus,
      status,
    };
  }

  /** Copies all cardholders. The copy replaces the old one when it is complete. */
  async synchronize() {
    const rows = new Map();
    const limit = 20;
    for (let page = 1; ; page++) {
      const { data, total } = await this.get(`/partner/cardholders?limit=${limit}&page=${page}`);
      for (const cardholder of data) rows.set(cardholder.id, this.toRow(cardholder));
      if (page * limit >= total) break;
    }
    this.#rows = rows;
  }

  /** Reads again what webhooks have marked. */
  async refresh() {
    for (const id of this.#stale) {
      const cardholder = await this.get(`/partner/cardholders/${id}`);
      this.#rows.set(id, this.toRow(cardholder));
      this.#stale.delete(id);
    }
  }

  async receive(request) {
    const rawBody = await request.text();
    if (!isGenuine(rawBody, request.headers.get('x-service-signature'), this.secret)) {
      return new Response(null, { status: 401 });
    }
    const { eventType, data } = JSON.parse(rawBody);
    if (eventType.startsWith('cardholder.')) this.#stale.add(data.id);
    return new Response(null, { status: 204 });
  }

  rows() {
    return [...this.#rows.values()];
  }

  csv() {
    const quote = value => `"${String(value).replaceAll('"', '""')}"`;
    return this.rows()
      .map(row => Object.values(row).map(quote).join(','))
      .join('\n');
  }
}
