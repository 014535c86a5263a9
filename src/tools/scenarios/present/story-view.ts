import { STATUS_CODES } from 'node:http';
import { type Names, translateTexts } from '../../../core/values/names.ts';
import type { Scenario } from '../file/read.ts';
import type { Step } from '../file/schema.ts';
import {
  differenceText,
  flatten,
  type Member,
  memberText,
  responseMembers,
  selectMembers,
} from '../play/matching.ts';
import { headingOf } from '../play/player.ts';
import { isControlCall, type Scene } from '../play/watcher.ts';
import { ruleText } from '../report/report.ts';
import { messageOf, partiesOf } from './parties.ts';
import type { StorySession } from './session.ts';

interface Run {
  readonly world: string;
  readonly session: Pick<StorySession, 'played'>;
}

export function summaryOf(
  id: string,
  { name, description, steps }: Scenario,
  run: Run | null,
  isFeatured: boolean,
  names: Names,
) {
  return {
    id,
    ...translateTexts({ title: name, description: description ?? null }, names),
    isFeatured,
    steps: steps.length,
    run: run?.world ?? null,
    step: run?.session.played.length ?? 0,
  };
}

/** Describes a story with the steps that have been played, in the names of the partner. */
export function viewOf(id: string, scenario: Scenario, run: Run | null, isFeatured: boolean, names: Names) {
  const { steps } = scenario;
  const played = run?.session.played ?? [];
  const inNames = <T>(value: T) => translateTexts(value, names);
  const texts = {
    takeaway: scenario.takeaway ?? null,
    parties: partiesOf(scenario),
    steps: steps.map(step => ({
      chapter: step.chapter ?? null,
      heading: headingOf(step),
      note: step.note ?? null,
      speakerNotes: step.speakerNotes ?? null,
      message: messageOf(step),
    })),
  };
  return {
    ...summaryOf(id, scenario, run, isFeatured, names),
    ...inNames(texts),
    played: played.map(({ result, scenes, people, now }, index) => ({
      ...inNames({
        status: result.status,
        reason: result.reason,
        differences: result.differences.map(differenceText),
        isRefused: scenes.some(isRefusal),
        people,
        now,
      }),
      scenes: scenes.map(scene => {
        const view = sceneView(scene, steps[index]?.about);
        return isControlCall(scene) ? view : inNames(view);
      }),
    })),
  };
}

/** Whether a scene shows that a message was refused: a request, a payment, a document or a webhook. */
function isRefusal(scene: Scene): boolean {
  if (scene.kind === 'webhook') return scene.responseStatus >= 300;
  if (scene.kind !== 'response') return false;
  const { status, body } = scene;
  const { status: state = null, approved = null } = { ...(body as object | null) } as Record<string, unknown>;
  return status >= 400 || state === 'declined' || state === 'rejected' || approved === false;
}

function sceneView(scene: Scene, about: Step['about']) {
  if (scene.kind === 'request') {
    const { plane, method, path, key, keyEnd, headers, body, times, sent } = scene;
    const own = Object.entries(headers);
    const keyHeader: Member[] = plane === 'partner' ? [['x-service-api-key', keyEnd ?? 'none']] : [];
    const all = [...keyHeader, ...own];
    // Every request has the partner's own key.
    const usual = [...(key === 'own' ? own : all), ...flatten(textOrBody(body))];
    return {
      kind: 'request',
      plane,
      method,
      path,
      ...shown(all, body, usual, about),
      times,
      sent: { headers: views(Object.entries(sent.headers)), body: textOf(sent.body) },
    };
  }
  if (scene.kind === 'response') {
    const { status, body, shownPaths, headers, allHeaders, rule, page } = scene;
    const all = { ...allHeaders };
    for (const name of Object.keys(headers)) delete all[name.toLowerCase()];
    const usual = [...Object.entries(headers), ...responseMembers(status, body, shownPaths)];
    return {
      kind: 'response',
      status,
      statusText: STATUS_CODES[status] ?? '',
      ...shown(Object.entries({ ...headers, ...all }), body, usual, about),
      rule: rule === null ? null : ruleText(rule),
      page,
    };
  }
  if (scene.kind === 'webhook') {
    const { eventType, headers, isSigned, attempts, responseStatus, status, data, shownPaths } = scene;
    return {
      kind: 'webhook',
      eventType,
      ...shown(Object.entries(headers), data, selectMembers(data, shownPaths), about),
      isSigned,
      attempts,
      responseStatus,
      status,
    };
  }
  return scene;
}

/** What a scene shows: of its headers and its body what the step is about, by default the usual ones; and all of them. */
function shown(headers: readonly Member[], body: unknown, usual: readonly Member[], about: Step['about']) {
  const members = flatten(textOrBody(body));
  const chosen =
    about === undefined ? usual : [...headers, ...members].filter(([name]) => about.includes(name));
  const isHeader = new Set(headers.map(([name]) => name));
  return {
    members: views(chosen),
    left: Math.max(0, members.length - chosen.filter(([name]) => !isHeader.has(name)).length),
    headers: views(headers),
    body: textOf(body),
  };
}

function textOrBody(body: unknown): unknown {
  return typeof body === 'string' ? { body } : body;
}

function textOf(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

function views(members: readonly Member[]): { name: string; value: string }[] {
  return members.map(([name, value]) => ({ name, value: memberText(value) }));
}
