import * as z from 'zod';
import type { Operation } from '../../core/operation/operation.ts';
import { payloads } from '../../sandbox/operations.ts';
import type { Json } from './components.ts';
import { DELIVERIES } from './example-run/sandbox.ts';
import type { Step } from './example-run/step.ts';

/** A request of the example run, and the response to it. */
export interface Example {
  readonly operation: Operation;
  readonly step: Step;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  /** The parsed body of the response, secrets masked; null when it has none. */
  readonly body: unknown;
}

interface DeliveryBody {
  readonly eventType: string;
  readonly payload: string;
}

/** The examples of a document. Methods return a member `examples`, or an empty object when there is none to show. */
export class Examples {
  readonly #examples: readonly Example[];
  readonly #inUnit: (schema: z.ZodType, value: unknown) => unknown;

  /** `inUnit` returns a value with its amounts in the unit of the document. */
  constructor(examples: readonly Example[], inUnit: (schema: z.ZodType, value: unknown) => unknown) {
    this.#examples = examples;
    this.#inUnit = inUnit;
  }

  /** The responses of an operation with a status. */
  responses(id: string, status: number): Json {
    return toExamples(this.#of(id, status), ({ body }) => body);
  }

  /** A response with a status, from any operation of a plane. */
  ofStatus(plane: Operation['plane'], status: number): Json {
    const found = this.#examples.find(
      each => each.operation.plane === plane && each.status === status && isShown(each),
    );
    return toExamples(found === undefined ? [] : [found], ({ body }) => body);
  }

  /** The request bodies that an operation accepted. */
  requestBodies(id: string): Json {
    const accepted = this.#of(id).filter(({ status, step }) => status < 300 && step.body !== undefined);
    return toExamples(accepted, ({ step }) => step.body);
  }

  /** The payload of a webhook of an event type. */
  payload(type: keyof typeof payloads): Json {
    const list = this.#examples.find(({ step }) => step.operation === DELIVERIES)?.body;
    // The example run lists the deliveries, whose schema has these members.
    const delivery = (list as readonly DeliveryBody[] | undefined)?.find(
      ({ eventType }) => eventType === type,
    );
    if (delivery === undefined) return {};
    const { schema } = payloads[type];
    const value = this.#inUnit(
      z.union([z.looseObject({ data: schema }), schema]),
      JSON.parse(delivery.payload),
    );
    return { examples: { Sent: { value } } };
  }

  /**
   * A value of a path parameter of an operation that a new sandbox with the fixture `starter` has, or undefined. Ids
   * that a step takes from an earlier response exist in the run only.
   */
  param(id: string, name: string): string | undefined {
    const inFixture = ({ status, step }: Example) => status < 300 && typeof step.params === 'object';
    return this.#of(id).find(inFixture)?.params[name];
  }

  /** A value of a query parameter of an operation, from a request that succeeded; undefined if none has it. */
  query(id: string, name: string): string | undefined {
    const values = this.#examples.flatMap(({ operation, status, step }) =>
      operation.id === id && status < 300 ? new URLSearchParams(step.query).getAll(name) : [],
    );
    return values[0];
  }

  #of(id: string, status?: number): Example[] {
    return this.#examples.filter(
      each => each.operation.id === id && isShown(each) && (status ?? each.status) === each.status,
    );
  }
}

function isShown({ step }: Example): boolean {
  return step.summary !== undefined;
}

/** Examples under names made of their summaries. */
function toExamples(examples: readonly Example[], valueIn: (example: Example) => unknown): Json {
  if (examples.length === 0) return {};
  const entries = examples.map(example => {
    const summary = example.step.summary ?? '';
    return [nameFor(summary), { summary, value: valueIn(example) }];
  });
  return { examples: Object.fromEntries(entries) };
}

function nameFor(summary: string): string {
  return summary.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
}
