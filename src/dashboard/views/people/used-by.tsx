import { linkTo } from '../../route.ts';

/** The fact which cardholder a share token or KYC session was used for. */
export function usedBy(cardholderId: string | null) {
  return [
    'Used by',
    cardholderId && <a href={linkTo('cardholders', cardholderId)}>{cardholderId}</a>,
  ] as const;
}
