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

/** Results by name: the same few names come with every body. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_000;
const MAX_KNOWN_LENGTH = 64;

/** Whether the name of a member or parameter denotes a secret, such as `webhookSecret`, `cvc2` or `one_time_code`. */
export function namesSecret(name: string): boolean {
  const result = known.get(name) ?? denotesSecret(name);
  if (known.size < MAX_KNOWN && name.length <= MAX_KNOWN_LENGTH) known.set(name, result);
  return result;
}

function denotesSecret(name: string): boolean {
  const words = (name.match(WORDS) ?? []).map(word => word.toLowerCase());
  return words.some(word => SECRET_WORDS.has(word)) || JOINED_WORDS.test(words.join(''));
}
