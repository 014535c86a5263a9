import { STATUS_CODES } from 'node:http';
import { findOperation } from '../../../client/find-operation.ts';
import { type Names, translateTexts } from '../../../core/values/names.ts';
import type { Scenario } from '../file/read.ts';
import { CALL } from '../file/schema.ts';
import {
  differenceText,
  flatten,
  type Member,
  memberText,
  responseMembers,
  selectMembers,
} from '../play/matching.ts';
import { headingOf } from '../play/player.ts';
import type { Scene } from '../play/watcher.ts';
import { ruleText } from '../report/report.ts';
import type { PlayedStep } from './session.ts';

/** Headers of every response that matter to an audience, and those of a 429. */
const HEADERS = ['X-RateLimit-Remaining'];
const LIMIT_HEADERS = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What the options of a sandbox mean for its stories. */
export interface StoryRules {
  readonly names: Names;
  readonly documentedOnly: boolean;
}

/** Describes a story without its steps. */
export function summaryOf(id: string, scenario: Scenario, { documentedOnly }: StoryRules) {
  return {
    id,
    title: scenario.name,
    description: scenario.description ?? null,
    steps: scenario.steps.length,
    problem: documentedOnly ? undocumentedStep(scenario) : null,
  };
}

/** Describes a story with the steps that have been played, in the names of the partner. */
export function viewOf(id: string, scenario: Scenario, played: readonly PlayedStep[], rules: StoryRules) {
  return {
    ...summaryOf(id, scenario, rules),
    steps: scenario.steps.map(step => ({
      heading: headingOf(step),
      note: step.note ?? null,
      speakerNotes: step.speakerNotes ?? null,
    })),
    played: translateTexts(
      played.map(({ result, scenes, changes, now }) => ({
        status: result.status,
        reason: result.reason,
        differences: result.differences.map(differenceText),
        scenes: scenes.map(sceneView),
        changes,
        now,
      })),
      rules.names,
    ),
  };
}

/** Says which step needs an operation that `--documented-only` refuses. Returns null when there is none. */
function undocumentedStep({ steps }: Scenario): string | null {
  for (const [index, { request }] of steps.entries()) {
    const [, method = '', path = ''] = CALL.exec(request ?? '') ?? [];
    const operation = method === '' ? null : findOperation('partner', method, path);
    if (operation?.assumption === undefined) continue;
    return `Step ${index + 1} needs ${method} ${operation.path}, which --documented-only refuses. Start the sandbox without it to play this story.`;
  }
  return null;
}

function sceneView(scene: Scene) {
  if (scene.kind === 'request') {
    const { plane, method, path, keyEnd, headers, body, times } = scene;
    const key = keyEnd === null ? [] : [{ name: 'x-service-api-key', value: keyEnd }];
    const members = typeof body === 'string' ? [['body', body] as const] : flatten(body);
    const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'x-service-api-key');
    return {
      kind: 'request',
      plane,
      method,
      path,
      headers: [...key, ...views(others)],
      members: views(members),
      times,
    };
  }
  if (scene.kind === 'response') {
    const { status, body, expectedPaths, headers, allHeaders, rule } = scene;
    const names = new Map(
      [...(status === 429 ? LIMIT_HEADERS : HEADERS), ...Object.keys(headers)].map(name => [
        name.toLowerCase(),
        name,
      ]),
    );
    const shown = [...names].flatMap(([key, name]) => {
      const value = allHeaders[key];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      kind: 'response',
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: views(shown),
      members: views(responseMembers(status, body, expectedPaths)),
      rule: rule === null ? null : ruleText(rule),
    };
  }
  if (scene.kind === 'webhook') {
    const { eventType, headers, isSigned, attempts, responseStatus, status, data, expectedPaths } = scene;
    return {
      kind: 'webhook',
      eventType,
      headers: views(Object.entries(headers)),
      isSigned,
      attempts,
      responseStatus,
      status,
      members: views(selectMembers(data, expectedPaths)),
    };
  }
  return scene;
}

function views(members: readonly Member[]): { name: string; value: string }[] {
  return members.map(([name, value]) => ({ name, value: memberText(value) }));
}
