import { stringify } from 'yaml';
import { INTERFACE_VERSION, type Plane } from '../../core/values/plane.ts';
import type { Assumption } from '../../core/world/world.ts';
import { operations } from '../../sandbox/operations.ts';
import {
  API_PREFIX,
  CONTROL_PREFIX,
  createNameTranslator,
  type Names,
  VERSION,
} from '../../sandbox/sandbox.ts';
import type { Assume } from '../../service/assumptions/assume.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import { type Settings, settingsOf } from '../../service/assumptions/settings.ts';
import { operationsOnWire } from '../../service/wire/wire.ts';
import { Components, type Json } from './components.ts';
import { Examples } from './examples.ts';
import { headerComponents } from './headers.ts';
import { pathsOf, tagOf } from './paths.ts';
import { refusalsOf, sharedResponses } from './refusals.ts';
import { webhooksOf } from './webhooks.ts';

const DEFAULT_ORIGIN = 'http://127.0.0.1:4242';

const ABOUT = {
  partner: `The card-issuing API as this sandbox simulates it.

The member \`x-fidelity\` of an operation says whether the published interface documents it (\`documented\`, with
\`x-section\`) or whether the sandbox makes an assumption where the interface is silent (\`assumed\`, with the
assumption's id in \`x-assumption\`). Fields and parameters without their own \`x-fidelity\` inherit it from the
operation. \`x-assumed-values\` names the assumed values of an enumeration. \`x-assumptions\` lists all assumptions.

The examples are responses of a new sandbox with the fixture \`starter\`; tokens in them are masked.`,
  control: `Controls the sandbox itself: time, people's decisions, faults, state. It is not part of the simulated service.`,
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
        description: "The partner's API key; in a sandbox it starts with `sk_test_`.",
      },
    },
    use: [{ ApiKey: [] }],
  },
  control: {
    scheme: {
      ControlToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token of the server. Required when the sandbox listens beyond loopback or was started with --control-token.',
      },
    },
    use: [{}, { ControlToken: [] }],
  },
};

/**
 * The OpenAPI 3.1 document of a plane, built from the operation table. `origin` is the address of the sandbox, by default
 * the address of one started without options. The document of the API uses the names and follows the settings.
 */
export function openApiDocument(
  plane: Plane,
  origin: string = DEFAULT_ORIGIN,
  names: Names = {},
  assume: Assume = {},
): Json {
  const document = neutralDocument(plane, origin, settingsOf(plane === 'partner' ? assume : {}));
  const translator = plane === 'partner' ? createNameTranslator(names) : null;
  // The document contains no text of users, so every neutral name in it can be translated. It stays an object.
  return translator === null ? document : (translate(document, translator.text) as Json);
}

function neutralDocument(plane: Plane, origin: string, settings: Settings): Json {
  const { values, texts } = settings;
  const examples = new Examples(values);
  const components = new Components();
  const own = operationsOnWire(operations, values).filter(operation => operation.plane === plane);
  const refusals = refusalsOf(plane, values);
  const paths = pathsOf(own, refusals, components, examples);
  const responses = sharedResponses(plane, refusals, components, examples);
  const webhooks = plane === 'partner' ? { webhooks: webhooksOf(values, components, examples) } : {};
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
    'x-assumptions': assumptions.map(entry => withValue(entry, texts)),
  };
}

function withValue(entry: Assumption, texts: Settings['texts']): Json {
  const { setting, ...rest } = entry;
  return setting === undefined ? rest : { ...rest, setting: { ...setting, value: texts[entry.id] } };
}

function translate(part: unknown, text: (text: string) => string): unknown {
  if (typeof part === 'string') return text(part);
  if (Array.isArray(part)) return part.map(each => translate(each, text));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, member]) => [text(name), translate(member, text)]);
  return Object.fromEntries(members);
}

export function writeDocument(document: Json, format: 'json' | 'yaml'): string {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  // For parsers of YAML 1.1, which take more plain texts for other values, those texts are quoted.
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });
}
