import type { Path } from '../../fixtures/file/document.ts';
import { suggestion } from '../../kernel/values/nearest.ts';
import { MATCHERS, matcherName, regexIn } from '../play/matching.ts';
import { controlCall, controlProblem } from './control-call.ts';
import { ACTIONS, actionOf, COMPANIONS, type ScenarioFile, type Step } from './schema.ts';
import { calledIn } from './variables.ts';

/** Variables that every scenario has. */
export const BUILT_IN_VARIABLES = ['run'] as const;

type Locate = (path: Path) => string;

/** What a schema cannot see: how members of a step go together, and which names have a value by then. */
export function checkSteps({ steps, variables }: ScenarioFile, locate: Locate): string[] {
  const known = new Set<string>([...BUILT_IN_VARIABLES, ...Object.keys(variables)]);
  const later = new Set(steps.flatMap(({ capture }) => Object.keys(capture ?? {})));
  return steps.flatMap((step, index) => {
    const at: Locate = path => locate(['steps', index, ...path]);
    const problems = [
      ...actionProblems(step, at),
      ...controlProblems(step, at),
      ...matcherProblems(step, at),
      ...calledIn(step)
        .filter(({ name }) => !known.has(name))
        .map(({ name, path }) => `${at(path)}: ${unknownName(name, index, known, later)}`),
    ];
    for (const name of Object.keys(step.capture ?? {})) known.add(name);
    return problems;
  });
}

function unknownName(
  name: string,
  step: number,
  known: ReadonlySet<string>,
  later: ReadonlySet<string>,
): string {
  const called = `step ${step + 1} uses \${${name}}`;
  if (later.has(name)) return `${called}, which only a later step captures; move that step up`;
  const way = suggestion(name, known) || '; name it under variables, or capture it in an earlier step';
  return `${called}, which nothing gives a value${way}`;
}

function actionProblems(step: Step, at: Locate): string[] {
  const given = ACTIONS.filter(action => step[action] !== undefined);
  if (given.length === 0 && step.say === undefined) {
    return [`${at([])}: does nothing; it needs one of ${ACTIONS.join(', ')}, or something to say`];
  }
  if (given.length > 1) {
    return [`${at([given[1] ?? ''])}: stands beside ${given[0]}; a step does one thing, so make two of it`];
  }
  const action = actionOf(step);
  return Object.entries(COMPANIONS).flatMap(([name, actions]) => {
    const isGiven = step[name as keyof Step] !== undefined;
    if (!isGiven || (action !== null && actions.includes(action))) return [];
    return [`${at([name])}: goes with ${actions.join(' or ')} only`];
  });
}

function controlProblems({ control, params }: Step, at: Locate): string[] {
  if (control === undefined) return [];
  const problem = controlProblem(control);
  if (problem !== null) return [`${at(['control'])}: ${problem}`];
  const { names } = controlCall(control);
  const missing = names.filter(name => params?.[name] === undefined);
  const strange = Object.keys(params ?? {}).filter(name => !names.includes(name));
  return [
    ...missing.map(name => `${at(['control'])}: needs params.${name}, which fills {${name}} in its path`),
    ...strange.map(name => `${at(['params', name])}: is not in its path${suggestion(name, names)}`),
  ];
}

/** Texts that look like matchers but are none. */
function matcherProblems({ expect, webhook }: Step, at: Locate): string[] {
  const texts = [
    ...textsIn(expect?.body, ['expect', 'body']),
    ...textsIn(expect?.headers, ['expect', 'headers']),
    ...textsIn(webhook?.data, ['webhook', 'data']),
  ];
  return texts.flatMap(({ text, path }) => {
    const name = matcherName(text);
    if (name !== null && MATCHERS[name] === undefined) {
      const names = Object.keys(MATCHERS).map(each => `<${each}>`);
      const way = suggestion(text, names) || `; there are ${names.join(', ')}`;
      return [`${at(path)}: ${text} is no matcher${way}`];
    }
    try {
      // What a variable will put there is no part of the expression yet.
      regexIn(text.replace(/\$\{[^}]*\}/g, 'x'));
      return [];
    } catch {
      return [`${at(path)}: ${text} is no valid regular expression`];
    }
  });
}

function textsIn(value: unknown, path: Path): { text: string; path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}
