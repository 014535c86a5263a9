import * as z from 'zod';
import { assumed, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { pageOf, paginate, pagingQuery } from '../../core/store/paging.ts';
import { programs, viewProgram } from './records.ts';
import { CardProgram } from './schema.ts';

const listPrograms = operation({
  id: 'cardPrograms.list',
  plane: 'partner',
  method: 'GET',
  path: '/partner/card-programs',
  summary: 'List card programs',
  fidelity: assumed('card-programs'),
  query: z.object(pagingQuery),
  responses: { 200: pageOf(CardProgram) },
  run({ state, partner, query }) {
    const table = state.table(programs);
    return reply(200, paginate(state, table.ofPartner(partner.id), query, viewProgram));
  },
});

const getProgram = operation({
  id: 'cardPrograms.get',
  plane: 'partner',
  method: 'GET',
  path: '/partner/card-programs/{id}',
  summary: 'Get a card program',
  fidelity: assumed('card-programs'),
  responses: { 200: CardProgram },
  causes: [unknownRecord(programs.kind)],
  run: ({ state, partner, params }) =>
    reply(200, viewProgram(state.table(programs).getOwn(partner.id, params.id))),
});

export const programOperations = [listPrograms, getProgram];
