import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestCount } from '../../core/journal/server-counts.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, textReply } from '../../core/operation/operation.ts';
import type { World } from '../../core/world/world.ts';

const TYPE = 'text/plain; version=0.0.4';

const get = operation({
  id: 'metrics',
  plane: 'control',
  method: 'GET',
  path: '/metrics',
  access: 'server',
  summary: 'Get counters and gauges of the process in the text format of Prometheus',
  fidelity: assumed('metrics'),
  textTypes: [TYPE],
  responses: { 200: null },
  run: ({ world }) => textReply({ type: TYPE, body: metricsOf(world) }),
});

export const metricOperations = [get];

type Labels = Readonly<Record<string, string | number>>;

/** The values of one metric, each with its labels. */
interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly values: Iterable<readonly [labels: Labels, value: number]>;
}

/** Writes the metrics of the process that serves a world. */
function metricsOf(world: World): string {
  return [...serverMetrics(world), ...processMetrics()].map(write).join('');
}

function* serverMetrics({ version, options, worlds }: World): Generator<Metric> {
  const { shard, maxWorlds } = options;
  yield {
    name: 'card_sandbox_info',
    type: 'gauge',
    help: 'The version of the sandbox and the name of its shard.',
    values: [[{ version, shard: typeof shard === 'string' ? shard : '' }, 1]],
  };
  yield {
    name: 'card_sandbox_requests_total',
    type: 'counter',
    help: 'Responses by plane, operation and status.',
    values: [...worlds.counts.requests()].map(labelled),
  };
  yield {
    name: 'card_sandbox_webhook_attempts_total',
    type: 'counter',
    help: 'Attempts to send a webhook that have ended, by the status of the response.',
    values: [...worlds.counts.attempts()].map(([status, count]) => [{ status }, count] as const),
  };
  yield gauge('card_sandbox_worlds', 'Worlds, main included.', [...worlds.list()].length);
  yield gauge('card_sandbox_worlds_limit', 'Worlds that there may be, main included.', Number(maxWorlds) + 1);
}

function labelled({ plane, operation, status, count }: RequestCount): readonly [Labels, number] {
  return [{ plane, operation, status }, count];
}

/** What the client library for Node.js reports, by the same names, as far as it is of use here. */
function* processMetrics(): Generator<Metric> {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  yield {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of the process.',
    values: [[{}, (user + system) / 1e6]],
  };
  yield gauge('process_uptime_seconds', 'Time since the start of the process.', process.uptime());
  yield gauge('process_resident_memory_bytes', 'Resident memory.', memory.rss);
  yield gauge('nodejs_heap_size_total_bytes', 'Size of the heap.', memory.heapTotal);
  yield gauge('nodejs_heap_size_used_bytes', 'Heap in use.', memory.heapUsed);
  yield gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', memory.external);
  yield* delayMetrics();
}

/** Between two samples of the event loop delay, in milliseconds. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** Created by the first scrape: sampling wakes the process up. */
let delays: IntervalHistogram | undefined;

/** The event loop delay since the scrape before; 0 in the first one. */
function* delayMetrics(): Generator<Metric> {
  const isFirst = delays === undefined;
  delays ??= monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // A sample holds the time between two turns, the pause of the timer included.
  const seconds = (value: number) =>
    isFirst || delays?.count === 0 ? 0 : Math.max(0, value / NANOSECONDS - RESOLUTION_MS / 1_000);
  yield gauge('nodejs_eventloop_lag_mean_seconds', 'Mean event loop delay.', seconds(delays.mean));
  for (const percent of [50, 90, 99]) {
    const help = `Event loop delay that ${percent} % of the samples do not exceed.`;
    yield gauge(`nodejs_eventloop_lag_p${percent}_seconds`, help, seconds(delays.percentile(percent)));
  }
  yield gauge('nodejs_eventloop_lag_max_seconds', 'Longest event loop delay.', seconds(delays.max));
  delays.reset();
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, type: 'gauge', help, values: [[{}, value]] };
}

/** Writes a metric. No label holds a text of a client. */
function write({ name, type, help, values }: Metric): string {
  const lines = [...values].map(([labels, value]) => `${name}${writeLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
