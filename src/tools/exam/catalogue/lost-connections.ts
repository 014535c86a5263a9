import type { ExamOperation, Misbehaviour } from '../misbehaviour.ts';

/** The misbehaviours of the connection of one writing operation. */
export function lostConnections({ id, method, path }: ExamOperation): Misbehaviour[] {
  const lost = (when: 'before' | 'after'): Misbehaviour['disturb'] => {
    return ({ called }) =>
      called.some(each => each.id === id)
        ? { faults: [{ method, path, drop: true, when, times: 1 }] }
        : `${method} ${path} was not called`;
  };
  return [
    {
      id: `connection-lost-before.${id}`,
      kind: 'benign',
      why: 'A load balancer or a deployment closes a connection before the request reaches the service.',
      sound: 'Send the request again: nothing has happened yet.',
      disturb: lost('before'),
    },
    {
      id: `connection-lost-after.${id}`,
      kind: 'benign',
      why: 'The network fails after the service has applied the request, so its response is lost.',
      sound:
        'Find out what has happened before you repeat a write: look the record up, for example by externalUserId, and create it only if it does not exist.',
      disturb: lost('after'),
    },
  ];
}
