import { expect, test } from 'vitest';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

/** The state of the first person that a title claims, as a fact beginning with this name has it. */
const CLAIMS: readonly (readonly [title: RegExp, fact: RegExp, value: RegExp])[] = [
  [/\bunfreezes\b|\bactivates\b/, /^Card/, /^active$/],
  [/ freezes\b/, /^Card/, /^frozen$/],
  [/\bcancels\b/, /^Card/, /^cancelled$/],
  [/\bissues a card\b/, /^Card/, /^(not active yet|active)$/],
  [/has passed the (identity )?check/, /^Identity check$/, /^passed$/],
  [/submits .* to the card provider/, /^Identity check$/, /^with the card provider$/],
  [/is suspended$/, /^Customer$/, /^suspended$/],
  [/imports \w+(?! is refused)/, /^Name$/, /^(?!not known)/],
];
const amountsIn = (text: string) =>
  [...text.matchAll(/(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?! (?:seconds|minutes?|hours)\b)(?![\w.]*\w)/g)].map(
    ([, amount = '']) => Number(amount.replaceAll(',', '')),
  );

/** What a step shows by default: its members, the people, and the clock. */
function panelOf({ scenes, people }: Json) {
  const members: readonly { name: string; value: string }[] = scenes.flatMap(
    (each: Json) => each.members ?? [],
  );
  const facts: readonly Json[] = people.flatMap((each: Json) => each.facts);
  const texts = [...members.flatMap(({ name, value }) => [name, value])]
    .concat(facts.flatMap(({ name, value, before }) => [name, value, before ?? '']))
    .concat(
      scenes.flatMap(({ path = '', method = '', by = '', times = '' }: Json) => [
        path,
        method,
        by,
        `${times}`,
      ]),
    );
  return { members, facts, text: texts.join('\n') };
}

test.each(scenarioNames())('what the story %s says is what it shows', async story => {
  const sandbox = await startSandbox();
  const { length } = readScenario(story).steps;
  const { status, body: view } = await sandbox.control('POST', `/stories/${story}/steps`, { to: length });
  expect(status).toBe(200);
  expect(view.takeaway).toMatch(/^[A-Z][^.]+\.$/);
  expect(view.description).toMatch(/^[A-Z][^.]+\.$/);
  if (story.startsWith('errors-')) expect(length).toBeLessThanOrEqual(15);
  const known: number[] = [];
  let isBalanceShown = false;
  for (const [index, { heading, note, speakerNotes, message }] of view.steps.entries()) {
    const played = view.played[index];
    const place = `step ${index + 1}: ${heading}`;
    const { members, facts, text } = panelOf(played);
    expect(played.status, place).toBe('passed');
    expect(note, place).not.toBeNull();
    expect(heading, place).not.toMatch(/^[1-5]\d\d\b/);

    // Nothing that a step is about is missing or masked, and notes quote only what is shown.
    const { about = [] } = readScenario(story).steps[index] ?? {};
    expect(
      members.map(({ name }) => name),
      place,
    ).toEqual(expect.arrayContaining([...about]));
    expect(
      members.filter(({ value }) => value === '***'),
      place,
    ).toEqual([]);
    for (const [, quoted] of (speakerNotes ?? '').matchAll(/"([^"]+)"/g))
      expect(text, place).toContain(quoted);

    // The people stay on the screen.
    expect(played.people.map(({ name }: Json) => name).slice(0, 1), place).toEqual(
      view.played[0].people.map(({ name }: Json) => name).slice(0, 1),
    );

    // Who acts is where the message comes from; who is notified is where it goes.
    for (const { id, name } of view.parties) {
      const rest = new RegExp(`^(?:The |Another )?${name} (.*)$`, 'i').exec(heading)?.[1];
      if (rest === undefined || message === null || /^(?:has|cannot)\b/.test(rest)) continue;
      const isReceiver = /^is (?:notified|sent)\b/.test(rest);
      if (isReceiver || !rest.startsWith('is ')) expect(message[isReceiver ? 'to' : 'from'], place).toBe(id);
    }

    // What is said to be refused was.
    const isReport = /notified|finds|looks up|\bif\b/i.test(`${heading}. ${note}`);
    if (/\bis (?:refused|declined)\b|exceeds/.test(heading) && !isReport)
      expect(played.isRefused, place).toBe(true);

    // Titles and notes name the states that the people have.
    for (const [title, fact, value] of CLAIMS) {
      if (!title.test(heading) || played.isRefused) continue;
      expect(facts.find(({ name }) => fact.test(name))?.value, place).toMatch(value);
    }
    for (const { name: person, facts: own } of played.people) {
      const of = (name: RegExp): string | undefined => own.find((each: Json) => name.test(each.name))?.value;
      const corrections = of(/^Corrections$/);
      if (corrections === undefined) continue;
      const check = of(/^Identity check$/);
      const expected =
        of(/^Card …/) !== undefined
          ? 'closed: card issued'
          : { 'with the card provider': 'closed: being checked', passed: 'closed: checked' }[check ?? ''];
      const status = of(/^Customer$/);
      const open = status === undefined ? 'possible' : `closed: customer ${status}`;
      expect([person, corrections], place).toEqual([person, expected ?? open]);
    }

    // Amounts are on the screen, or were, or are the difference of two that are.
    const shown = amountsIn(text);
    known.push(...shown);
    for (const amount of amountsIn(heading)) expect(shown, place).toContain(amount);
    const differences = shown.flatMap(one => shown.map(other => Math.round((one - other) * 100) / 100));
    for (const amount of amountsIn(note)) expect([...known, ...differences, 1_000], place).toContain(amount);

    // Before the story reserves something, nothing is reserved.
    const reserved = facts.find(({ name }) => name === 'Reserved');
    if (reserved !== undefined && !isBalanceShown) {
      isBalanceShown = true;
      const amount = members.find(({ name }) => name === 'amount')?.value;
      expect(amountsIn(reserved.value), place).toEqual([Number(amount)]);
    }
  }
});
