import { EVENT_TYPES } from '../../../client/generated/event-types.ts';
import { CONFIG, configure, NOWHERE, originalConfig } from '../lab/webhooks.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { hasExactly, isInvalid, isOk, messageOf, objectOf, textOf } from '../service/responses.ts';

const MEMBERS = ['webhookUrl', 'webhookSecret', 'subscribedEvents'];
const CONFIGURABLE = 'a webhook configuration that can be changed';

/** Probes of the webhook configuration. They put it back at the end. */
export const webhookConfigProbes: readonly Probe[] = [
  {
    id: 'unset-config',
    needs: 'read',
    takes: 'a partner without a webhook URL, or --write',
    async probe(lab) {
      const before = await lab.service.get(CONFIG);
      const { webhookUrl } = objectOf(before.body);
      const cleared = typeof webhookUrl === 'string' ? await clear() : before;
      if (cleared === null) throw new Undecided(this.takes, before);
      const config = objectOf(cleared.body);
      if (typeof config.webhookUrl === 'string') throw new Undecided(this.takes, cleared);
      const isOmitted = !('webhookUrl' in config);
      const seen = `a webhook URL that is not set is ${isOmitted ? 'left out' : 'null'}`;
      return measurement(isOmitted ? 'omitted' : 'null', seen, cleared);

      async function clear() {
        if (!lab.write) return null;
        const changed = await configure(lab, null, []);
        return isOk(changed) ? lab.service.get(CONFIG) : null;
      }
    },
  },
  {
    id: 'webhook-config',
    needs: 'write',
    takes: CONFIGURABLE,
    async probe(lab) {
      const changed = await configure(lab, NOWHERE, [...EVENT_TYPES, 'card.issued']);
      const types = objectOf(changed.body).subscribedEvents;
      const unknown = await lab.service.patch(CONFIG, { subscribedEvents: ['card.sandbox'] });
      const credentials = await lab.service.patch(CONFIG, {
        webhookUrl: 'https://name:word@card-sandbox-calibration.example.com/',
      });
      const count = Array.isArray(types) ? types.length : 0;
      const isWhole = hasExactly(changed.body, MEMBERS);
      const seen = `a change gets a ${changed.status}${isOk(changed) ? ` with ${isWhole ? 'the whole' : 'another'} configuration and ${count} event types` : `: ${messageOf(changed)}`}; an unknown type gets a ${unknown.status}, credentials in the URL a ${credentials.status}`;
      const holds = isWhole && count === EVENT_TYPES.length && isInvalid(unknown) && isInvalid(credentials);
      return finding(holds, seen, changed, unknown, credentials);
    },
  },
  {
    id: 'patch-config',
    needs: 'write',
    takes: CONFIGURABLE,
    async probe(lab) {
      const whole = await configure(lab, NOWHERE, ['card.issued']);
      if (!isOk(whole)) throw new Undecided(this.takes, whole);
      const part = await lab.service.patch(CONFIG, { subscribedEvents: ['card.transaction'] });
      if (!isOk(part)) throw new Undecided(this.takes, whole, part);
      const read = await lab.service.get(CONFIG);
      const isKept = textOf(read.body, 'webhookUrl') === NOWHERE;
      const seen = `a change of subscribedEvents alone ${isKept ? 'keeps' : 'removes'} the webhook URL`;
      return measurement(isKept ? 'merge' : 'replace', seen, whole, part, read);
    },
  },
  {
    id: 'webhook-config-origin',
    needs: 'write',
    takes: CONFIGURABLE,
    async probe(lab) {
      await originalConfig(lab);
      const refused = await lab.service.call({
        method: 'PATCH',
        path: CONFIG,
        headers: { Origin: 'https://card-sandbox-calibration.example.com' },
        body: { webhookUrl: null, subscribedEvents: [] },
      });
      const seen = `a change with a foreign Origin gets a ${refused.status}`;
      return finding(isInvalid(refused), seen, refused);
    },
  },
];
