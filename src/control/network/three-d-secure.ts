import * as z from 'zod';
import { partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { cards } from '../../service/cards/records.ts';
import {
  challenges,
  viewChallenge,
  viewChallengeDetails,
  viewResult,
} from '../../service/three-d-secure/records.ts';
import { currentChallenge, startChallenge, verifyChallenge } from '../../service/three-d-secure/rules.ts';
import {
  Challenge,
  ChallengeBody,
  ChallengeDetails,
  ChallengeResult,
  VerifyBody,
} from '../../service/three-d-secure/schema.ts';

const start = operation({
  id: 'threeDSecure.start',
  plane: 'control',
  method: 'POST',
  path: '/cards/{id}/3ds',
  summary: 'Start a 3-D Secure challenge for a card; the passcode is sent as card.3ds_otp',
  fidelity: assumed('three-d-secure'),
  body: ChallengeBody,
  responses: { 201: Challenge },
  run({ state, params, body }) {
    const card = state.table(cards).existing(params.id);
    return reply(201, viewChallenge(startChallenge(state, card, body)));
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
  run({ state, params, body }) {
    const row = state.table(challenges).existing(params.challengeId);
    return reply(200, viewResult(verifyChallenge(state, row, body.otp)));
  },
});

const list = operation({
  id: 'threeDSecure.list',
  plane: 'control',
  method: 'GET',
  path: '/3ds',
  summary: "List a partner's 3-D Secure challenges, newest first, without their passcodes",
  fidelity: assumed('three-d-secure'),
  query: z.object({
    partnerId: z.string().optional().describe('Default: the partner of the card, or the first partner.'),
    cardId: z.string().optional().describe('Returns only the challenges of this card.'),
  }),
  responses: { 200: z.array(Challenge) },
  run({ state, query: { partnerId, cardId } }) {
    const card = cardId === undefined ? undefined : state.table(cards).get(cardId);
    const { id } = partnerOrFirst(state, partnerId ?? card?.partnerId);
    const table = state.table(challenges);
    const list = cardId === undefined ? table.ofPartner(id) : table.group('card', cardId);
    const found = [...list.newestFirst()].filter(each => each.partnerId === id);
    return reply(
      200,
      found.map(row => viewChallenge(currentChallenge(state, row))),
    );
  },
});

const get = operation({
  id: 'threeDSecure.get',
  plane: 'control',
  method: 'GET',
  path: '/3ds/{challengeId}',
  summary: 'Get a challenge as the cardholder sees it: a pending one with its passcode',
  fidelity: assumed('three-d-secure'),
  responses: { 200: ChallengeDetails },
  run({ state, params }) {
    const row = state.table(challenges).existing(params.challengeId);
    return reply(200, viewChallengeDetails(currentChallenge(state, row)));
  },
});

export const threeDSecureOperations = [start, verify, list, get];
