/** What a creation is called whose externalUserId the partner has already: it is none of `cardholders.create` then. */
export const REIMPORT = 'cardholders.reimport';
