import { realTime } from '../../core/time/realtime.ts';
import { ConnectionSlots } from './connection-slots.ts';

/**
 * Cap on the sends of a server that have just started. A send takes two or three turns of the event loop, since undici
 * waits for one before it writes to a connection that it has used before. So about 16 responses come in each.
 */
const MAX_STARTING = 40;
/** How long a send without a response counts as just started. */
const STARTING_MS = 10;

/**
 * Spreads the sends of all transports of a server over turns of the event loop. The responses of a fast receiver then
 * come in small numbers, with requests answered between them. A slow receiver is limited by its slots only.
 */
export class SendPace {
  readonly #starts = new ConnectionSlots(MAX_STARTING, MAX_STARTING);

  /**
   * Waits until a send may start; transports take turns. Resolves with the function to call when it has ended, or with
   * null when aborted before.
   */
  async start(transport: string, signal: AbortSignal): Promise<(() => void) | null> {
    const release = await this.#starts.take(transport, signal);
    if (release === null) return null;
    await new Promise<void>(resolve => {
      realTime.after(0, resolve);
    });
    let isStarting = true;
    const end = () => {
      if (!isStarting) return;
      isStarting = false;
      cancel();
      release();
    };
    const cancel = realTime.after(STARTING_MS, end);
    return end;
  }
}
