import { OPERATIONS } from '../../src/client/operation-table.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../src/core/values/plane.ts';
import { EVENT_TYPES } from '../../src/service/webhooks/event-types.ts';

/** What the examples in doc comments use without declaring it. */
const PRELUDE = `
import { setupServer } from 'msw/node';
declare const sandbox: Sandbox;
declare const [cardId, rawBody, secret]: [string, string, string];
declare const request: Request;
`;

/** Names that doc comments have in the form of operations and members. */
const EVENTS: readonly string[] = EVENT_TYPES;
const IDS = OPERATIONS.map(({ id }) => id);
const ROUTES = OPERATIONS.map(
  ({ plane, method, path }) => `${method} ${plane === 'partner' ? API_PREFIX : CONTROL_PREFIX}${path}`,
);

/** The code in the doc comments of declarations. */
export interface HoverTexts {
  /** A program with every example, and with every member that is named. It compiles when they are right. */
  readonly program: string;
  /** The number of examples. */
  readonly examples: number;
  /** The operations that are named and do not exist. */
  readonly unknownRoutes: readonly string[];
}

/** Reads the doc comments of the entry points, by the modules that users import, and of the types that these share. */
export function hoverTexts(entries: Readonly<Record<string, string>>, shared: string): HoverTexts {
  const all = [...Object.values(entries), shared];
  const comments = all.flatMap(text => text.match(/\/\*\*[\s\S]*?\*\//g) ?? []);
  const texts = comments.map(comment => comment.replaceAll(/^\s*(?:\/\*\*|\*\/?) ?|\*\/$/gm, ''));
  const examples = texts.flatMap(text => /@example\n([\s\S]*)/.exec(text)?.[1] ?? []);
  const quoted = [
    ...new Set(texts.flatMap(text => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))),
  ];
  const uses = [...examples, ...quoted.flatMap(useOf)];
  const imports = Object.entries(entries).map(([module, text]) => importAll(module, text));
  const bodies = uses.map((use, index) => `export async function use${index}() {\n${use}\n}\n`);
  const named = quoted.filter(code => /^(?:GET|POST|PUT|PATCH|DELETE) \//.test(code));
  return {
    program: [...imports, PRELUDE, ...bodies].join('\n'),
    examples: examples.length,
    unknownRoutes: named.filter(route => !ROUTES.includes(route)),
  };
}

/** The statement that compiles when a member or a type that a comment names exists; none for other code. */
function useOf(code: string): string[] {
  if (EVENTS.includes(code) || IDS.includes(code)) return [];
  if (/^[A-Z]\w+<.*>$/.test(code)) return [`let it: ${code};`];
  const [, type, member] = /^([A-Z]\w+)\.(\w+)$/.exec(code) ?? [];
  if (type !== undefined) return [`let it: ${type}['${member}'];`];
  if (!/^[a-z]\w*(?:\.[a-z]\w*)+(?:\(.*\))?$/.test(code)) return [];
  return [`void sandbox.${code.replaceAll('{…}', '{} as never')};`];
}

/** An import of everything that a declaration file exports. */
function importAll(module: string, declarations: string): string {
  const lists = [...declarations.matchAll(/^export (type )?\{ (.+) \} from/gm)].flatMap(
    ([, type = '', names = '']) =>
      names.split(', ').map(name => (name.startsWith('type ') ? name : type + name)),
  );
  const own = [...declarations.matchAll(/^export (declare function|interface) (\w+)/gm)].map(
    ([, kind, name]) => (kind === 'interface' ? `type ${name}` : name),
  );
  return `import { ${[...lists, ...own].join(', ')} } from '${module}';`;
}
