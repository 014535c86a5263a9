import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { AbortController, wallTime } from '../../../core/values/builtins.ts';
import { createHeaderTranslator, type Names } from '../../../core/values/names.ts';
import { parseUrl } from '../../../core/values/parse-url.ts';
import { readCertificates } from '../../../sandbox/transport/certificates.ts';
import { createHttpTransport } from '../../../sandbox/transport/http-transport.ts';
import { assess, type Finding, findingOf, probes } from '../../../tools/doctor/doctor.ts';
import { createDelivery } from '../../../tools/forgeries.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, FAILED, UsageError } from '../../errors.ts';
import { duration } from '../../flags.ts';
import { printable, printResult } from '../../output/print.ts';
import { optionFlag } from '../../sandbox/sandbox-flags.ts';
import { hasFailed, jsonReport, prettyReport } from './report.ts';

interface DoctorFlags {
  readonly secret?: string;
  readonly timeout: number;
  readonly webhookCa?: string;
  readonly insecureWebhookTls?: true;
  readonly names?: Names;
  readonly json?: true;
}

const WHITE_SPACE =
  'The secret has white space at an end, which is part of it: a receiver whose secret has none refuses every delivery.';

const AFTER = `
Sends ${probes.length} deliveries of made-up events, whose ids begin with evt_doctor_. The receiver must respond to genuine ones
with 2xx, and refuse forged, altered and replayed ones with 4xx, for example with 401. The exit code is 1 when it does not
refuse a delivery that it must refuse, or refuses a genuine one.

  A  no findings
  B  one warning
  C  several warnings
  D  accepts replayed or re-serialized deliveries, refuses unusual but genuine ones, or responds to forged or replayed ones with neither 2xx nor 4xx
  F  accepts forged deliveries, or refuses genuine ones, be it only after the others

That it accepts a timestamp 10 minutes from now is reported, and does not count. Needs no running sandbox.
${examples(
  'doctor webhook http://127.0.0.1:3000/webhooks --secret a-secret-of-some-length',
  'doctor webhook http://127.0.0.1:3000/webhooks --secret "$SERVICE_WEBHOOK_SECRET" --json',
)}`;

export const add: AddCommand = program => {
  commandAt(program, ['doctor']).description('Check the code of a partner.');
  commandAt(program, ['doctor', 'webhook'])
    .description('Grade a webhook receiver with genuine, forged, altered, replayed and large deliveries.')
    .argument('<url>', 'URL of the receiver', receiverUrl)
    .addOption(
      new Option('--secret <secret>', 'the webhook secret of the receiver').env('SERVICE_WEBHOOK_SECRET'),
    )
    .addOption(
      new Option('--timeout <duration>', 'timeout of each response')
        .argParser(positiveDuration)
        .default(10_000, '10s'),
    )
    .option('--webhook-ca <file>', 'PEM file of additional certificates to trust')
    .option('--insecure-webhook-tls', 'accept any TLS certificate of the receiver (default: verify it)')
    .addOption(optionFlag('names'))
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action(checkReceiver);
};

function positiveDuration(text: string): number {
  const milliseconds = duration(text);
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('It must be longer than 0, or no receiver can respond in time.');
}

async function checkReceiver(url: string, flags: DoctorFlags): Promise<void> {
  const { secret } = flags;
  if (!secret) {
    throw new UsageError('the webhook secret is missing; pass --secret or set SERVICE_WEBHOOK_SECRET');
  }
  const assessed = assess(await sendProbes(url, secret, flags));
  const hint = secret === secret.trim() ? [] : [WHITE_SPACE];
  const assessment = { ...assessed, diagnoses: [...hint, ...assessed.diagnoses] };
  if (flags.json) await printResult(printable(JSON.stringify(jsonReport(url, assessment))));
  else await printResult(prettyReport(url, assessment));
  if (hasFailed(assessment.findings)) {
    throw new Exit(
      FAILED,
      'the receiver does not handle every delivery as it must; diagnoses and probes of the report say what to change',
    );
  }
}

async function sendProbes(url: string, secret: string, flags: DoctorFlags): Promise<Finding[]> {
  const ca = flags.webhookCa === undefined ? undefined : readCertificates(flags.webhookCa);
  // Sends as the service does, but to any address.
  const transport = createHttpTransport({
    forwardTo: null,
    map: [],
    egress: 'any',
    ownAddress: () => null,
    ca,
    insecureTls: flags.insecureWebhookTls ?? false,
    timeoutMs: flags.timeout,
  });
  const never = new AbortController().signal;
  const headerName = createHeaderTranslator(flags.names ?? {});
  const run = randomBytes(4).toString('hex');
  const findings: Finding[] = [];
  try {
    // In sequence: the second is a duplicate of the first, and a receiver may handle one request at a time.
    for (const probe of probes) {
      const now = Math.floor(wallTime() / 1000);
      const { eventType, signature, body } = createDelivery(probe, { secret, now, run });
      const headers = {
        'Content-Type': 'application/json',
        [headerName('X-Service-Event')]: eventType,
        ...(signature === null ? {} : { [headerName('X-Service-Signature')]: signature }),
        'User-Agent': 'card-sandbox-doctor',
      };
      const response = await transport.send({ url, headers, body }, never);
      if (findings.length === 0 && response.status === null) {
        throw new Error(
          `no response from ${url}: ${response.cause}; is the receiver running, and is the URL right?`,
        );
      }
      findings.push(findingOf(probe, response));
    }
  } finally {
    transport.close();
  }
  return findings;
}

function receiverUrl(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It must be an http:// or https:// URL without a user name.');
  }
  return url.href;
}
