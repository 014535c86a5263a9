import { connect } from 'node:net';
import { median } from './statistics.js';

/** How many digits `{n}` stands for, so that every request is as long as the others. */
const SERIAL_DIGITS = 9;

/**
 * Sends a request again and again, on so many connections, for a time or a number of times; `{n}` in path and body
 * is another number each time. It speaks HTTP over bare sockets, so that what is measured is the server and not the
 * client. Rejects when an answer is no success.
 */
export function drive({
  connections = 16,
  ms = Number.POSITIVE_INFINITY,
  count = Number.POSITIVE_INFINITY,
  ...request
}) {
  const textOf = writer(request);
  const times = [];
  let sent = 0;
  let answeredAt = 0;
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let open = connections;
    const mayGoOn = () => sent < count && performance.now() - start < ms;
    const closed = () => {
      if (--open > 0) return;
      const elapsedMs = answeredAt - start;
      const perSecond = times.length / (elapsedMs / 1000);
      resolve({ done: times.length, elapsedMs, perSecond, p50: median(times), answeredAt });
    };
    const answered = sentAt => {
      answeredAt = performance.now();
      times.push(answeredAt - sentAt);
    };
    const options = { port: request.port, mayGoOn, answered, closed, failed: reject };
    for (let each = 0; each < connections; each++) {
      converse(() => textOf(sent++), options);
    }
  });
}

/** One connection: a request, its answer, the next request. A server that hangs up after an answer is called again. */
function converse(nextRequest, options) {
  const { port, mayGoOn, answered, closed, failed } = options;
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let received = '';
  let sentAt = 0;
  let isWaiting = false;
  const send = () => {
    if (!mayGoOn()) {
      socket.end();
      return;
    }
    isWaiting = true;
    sentAt = performance.now();
    socket.write(nextRequest());
  };
  socket.on('connect', send);
  socket.on('data', chunk => {
    received += chunk.latin1Slice();
    if (!isWhole(received)) return;
    answered(sentAt);
    const answer = received;
    received = '';
    isWaiting = false;
    if (answer[9] !== '2') {
      socket.destroy();
      failed(new Error(`port ${port} answered ${answer.slice(0, 1_000)}`));
    } else if (!/\r\nconnection: close\r\n/i.test(answer)) send();
  });
  socket.on('error', failed);
  socket.on('close', () => {
    if (isWaiting) failed(new Error(`port ${port} hung up without an answer`));
    else if (mayGoOn()) converse(nextRequest, options);
    else closed();
  });
}

/** Whether an answer has come to its end, in whichever way it says where that is. */
function isWhole(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  if (text.startsWith('204', 9)) return true;
  const length = /\r\ncontent-length: (\d+)/i.exec(text);
  return length === null ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length[1]);
}

function writer({ port, method = 'GET', path, headers = {}, body = '', from = 0 }) {
  const length = Buffer.byteLength(body.replaceAll('{n}', '0'.repeat(SERIAL_DIGITS)));
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(method === 'GET' ? {} : { 'Content-Length': length }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const pieces = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`.split('{n}');
  return serial => pieces.join(String(from + serial).padStart(SERIAL_DIGITS, '0'));
}
