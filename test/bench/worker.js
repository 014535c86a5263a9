// Asks servers from a process of its own, so that it takes no time from them or from what measures.
import { createServer } from 'node:http';
import { drive } from './drive.js';
import { median } from './statistics.js';

const jobs = { drive, receive, lag };
const receiver = { server: null, arrived: () => undefined };

process.on('message', ({ job, ...given }) => {
  jobs[job](given).then(
    result => process.send({ result }),
    error => process.send({ error: error.message }),
  );
});

/** Begins to receive webhooks; answers its port. */
async function receive() {
  receiver.server = createServer((request, response) => {
    receiver.arrived(performance.now());
    request.resume();
    request.on('end', () => response.writeHead(200).end());
  });
  await new Promise(resolve => receiver.server.listen(0, '127.0.0.1', resolve));
  return receiver.server.address().port;
}

/** The median time from the answer to a request to the arrival of the webhook that it caused, in milliseconds. */
async function lag({ rounds, from = 0, ...request }) {
  const lags = [];
  for (let round = 0; round < rounds; round++) {
    const arrival = new Promise(resolve => {
      receiver.arrived = resolve;
    });
    const { answeredAt } = await drive({ ...request, connections: 1, count: 1, from: from + round });
    lags.push((await arrival) - answeredAt);
  }
  return median(lags);
}
