import { randomText } from '../browser/random.ts';
import { info, partner, programs } from '../data/store.ts';
import type { Scenario, Stage } from './stage.ts';

const move = (stage: Stage, verb: string) => stage.api('POST', `/partner/cards/${stage.values.card}/${verb}`);
const spend = (stage: Stage, amount: number, merchant: string) =>
  stage.control('POST', '/transactions', {
    cardId: stage.values.card,
    amount,
    merchant: { name: merchant },
  });

/** A card from issue to cancellation, with transactions. */
export const lifecycle: Scenario = {
  id: 'card-lifecycle',
  title: 'Card lifecycle',
  summary: 'Issue, activate, spend, freeze, settle, cancel: the app’s requests and the card network’s.',
  steps: [
    {
      title: 'A cardholder with approved KYC',
      text: 'Created, submitted and approved. The clock advances by the provider’s delay.',
      expectedStatus: 200,
      async run(stage) {
        const person = `mia-${randomText(4)}`;
        const { id } = await stage.api('POST', '/partner/cardholders', {
          externalUserId: person,
          email: `${person}@example.com`,
          phoneNumber: '+4915123456789',
          kycSource: 'idp1',
          idp1ShareToken: `idp1_test_approve_${person}`,
        });
        stage.values.cardholder = String(id);
        stage.values.program = programs.rows.value?.at(-1)?.id ?? '';
        await stage.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: stage.values.program });
        const duration = String(info.data.value?.options.kycDelay ?? '2s');
        await stage.control('POST', '/clock/advance', { duration });
      },
    },
    {
      title: 'A card is issued',
      text: 'With a daily limit of 100 for purchases. The app only sees the last four digits of its number.',
      expectedStatus: 201,
      highlight: ['status', 'last4', 'daily'],
      async run(stage) {
        const { id } = await stage.api('POST', '/partner/cards', {
          cardholderId: stage.values.cardholder,
          cardProgramId: stage.values.program,
          spendControl: { sales: { daily: 100 } },
        });
        stage.values.card = String(id);
      },
    },
    {
      title: 'Declined: not activated',
      text: 'The simulated network authorizes a purchase with a card that is not activated yet.',
      expectedStatus: 201,
      highlight: ['status', 'declineReason'],
      run: stage => spend(stage, 12.5, 'Corner Bakery'),
    },
    {
      title: 'Activate',
      text: 'One request, which raises the event card.status.changed.',
      expectedStatus: 200,
      highlight: ['status'],
      run: stage => move(stage, 'activate'),
    },
    {
      title: 'Approved',
      text: 'The balance is topped up first. The amount is held until the transaction settles.',
      expectedStatus: 201,
      highlight: ['status', 'amount', 'available', 'held'],
      async run(stage) {
        await stage.control('POST', '/balance/top-up', { amount: 500, partnerId: partner.value?.id });
        const { id } = await spend(stage, 64.9, 'City Bikes');
        stage.values.transaction = String(id);
      },
    },
    {
      title: 'Declined: daily limit',
      text: 'Another 50 would exceed 100 today. The decline names the window, its limit and the amount spent.',
      expectedStatus: 201,
      highlight: ['declineReason', 'window', 'limit', 'spent'],
      run: stage => spend(stage, 50, 'Book Nook'),
    },
    {
      title: 'Declined: frozen',
      text: 'The cardholder has mislaid the card. A frozen card declines every transaction.',
      expectedStatus: 201,
      highlight: ['status', 'declineReason'],
      async run(stage) {
        await move(stage, 'freeze');
        await spend(stage, 5, 'Night Kiosk');
      },
    },
    {
      title: 'Unfreeze',
      text: 'The card is found and active again.',
      expectedStatus: 200,
      highlight: ['status'],
      run: stage => move(stage, 'unfreeze'),
    },
    {
      title: 'The purchase settles',
      text: 'For less than the authorized amount. The rest is released, and the amounts spent decrease.',
      expectedStatus: 200,
      highlight: ['status', 'settledAmount', 'spent', 'daily'],
      async run(stage) {
        await stage.control('POST', `/transactions/${stage.values.transaction}/settle`, { amount: 59.9 });
        await stage.api('GET', `/partner/cards/${stage.values.card}`);
      },
    },
    {
      title: 'Cancel',
      text: 'The final state. Every further transition is refused.',
      expectedStatus: 400,
      highlight: ['status', 'error'],
      async run(stage) {
        await move(stage, 'cancel');
        await move(stage, 'activate');
      },
    },
  ],
};
