const SECRET_WORDS = new Set(
  (
    'secret secrets token tokens password passwords passwd pwd passcode passcodes passphrase key keys ' +
    'otp otps totp pin pins cvv cvvs cvc cvcs csc cvn pan pans authorization'
  ).split(' '),
);
/** Names of several words, and names without word boundaries such as `clientsecret`. */
const JOINED_WORDS = new RegExp(
  [
    '(?:secret|token|password|passwd|passcode|passphrase|otp|cv[vc]2?)s?$',
    '(?:api|secret|private|access|signing)key',
    'card(?:number|n(?:o|um)$)',
    'primaryaccountnumber',
    'cardverification',
    '(?:security|verification|onetime|confirmation|auth|sms|otp|pin|pass|cv[vc]2?)(?:code|pin|value)s?$',
  ].join('|'),
);
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/** Whether the name of a member or parameter denotes a secret, such as `webhookSecret`, `cvc2` or `one_time_code`. */
export function namesSecret(name: string): boolean {
  const words = (name.match(WORDS) ?? []).map(word => word.toLowerCase());
  return words.some(word => SECRET_WORDS.has(word)) || JOINED_WORDS.test(words.join(''));
}
