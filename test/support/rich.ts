import { fileURLToPath } from 'node:url';

/** Fixtures with a program that charges fees (`prog_fees`) and a cardholder of source `api` (`ch_api`). */
export const RICH = ['empty', fileURLToPath(new URL('./rich.yaml', import.meta.url))];
