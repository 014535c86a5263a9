import * as z from 'zod';
import { partnerKeys } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { API_PREFIX } from '../../core/values/plane.ts';
import type { Assumption, World } from '../../core/world/world.ts';
import { MAIN_WORLD } from '../../core/world/world-state.ts';
import { type OwnProcess, serverOf } from '../own-server.ts';

export const PartnerKey = z.strictObject({ id: z.string(), name: z.string(), apiKey: z.string() });

export const InfoView = z.strictObject({
  version: z.string(),
  baseUrl: z.string(),
  dashboardUrl: z.string(),
  seed: z.int(),
  options: z.record(z.string(), z.unknown()),
  process: z
    .strictObject({
      pid: z.int().describe('Process id on its machine.'),
      instance: z.string().describe('Differs for each process.'),
      startedAt: z.string().describe('Wall time, ISO 8601.'),
    })
    .nullable()
    .describe(
      'The process that does nothing but serve the sandbox. Null where it is part of another program.',
    ),
  partners: z.array(PartnerKey),
  recording: z
    .strictObject({
      file: z.string(),
      world: z.string().describe('The world that was recorded.'),
      entry: z.string().nullable().describe('The last entry of the history that is shown; null for none.'),
    })
    .nullable()
    .describe('The record that `open` shows; null for any other sandbox.'),
});

const SettingValue = z.union([z.string(), z.number(), z.boolean()]);

const AssumptionView = z
  .strictObject({
    id: z.string(),
    section: z.string().describe('The section of the interface that it completes.'),
    decision: z.string(),
    setting: z
      .strictObject({
        name: z.string(),
        type: z.enum(['name', 'choice', 'duration']),
        choices: z.array(SettingValue).optional(),
        default: SettingValue,
        value: SettingValue.describe('The value in this world.'),
      })
      .optional()
      .describe('What can be set instead. Missing where nothing can.'),
  })
  .meta({ id: 'Assumption' });

function viewAssumption({ settings }: World, entry: Assumption): z.input<typeof AssumptionView> {
  const { id, section, decision, setting } = entry;
  return {
    id,
    section,
    decision,
    ...(setting && {
      setting: {
        name: id,
        ...setting,
        choices: setting.choices && [...setting.choices],
        value: settings[id] ?? setting.default,
      },
    }),
  };
}

const health = operation({
  id: 'health',
  plane: 'control',
  method: 'GET',
  path: '/health',
  isPublic: true,
  summary: 'Check that the sandbox is running',
  fidelity: assumed('control-plane'),
  responses: { 200: z.strictObject({ status: z.literal('ok'), version: z.string() }) },
  run: ({ world }) => reply(200, { status: 'ok' as const, version: world.version }),
});

const info = operation({
  id: 'info',
  plane: 'control',
  method: 'GET',
  path: '/info',
  summary: 'Get addresses, options and API keys of the sandbox',
  fidelity: assumed('control-plane'),
  responses: { 200: InfoView },
  run({ state, world, linkOrigin }) {
    const origin = linkOrigin();
    return reply(200, {
      version: world.version,
      baseUrl: origin + API_PREFIX,
      dashboardUrl: `${origin}/dashboard${state.id === MAIN_WORLD ? '' : `/${state.id}`}`,
      seed: state.seed,
      options: { ...world.options },
      process: world === world.worlds.main ? viewProcess(serverOf(world).process) : null,
      partners: partnerKeys(state),
      recording: serverOf(world).recording,
    });
  },
});

function viewProcess(process: OwnProcess | null) {
  if (process === null) return null;
  const { pid, instance, startedAt } = process;
  return { pid, instance, startedAt };
}

const reset = operation({
  id: 'reset',
  plane: 'control',
  method: 'POST',
  path: '/reset',
  summary: 'Reset to the seeded world',
  fidelity: assumed('control-plane'),
  responses: { 204: null },
  run({ world }) {
    const resetting = world.current.reset();
    return resetting instanceof Promise ? resetting.then(() => reply(204, null)) : reply(204, null);
  },
});

const listAssumptions = operation({
  id: 'assumptions.list',
  plane: 'control',
  method: 'GET',
  path: '/assumptions',
  summary: 'List what the sandbox assumes where the interface is silent',
  fidelity: assumed('control-plane'),
  responses: { 200: z.array(AssumptionView) },
  run: ({ world }) =>
    reply(
      200,
      world.assumptions.map(entry => viewAssumption(world, entry)),
    ),
});

export const sandboxOperations = [health, info, reset, listAssumptions];
