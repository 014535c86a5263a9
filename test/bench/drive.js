import { connect } from 'node:net';
import { median, percentile } from './statistics.js';

/** The number of digits of `{n}`, so that all requests have the same length. */
export const SERIAL_DIGITS = 9;

/**
 * Sends a request repeatedly over several connections, for a duration or a number of times. `{n}` in the path and the
 * body is a new number each time. It speaks HTTP over raw sockets, so that the client does not limit the result.
 * Rejects when a response is not a success.
 */
export function drive({
  connections = 16,
  ms = Number.POSITIVE_INFINITY,
  count = Number.POSITIVE_INFINITY,
  ...request
}) {
  const requestText = requestWriter(request);
  const times = [];
  let sent = 0;
  let respondedAt = 0;
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let open = connections;
    const mayContinue = () => sent < count && performance.now() - start < ms;
    const onClosed = () => {
      if (--open > 0) return;
      const elapsedMs = respondedAt - start;
      const perSecond = times.length / (elapsedMs / 1000);
      resolve({
        done: times.length,
        elapsedMs,
        perSecond,
        p50: median(times),
        p99: percentile(times, 99),
        respondedAt,
      });
    };
    const onResponse = sentAt => {
      respondedAt = performance.now();
      times.push(respondedAt - sentAt);
    };
    const options = { port: request.port, mayContinue, onResponse, onClosed, onFailed: reject };
    for (let each = 0; each < connections; each++) {
      openConnection(() => requestText(sent++), options);
    }
  });
}

/** Sends one request after the other on a connection, and reconnects when the server closes it after a response. */
function openConnection(nextRequest, options) {
  const { port, mayContinue, onResponse, onClosed, onFailed } = options;
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let received = '';
  let sentAt = 0;
  let isWaiting = false;
  const send = () => {
    if (!mayContinue()) {
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
    if (!isComplete(received)) return;
    onResponse(sentAt);
    const response = received;
    received = '';
    isWaiting = false;
    if (response[9] !== '2') {
      socket.destroy();
      onFailed(new Error(`port ${port} returned ${response.slice(0, 1_000)}`));
    } else if (!/\r\nconnection: close\r\n/i.test(response)) send();
  });
  socket.on('error', onFailed);
  socket.on('close', () => {
    if (isWaiting) onFailed(new Error(`port ${port} closed the connection without a response`));
    else if (mayContinue()) openConnection(nextRequest, options);
    else onClosed();
  });
}

/** Whether a response is complete, by its Content-Length or its last chunk. */
function isComplete(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  if (text.startsWith('204', 9)) return true;
  const length = /\r\ncontent-length: (\d+)/i.exec(text);
  return length === null ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length[1]);
}

function requestWriter({ from = 0, ...request }) {
  const pieces = requestPieces(request);
  return serial => pieces.join(serialText(from + serial));
}

/** Returns the text of a request without its serial numbers: what stands before, between and after them. */
export function requestPieces({ port, method = 'GET', path, headers = {}, body = '' }) {
  const length = Buffer.byteLength(body.replaceAll('{n}', serialText(0)));
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(method === 'GET' ? {} : { 'Content-Length': length }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`.split('{n}');
}

function serialText(serial) {
  return String(serial).padStart(SERIAL_DIGITS, '0');
}
