import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createNameTranslator, type Names } from '../../../kernel/request/names.ts';
import { readCertificates } from '../../../sandbox/webhook-transport.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { naming } from '../sandbox/start.ts';
import { Exit, FAILED, UsageError } from '../../exit.ts';
import { duration, namesFlag } from '../../flags.ts';
import { printable, printResult, progress } from '../../output/print.ts';
import { examine, type Finding, findingOf } from './findings.ts';
import { probes } from './probes.ts';
import { hasFailed, reportForPeople, reportForPrograms } from './report.ts';
import { senderTo } from './send.ts';

interface DoctorFlags {
  readonly secret?: string;
  readonly timeout: number;
  readonly webhookCa?: string;
  readonly insecureWebhookTls?: true;
  readonly names?: Names;
  readonly json?: true;
}

/** Where the secret is looked for when no flag tells it, in this order. */
const SECRET_VARIABLES = ['CARD_SANDBOX_WEBHOOK_SECRET', 'SERVICE_WEBHOOK_SECRET'] as const;

const AFTER = `
It sends ${probes.length} deliveries of made-up events (their ids begin with evt_doctor_): genuine ones, which have to be
answered with 2xx, and forged, changed and replayed ones, which have to be refused, with 401 for example. The
exit code is 1 when one that must be refused was accepted, or a genuine one refused.

A  nothing to say               D  accepts what is replayed or re-serialized,
B  one doubt                       or refuses what is genuine but unusual
C  more doubts                  F  accepts what is forged, or refuses what is genuine

No sandbox has to run. The secret may also come from ${SECRET_VARIABLES.join(' or ')}.
${examples(
  'doctor webhook http://127.0.0.1:3000/webhooks --secret a-secret-of-some-length',
  'doctor webhook https://partner.test/hooks --secret "$SECRET" --json',
)}`;

/** Adds `doctor webhook`, which finds out whether a receiver can be trusted. */
export const addDoctor: AddCommands = program => {
  commandAt(program, ['doctor']).description('Examine what a partner has built.');
  const command: Command = commandAt(program, ['doctor', 'webhook'])
    .description('Grade a webhook receiver: genuine, forged, changed, replayed, large and slow deliveries.')
    .argument('<url>', 'where it receives webhooks', receiverUrl)
    .option('--secret <secret>', 'the webhook secret that it verifies with')
    .addOption(
      new Option('--timeout <duration>', 'how long it may take to answer')
        .argParser(duration)
        .default(10_000, '10s'),
    )
    .option('--webhook-ca <file>', 'PEM file of certificates to trust')
    .option('--insecure-webhook-tls', 'take any certificate of the receiver (default: check it)')
    .addOption(namesFlag())
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action((url: string, flags: DoctorFlags) => naming(command, examineWebhook(url, flags)));
};

async function examineWebhook(url: string, flags: DoctorFlags): Promise<void> {
  const secret = flags.secret ?? SECRET_VARIABLES.map(name => process.env[name]).find(each => each);
  if (secret === undefined || secret === '') {
    throw new UsageError(`the webhook secret is missing; pass it with --secret or ${SECRET_VARIABLES[0]}`);
  }
  const examination = examine(await findings(url, secret, flags));
  if (flags.json) await printResult(printable(JSON.stringify(reportForPrograms(url, examination))));
  else await printResult(reportForPeople(url, examination));
  if (hasFailed(examination.findings)) throw new Exit(FAILED);
}

async function findings(url: string, secret: string, flags: DoctorFlags): Promise<Finding[]> {
  const ca = flags.webhookCa === undefined ? undefined : readCertificates(flags.webhookCa);
  const sender = senderTo({
    url,
    timeoutMs: flags.timeout,
    ca,
    insecureTls: flags.insecureWebhookTls ?? false,
  });
  const words = createNameTranslator(flags.names ?? {});
  const named = (header: string) => words?.text(header) ?? header;
  const run = randomBytes(4).toString('hex');
  const found: Finding[] = [];
  try {
    // One after the other: the second is a duplicate of the first, and a receiver may be busy with one.
    for (const probe of probes) {
      const now = Math.floor(Date.now() / 1000);
      const { eventType, signature, body } = probe.delivery({ secret, now, run });
      const headers = {
        'Content-Type': 'application/json',
        [named('X-Service-Event')]: eventType,
        ...(signature === null ? {} : { [named('X-Service-Signature')]: signature }),
        'User-Agent': 'card-sandbox-doctor',
      };
      const finding = findingOf(probe, await sender.send(headers, body, probe.isSlow ?? false));
      if (found.length === 0 && finding.status === null) {
        throw new Error(
          `no answer from ${url}: ${finding.cause}; is the receiver running, and is this its address?`,
        );
      }
      found.push(finding);
      if (!flags.json && process.stderr.isTTY) progress(`${found.length}/${probes.length} ${probe.title}`);
    }
  } finally {
    sender.close();
  }
  return found;
}

function receiverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('It must be an http:// or https:// URL, without user name.');
  }
  return url.href;
}
