import { expect, test } from 'vitest';
import { ApiError } from '../../../../src/core/operation/errors.ts';
import { StateError, toApiError } from '../../../../src/sandbox/state/document/state-error.ts';

/** The refusal for an error: its status, the assumption behind it and its message. */
function refusalOf(error: unknown) {
  try {
    return toApiError(error);
  } catch (refusal) {
    if (!(refusal instanceof ApiError)) throw refusal;
    const { status, rule, message } = refusal;
    return [status, rule, message];
  }
}

test('an error shows up to twenty problems, and says when there are more', () => {
  const messageFor = (count: number) =>
    new StateError(Array.from({ length: count }, (_, index) => `problem ${index + 1}`)).message.split('; ');
  expect(messageFor(20)).toHaveLength(20);
  expect(messageFor(20).at(-1)).toBe('problem 20');
  expect(messageFor(21).slice(-2)).toEqual(['problem 20', '… and more']);
});

test('a state that is wrong is refused by the rule for states', () => {
  expect(refusalOf(new StateError(['seed: is required']))).toEqual([
    400,
    { kind: 'assumed', id: 'state' },
    'body: seed: is required',
  ]);
});

test('any other error is no refusal', () => {
  expect(() => refusalOf(new TypeError('broken'))).toThrow(TypeError);
});
