import { control } from '../data/http.ts';
import type { Card, Challenge, ChallengeResult } from '../data/response-types.ts';
import { openForm } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { numberIn } from './values.ts';

/** Opens the form that starts a 3-D Secure challenge, followed by the form for its passcode. */
export function openChallengeForm(card: Card): void {
  openForm({
    title: 'Start a 3DS challenge',
    intro: 'The event card.3ds_otp carries a one-time passcode, which is valid for 60 seconds.',
    submit: 'Start challenge',
    fields: () => [
      {
        name: 'amount',
        label: `Amount in ${card.currency}`,
        kind: 'number',
        initial: '99.00',
        isOptional: true,
      },
    ],
    async run(values) {
      const { challengeId } = await control<Challenge>('POST', `/cards/${card.id}/3ds`, {
        amount: numberIn(values, 'amount'),
      });
      await openPasscodeForm(challengeId);
    },
  });
}

/** The form has the passcode that the cardholder received, so that it can be submitted or made wrong. */
async function openPasscodeForm(challengeId: string): Promise<void> {
  const { otp = '' } = await control<Challenge & { readonly otp?: string }>('GET', `/3ds/${challengeId}`);
  openForm({
    title: 'Verify the passcode',
    intro: `Challenge ${challengeId}. This is the passcode of the webhook card.3ds_otp. You have three tries.`,
    submit: 'Verify',
    fields: () => [{ name: 'otp', label: 'Passcode', initial: otp }],
    async run(values) {
      const result = await control<ChallengeResult>('POST', `/3ds/${challengeId}/verify`, {
        otp: values.otp,
      });
      if (result.status === 'pending') throw new Error(`Wrong passcode. Tries left: ${result.attemptsLeft}.`);
      toast(result.status === 'approved' ? 'good' : 'bad', `Challenge ${result.status}`);
    },
  });
}
