import { freshText } from '../browser/timers.ts';
import { info, partner, programs } from '../data/store.ts';
import type { Scenario, Stage } from './stage.ts';

const ADDRESS = {
  residenceCountryCode: 'FR',
  residenceStateProvince: 'Rhone',
  residenceCity: 'Lyon',
  postalCode: '69002',
};
const MISSPELT = {
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
  stage.memo[name] = String(token);
}

function submit(stage: Stage, token: string, person = stage.memo.person) {
  return stage.api('POST', '/partner/cardholders', {
    externalUserId: person,
    email: `${person}@example.com`,
    phoneNumber: '+33612345678',
    kycSource: 'idp1',
    idp1ShareToken: stage.memo[token],
  });
}

/** A corrected KYC replaces a wrong one, until the identity has left the service. */
export const reimport: Scenario = {
  id: 'kyc-reimport',
  title: 'KYC re-import',
  pitch: 'A bank misspelt a name. How the correction gets in, and from when on it cannot.',
  steps: [
    {
      title: 'A donor shares an identity',
      say: 'Zoe was verified at her bank, which misspelt her name. The share token is a snapshot of that session, good for one use.',
      expects: 201,
      marked: ['token', 'lastName'],
      run(stage) {
        stage.memo.person = `zoe-${freshText()}`;
        return mint(stage, 'misspelt', MISSPELT);
      },
    },
    {
      title: 'The partner creates a cardholder',
      say: 'One call with the token. The name comes from the snapshot, mistake included.',
      expects: 201,
      marked: ['id', 'lastName', 'kycStatus'],
      async run(stage) {
        const { id } = await submit(stage, 'misspelt');
        stage.memo.cardholder = String(id);
      },
    },
    {
      title: 'The same snapshot again: refused',
      say: 'The bank has corrected the name, but the old token still holds the old snapshot, and it is used up.',
      expects: 400,
      marked: ['error'],
      run: stage => submit(stage, 'misspelt'),
    },
    {
      title: 'The donor mints a fresh token',
      say: 'A new snapshot of the corrected session: the right name, the right street.',
      expects: 201,
      marked: ['token', 'lastName', 'residenceAddressDetail'],
      run: stage => mint(stage, 'corrected', CORRECTED),
    },
    {
      title: 'Re-import',
      say: 'The very same call with the fresh token answers 200, not 201: the cardholder keeps its id, and the name is right.',
      expects: 200,
      marked: ['id', 'lastName'],
      run: stage => submit(stage, 'corrected'),
    },
    {
      title: 'The identity leaves the service',
      say: 'KYC is submitted to the card provider. From here on the identity is no longer the service’s to change.',
      expects: 200,
      marked: ['status'],
      run: stage =>
        stage.api('POST', `/partner/cardholders/${stage.memo.cardholder}/kyc`, {
          cardProgramId: programs.rows.value?.at(-1)?.id,
        }),
    },
    {
      title: 'Too late: locked with 409',
      say: 'Another fresh token changes nothing now. The refusal names the cardholder and the reason, for the app to act on.',
      expects: 409,
      marked: ['code', 'reason'],
      async run(stage) {
        await mint(stage, 'spare', CORRECTED);
        await submit(stage, 'spare');
      },
    },
    {
      title: 'The provider decides',
      say: 'No waiting: the clock goes on by the provider’s delay, and the approval comes with its webhooks.',
      expects: 200,
      run: stage =>
        stage.control('POST', '/clock/advance', {
          duration: String(info.value.value?.options.kycDelay ?? '2s'),
        }),
    },
    {
      title: 'A card is issued',
      say: 'Zoe is approved, so she can have a card.',
      expects: 201,
      marked: ['nameOnCard', 'last4', 'status'],
      run: stage =>
        stage.api('POST', '/partner/cards', {
          cardholderId: stage.memo.cardholder,
          cardProgramId: programs.rows.value?.at(-1)?.id,
        }),
    },
    {
      title: 'Locked still, for another reason',
      say: 'The same call once more: a card weighs more than a submission.',
      expects: 409,
      marked: ['code', 'reason'],
      run: stage => submit(stage, 'spare'),
    },
    {
      title: 'No token was lost',
      say: 'Two refusals later the spare token is as good as new: a refusal never consumes one.',
      expects: 201,
      marked: ['id', 'externalUserId'],
      run: stage => submit(stage, 'spare', `${stage.memo.person}-2`),
    },
  ],
};
