import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { causeOfError } from '../../../sandbox/transport/send-request.ts';

/** Headers of the connection, which the request to the target has of its own. */
const OWN_HEADERS = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/**
 * Sends a received webhook to a URL with the same headers and bytes, and answers its sender with the response. Resolves
 * with the response as log lines show it. The sender gets a 502 when there is no response. Never rejects.
 */
export function passOn(
  url: string,
  raw: Buffer,
  received: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise(resolve => {
    const request = send(url, { method: 'POST', headers: headersOf(received, raw.length), agent: false });
    request.once('response', answer => {
      const { statusCode = 502, headers } = answer;
      const type = headers['content-type'];
      response.writeHead(statusCode, type === undefined ? {} : { 'Content-Type': type });
      answer.pipe(response);
      answer.once('error', () => response.destroy());
      resolve(String(statusCode));
    });
    request.once('error', error => {
      const cause = causeOfError(error, false);
      if (!response.headersSent) {
        response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${url}: ${cause}`);
      }
      resolve(`502: ${cause}`);
    });
    // The sandbox gives up after its timeout.
    response.once('close', () => {
      if (!response.writableFinished) request.destroy(new Error('the sandbox closed the connection'));
    });
    request.end(raw);
  });
}

/** The headers as they were received, names in the same case. */
function headersOf({ rawHeaders }: IncomingMessage, length: number): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'Content-Length': String(length) };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!OWN_HEADERS.includes(name.toLowerCase())) headers[name] = value;
  }
  return headers;
}
