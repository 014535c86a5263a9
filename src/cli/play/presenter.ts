import { STATUS_CODES } from 'node:http';
import type { Scenario } from '../../scenarios/file/read.ts';
import { valueAt } from '../../scenarios/play/matching.ts';
import type { Opening, Scene, Watcher } from '../../scenarios/play/watcher.ts';
import type { Report, StepResult } from '../../scenarios/report/report.ts';
import { ruleInWords } from '../../scenarios/report/rules.ts';
import { colour, lineWidth, print, printable } from '../output/print.ts';
import { wrapped } from '../output/wrap.ts';
import { flattened, memberLines } from './scene-members.ts';
import { verdict } from './verdict.ts';

/** Lines are no longer than this, however wide the terminal: long ones are hard to read. */
const WIDEST = 88;
const NARROWEST = 16;
/** A rule is cut behind the sentence that reaches this. */
const LONGEST_RULE = 180;
/** Below this, indents are smaller. */
const NARROW = 44;

type Paint = (text: string) => string;
const plain: Paint = text => text;

/** Shows a scenario to people who watch: each step with its request, its answer and the rule behind a refusal. */
export class Presenter implements Watcher {
  readonly #width = Math.max(NARROWEST, Math.min(WIDEST, lineWidth()));
  readonly #indent = this.#width < NARROW ? 1 : 4;

  /** The title, before the first step. */
  title({ name, description }: Pick<Scenario, 'name' | 'description'>): void {
    this.#lines(name, 0, colour.bold);
    if (description !== undefined) this.#lines(description, 0, colour.dim);
  }

  begins({ number, of, heading, note }: Opening): void {
    print('');
    const label = String(number).padStart(String(of).length);
    const [first = '', ...rest] = wrapped(printable(heading), this.#width - label.length - 2);
    print(`${colour.cyan(label)}  ${colour.bold(first)}`);
    for (const line of rest) print(' '.repeat(label.length + 2) + colour.bold(line));
    if (note !== null) this.#lines(note, this.#indent, colour.dim);
  }

  shows(scene: Scene): void {
    if (scene.kind === 'request') this.#request(scene);
    else if (scene.kind === 'answer') this.#answer(scene);
    else if (scene.kind === 'webhook') this.#webhook(scene);
    else if (scene.kind === 'clock') {
      this.#arrow('»', `the clock moves on by ${scene.by}, to ${clockText(scene.now)}`, plain);
    } else if (scene.kind === 'waited') this.#arrow('»', `waited ${scene.duration}`, plain);
    else this.#arrow('»', `webhooks are answered with ${statusText(scene.status)} from here on`, plain);
  }

  ends({ status, reason, differences, rule }: StepResult): void {
    if (status === 'skipped') this.#lines(`skipped: ${reason}`, this.#indent, colour.yellow);
    for (const { path, expected, got } of differences) {
      this.#lines(`✗ ${path} differs`, this.#indent, colour.red);
      const members = [
        ['expected', expected],
        ['got', got],
        ...(rule === null ? [] : [['rule', ruleInWords(rule)] as const]),
      ] as const;
      this.#members(members);
    }
  }

  /** The last word, after the last step. */
  closes(report: Report): void {
    print('');
    this.#lines(verdict(report), 0, report.ok ? colour.green : colour.red);
  }

  #request({ plane, method, path, key, headers, body, times }: Extract<Scene, { kind: 'request' }>): void {
    const how = [
      ...(plane === 'control' ? ['behind the scenes'] : []),
      ...(plane === 'partner' && key === null ? ['without a key'] : []),
      ...(key === 'other' ? ['with another key'] : []),
      ...(times > 1 ? [`${times} times`] : []),
    ].join(', ');
    this.#arrow('→', `${method} ${path}${how === '' ? '' : ` (${how})`}`, colour.cyan);
    const text = typeof body === 'string' ? [['body', body] as const] : flattened(body);
    this.#members([...Object.entries(headers), ...text]);
  }

  #answer({ status, body, looksAt, headers, rule }: Extract<Scene, { kind: 'answer' }>): void {
    const paint = status < 300 ? colour.green : status < 500 ? colour.yellow : colour.magenta;
    this.#arrow('←', statusText(status), paint);
    const error =
      status >= 400 && typeof body === 'object' && body !== null && 'error' in body
        ? { error: body.error }
        : null;
    const members = error === null ? lookedAt(body, looksAt) : flattened(error);
    this.#members([...Object.entries(headers), ...members]);
    if (rule === null) return;
    const decision = beginning(rule.decision ?? '');
    const open = `The interface leaves this open (section ${rule.section}). Here: ${decision}`;
    const text = rule.assumption === null ? `The interface says so: section ${rule.section}.` : open;
    this.#lines(text, this.#indent * 2, colour.dim.italic);
  }

  #webhook({
    eventType,
    attempts,
    answered,
    isSigned,
    status,
    data,
    looksAt,
  }: Extract<Scene, { kind: 'webhook' }>): void {
    const often = attempts > 1 ? `, ${attempts} times by now` : '';
    const record = status === null ? '' : `; it counts as ${status}`;
    const signature = isSigned ? 'its signature is valid' : 'its signature is not valid';
    const paint = answered < 300 ? colour.green : colour.yellow;
    this.#arrow('←', `webhook ${eventType}${often}`, paint);
    this.#lines(
      `${signature}, it is answered with ${statusText(answered)}${record}`,
      this.#indent * 2,
      plain,
    );
    // Of a webhook that is known by its id already, the rest has been seen.
    if (looksAt.length > 0) this.#members(lookedAt(data, looksAt));
  }

  /** A line with a sign in front of it, and what does not fit into it below. */
  #arrow(sign: string, text: string, paint: Paint): void {
    const [first = '', ...rest] = wrapped(printable(text), this.#width - this.#indent - 2);
    print(`${' '.repeat(this.#indent)}${paint(`${sign} ${first}`)}`);
    for (const line of rest) print(' '.repeat(this.#indent + 2) + paint(line));
  }

  #members(members: readonly (readonly [string, unknown])[]): void {
    const indent = this.#indent * 2;
    for (const line of memberLines(members, this.#width - indent)) print(' '.repeat(indent) + line);
  }

  #lines(text: string, indent: number, paint: Paint): void {
    for (const line of wrapped(printable(text.trim()), this.#width - indent)) {
      print(' '.repeat(indent) + paint(line));
    }
  }
}

/** What of a body is worth showing: what the step looks at, or all where it looks at nothing. */
function lookedAt(body: unknown, looksAt: readonly string[]): (readonly [string, unknown])[] {
  if (looksAt.length === 0) return flattened(body);
  return looksAt.map(path => [path, valueAt(body, path)] as const);
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** The first sentences of a text, as many as are read while somebody talks. */
function beginning(text: string): string {
  const sentences = text.split(/(?<=\.) (?=[A-Z])/);
  let told = sentences[0] ?? '';
  for (const sentence of sentences.slice(1)) {
    if (told.length + sentence.length > LONGEST_RULE) break;
    told += ` ${sentence}`;
  }
  return told;
}

function clockText(now: string): string {
  return now.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '');
}
