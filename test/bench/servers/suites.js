// Measures what the calls of a test suite cost. Replies to a message with the processor time of this process for that many
// calls to the sandbox over that of the same calls to a substitute: in process to a plain function, behind MSW to a bare
// handler, and over HTTP to a bare server. The servers run in this process, as they do in a suite.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createSandbox, startServer } from '../../../dist/index.js';
import { handlers } from '../../../dist/msw.js';
import { FIRST } from './record.js';

const PATH = '/v1/partner/cardholders/ch_liam_pending';
const BARE_URL = 'http://bare.test/cardholders/ch_1';

/** Processor time of `count` calls, one after the other, in milliseconds. */
async function cost(call, count) {
  const before = process.cpuUsage();
  for (let number = 0; number < count; number++) {
    const response = await call();
    if (!response.ok) throw new Error(`returned ${response.status}`);
    await response.json();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The ratios of pairs of measurements, after one pair that warms both up. */
async function ratios(ours, theirs, { count, rounds }) {
  const all = [];
  for (let round = 0; round <= rounds; round++) {
    const limit = await cost(theirs, count);
    all.push((await cost(ours, count)) / limit);
  }
  return all.slice(1);
}

process.on('message', async size => {
  const sandbox = createSandbox({ rateLimit: 0 });
  const headers = { 'x-service-api-key': sandbox.apiKey };
  const direct = () => sandbox.fetch(sandbox.url + PATH, { headers });
  const plain = async () => Response.json(FIRST);
  const inProcess = await ratios(direct, plain, size);

  const msw = setupServer(
    ...handlers(sandbox),
    http.get(BARE_URL, () => HttpResponse.json(FIRST)),
  );
  msw.listen();
  const behindMsw = await ratios(
    () => fetch(sandbox.url + PATH, { headers }),
    () => fetch(BARE_URL),
    size,
  );
  msw.close();

  const server = createServer((_request, response) => {
    const text = JSON.stringify(FIRST);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bareUrl = `http://127.0.0.1:${server.address().port}/`;
  const served = await startServer({ rateLimit: 0 });
  const overHttp = await ratios(
    () => fetch(served.url + PATH, { headers }),
    () => fetch(bareUrl),
    size,
  );
  server.close();
  await served.close();
  await sandbox.close();
  process.send({ result: { inProcess, behindMsw, overHttp } });
});
