import { connect, type Socket } from 'node:net';
import { ACME_KEY } from '../../support/sandbox.ts';

/** An HTTP response as received. Header names are in lower case. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Header lines that let a request reach an operation and close its connection after the response. */
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
      // Several tests make the server close the connection while they write to it.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** The next `count` responses of a connection, fewer when the server closes it first. Interim responses (1xx) count. */
export function readResponses(socket: Socket, count = 1): Promise<RawResponse[]> {
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

/** Sends bytes over a new connection. Resolves with the first `count` responses. */
export async function exchange(origin: string, bytes: string | Buffer, count = 1): Promise<RawResponse[]> {
  const socket = await open(origin);
  const responses = readResponses(socket, count);
  socket.write(bytes);
  const result = await responses;
  socket.destroy();
  return result;
}

/** The response to some bytes. Rejects when there is none. */
export async function responseTo(origin: string, bytes: string | Buffer): Promise<RawResponse> {
  const [response] = await exchange(origin, bytes);
  if (response === undefined) throw new Error('the server closed the connection without a response');
  return response;
}

/** All complete responses at the start of some bytes. */
function split(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return responses;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map(line => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return responses;
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, text: body.toString() });
    rest = rest.subarray(end + 4 + length);
  }
  return responses;
}
