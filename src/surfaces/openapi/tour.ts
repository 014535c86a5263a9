import { cards } from './tour/cards.ts';
import { people } from './tour/people.ts';
import { sandbox } from './tour/sandbox.ts';
import type { Step } from './tour/step.ts';

/** Requests to the fixture `starter`, in an order in which each finds what it needs. */
export const tour: readonly Step[] = [...people, ...cards, ...sandbox];
