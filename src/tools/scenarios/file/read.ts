import { findOperation } from '../../../client/find-operation.ts';
import { OPERATIONS } from '../../../client/operation-table.ts';
import { nearestOperation, suggestion } from '../../../core/values/nearest.ts';
import { CONTROL_PREFIX } from '../../../core/values/plane.ts';
import { FixtureError } from '../../../sandbox/fixtures/file/fixture-error.ts';
import { check, openFile, type Parsed } from '../../../sandbox/fixtures/file/parse.ts';
import { type BuiltInKind, builtInNames, readBuiltIn } from '../../../sandbox/fixtures/file/source.ts';
import { MATCHERS, matcherCalled, matcherName, regexIn } from '../play/matching.ts';
import { ACTIONS, ACTIONS_OF_MEMBER, actionOf, CALL, ScenarioFile, Step } from './schema.ts';
import { referencesIn, textsIn } from './variables.ts';

const SCENARIOS: BuiltInKind = { word: 'scenario', folder: 'scenarios' };

export interface Scenario extends ScenarioFile {
  readonly file: string;
  /** Returns `file:line` of a step, by its index. */
  placeOf(step: number): string;
}

/** Scenarios that `demo` also plays one after the other, by the name of the series. */
const SERIES: Readonly<Record<string, readonly string[]>> = {
  'error-flows': ['errors-in-requests', 'errors-too-late', 'errors-of-the-service'],
};

export const FIRST_STORIES = [
  'kyc-reimport',
  'card-lifecycle',
  'subscription',
  'hotel',
  ...Object.values(SERIES).flat(),
];

const BUILT_IN_VARIABLES = ['run'] as const;

/** Returns the names of the built-in scenarios: those to show first, then the others by name. */
export function scenarioNames(): string[] {
  return [...FIRST_STORIES, ...builtInNames(SCENARIOS).filter(name => !FIRST_STORIES.includes(name))];
}

/** Returns the scenarios of a series; any other name or path alone. */
export function scenariosOf(name: string): readonly string[] {
  return Object.hasOwn(SERIES, name) ? (SERIES[name] ?? []) : [name];
}

/** The built-in scenarios that were read, by name: every server of a process shows them. */
const builtIns = new Map<string, Scenario>();

export function readBuiltInScenario(name: string): Scenario {
  const scenario = builtIns.get(name) ?? readScenario(name);
  builtIns.set(name, scenario);
  return scenario;
}

/** Reads and validates a built-in scenario or a file. Throws a FixtureError with one line per problem. */
export function readScenario(nameOrPath: string): Scenario {
  try {
    const source = readBuiltIn(SCENARIOS, nameOrPath);
    if (source.text.startsWith('{"record":')) {
      throw new FixtureError([`${source.name}: is a record; give it a name that ends in .jsonl`]);
    }
    const opened = openFile(source);
    const { locate } = opened;
    const content = checkWith(opened, checkSteps(opened.content, locate));
    const placeOf = (step: number) => {
      const line = /:(\d+): steps\[\d+\]$/.exec(locate(['steps', step]))?.[1] ?? '1';
      return `${source.name}:${line}`;
    };
    return { ...content, file: source.name, placeOf };
  } catch (error) {
    throw error instanceof FixtureError ? invalidScenario(error.all, error.omitted) : error;
  }
}

export function invalidScenario(problems: readonly string[], omitted = 0): FixtureError {
  return new FixtureError(problems, omitted, 'scenarios');
}

/** Returns the content of a file. Throws its problems together with those that are known already. */
function checkWith({ content: value, locate }: Parsed<unknown>, known: readonly string[]): ScenarioFile {
  try {
    const { content } = check(value, ScenarioFile, locate);
    if (known.length === 0) return content;
  } catch (error) {
    throw error instanceof FixtureError ? new FixtureError([...error.all, ...known], error.omitted) : error;
  }
  throw new FixtureError(known);
}

type Path = readonly (string | number)[];
type Locate = (path: Path) => string;

/**
 * Checks what the schema cannot: how members of a step combine, and which variables have a value at each step. Takes the
 * content of a file that may break the schema, so that all its problems are reported together.
 */
function checkSteps(content: unknown, locate: Locate): string[] {
  const steps = arrayIn(content, 'steps');
  const known = new Set<string>(BUILT_IN_VARIABLES);
  const variables = memberOf(content, 'variables');
  const ofVariables = namesIn(content, 'variables').flatMap(variable => {
    const names = referencesIn(memberOf(variables, variable)).map(({ name }) => name);
    const undefinedNames = names.filter(name => !known.has(name));
    known.add(variable);
    return undefinedNames.map(
      name =>
        `${locate(['variables', variable])}: uses \${${name}}, which has no value${suggestion(name, known) || '; define it above'}`,
    );
  });
  const later = new Set(steps.flatMap(step => namesIn(step, 'capture')));
  const ofSteps = steps.flatMap((raw, index) => {
    const at: Locate = path => locate(['steps', index, ...path]);
    const step = Step.safeParse(raw, { jitless: true }).data;
    const problems = [
      ...(step === undefined
        ? []
        : [...actionProblems(step, at), ...forgedProblems(step, at), ...controlProblems(step, at)]),
      ...reservedNames(raw, 'capture', at),
      ...matcherProblems(raw, at),
      ...referencesIn(raw)
        .filter(({ name }) => !known.has(name))
        .map(({ name, path }) => `${at(path)}: ${undefinedVariable(name, index, known, later)}`),
    ];
    for (const name of namesIn(raw, 'capture')) known.add(name);
    return problems;
  });
  return [...reservedNames(content, 'variables', locate), ...ofVariables, ...ofSteps];
}

/** Reports built-in variables that a file sets: their values would be ignored, or replaced for the other steps. */
function reservedNames(value: unknown, member: string, at: Locate): string[] {
  return namesIn(value, member)
    .filter(name => BUILT_IN_VARIABLES.some(each => each === name))
    .map(name => `${at([member, name])}: is a built-in variable; use another name, or set it with --var`);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function arrayIn(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

function namesIn(value: unknown, name: string): string[] {
  const member = memberOf(value, name);
  return typeof member === 'object' && member !== null ? Object.keys(member) : [];
}

function undefinedVariable(
  name: string,
  step: number,
  known: ReadonlySet<string>,
  later: ReadonlySet<string>,
): string {
  const reference = `step ${step + 1} uses \${${name}}`;
  if (later.has(name)) return `${reference}, which only a later step captures; move that step up`;
  const hint = suggestion(name, known) || '; define it under variables, or capture it in an earlier step';
  return `${reference}, which has no value${hint}`;
}

function actionProblems(step: Step, at: Locate): string[] {
  const actions = ACTIONS.filter(action => step[action] !== undefined);
  if (actions.length === 0 && step.say === undefined) {
    return [`${at([])}: has no action; add one of ${ACTIONS.join(', ')}, or say`];
  }
  if (actions.length > 1) {
    return [
      `${at([actions[1] ?? ''])}: cannot be combined with ${actions[0]}; split the step, which has one action`,
    ];
  }
  const action = actionOf(step);
  return Object.entries(ACTIONS_OF_MEMBER).flatMap(([name, allowed]) => {
    // The keys of this table are names of members.
    const isSet = step[name as keyof Step] !== undefined;
    if (!isSet || (action !== null && allowed.includes(action))) return [];
    return [`${at([name])}: is allowed only with ${allowed.join(' or ')}`];
  });
}

/** Reports expectations of a forged webhook that nothing could be compared with: no server sends it. */
function forgedProblems({ webhook }: Step, at: Locate): string[] {
  if (!webhook?.isForged) return [];
  return (['id', 'status', 'attempts'] as const)
    .filter(name => webhook[name] !== undefined)
    .map(
      name => `${at(['webhook', name])}: is not allowed with isForged, because no server sends that webhook`,
    );
}

function controlProblems({ control }: Step, at: Locate): string[] {
  const [, method = '', path = ''] = CALL.exec(control ?? '') ?? [];
  if (control === undefined || findOperation('control', method, path) !== null) return [];
  const operations = OPERATIONS.filter(({ plane }) => plane === 'control');
  // People copy paths with the prefix of the control plane.
  const own = path.startsWith(`${CONTROL_PREFIX}/`) ? path.slice(CONTROL_PREFIX.length) : path;
  const nearest = nearestOperation(operations, method, own.split('?', 1)[0] ?? '');
  const hint = nearest === null ? '' : `, did you mean ${nearest}?`;
  return [`${at(['control'])}: is not a control operation${hint}`];
}

/** Reports texts that look like matchers or regular expressions but are invalid. */
function matcherProblems(step: unknown, at: Locate): string[] {
  const expect = memberOf(step, 'expect');
  const texts = [
    ...textsIn(memberOf(expect, 'body'), ['expect', 'body']),
    ...textsIn(memberOf(expect, 'headers'), ['expect', 'headers']),
    ...textsIn(memberOf(memberOf(step, 'webhook'), 'data'), ['webhook', 'data']),
  ];
  return texts.flatMap(({ text, path }) => {
    const name = matcherName(text);
    if (name !== null && matcherCalled(name) === undefined) {
      const names = Object.keys(MATCHERS).map(each => `<${each}>`);
      const hint = suggestion(text, names) || `; matchers are ${names.join(', ')}`;
      return [`${at(path)}: ${text} is not a matcher${hint}`];
    }
    try {
      // Variables have no value yet; any text can stand for them.
      regexIn(text.replace(/\$\{[^}]*\}/g, 'x'));
      return [];
    } catch {
      return [`${at(path)}: ${text} is not a valid regular expression`];
    }
  });
}
