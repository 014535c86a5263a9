import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import type { Scenario } from '../../scenarios/file/read.ts';
import { playScenario } from '../../scenarios/play/play.ts';
import type { Pace, Stage } from '../../scenarios/play/stage.ts';
import type { Watcher } from '../../scenarios/play/watcher.ts';
import { type OpenInbox, openInbox } from '../../scenarios/receiver/receiver.ts';
import { directWebhooks, usesWebhooks } from '../../scenarios/receiver/webhook-setup.ts';
import { junitOf } from '../../scenarios/report/junit.ts';
import type { Report } from '../../scenarios/report/report.ts';
import { writeWhole } from '../output/response.ts';
import { flushed, isUnread, printable, printResult, progress } from '../output/print.ts';

/** Where and how a scenario is played. */
export interface Playing {
  readonly scenario: Scenario;
  readonly api: Client;
  readonly apiKey: string;
  readonly control: Client | null;
  /** What tells this run from others on the same server. */
  readonly run: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly keepGoing: boolean;
  /** Where the server reaches the receiver; undefined where it does by loopback. */
  readonly webhookUrl?: string | undefined;
  readonly webhookPort?: number | undefined;
  readonly signal: AbortSignal;
  /** Ends the play when nobody reads what is printed any more. */
  readonly abort: () => void;
}

/** Who tells how it goes, from the title to the last word. */
export interface PlayReporter extends Watcher {
  title(scenario: Scenario): void;
  closes(report: Report): void;
}

/** Where a report goes, besides to who watches. */
export interface ReportFlags {
  readonly junit?: string;
  readonly json?: true;
}

/** Plays a scenario with a receiver of its own, and leaves the partner's webhooks as they were before. */
export async function play(
  playing: Playing,
  teller: PlayReporter | null,
  flags: ReportFlags,
): Promise<Report> {
  const { scenario, api, apiKey, control, run, variables, keepGoing, signal, abort } = playing;
  const pace: Pace = {
    sleep: ms => sleep(ms, undefined, { signal }).catch(() => undefined),
    elapsed: () => performance.now(),
  };
  const around = await webhooksFor(playing);
  const stage: Stage = { api, apiKey, control, inbox: around.inbox, pace, signal };
  try {
    teller?.title(scenario);
    const watcher: Watcher = {
      async begins(opening) {
        await flushed();
        if (isUnread()) abort();
        else await teller?.begins?.(opening);
      },
      shows: scene => teller?.shows?.(scene),
      ends: result => teller?.ends?.(result),
    };
    const report = await playScenario(scenario, stage, { keepGoing, run, variables }, watcher);
    if (!signal.aborted) teller?.closes(report);
    if (flags.junit !== undefined) writeWhole(flags.junit, junitOf(report));
    if (flags.json) await printResult(printable(JSON.stringify(report)));
    return report;
  } finally {
    await around.end();
  }
}

/** A receiver for the webhooks of a scenario, or why there is none. */
async function webhooksFor({ scenario, api, apiKey, webhookUrl, webhookPort }: Playing) {
  const none = (why: string) => ({ inbox: why, end: async () => {} });
  if (!usesWebhooks(scenario)) return none('this scenario looks at no webhooks');
  if (webhookUrl === undefined && !isHere(api.url)) {
    return none('the server does not reach this machine; --webhook-url names an address that leads to it');
  }
  const inbox: OpenInbox = await openInbox(randomBytes(24).toString('hex'), webhookPort, webhookUrl);
  try {
    const back = await directWebhooks(scenario, { api, apiKey }, inbox);
    if (typeof back === 'string') {
      inbox.close();
      return none(back);
    }
    const end = async () => {
      inbox.close();
      // A server that has gone has nothing left to be put back.
      await back().catch(() => progress("the partner's webhook configuration could not be put back"));
    };
    return { inbox, end };
  } catch (error) {
    inbox.close();
    throw error;
  }
}

function isHere(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}
