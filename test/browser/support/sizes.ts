import { DEVICES, type PageOptions } from './browser.ts';

/** A wide window and a phone, with their names. */
export const SIZES: readonly (readonly [name: string, options: PageOptions])[] = [
  ['1440x900', { viewport: { width: 1440, height: 900 } }],
  ['390x844', DEVICES.phone],
];
