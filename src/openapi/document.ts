import { stringify } from 'yaml';
import type { Plane } from '../kernel/operation/plane.ts';
import { assumptions } from '../sandbox/assumptions/register.ts';
import { operations } from '../sandbox/operations.ts';
import { API_PREFIX, CONTROL_PREFIX, createNameTranslator, type Names, VERSION } from '../sandbox/sandbox.ts';
import { Components, type Json } from './components.ts';
import { type Examples, takeTour, USUAL_ORIGIN } from './examples.ts';
import { headerComponents } from './headers.ts';
import { pathsOf, tagOf } from './paths.ts';
import { sharedResponses } from './refusals.ts';
import { webhooksOf } from './webhooks.ts';

/** Version of the interface that is imitated (interface section 9). */
const INTERFACE_VERSION = '1.0.0';

const ABOUT = {
  partner: `The card-issuing API as this sandbox imitates it.

Each operation says in \`x-fidelity\` whether the published interface documents it (\`documented\`, with \`x-section\`)
or whether the sandbox decided where the interface is silent (\`assumed\`, with the decision's id in
\`x-assumption\`). Fields and parameters that carry no mark of their own are as their operation. All decisions are
listed in \`x-assumptions\`.

The examples are answers that a sandbox has given to the fixture \`starter\`; keys and tokens in them are masked.`,
  control: `What drives the sandbox itself: time, people's decisions, faults, state. It is no part of the imitated service.`,
};
const PREFIX = { partner: API_PREFIX, control: CONTROL_PREFIX };
const TITLE = { partner: 'Card issuing API (sandbox)', control: 'Control plane of card-sandbox' };
const SECURITY = {
  partner: {
    scheme: {
      ApiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-service-api-key',
        description: "The partner's key; in a sandbox it begins with `sk_test_`.",
      },
    },
    use: [{ ApiKey: [] }],
  },
  control: {
    scheme: {
      ControlToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'Needed only where the sandbox listens beyond loopback.',
      },
    },
    use: [{}, { ControlToken: [] }],
  },
};

/** The tour is the same every time, so one is enough. */
let toured: Promise<Examples> | undefined;

/**
 * The OpenAPI 3.1 document of a plane, built from the operation table alone. `origin` is where the sandbox is
 * reached; left out, it is the address of one that was started without options. With names, that of the API is
 * in the partner's words.
 */
export async function openApiDocument(
  plane: Plane,
  origin: string = USUAL_ORIGIN,
  names: Names = {},
): Promise<Json> {
  const document = await neutralDocument(plane, origin);
  const words = plane === 'partner' ? createNameTranslator(names) : null;
  // Whatever stands in the document was written here, so each of the words in it is meant.
  return words === null ? document : (rewritten(document, words.text) as Json);
}

async function neutralDocument(plane: Plane, origin: string): Promise<Json> {
  toured ??= takeTour();
  const examples = await toured;
  const components = new Components();
  const own = operations.filter(operation => operation.plane === plane);
  const paths = pathsOf(own, components, examples);
  const responses = sharedResponses(plane, components, examples);
  const webhooks = plane === 'partner' ? { webhooks: webhooksOf(components, examples) } : {};
  const tags = [...new Set(own.map(tagOf))].map(name => ({ name }));
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE[plane],
      version: plane === 'partner' ? INTERFACE_VERSION : VERSION,
      description: ABOUT[plane],
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin + PREFIX[plane], description: 'A sandbox on this machine' }],
    security: SECURITY[plane].use,
    tags,
    paths,
    ...webhooks,
    components: {
      schemas: components.all(),
      responses,
      headers: headerComponents(plane),
      securitySchemes: SECURITY[plane].scheme,
    },
    'x-assumptions': assumptions,
  };
}

function rewritten(part: unknown, text: (text: string) => string): unknown {
  if (typeof part === 'string') return text(part);
  if (Array.isArray(part)) return part.map(each => rewritten(each, text));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, member]) => [text(name), rewritten(member, text)]);
  return Object.fromEntries(members);
}

/** A document as text, in the format that its readers take. */
export function writeDocument(document: Json, format: 'json' | 'yaml'): string {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  // Quoted so that readers of YAML 1.1, who know more kinds of value, read the same.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });
}
