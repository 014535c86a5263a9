// Sends requests from a separate process, so that it shares no CPU time with the servers or the measuring process.
import { Agent, createServer, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { drive } from './drive.js';
import { median, percentile } from './statistics.js';

const jobs = { drive, receive, delay, probe };
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

/** How often a probe sends a request, in milliseconds: 50 times a second. */
const PROBE_MS = 20;

/**
 * Sends a request 50 times a second, whether or not the earlier ones have their responses. Returns the 99th percentile
 * and the maximum of their times in milliseconds.
 */
async function probe({ ms, port, path, headers = {} }) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  const start = performance.now();
  const requests = [];
  for (let at = 0; at < ms; at += PROBE_MS) {
    await sleep(Math.max(0, start + at - performance.now()));
    requests.push(
      new Promise((resolve, reject) => {
        const sentAt = performance.now();
        get({ port, path, headers, host: '127.0.0.1', agent }, response => {
          response.resume().on('end', () => {
            times.push(performance.now() - sentAt);
            resolve();
          });
        }).on('error', reject);
      }),
    );
  }
  await Promise.all(requests);
  agent.destroy();
  return { p99: percentile(times, 99), max: percentile(times, 100) };
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
