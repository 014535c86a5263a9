import { stringify } from 'yaml';
import type { Calibration } from '../calibrate.ts';

const HEAD =
  '# Written by card-sandbox calibrate. card-sandbox start --profile FILE answers as this service does.\n';

/**
 * Returns a calibration as a profile: names and settings with which the sandbox answers as the service does, and the
 * observations that they are based on.
 */
export function profileText({ service, observedAt, names, results }: Calibration): string {
  const settings = results.flatMap(({ setting }) => (setting === undefined ? [] : [setting]));
  const observations = results.map(({ id, verdict, setting, evidence }) => [
    id,
    { verdict, ...(setting !== undefined && { setting }), ...evidence },
  ]);
  const profile = {
    service,
    observedAt,
    ...(Object.keys(names).length > 0 && { names }),
    assume: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    observations: Object.fromEntries(observations),
  };
  return HEAD + stringify(profile, { lineWidth: 0, aliasDuplicateObjects: false });
}
