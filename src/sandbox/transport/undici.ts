import './built-in-fetch.ts';
import undici from 'undici';
import { restoreOwnAgent } from './built-in-fetch.ts';

restoreOwnAgent();

/** Of its Fetch API, what an environment has replaced. Loaded only there, because it is large. */
export { undici };
