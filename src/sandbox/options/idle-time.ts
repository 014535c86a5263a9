import { parseDuration } from '../../core/values/duration.ts';

/** What a world that never ends by itself has in the place of a duration. */
const NEVER = '0';

/** The format of the idle time of worlds, for messages. */
export const IDLE_TIME_RULE = 'must be a duration such as 30m or 1h, or 0 for never';

/** Returns the idle time after which a world ends, in milliseconds, or null for never. Takes only valid texts. */
export function idleTime(text: string): number | null {
  const milliseconds = text === NEVER ? 0 : (parseDuration(text) ?? 0);
  return milliseconds === 0 ? null : milliseconds;
}

/** Whether a text is an idle time. */
export function isIdleTime(text: string): boolean {
  return text === NEVER || parseDuration(text) !== null;
}
