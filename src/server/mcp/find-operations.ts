import { suggestion } from '../../core/values/nearest.ts';
import { membersOf } from '../../sandbox/operation-members.ts';
import type { Operation } from './operation-tool.ts';
import { checkNames, type Tool, ToolError, textArgument } from './tool.ts';

/** Creates the tool that searches operations. `toolOf` names the tool that serves one. */
export function findOperations(
  operations: readonly Operation[],
  toolOf: (operation: Operation) => string,
): Tool {
  const ids = operations.map(({ id }) => id);
  return {
    name: 'find_operations',
    description:
      'Search the operations of the API (call_api) and the actions of the other tools. With `operation`, shows what one takes and answers.',
    properties: {
      search: { type: 'string', description: 'Words of the id, path or summary, such as "freeze card".' },
      operation: { type: 'string', description: 'Id of an operation, such as cards.issue.' },
    },
    required: [],
    isReadOnly: true,
    async call(args) {
      checkNames('find_operations', args, ['search', 'operation'], []);
      const id = textArgument(args, 'operation');
      if (id !== undefined) {
        const found = operations.find(each => each.id === id);
        if (found !== undefined) return describe(found, toolOf(found));
        throw new ToolError(
          `no operation with id ${JSON.stringify(id)}${suggestion(id, ids)}`,
          'find_operations with "search" lists the ids',
        );
      }
      const words = (textArgument(args, 'search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const found = operations.filter(each => words.every(word => textOf(each).includes(word)));
      if (found.length === 0) {
        throw new ToolError(
          `no operation matches ${JSON.stringify(words.join(' '))}`,
          'search for fewer or other words; without "search" all operations are listed',
        );
      }
      return found.map(each => ({ id: each.id, call: callOf(each, toolOf(each)), summary: each.summary }));
    },
  };
}

function textOf({ id, method, path, summary }: Operation): string {
  return `${id} ${method} ${path} ${summary}`.toLowerCase();
}

function callOf({ plane, method, path, id }: Operation, tool: string): string {
  return plane === 'partner' ? `call_api ${method} /v1${path}` : `${tool} ${id}`;
}

function describe(operation: Operation, tool: string) {
  const { id, summary, query, body, responses, errors, causes, fidelity } = operation;
  return {
    id,
    call: callOf(operation, tool),
    summary,
    fidelity: fidelity.kind === 'documented' ? `section ${fidelity.section}` : `assumption ${fidelity.id}`,
    query: fieldsOf(query),
    body: fieldsOf(body),
    answers: Object.entries(responses).map(([status, schema]) => ({
      status: Number(status),
      fields: schema === null ? [] : fieldsOf(schema),
    })),
    refusals: [
      ...errors.map(({ status, when }) => `${status}: ${when}`),
      ...causes.filter(each => each.status !== 404).map(each => `${each.status}: ${each.cause}`),
    ],
  };
}

function fieldsOf(schema: Operation['body']): string[] {
  return membersOf(schema).map(({ path, kind, choices, isRequired, about }) => {
    const type = choices === null ? kind : choices.join(' | ');
    return `${path.join('.')}: ${type}${isRequired ? ', required' : ''}${about === null ? '' : ` (${about})`}`;
  });
}
