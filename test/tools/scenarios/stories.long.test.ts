import { expect, test } from 'vitest';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

/** Words that only a developer writes: `kycStatus`, `card_issued`, `Retry-After`, `error.code`. */
const CODE = /\b(?:[a-z]+[A-Z]\w*|\w+_\w+|[A-Z]\w*-[A-Z]\w*|\w+\.\w+)\b/g;
const QUOTED = /"([^"]+)"/g;

/** What the audience reads of a played step without the details. */
function visibleText(view: Json, index: number): string {
  const { heading, note } = view.steps[index];
  const { people, scenes } = view.played[index];
  return JSON.stringify([
    view.parties.map(({ name }: Json) => name),
    heading,
    note,
    people,
    scenes.map(({ body: _body, headers: _headers, sent: _sent, rule: _rule, ...shown }: Json) => shown),
  ]);
}

test.each(scenarioNames())(
  'every step of the story %s passes, also after a jump back, speaks to its audience and shows what it is about',
  async story => {
    const sandbox = await startSandbox({ fixtures: ['empty'] });
    const { body } = await sandbox.control('GET', `/stories/${story}`);
    const { length } = body.steps;
    let view: Json = null;
    for (const to of [length, Math.floor(length / 2), length]) {
      view = (await sandbox.control('POST', `/stories/${story}/steps`, { to })).body;
      expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
      expect(view.played).toHaveLength(to);
    }
    const { steps, people } = readScenario(story);
    expect(new Set(view.steps.map(({ heading }: Json) => heading)).size).toBeGreaterThan(length * 0.7);
    for (const [index, { say = '', note = '', chapter, speakerNotes = '', about = [] }] of steps.entries()) {
      const place = `step ${index + 1}`;
      // A title in words, without a status code.
      expect(say, place).toMatch(/^[A-Z][^_{}]{5,}$/);
      expect(chapter ?? 'Chapter', place).toMatch(/^[A-Z]/);
      expect(note, place).toMatch(/^[A-Z].*\.$/);
      const { scenes, people: shown } = view.played[index];
      const members = scenes.flatMap((scene: Json) => scene.members ?? []).map(({ name }: Json) => name);
      expect(members, place).toEqual(expect.arrayContaining([...about]));
      expect(members.length, place).toBeLessThanOrEqual(9);
      expect(shown.length, place).toBeGreaterThanOrEqual(Object.keys(people).length);
      const named = [...speakerNotes.matchAll(QUOTED)].map(([, word = '']) => word);
      const text = visibleText(view, index);
      for (const word of [...named, ...(speakerNotes.match(CODE) ?? [])]) expect(text, place).toContain(word);
    }
  },
);
