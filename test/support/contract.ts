import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseUrl } from '../../src/core/values/parse-url.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, of which tests read what they need
type Json = any;

/** A request and its response. The path is below the prefix of the plane, encoded, without query. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Checks exchanges against an OpenAPI document. */
export interface Contract {
  /** Returns the template of a path and method, such as `/partner/cards/{id}`, or undefined when there is none. */
  templateOf(method: string, path: string): string | undefined;
  /** Returns how a response violates the document. Unknown operations have no violations. */
  violations(exchange: Exchange): string[];
  /** Returns how a value violates the schema at a path of the document. */
  problems(path: readonly string[], value: unknown): string[];
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Creates a contract from a document. Schemas are compiled on first use. */
export function createContract(document: Json): Contract {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    formats: { 'date-time': DATE_TIME, uri: text => parseUrl(text) !== null, email: true, e164: true },
  });
  ajv.addSchema(document, 'document');
  // Templates with fewer parameters first, because they match before the others.
  const templates = Object.keys(document.paths)
    .map(template => ({ template, segments: template.split('/') }))
    .sort((a, b) => a.template.split('{').length - b.template.split('{').length);
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(path: readonly string[]): ValidateFunction {
    const key = path.join(' ');
    const known = validators.get(key);
    if (known !== undefined) return known;
    const pointer = path.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `document#/${pointer.join('/')}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    validators.set(key, validate);
    return validate;
  }

  const problems: Contract['problems'] = (path, value) => {
    const validate = validatorOf(path);
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(error => `${error.instancePath || '/'} ${error.message}`);
  };

  const templateOf: Contract['templateOf'] = (method, path) => {
    const requested = path.split('/');
    const found = templates.find(
      ({ template, segments }) =>
        segments.length === requested.length &&
        segments.every((segment, index) => segment.startsWith('{') || segment === requested[index]) &&
        document.paths[template][method.toLowerCase()] !== undefined,
    );
    return found?.template;
  };

  const violations: Contract['violations'] = ({ method, path, status, headers, body }) => {
    const verb = method === 'HEAD' ? 'GET' : method;
    const template = templateOf(verb, path);
    if (template === undefined) return [];
    const declaredPath = ['paths', template, verb.toLowerCase(), 'responses', String(status)];
    const declared = at(document, declaredPath);
    if (declared === undefined) return [`status ${status} is not declared`];
    const responsePath = declared.$ref === undefined ? declaredPath : declared.$ref.slice(2).split('/');
    const response = at(document, responsePath);
    const headerProblems = Object.entries<Json>(response.headers ?? {}).flatMap(([name, { $ref }]) => {
      const { required, schema } = at(document, $ref.slice(2).split('/'));
      const text = headers.get(name);
      if (text === null) return required ? [`header ${name} is missing`] : [];
      const value = schema.type === 'integer' ? Number(text) : text;
      return problems([...$ref.slice(2).split('/'), 'schema'], value).map(each => `header ${name} ${each}`);
    });
    if (method === 'HEAD') return headerProblems;
    if (response.content === undefined)
      return body === null ? headerProblems : [...headerProblems, 'a body is not declared'];
    return [...headerProblems, ...problems([...responsePath, 'content', 'application/json', 'schema'], body)];
  };

  return { templateOf, violations, problems };
}

function at(document: Json, path: readonly string[]): Json {
  return path.reduce((part, key) => part?.[key], document);
}

/** The contracts of the committed documents, which another test keeps up to date. */
export const committed = { partner: lazy('openapi.json'), control: lazy('openapi-control.json') };

function lazy(file: string): () => Contract {
  let contract: Contract | undefined;
  return () => {
    contract ??= createContract(
      JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')),
    );
    return contract;
  };
}
