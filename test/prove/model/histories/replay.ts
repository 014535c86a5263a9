import { parse } from 'yaml';
import { createClient } from '../../../../src/client/client.ts';
import { CONTROL_HEADER } from '../../../../src/core/values/plane.ts';
import { ScenarioFile } from '../../../../src/tools/scenarios/file/schema.ts';
import { playScenario } from '../../../../src/tools/scenarios/play/play.ts';
import type { InProcess } from '../../../support/in-process.ts';
import { SECRET } from '../../../support/receiver.ts';

/** Plays the text of a scenario in a sandbox. Returns the differences that its steps found. */
export async function replay(text: string, sandbox: InProcess): Promise<unknown[]> {
  const scenario = {
    ...ScenarioFile.parse(parse(text)),
    file: 'history.yaml',
    placeOf: () => 'history.yaml:1',
  };
  const client = createClient({ url: 'http://sandbox.test', fetch: fetchOf(sandbox) });
  const { partners } = await client.info();
  const partner = partners.find(({ id }) => id === scenario.partner) ?? partners[0];
  const stage = {
    api: client,
    apiKey: partner?.apiKey ?? '',
    control: client,
    inbox: 'no webhook is awaited',
    wallClock: { sleep: () => Promise.resolve(), elapsed: () => 0 },
  };
  // An export has no secrets. All histories have this one.
  const secrets = Object.keys(scenario.variables).filter(name => name.startsWith('webhookSecret'));
  const variables = Object.fromEntries(secrets.map(name => [name, SECRET]));
  const report = await playScenario(scenario, stage, { keepGoing: true, run: '1', variables });
  return report.steps.flatMap(({ heading, status, reason, differences }) =>
    status === 'passed' ? [] : [{ heading, reason, differences }],
  );
}

/** A `fetch` that a sandbox without a server handles. */
function fetchOf(sandbox: InProcess): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const [, prefix = '', path = ''] = /^(\/v1|\/_sandbox)(.*)$/.exec(pathname) ?? [];
    const key = new Headers(init.headers).get('x-service-api-key');
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const isApi = prefix === '/v1';
    const { status, body: received } = await sandbox.send(
      isApi ? (key ?? '') : null,
      init.method ?? 'GET',
      path + search,
      body,
    );
    const headers = isApi ? {} : { [CONTROL_HEADER]: 'control-plane' };
    return new Response(received === null ? null : JSON.stringify(received), { status, headers });
  };
}
