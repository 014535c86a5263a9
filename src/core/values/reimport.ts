/** The name of a creation whose externalUserId the partner has already: it does not count as `cardholders.create`. */
export const REIMPORT = 'cardholders.reimport';
