import type { Operation } from '../../core/operation/operation.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { operations, payloads } from '../../sandbox/operations.ts';
import { EARLIER, type ValidInput, validInputs } from '../../sandbox/valid-inputs.ts';
import { conversionOf, examplesOnWire } from '../../service/wire/fields.ts';
import type { Json } from './components.ts';
import { PAYLOADS, RESPONSES, type ResponseExample } from './response-examples.ts';

/** A value of a parameter, and whether it is the id of a record that a new sandbox does not have. */
interface ParamExample {
  readonly value: string;
  readonly isFromEarlier: boolean;
}

/** Methods return a member `examples`, or an empty object when there is nothing to show. */
export class Examples {
  readonly #values: AssumptionValues;

  constructor(values: AssumptionValues) {
    this.#values = values;
  }

  responses(id: string, status: number): Json {
    return this.#shown(RESPONSES.filter(each => each.operation === id && this.#statusOf(each) === status));
  }

  ofStatus(plane: Operation['plane'], status: number): Json {
    const found = RESPONSES.find(
      each => this.#statusOf(each) === status && operationOf(each.operation).plane === plane,
    );
    return this.#shown(found === undefined ? [] : [found]);
  }

  requestBodies(id: string): Json {
    const onWireOf = examplesOnWire(this.#values);
    const { plane, body: schema } = operationOf(id);
    const named = validInputs(id).flatMap(({ summary, body }) => {
      if (body === undefined) return [];
      return { summary, value: plane === 'partner' ? onWireOf(schema, body) : body };
    });
    return toExamples(named);
  }

  payload(type: keyof typeof payloads): Json {
    return { examples: { Sent: { value: this.#sent(type, PAYLOADS[type]) } } };
  }

  param(id: string, name: string): ParamExample | undefined {
    const value = firstOf(id, ({ params }) => params?.[name]);
    if (value === undefined) return undefined;
    return { value, isFromEarlier: Object.values<string>(EARLIER).includes(value) };
  }

  query(id: string, name: string): string | undefined {
    return firstOf(id, ({ query }) => query?.[name]);
  }

  /** The status of a response under the settings. Every 400 of the examples is about invalid input. */
  #statusOf({ status }: ResponseExample): number {
    return status === 400 ? this.#values['invalid-input-status'] : status;
  }

  /** The body of a webhook under the settings. */
  #sent(type: keyof typeof payloads, { data, ...envelope }: { readonly data: unknown }): unknown {
    const shown = examplesOnWire(this.#values)(payloads[type].schema, data);
    return this.#values['webhook-envelope'] === 'data' ? shown : { ...envelope, data: shown };
  }

  /** An example in which the texts of webhook bodies follow the settings, too. */
  #withPayloads(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value), (name, member) => {
      if (name !== 'payload' || typeof member !== 'string') return member;
      const body = JSON.parse(member);
      return JSON.stringify(this.#sent(body.eventType, body));
    });
  }

  #shown(examples: readonly ResponseExample[]): Json {
    const named = examples.map(({ operation: id, summary, status, body }) => {
      const { plane, responses } = operationOf(id);
      const schema = plane === 'partner' ? responses[status] : null;
      const convert = schema ? conversionOf(schema, this.#values) : null;
      const shown = this.#withPayloads(body);
      return { summary, value: convert === null ? shown : convert(shown) };
    });
    return toExamples(named);
  }
}

function operationOf(id: string): Operation {
  const operation = operations.find(each => each.id === id);
  if (operation === undefined) throw new Error(`an example names the unknown operation ${id}`);
  return operation;
}

function firstOf(id: string, valueIn: (input: ValidInput) => string | undefined): string | undefined {
  return validInputs(id)
    .map(valueIn)
    .find(value => value !== undefined);
}

function toExamples(named: readonly { readonly summary: string; readonly value: unknown }[]): Json {
  if (named.length === 0) return {};
  return { examples: Object.fromEntries(named.map(each => [nameFor(each.summary), each])) };
}

function nameFor(summary: string): string {
  return summary.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
}
