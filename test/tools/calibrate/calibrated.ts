import {
  type CalibrateOptions,
  type Calibration,
  calibrate,
} from '../../../src/tools/calibrate/calibrate.ts';
import { ACME_KEY } from '../../support/sandbox.ts';

/** Calibrates a sandbox in this process, without waiting for anything. */
export function calibrated(origin: string, options: Partial<CalibrateOptions> = {}): Promise<Calibration> {
  return calibrate({
    baseUrl: `${origin}/v1`,
    apiKey: ACME_KEY,
    asyncTimeoutMs: 0,
    webhookSecret: 'a-secret-of-the-calibration',
    signal: new AbortController().signal,
    time: { now: () => Date.now(), sleep: () => Promise.resolve() },
    ...options,
  });
}
