import { STATUS_CODES } from 'node:http';
import {
  differenceText,
  flatten,
  memberText,
  responseMembers,
  selectMembers,
} from '../../tools/scenarios/play/matching.ts';
import type { Opening, Scene, Watcher } from '../../tools/scenarios/play/watcher.ts';
import { type Report, ruleText, type StepResult, summarize } from '../../tools/scenarios/report/report.ts';
import { colour, lineWidth, print, printable } from '../output/print.ts';
import { layOut } from '../output/show.ts';
import { wrapText } from '../output/wrap.ts';
import type { Title } from './play.ts';

/** The width of lines on wide terminals; longer lines are hard to read. */
const MAX_WIDTH = 88;
const MIN_WIDTH = 40;
const INDENT = 4;
/** The indent of members, without that of their own lines. */
const MARGIN = 6;

/** An audience does not read more. */
const MAX_MEMBERS = 12;

type Paint = (text: string) => string;
const plain: Paint = text => text;

/** Prints a scenario for an audience: each step with its request, its response and the rule behind a refusal. */
export class Presenter implements Watcher {
  readonly #width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, lineWidth()));

  title({ name, description }: Title): void {
    this.#lines(name, 0, colour.bold);
    if (description !== undefined) this.#lines(description, 0, colour.dim);
  }

  begins({ number, of, chapter, heading, note }: Opening): void {
    print('');
    if (chapter !== null) {
      this.#lines(chapter, 0, colour.bold.underline);
      print('');
    }
    const label = `${String(number).padStart(String(of).length)} of ${of}`;
    const [first = '', ...rest] = wrapText(printable(heading), this.#width - label.length - 2);
    print(`${colour.cyan(label)}  ${colour.bold(first)}`);
    for (const line of rest) print(' '.repeat(label.length + 2) + colour.bold(line));
    if (note !== null) this.#lines(note, INDENT, colour.dim);
  }

  shows(scene: Scene): void {
    if (scene.kind === 'request') this.#request(scene);
    else if (scene.kind === 'response') this.#response(scene);
    else if (scene.kind === 'webhook') this.#webhook(scene);
    else if (scene.kind === 'clock') {
      this.#arrow('»', `the clock advances by ${scene.by}, to ${clockText(scene.now)}`, plain);
    } else this.#arrow('»', `the receiver responds with ${statusText(scene.status)} from now on`, plain);
  }

  ends({ status, reason, differences, rule }: StepResult): void {
    if (status === 'skipped') this.#lines(`skipped: ${reason}`, INDENT, colour.yellow);
    for (const { path, expected, got } of differences) {
      this.#lines(`✗ ${path} differs`, INDENT, colour.red);
      const members = [
        ['expected', expected],
        ['got', got],
        ...(rule === null ? [] : [['rule', ruleText(rule)] as const]),
      ] as const;
      this.#members(members);
    }
  }

  closes(report: Report): void {
    print('');
    this.#lines(summarize(report), 0, report.ok ? colour.green : colour.red);
  }

  #request({ plane, method, path, key, headers, body, times }: Extract<Scene, { kind: 'request' }>): void {
    const notes = [
      ...(plane === 'control' ? ['control plane'] : []),
      ...(plane === 'partner' && key === null ? ['without an API key'] : []),
      ...(key === 'other' ? ['with another API key'] : []),
      ...(times > 1 ? [`${times} times`] : []),
    ].join(', ');
    this.#arrow('→', `${method} ${path}${notes === '' ? '' : ` (${notes})`}`, colour.cyan);
    const text = typeof body === 'string' ? [['body', body] as const] : flatten(body);
    this.#members([...Object.entries(headers), ...text]);
  }

  #response({ status, body, shownPaths, headers, rule }: Extract<Scene, { kind: 'response' }>): void {
    const paint = status < 300 ? colour.green : status < 500 ? colour.yellow : colour.magenta;
    this.#arrow('←', statusText(status), paint);
    const members = responseMembers(status, body, shownPaths);
    this.#members([...Object.entries(headers), ...members]);
    if (rule === null) return;
    const text =
      rule.assumption === null
        ? `Required by section ${rule.section} of the interface.`
        : `Section ${rule.section} of the interface is silent here. The sandbox assumes: ${rule.decision}`;
    this.#lines(text, INDENT * 2, colour.dim.italic);
  }

  #webhook({
    eventType,
    attempts,
    responseStatus,
    isSigned,
    status,
    data,
    shownPaths,
  }: Extract<Scene, { kind: 'webhook' }>): void {
    const count = attempts > 1 ? `, attempt ${attempts}` : '';
    const record = status === null ? '' : `; delivery status ${status}`;
    const signature = isSigned ? 'valid signature' : 'invalid signature';
    const paint = responseStatus < 300 ? colour.green : colour.yellow;
    this.#arrow('←', `webhook ${eventType}${count}`, paint);
    this.#lines(`${signature}, response ${statusText(responseStatus)}${record}`, INDENT * 2, plain);
    // An earlier step may have shown a webhook that is expected by its id.
    if (shownPaths.length > 0) this.#members(selectMembers(data, shownPaths));
  }

  #arrow(sign: string, text: string, paint: Paint): void {
    const [first = '', ...rest] = wrapText(printable(text), this.#width - INDENT - 2);
    print(`${' '.repeat(INDENT)}${paint(`${sign} ${first}`)}`);
    for (const line of rest) print(' '.repeat(INDENT + 2) + paint(line));
  }

  #members(members: readonly (readonly [string, unknown])[]): void {
    const shown = members.slice(0, MAX_MEMBERS);
    const rows = shown.map(([name, value]) => [name, memberText(value)] as const);
    const left = members.length - shown.length;
    for (const line of layOut(rows, this.#width - MARGIN)) print(' '.repeat(MARGIN) + line);
    if (left > 0) this.#lines(`and ${left} more`, INDENT * 2, colour.dim);
  }

  #lines(text: string, indent: number, paint: Paint): void {
    for (const line of wrapText(printable(text.trim()), this.#width - indent)) {
      print(' '.repeat(indent) + paint(line));
    }
  }
}

/** Prints one line per step, and the differences below a step that fails. */
export class Comparison implements Watcher {
  title({ name, steps }: Title): void {
    print(`${colour.bold(printable(name))} ${colour.dim(steps === 1 ? '(1 step)' : `(${steps} steps)`)}`);
  }

  ends({ status, number, heading, at, reason, differences, rule }: StepResult): void {
    const sign = { passed: colour.green('✓'), failed: colour.red('✗'), skipped: colour.yellow('-') }[status];
    const label = String(number).padStart(2);
    const tail = status === 'skipped' ? colour.dim(` (skipped: ${printable(reason ?? '')})`) : '';
    print(`${sign} ${label} ${printable(heading)}${tail}`);
    for (const difference of differences) print(colour.red(`     ${printable(differenceText(difference))}`));
    if (status !== 'failed') return;
    print(colour.dim(`     ${at}${rule === null ? '' : `; ${ruleText(rule)}`}`));
  }

  closes(report: Report): void {
    print('');
    print((report.ok ? colour.green : colour.red)(summarize(report)));
  }
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

function clockText(now: string): string {
  return now.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '');
}
