import type { Probe } from '../probe.ts';
import { accessProbes } from './access.ts';
import { cardholderProbes } from './cardholders.ts';
import { cardProbes } from './cards.ts';
import { deliveryProbes } from './deliveries.ts';
import { eventProbes } from './events.ts';
import { filterProbes } from './filters.ts';
import { historyProbes } from './history.ts';
import { inputProbes } from './input.ts';
import { kycProbes } from './kyc.ts';
import { listProbes } from './lists.ts';
import { revealProbes } from './reveal.ts';
import { transactionProbes } from './transactions.ts';
import { webhookConfigProbes } from './webhook-config.ts';

const all: readonly Probe[] = [
  ...accessProbes,
  ...inputProbes,
  ...filterProbes,
  ...listProbes,
  ...transactionProbes,
  ...historyProbes,
  ...cardholderProbes,
  ...kycProbes,
  ...cardProbes,
  ...revealProbes,
  ...webhookConfigProbes,
  ...eventProbes,
  ...deliveryProbes,
];

/** All probes, those that only read first. */
export const probes: readonly Probe[] = [
  ...all.filter(({ needs }) => needs === 'read'),
  ...all.filter(({ needs }) => needs === 'write'),
];
