import { cards } from './cards.ts';
import { people } from './people.ts';
import { sandbox } from './sandbox.ts';
import type { Step } from './step.ts';

/** Requests to the fixture `starter`, in an order in which each finds what it needs. */
export const tour: readonly Step[] = [...people, ...cards, ...sandbox];
