import type { Exchange } from '../../evidence.ts';
import { Undecided } from '../probe.ts';
import { isOk, textOf } from '../service/responses.ts';
import { tryToIssue } from './cards.ts';
import type { Lab } from './lab.ts';
import { createCardholder } from './people.ts';

/** A request that raises an event. */
export interface Raised {
  readonly eventType: 'cardholder.created' | 'card.issued';
  /** The id of the record that the event is about. */
  readonly id: string;
  /** When the record was created, by the clock of the service. */
  readonly createdAt: string;
  /** The response has the record. */
  readonly exchange: Exchange;
}

/** Creates a cardholder, or issues a card where there is no share token. Rejects with Undecided when neither works. */
export async function raiseEvent(lab: Lab): Promise<Raised> {
  const created = await createCardholder(lab).catch(error => {
    if (error instanceof Undecided) return error;
    throw error;
  });
  if (!(created instanceof Undecided)) return raised('cardholder.created', created);
  const issued = await tryToIssue(lab).catch(() => null);
  if (issued !== null && isOk(issued)) return raised('card.issued', issued);
  throw created;
}

function raised(eventType: Raised['eventType'], exchange: Exchange): Raised {
  const { body } = exchange;
  return { eventType, id: textOf(body, 'id'), createdAt: textOf(body, 'createdAt'), exchange };
}
