import * as z from 'zod';
import { rotateApiKey } from '../../core/access/key-rotation.ts';
import { currentKey, type Partner, type PartnerSettings, partners } from '../../core/access/partners.ts';
import { SettingsChange } from '../../core/access/settings-schema.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { toAmount } from '../../core/values/money.ts';
import { Duration } from '../../core/values/schemas/duration-schema.ts';
import { isoTime, TimestampText } from '../../core/values/timestamp.ts';
import { scheduleLowCheck } from '../../service/balance/rules.ts';
import { programs } from '../../service/programs/records.ts';
import { serverOf } from '../own-server.ts';

const DEFAULT_GRACE_PERIOD = '24h';

const PartnerView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    apiKey: z.string(),
    createdAt: TimestampText,
  })
  .meta({ id: 'Partner' });

const Settings = z
  .strictObject({
    ipAllowList: z.array(z.string()),
    allowedOrigins: z.array(z.string()),
    rateLimitPerMinute: z.int(),
    lowThreshold: z.number(),
    alertThreshold: z.number(),
  })
  .meta({ id: 'PartnerSettings' });

function viewSettings(settings: PartnerSettings): z.input<typeof Settings> {
  return {
    ipAllowList: [...settings.ipAllowList],
    allowedOrigins: [...settings.allowedOrigins],
    rateLimitPerMinute: settings.rateLimitPerMinute,
    lowThreshold: toAmount(settings.lowThreshold),
    alertThreshold: toAmount(settings.alertThreshold),
  };
}

const listPartners = operation({
  id: 'partners.list',
  plane: 'control',
  method: 'GET',
  path: '/partners',
  summary: 'List partners with their current API keys',
  fidelity: assumed('control-plane'),
  responses: { 200: z.array(PartnerView) },
  run({ state }) {
    const all = [...state.table(partners).all()];
    return reply(
      200,
      all.map(({ id, name, createdAt }) => ({ id, name, apiKey: currentKey(state, id), createdAt })),
    );
  },
});

const addPartner = operation({
  id: 'partners.add',
  plane: 'control',
  method: 'POST',
  path: '/partners',
  summary: 'Add a partner with an API key and the records of a fixture',
  fidelity: assumed('new-partners'),
  body: z.object({
    name: z.string().min(1).optional().describe('Default: the id of the partner.'),
    fixture: z
      .string()
      .optional()
      .describe(
        "Name of a fixture whose first partner's records it gets. Default: empty, a card program only.",
      ),
  }),
  responses: {
    201: PartnerView.extend({ programId: z.string().nullable().describe('Id of its first card program.') }),
  },
  errors: [{ status: 409, when: 'The state of the world was replaced while the partner was added.' }],
  run({ state, world, body }) {
    const added = serverOf(world).addPartner(world, body);
    const show = ({ id, name, createdAt }: Partner) => {
      const programId = state.table(programs).ofPartner(id).at(0)?.id ?? null;
      return reply(201, { id, name, apiKey: currentKey(state, id), createdAt, programId });
    };
    return added instanceof Promise ? added.then(show) : show(added);
  },
});

const getSettings = operation({
  id: 'partners.getSettings',
  plane: 'control',
  method: 'GET',
  path: '/partners/{id}/settings',
  summary: "Get a partner's settings",
  fidelity: assumed('partner-settings'),
  responses: { 200: Settings },
  run: ({ state, params }) => reply(200, viewSettings(state.table(partners).existing(params.id).settings)),
});

const updateSettings = operation({
  id: 'partners.updateSettings',
  plane: 'control',
  method: 'PATCH',
  path: '/partners/{id}/settings',
  summary: "Change a partner's settings; omitted settings are kept",
  fidelity: assumed('partner-settings'),
  body: SettingsChange,
  responses: { 200: Settings },
  run({ state, params, body }) {
    const table = state.table(partners);
    const { settings } = table.existing(params.id);
    const changed = table.update(params.id, { settings: { ...settings, ...body } });
    scheduleLowCheck(state, changed.id);
    return reply(200, viewSettings(changed.settings));
  },
});

const rotateKey = operation({
  id: 'partners.rotateKey',
  plane: 'control',
  method: 'POST',
  path: '/partners/{id}/keys/rotate',
  summary: 'Issue a new API key; the old one works until its grace period ends',
  fidelity: assumed('key-rotation'),
  body: z.object({
    gracePeriod: Duration.prefault(DEFAULT_GRACE_PERIOD).describe(
      'How long the old key works, on the sandbox clock.',
    ),
  }),
  responses: { 200: z.strictObject({ apiKey: z.string(), previousKeyValidUntil: TimestampText }) },
  run({ state, world, params, body }) {
    const { id } = state.table(partners).existing(params.id);
    const { key, previousValidUntil } = rotateApiKey(state, id, body.gracePeriod);
    world.coverage.note('', 'key-rotated', state.clock);
    return reply(200, { apiKey: key.id, previousKeyValidUntil: isoTime(previousValidUntil) });
  },
});

export const partnerOperations = [listPartners, addPartner, getSettings, updateSettings, rotateKey];
