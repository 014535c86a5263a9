// Sends requests from a separate process, so that it shares no CPU time with the servers or the measuring process.
import { createServer } from 'node:http';
import { drive } from './drive.js';
import { median } from './statistics.js';

const jobs = { drive, receive, delay };
const receiver = { server: null, arrived: () => undefined };

process.on('message', ({ job, ...options }) => {
  jobs[job](options).then(
    result => process.send({ result }),
    error => process.send({ error: error.message }),
  );
});

/** Starts receiving webhooks. Resolves with the port. */
async function receive() {
  receiver.server = createServer((request, response) => {
    receiver.arrived(performance.now());
    request.resume();
    request.on('end', () => response.writeHead(200).end());
  });
  await new Promise(resolve => receiver.server.listen(0, '127.0.0.1', resolve));
  return receiver.server.address().port;
}

/** The median time from the response to a request to the arrival of the webhook that it caused, in milliseconds. */
async function delay({ rounds, from = 0, ...request }) {
  const delays = [];
  for (let round = 0; round < rounds; round++) {
    const arrival = new Promise(resolve => {
      receiver.arrived = resolve;
    });
    const { respondedAt } = await drive({ ...request, connections: 1, count: 1, from: from + round });
    delays.push((await arrival) - respondedAt);
  }
  return median(delays);
}
