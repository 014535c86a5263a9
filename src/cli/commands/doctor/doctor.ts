import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { createNameTranslator, type Names } from '../../../core/values/names.ts';
import { readCertificates } from '../../../sandbox/webhook-transport.ts';
import { assess, type Finding, findingOf, probes } from '../../../tools/doctor/doctor.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, FAILED, UsageError } from '../../errors.ts';
import { duration } from '../../flags.ts';
import { printable, printResult, progress } from '../../output/print.ts';
import { namesFlag } from '../../sandbox/sandbox-flags.ts';
import { hasFailed, jsonReport, prettyReport } from './report.ts';
import { createSender } from './send.ts';

interface DoctorFlags {
  readonly secret?: string;
  readonly timeout: number;
  readonly webhookCa?: string;
  readonly insecureWebhookTls?: true;
  readonly names?: Names;
  readonly json?: true;
}

/** Environment variables that hold the secret when no flag sets it, in this order. */
const SECRET_VARIABLES = ['CARD_SANDBOX_WEBHOOK_SECRET', 'SERVICE_WEBHOOK_SECRET'] as const;

const AFTER = `
Sends ${probes.length} deliveries of made-up events, whose ids begin with evt_doctor_. The receiver must respond to genuine ones
with 2xx, and refuse forged, altered and replayed ones, for example with 401. The exit code is 1 when it accepts a
delivery that it must refuse, or refuses a genuine one.

A  no findings                  D  accepts replayed or re-serialized deliveries,
B  one warning                     or refuses unusual but genuine ones
C  several warnings             F  accepts forged deliveries, or refuses genuine ones

Needs no running sandbox. The secret can also be set in ${SECRET_VARIABLES.join(' or ')}.
${examples(
  'doctor webhook http://127.0.0.1:3000/webhooks --secret a-secret-of-some-length',
  'doctor webhook http://127.0.0.1:3000/webhooks --secret "$SERVICE_WEBHOOK_SECRET" --json',
)}`;

/** Adds `doctor webhook`, which tests whether a receiver verifies webhooks. */
export const add: AddCommand = program => {
  commandAt(program, ['doctor']).description('Check the code of a partner.');
  commandAt(program, ['doctor', 'webhook'])
    .description(
      'Grade a webhook receiver with genuine, forged, altered, replayed, large and slow deliveries.',
    )
    .argument('<url>', 'URL of the receiver', receiverUrl)
    .option('--secret <secret>', 'the webhook secret of the receiver')
    .addOption(
      new Option('--timeout <duration>', 'timeout of each response')
        .argParser(duration)
        .default(10_000, '10s'),
    )
    .option('--webhook-ca <file>', 'PEM file of additional certificates to trust')
    .option('--insecure-webhook-tls', 'accept any TLS certificate of the receiver (default: verify it)')
    .addOption(namesFlag())
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action(checkReceiver);
};

async function checkReceiver(url: string, flags: DoctorFlags): Promise<void> {
  const secret = flags.secret ?? SECRET_VARIABLES.map(name => process.env[name]).find(each => each);
  if (secret === undefined || secret === '') {
    throw new UsageError(`the webhook secret is missing; pass it with --secret or ${SECRET_VARIABLES[0]}`);
  }
  const assessment = assess(await sendProbes(url, secret, flags));
  if (flags.json) await printResult(printable(JSON.stringify(jsonReport(url, assessment))));
  else await printResult(prettyReport(url, assessment));
  if (hasFailed(assessment.findings)) {
    throw new Exit(
      FAILED,
      'the receiver does not handle every delivery as it must; findings of the report say what to change',
    );
  }
}

async function sendProbes(url: string, secret: string, flags: DoctorFlags): Promise<Finding[]> {
  const ca = flags.webhookCa === undefined ? undefined : readCertificates(flags.webhookCa);
  const sender = createSender({
    url,
    timeoutMs: flags.timeout,
    ca,
    insecureTls: flags.insecureWebhookTls ?? false,
  });
  const names = createNameTranslator(flags.names ?? {});
  const headerName = (header: string) => names?.text(header) ?? header;
  const run = randomBytes(4).toString('hex');
  const findings: Finding[] = [];
  try {
    // In sequence: the second is a duplicate of the first, and a receiver may handle one request at a time.
    for (const probe of probes) {
      const now = Math.floor(Date.now() / 1000);
      const { eventType, signature, body } = probe.delivery({ secret, now, run });
      const headers = {
        'Content-Type': 'application/json',
        [headerName('X-Service-Event')]: eventType,
        ...(signature === null ? {} : { [headerName('X-Service-Signature')]: signature }),
        'User-Agent': 'card-sandbox-doctor',
      };
      const finding = findingOf(probe, await sender.send(headers, body, probe.isSlow ?? false));
      if (findings.length === 0 && finding.status === null) {
        throw new Error(
          `no response from ${url}: ${finding.cause}; is the receiver running, and is the URL right?`,
        );
      }
      findings.push(finding);
      if (!flags.json && process.stderr.isTTY) progress(`${findings.length}/${probes.length} ${probe.title}`);
    }
  } finally {
    sender.close();
  }
  return findings;
}

function receiverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It must be an http:// or https:// URL without a user name.');
  }
  return url.href;
}
