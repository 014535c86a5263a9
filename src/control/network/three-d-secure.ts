import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { cards } from '../../resources/cards/records.ts';
import { challenges, viewChallenge, viewResult } from '../../resources/three-d-secure/records.ts';
import { startChallenge, verifyChallenge } from '../../resources/three-d-secure/rules.ts';
import {
  Challenge,
  ChallengeBody,
  ChallengeResult,
  VerifyBody,
} from '../../resources/three-d-secure/schema.ts';

const start = operation({
  id: 'threeDSecure.start',
  plane: 'control',
  method: 'POST',
  path: '/cards/{id}/3ds',
  summary: 'Start a 3-D Secure challenge for a card; the passcode is sent as card.3ds_otp',
  fidelity: assumed('three-d-secure'),
  body: ChallengeBody,
  responses: { 201: Challenge },
  run({ world, params, body }) {
    const card = world.table(cards).existing(params.id);
    return reply(201, viewChallenge(startChallenge(world, card, body)));
  },
});

const verify = operation({
  id: 'threeDSecure.verify',
  plane: 'control',
  method: 'POST',
  path: '/3ds/{challengeId}/verify',
  summary: 'Submit the passcode of a challenge, as the cardholder would',
  fidelity: assumed('three-d-secure'),
  body: VerifyBody,
  responses: { 200: ChallengeResult },
  run({ world, params, body }) {
    const row = world.table(challenges).existing(params.challengeId);
    return reply(200, viewResult(verifyChallenge(world, row, body.otp)));
  },
});

/** Operations on 3-D Secure challenges. */
export const threeDSecureOperations = [start, verify];
