import { freshText } from '../browser/timers.ts';
import { info, partner, programs } from '../data/store.ts';
import type { Scenario, Stage } from './stage.ts';

const move = (stage: Stage, verb: string) => stage.api('POST', `/partner/cards/${stage.memo.card}/${verb}`);
const spend = (stage: Stage, amount: number, merchant: string) =>
  stage.control('POST', '/transactions', {
    cardId: stage.memo.card,
    amount,
    merchant: { name: merchant },
  });

/** A card from issue to the end, with money on it. */
export const lifecycle: Scenario = {
  id: 'card-lifecycle',
  title: 'Card lifecycle',
  pitch: 'Issue, activate, spend, freeze, settle, cancel: what the app sees, and what the network does.',
  steps: [
    {
      title: 'Somebody who has passed KYC',
      say: 'Created, submitted and approved: the clock goes on by the provider’s delay.',
      expects: 200,
      async run(stage) {
        const person = `mia-${freshText()}`;
        const { id } = await stage.api('POST', '/partner/cardholders', {
          externalUserId: person,
          email: `${person}@example.com`,
          phoneNumber: '+4915123456789',
          kycSource: 'idp1',
          idp1ShareToken: `idp1_test_approve_${person}`,
        });
        stage.memo.cardholder = String(id);
        stage.memo.program = programs.rows.value?.at(-1)?.id ?? '';
        await stage.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: stage.memo.program });
        const duration = String(info.value.value?.options.kycDelay ?? '2s');
        await stage.control('POST', '/clock/advance', { duration });
      },
    },
    {
      title: 'A card is issued',
      say: 'With a daily limit of 100 for purchases. Its number stays in the vault; the app sees four digits.',
      expects: 201,
      marked: ['status', 'last4', 'daily'],
      async run(stage) {
        const { id } = await stage.api('POST', '/partner/cards', {
          cardholderId: stage.memo.cardholder,
          cardProgramId: stage.memo.program,
          spendControl: { sales: { daily: 100 } },
        });
        stage.memo.card = String(id);
      },
    },
    {
      title: 'Not yet: the card is asleep',
      say: 'The simulated network tries a purchase on a card that was never activated.',
      expects: 201,
      marked: ['status', 'declineReason'],
      run: stage => spend(stage, 12.5, 'Corner Bakery'),
    },
    {
      title: 'Activate',
      say: 'One call, and the event card.status.changed.',
      expects: 200,
      marked: ['status'],
      run: stage => move(stage, 'activate'),
    },
    {
      title: 'A purchase goes through',
      say: 'The balance is topped up first. The amount is held until it is settled.',
      expects: 201,
      marked: ['status', 'amount', 'available', 'held'],
      async run(stage) {
        await stage.control('POST', '/balance/top-up', { amount: 500, partnerId: partner.value?.id });
        const { id } = await spend(stage, 64.9, 'City Bikes');
        stage.memo.transaction = String(id);
      },
    },
    {
      title: 'The daily limit holds',
      say: 'Another 50 would be more than 100 today. The decline says which window, how much it allows and what was spent.',
      expects: 201,
      marked: ['declineReason', 'window', 'limit', 'spent'],
      run: stage => spend(stage, 50, 'Book Nook'),
    },
    {
      title: 'Frozen',
      say: 'The cardholder has mislaid the card. A frozen card declines, whatever is left on it.',
      expects: 201,
      marked: ['status', 'declineReason'],
      async run(stage) {
        await move(stage, 'freeze');
        await spend(stage, 5, 'Night Kiosk');
      },
    },
    {
      title: 'Found again',
      say: 'Unfrozen, it is as before.',
      expects: 200,
      marked: ['status'],
      run: stage => move(stage, 'unfreeze'),
    },
    {
      title: 'The purchase settles',
      say: 'For a little less than was authorized: the rest is released, and the spent amounts follow.',
      expects: 200,
      marked: ['status', 'settledAmount', 'spent', 'daily'],
      async run(stage) {
        await stage.control('POST', `/transactions/${stage.memo.transaction}/settle`, { amount: 59.9 });
        await stage.api('GET', `/partner/cards/${stage.memo.card}`);
      },
    },
    {
      title: 'Cancelled for good',
      say: 'The last state. Any move from here is refused.',
      expects: 400,
      marked: ['status', 'error'],
      async run(stage) {
        await move(stage, 'cancel');
        await move(stage, 'activate');
      },
    },
  ],
};
