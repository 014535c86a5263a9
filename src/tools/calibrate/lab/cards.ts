import type { Exchange } from '../../evidence.ts';
import { keepUndecided, Undecided } from '../probe.ts';
import { isOk, messageOf, textOf } from '../service/responses.ts';
import type { Lab } from './lab.ts';
import { createCardholder, findDecided, programId } from './people.ts';

const CARDS = '/partner/cards';

/** Sends the request that issues a card, which is cancelled at the end. Resolves with any response. */
export async function tryToIssue(
  lab: Lab,
  members: Readonly<Record<string, unknown>> = {},
): Promise<Exchange> {
  const cardholder = await findDecided(lab, 'approve');
  const issued = await lab.service.post(CARDS, {
    cardholderId: cardholder.id,
    cardProgramId: await programId(lab),
    ...members,
  });
  const id = textOf(issued.body, 'id');
  if (isOk(issued) && id !== '') {
    lab.atEnd(async () => {
      const cancelled = await lab.service.call({ method: 'POST', path: `${CARDS}/${id}/cancel` }, true);
      const isOver = isOk(cancelled) || textOf((await read(lab, id)).body, 'status') === 'cancelled';
      if (!isOver) throw new Error(`card ${id} could not be cancelled: ${messageOf(cancelled)}`);
    });
  }
  return issued;
}

/** Issues one card for all probes. Rejects with Undecided when the service refuses. */
export function issueCard(lab: Lab): Promise<Exchange> {
  return lab.once('card', async () => {
    const issued = await tryToIssue(lab);
    if (isOk(issued) && textOf(issued.body, 'id') !== '') return issued;
    throw new Undecided(
      `a card; the service refused to issue one (${issued.status}: ${messageOf(issued)})`,
      issued,
    );
  });
}

/** Resolves with the id of a card of the service's partner that is active, by activating the issued one if need be. */
export function activeCard(lab: Lab): Promise<string> {
  return lab.once('active card', async () => {
    const issued = await issueCard(lab);
    const id = textOf(issued.body, 'id');
    if (textOf(issued.body, 'status') !== 'active') await changeCard(lab, id, 'activate');
    return id;
  });
}

/** Sends a request that changes the status of a card. */
export function changeCard(lab: Lab, id: string, action: string): Promise<Exchange> {
  return lab.service.post(`${CARDS}/${id}/${action}`);
}

function read(lab: Lab, id: string): Promise<Exchange> {
  return lab.service.call({ method: 'GET', path: `${CARDS}/${id}` }, true);
}

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
  const created = await createCardholder(lab).catch(keepUndecided);
  if (!(created instanceof Undecided)) return describeRaised('cardholder.created', created);
  const issued = await tryToIssue(lab).catch(() => null);
  if (issued !== null && isOk(issued)) return describeRaised('card.issued', issued);
  throw created;
}

function describeRaised(eventType: Raised['eventType'], exchange: Exchange): Raised {
  const { body } = exchange;
  return { eventType, id: textOf(body, 'id'), createdAt: textOf(body, 'createdAt'), exchange };
}
