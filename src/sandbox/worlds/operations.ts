import * as z from 'zod';
import { PartnerKey } from '../../control/world/sandbox.ts';
import { MAX_STATE_BYTES } from '../../control/world/state.ts';
import { partnerKeys } from '../../core/access/partners.ts';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { MAX_BODY_BYTES } from '../../core/request/http.ts';
import type { Duration } from '../../core/values/duration.ts';
import { API_PREFIX, CONTROL_PREFIX } from '../../core/values/plane.ts';
import { durationText } from '../../core/values/schemas/duration-schema.ts';
import { capitalize } from '../../core/values/text.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import type { World } from '../../core/world/world.ts';
import { webhookSecrets } from '../../service/webhooks/records.ts';
import { type CoreOptions, OPTIONS, type OptionName, TTL_FORM, TTL_RULE, WORLD_OPTIONS } from '../options.ts';

const RULE = assumed('worlds');

const ID_RULE = 'must be 1 to 64 letters, digits, _ or -, and begin with a letter or digit';

/** Ids that have another meaning in the path of the dashboard. */
const RESERVED_IDS: readonly string[] = ['assets', 'present'];

const WorldId = z
  .string()
  .regex(/^[a-z\d][\w-]{0,63}$/i, ID_RULE)
  .refine(id => !RESERVED_IDS.includes(id), `must not be ${RESERVED_IDS.join(' or ')}`);

const WorldView = z
  .strictObject({
    id: z.string(),
    url: z.string().describe('Address of the server.'),
    controlUrl: z.string().describe('Prefix of the control plane of this world.'),
    baseUrl: z.string().describe('Base URL of the API; the key selects the world.'),
    dashboardUrl: z.string(),
    createdAt: z.string().describe('Wall time, ISO 8601.'),
    lastUsedAt: z.string().describe('Wall time of the last request, ISO 8601.'),
    partners: z.array(PartnerKey),
    webhookSecrets: z
      .record(z.string(), z.string())
      .describe(
        'Webhook secrets by partner id; where none is configured, the one that forwarding signs with.',
      ),
  })
  .meta({ id: 'World' });

function viewWorld(world: World, url: string): z.input<typeof WorldView> {
  const { id, createdAt, lastUsedAt, state } = world;
  return {
    id,
    url,
    controlUrl: `${url}${CONTROL_PREFIX}/worlds/${id}`,
    baseUrl: url + API_PREFIX,
    dashboardUrl: `${url}/dashboard/${id}`,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTime(lastUsedAt),
    partners: partnerKeys(state),
    webhookSecrets: webhookSecrets(state),
  };
}

/** The options of a new world. Omitted options default to the server's, or to the options of the world that it copies. */
export interface NewWorld extends Omit<CoreOptions, 'fixtures' | 'state'> {
  readonly id?: string | undefined;
  /** Names of fixtures, and documents with the content of fixture files. */
  readonly fixtures?: readonly (string | Readonly<Record<string, unknown>>)[] | undefined;
  readonly from?: string | undefined;
  readonly state?: unknown;
  /** The wall time without a request after which the world ends, such as `1h`; `0` for never. */
  readonly ttl?: Duration | '0' | undefined;
}

const NewWorldBody = z.object({
  id: WorldId.optional().describe('Default: generated.'),
  ...Object.fromEntries(WORLD_OPTIONS.map(name => [name, memberOf(name)])),
  from: z.string().optional().describe('Id of a world to copy as it is now.'),
  state: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('A document from GET /_sandbox/state; a large one is for PUT /_sandbox/worlds/{world}/state.'),
  // `resolveOptions` checks it.
  ttl: (durationText(TTL_RULE).meta(TTL_FORM) as z.ZodType<Duration | '0'>)
    .optional()
    .describe('Wall time without a request after which the world ends, such as `1h`; `0` for never.'),
});

function memberOf(name: OptionName): z.ZodType {
  const { flag, ...option } = OPTIONS[name];
  // The table of options cannot name types of zod.
  const member = (option.member as () => z.ZodType)();
  return member.description === undefined ? member.describe(capitalize(`${flag}.`)) : member;
}

/** Members that say what a world starts with, and cannot be combined with a copy or a document. */
const START_MEMBERS: readonly OptionName[] = ['fixtures', 'seed', 'clock', 'rateLimit'];

function checkStart(body: NewWorld): void {
  if (body.from !== undefined && body.state !== undefined) {
    throw badRequest(RULE, 'body.state: cannot be combined with from; send one of them');
  }
  const source = body.from === undefined ? 'state' : 'from';
  const decided = source === 'from' ? [...START_MEMBERS, 'assume' as const] : START_MEMBERS;
  const other = body[source] === undefined ? undefined : decided.find(name => body[name] !== undefined);
  if (other === undefined) return;
  throw badRequest(RULE, `body.${other}: cannot be combined with ${source}, which decides it; leave it out`);
}

const createWorld = operation({
  id: 'worlds.create',
  isRecorded: false,
  plane: 'control',
  method: 'POST',
  path: '/worlds',
  summary: 'Create a world: a sandbox with a clock, records and API keys of its own',
  fidelity: RULE,
  body: NewWorldBody,
  // Beside the document stand a few options.
  maxBodyBytes: MAX_STATE_BYTES + MAX_BODY_BYTES,
  responses: { 201: WorldView },
  run({ world, linkOrigin, body }) {
    checkStart(body);
    const created = world.worlds.create(body);
    const show = (each: World) => reply(201, viewWorld(each, linkOrigin()));
    return created instanceof Promise ? created.then(show) : show(created);
  },
});

const listWorlds = operation({
  id: 'worlds.list',
  plane: 'control',
  method: 'GET',
  path: '/worlds',
  summary: 'List the worlds of the server, main first',
  fidelity: RULE,
  responses: { 200: z.array(WorldView) },
  run: ({ world, linkOrigin }) =>
    reply(
      200,
      [...world.worlds.all()].map(each => viewWorld(each, linkOrigin())),
    ),
});

const getWorld = operation({
  id: 'worlds.get',
  plane: 'control',
  method: 'GET',
  path: '/worlds/{world}',
  summary: 'Get a world with its partners and keys',
  fidelity: RULE,
  responses: { 200: WorldView },
  run: ({ world: { worlds }, linkOrigin, params }) =>
    reply(200, viewWorld(worlds.existing(params.world), linkOrigin())),
});

const removeWorld = operation({
  id: 'worlds.remove',
  isRecorded: false,
  plane: 'control',
  method: 'DELETE',
  path: '/worlds/{world}',
  summary: 'End a world; webhooks in flight are cancelled and streams end',
  fidelity: RULE,
  responses: { 204: null },
  run({ world: { worlds }, params }) {
    const { id } = worlds.existing(params.world);
    if (worlds.remove(id)) return reply(204, null);
    throw badRequest(RULE, 'the world "main" never ends; POST /_sandbox/reset takes it back to its start');
  },
});

export const worldOperations = [createWorld, listWorlds, getWorld, removeWorld];
