import { connect, type Socket } from 'node:net';
import { ACME_KEY } from '../../support/sandbox.ts';

/** One HTTP answer as it came over the wire. Header names are in lower case. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Header lines that let a request through to an operation and have its connection end after the answer. */
export const HOST = 'Host: 127.0.0.1\r\n';
export const AUTHENTICATED = `${HOST}Connection: close\r\nx-service-api-key: ${ACME_KEY}\r\n`;

/** Opens a connection whose writing side stays open until the test ends it. */
export function open(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // A server that hangs up while it is written to is what several tests provoke.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** The next `count` answers of a connection, fewer when the server ends it before. Interim ones (1xx) count. */
export function answersOf(socket: Socket, count = 1): Promise<RawAnswer[]> {
  return new Promise(resolve => {
    let received = Buffer.alloc(0);
    const finish = () => {
      socket.off('data', take);
      resolve(split(received).slice(0, count));
    };
    const take = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (split(received).length >= count) finish();
    };
    socket.on('data', take);
    socket.once('end', finish);
    socket.once('close', finish);
  });
}

/** Sends bytes as they are over a connection of their own and returns what comes back. */
export async function exchange(origin: string, bytes: string | Buffer, count = 1): Promise<RawAnswer[]> {
  const socket = await open(origin);
  const answers = answersOf(socket, count);
  socket.write(bytes);
  const result = await answers;
  socket.destroy();
  return result;
}

/** The one answer to some bytes; fails when there is none. */
export async function answerTo(origin: string, bytes: string | Buffer): Promise<RawAnswer> {
  const [answer] = await exchange(origin, bytes);
  if (answer === undefined) throw new Error('the server hung up without an answer');
  return answer;
}

/** Every complete answer at the start of some bytes. */
function split(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map(line => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, text: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
