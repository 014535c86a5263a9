import { callApi } from '../data/actions.ts';
import { TOKEN_SOURCES } from '../data/enumerations.ts';
import { control } from '../data/http.ts';
import type { KycSession, ShareToken } from '../data/response-types.ts';
import { partner } from '../data/store.ts';
import { openCreated } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import { plainChoices } from './fields.ts';

const OUTCOME_LABELS: Readonly<Record<ShareToken['outcome'], string>> = {
  approve: 'approve',
  reject: 'reject',
  manual: 'wait for a manual decision',
};
export function openShareTokenForm(): void {
  openForm({
    title: 'Issue a share token',
    intro: 'An identity that another company has verified. Fields that you leave empty are generated.',
    submit: 'Issue share token',
    fields: () => [
      { name: 'source', label: 'Source', kind: 'choice', choices: plainChoices(TOKEN_SOURCES) },
      {
        name: 'outcome',
        label: 'Card provider will',
        kind: 'choice',
        choices: Object.entries(OUTCOME_LABELS),
      },
      { name: 'firstName', label: 'First name', isOptional: true },
      { name: 'lastName', label: 'Last name', isOptional: true },
      {
        name: 'residenceCountryCode',
        label: 'Country',
        hint: 'A two-letter code, such as FR.',
        isOptional: true,
      },
      { name: 'residenceCity', label: 'City', isOptional: true },
      { name: 'residenceAddressDetail', label: 'Street and number', isOptional: true },
      { name: 'postalCode', label: 'Postal code', isOptional: true },
      { name: 'expiresIn', label: 'Expires in', hint: 'A duration such as 90s or 24h.', isOptional: true },
    ],
    async run({ source, outcome, expiresIn, ...identity }) {
      const partnerId = partner.value?.id;
      const body = { partnerId, source, outcome, expiresIn, identity };
      const { token } = await control<ShareToken>('POST', '/share-tokens', body);
      openCreated('share-tokens', token);
    },
  });
}

export function openSessionForm(): void {
  openForm({
    title: 'Open a KYC session',
    intro: 'A person confirms their identity on a hosted page, within 24 hours.',
    submit: 'Open session',
    fields: () => [
      { name: 'externalUserId', label: 'External user id', isOptional: true },
      {
        name: 'redirectUrl',
        label: 'Redirect URL',
        isOptional: true,
        hint: 'Where the person goes afterwards, an http or https URL.',
      },
    ],
    async run(input) {
      const { id } = await callApi<KycSession>('POST', '/partner/kyc-sessions', input);
      openCreated('kyc-sessions', id);
    },
  });
}
