import schemas from './generated/response-schemas.json' with { type: 'json' };

/** A JSON Schema, as far as the responses of the API use it. */
export interface ResponseSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ResponseSchema[];
  readonly oneOf?: readonly ResponseSchema[];
  readonly properties?: Readonly<Record<string, ResponseSchema>>;
  readonly required?: readonly string[];
  readonly items?: ResponseSchema;
  /** `#/$defs/` and the name of another schema. */
  readonly $ref?: string;
  readonly 'x-fidelity'?: string;
}

export const RESPONSE_SCHEMAS: Readonly<Record<string, ResponseSchema>> = schemas;
