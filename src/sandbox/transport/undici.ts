// The order matters: the first module runs before undici.

import undici from 'undici';
import { restoreOwnAgent } from './own-fetch.ts';

restoreOwnAgent();

/** The client that sends webhooks. Loaded after the start, because it is large. */
export { undici };
