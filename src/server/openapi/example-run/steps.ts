import { cards } from './cards.ts';
import { people } from './people.ts';
import { sandbox } from './sandbox.ts';
import type { Step } from './step.ts';

/** The requests of the example run to the fixture `starter`, in an order in which each finds the records that it needs. */
export const steps: readonly Step[] = [...people, ...cards, ...sandbox];
