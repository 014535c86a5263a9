import { randomText } from '../browser/random.ts';
import { info, partner, programs } from '../data/store.ts';
import type { Scenario, Stage } from './stage.ts';

const ADDRESS = {
  residenceCountryCode: 'FR',
  residenceStateProvince: 'Rhone',
  residenceCity: 'Lyon',
  postalCode: '69002',
};
const MISSPELLED = {
  firstName: 'Zoe',
  lastName: 'Lefevbre',
  residenceAddressDetail: '12 Rue Merciere',
  ...ADDRESS,
};
const CORRECTED = {
  firstName: 'Zoe',
  lastName: 'Lefebvre',
  residenceAddressDetail: '21 Rue Merciere',
  ...ADDRESS,
};

async function mint(stage: Stage, name: string, identity: unknown): Promise<void> {
  const { token } = await stage.control('POST', '/share-tokens', { partnerId: partner.value?.id, identity });
  stage.values[name] = String(token);
}

function submit(stage: Stage, token: string, person = stage.values.person) {
  return stage.api('POST', '/partner/cardholders', {
    externalUserId: person,
    email: `${person}@example.com`,
    phoneNumber: '+33612345678',
    kycSource: 'idp1',
    idp1ShareToken: stage.values[token],
  });
}

/** A corrected identity replaces a wrong one, until the KYC is submitted to the card provider. */
export const reimport: Scenario = {
  id: 'kyc-reimport',
  title: 'KYC re-import',
  summary: 'A bank misspelled a name. How it is corrected, and from when on it cannot be.',
  steps: [
    {
      title: 'A donor shares an identity',
      text: 'Zoe’s bank verified her but misspelled her name. The share token is a snapshot of that session, for one use.',
      expectedStatus: 201,
      highlight: ['token', 'lastName'],
      run(stage) {
        stage.values.person = `zoe-${randomText(4)}`;
        return mint(stage, 'misspelled', MISSPELLED);
      },
    },
    {
      title: 'The partner creates a cardholder',
      text: 'One request with the token. The name comes from the snapshot, with the mistake.',
      expectedStatus: 201,
      highlight: ['id', 'lastName', 'kycStatus'],
      async run(stage) {
        const { id } = await submit(stage, 'misspelled');
        stage.values.cardholder = String(id);
      },
    },
    {
      title: 'The same snapshot again: refused',
      text: 'The bank has corrected the name, but the old token holds the old snapshot and is already used.',
      expectedStatus: 400,
      highlight: ['error'],
      run: stage => submit(stage, 'misspelled'),
    },
    {
      title: 'The donor mints a new token',
      text: 'A snapshot of the corrected session, with the right name and street.',
      expectedStatus: 201,
      highlight: ['token', 'lastName', 'residenceAddressDetail'],
      run: stage => mint(stage, 'corrected', CORRECTED),
    },
    {
      title: 'Re-import',
      text: 'The same request with the new token returns 200 instead of 201. The cardholder keeps its id, with the right name.',
      expectedStatus: 200,
      highlight: ['id', 'lastName'],
      run: stage => submit(stage, 'corrected'),
    },
    {
      title: 'The KYC is submitted',
      text: 'The identity is sent to the card provider. From now on it cannot be changed.',
      expectedStatus: 200,
      highlight: ['status'],
      run: stage =>
        stage.api('POST', `/partner/cardholders/${stage.values.cardholder}/kyc`, {
          cardProgramId: programs.rows.value?.at(-1)?.id,
        }),
    },
    {
      title: 'Re-import refused with 409',
      text: 'Another new token does not help. The error names the cardholder and the reason.',
      expectedStatus: 409,
      highlight: ['code', 'reason'],
      async run(stage) {
        await mint(stage, 'spare', CORRECTED);
        await submit(stage, 'spare');
      },
    },
    {
      title: 'The provider decides',
      text: 'The clock advances by the provider’s delay. The approval raises its events.',
      expectedStatus: 200,
      run: stage =>
        stage.control('POST', '/clock/advance', {
          duration: String(info.data.value?.options.kycDelay ?? '2s'),
        }),
    },
    {
      title: 'A card is issued',
      text: 'Zoe is approved, so a card can be issued to her.',
      expectedStatus: 201,
      highlight: ['nameOnCard', 'last4', 'status'],
      run: stage =>
        stage.api('POST', '/partner/cards', {
          cardholderId: stage.values.cardholder,
          cardProgramId: programs.rows.value?.at(-1)?.id,
        }),
    },
    {
      title: 'Still locked, for another reason',
      text: 'The same request again. An issued card takes precedence over the submission as the reason.',
      expectedStatus: 409,
      highlight: ['code', 'reason'],
      run: stage => submit(stage, 'spare'),
    },
    {
      title: 'The token is still unused',
      text: 'After two refusals the spare token still works: a refused request does not consume it.',
      expectedStatus: 201,
      highlight: ['id', 'externalUserId'],
      run: stage => submit(stage, 'spare', `${stage.values.person}-2`),
    },
  ],
};
