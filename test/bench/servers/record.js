/** What the bare servers return: a record as large as a cardholder. */
export function cardholder(id, { externalUserId, email, phoneNumber }) {
  return {
    id,
    externalUserId,
    firstName: 'Ana',
    lastName: 'Silva',
    email,
    phoneNumber,
    kycSource: 'idp1',
    kycStatus: 'pending',
    status: 'active',
    createdAt: new Date().toISOString(),
  };
}

/** The record that exists from the start. */
export const FIRST = cardholder('ch_1', {
  externalUserId: 'user-1',
  email: 'ana@example.com',
  phoneNumber: '+351912345678',
});
