// From a user to an active card. Each step looks for its result before it creates anything, so that onboarding can be
// repeated after a crash: it continues where it stopped.

/** Thrown when the identity check of a user ends with a refusal. */
export class KycRejected extends Error {}

/**
 * Onboards a user and returns the user with `cardholderId` and `cardId`. `pause` waits between two looks at the KYC
 * status; a test advances the sandbox clock instead.
 */
export async function onboard({ client, store, userId, email, phoneNumber, shareToken, programId, pause }) {
  // Stored before the first request: a webhook can be faster than the response of the request that caused it.
  const user = store.addUser(userId, email, phoneNumber);
  const cardholder = await ensureCardholder(client, user, shareToken);
  store.linkCardholder(user, cardholder.id);
  await ensureKycSubmitted(client, cardholder, programId);
  await waitForApproval(client, user, pause);
  const card = await ensureCard(client, cardholder.id, programId);
  store.linkCard(user, card.id);
  await ensureActive(client, card);
  return user;
}

async function ensureCardholder(client, user, shareToken) {
  const find = () => findCardholder(client, user.userId);
  const body = {
    externalUserId: user.userId,
    email: user.email,
    phoneNumber: user.phoneNumber,
    kycSource: 'idp1',
    idp1ShareToken: shareToken,
  };
  return (await find()) ?? (await client.write('POST', '/partner/cardholders', body, find));
}

function findCardholder(client, externalUserId) {
  const isUser = cardholder => cardholder.externalUserId === externalUserId;
  return client.find('/partner/cardholders', { externalUserId }, isUser);
}

async function ensureKycSubmitted(client, cardholder, programId) {
  if (cardholder.kycStatus !== 'pending') return;
  // A cardholder does not show whether its KYC was submitted. The usage records do: each submission is one.
  const isSubmission = usage => usage.referenceId === cardholder.id;
  const find = () => client.find('/partner/usage/records', { type: 'kyc_verification' }, isSubmission);
  const path = `/partner/cardholders/${cardholder.id}/kyc`;
  if ((await find()) === null) await client.write('POST', path, { cardProgramId: programId }, find);
}

async function waitForApproval(client, user, pause) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    // The webhook sets the status of the user. The API is asked as well: a webhook can be late or lost.
    if (user.kycStatus === 'pending') {
      const { kycStatus } = await client.get(`/partner/cardholders/${user.cardholderId}`);
      if (kycStatus !== 'pending') user.kycStatus = kycStatus;
    }
    if (user.kycStatus === 'approved') return;
    if (user.kycStatus === 'rejected') throw new KycRejected(`KYC of ${user.userId} was rejected`);
    if (Date.now() > deadline) throw new Error(`KYC of ${user.userId} is still pending`);
    await pause();
  }
}

async function ensureCard(client, cardholderId, programId) {
  const find = () => findCard(client, cardholderId, programId);
  return (
    (await find()) ??
    (await client.write('POST', '/partner/cards', { cardholderId, cardProgramId: programId }, find))
  );
}

/** The card of a cardholder under a program, or null. */
export function findCard(client, cardholderId, programId) {
  const isCurrent = card => card.programId === programId && card.status !== 'cancelled';
  return client.find('/partner/cards', { cardholderId }, isCurrent);
}

async function ensureActive(client, card) {
  if (card.status !== 'created') return;
  const find = async () => {
    const current = await client.get(`/partner/cards/${card.id}`);
    return current.status === 'created' ? null : current;
  };
  await client.write('POST', `/partner/cards/${card.id}/activate`, undefined, find);
}
