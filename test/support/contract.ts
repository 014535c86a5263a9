import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, of which tests read what they need
type Json = any;

/** What was asked, and what came back; the path is below the plane's prefix, still encoded, without query. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Checks exchanges against an OpenAPI document. */
export interface Contract {
  /** The document's template for a path and method, such as `/partner/cards/{id}`; undefined where it has none. */
  templateOf(method: string, path: string): string | undefined;
  /** What of an answer the document does not allow, in words. Of operations that it does not have it says nothing. */
  violations(exchange: Exchange): string[];
  /** What of a value breaks the schema at a place of the document, given as path of keys. */
  problems(place: readonly string[], value: unknown): string[];
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A judge of answers for a document. Schemas are compiled when first needed. */
export function contractOf(document: Json): Contract {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    formats: { 'date-time': DATE_TIME, uri: text => URL.canParse(text), email: true, e164: true },
  });
  ajv.addSchema(document, 'document');
  const templates = Object.keys(document.paths);

  const problems: Contract['problems'] = (place, value) => {
    const pointer = place.map(key => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `document#/${pointer.join('/')}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(error => `${error.instancePath || '/'} ${error.message}`);
  };

  const templateOf: Contract['templateOf'] = (method, path) => {
    const given = path.split('/');
    const fitting = templates.filter(template => {
      const segments = template.split('/');
      return (
        document.paths[template][method.toLowerCase()] !== undefined &&
        segments.length === given.length &&
        segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
      );
    });
    return fitting.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  };

  const violations: Contract['violations'] = ({ method, path, status, headers, body }) => {
    const verb = method === 'HEAD' ? 'GET' : method;
    const template = templateOf(verb, path);
    if (template === undefined) return [];
    const own = ['paths', template, verb.toLowerCase(), 'responses', String(status)];
    const declared = at(document, own);
    if (declared === undefined) return [`status ${status} is not declared`];
    const place = declared.$ref === undefined ? own : declared.$ref.slice(2).split('/');
    const response = at(document, place);
    const found = Object.entries<Json>(response.headers ?? {}).flatMap(([name, { $ref }]) => {
      const { required, schema } = at(document, $ref.slice(2).split('/'));
      const text = headers.get(name);
      if (text === null) return required ? [`header ${name} is missing`] : [];
      const value = schema.type === 'integer' ? Number(text) : text;
      return problems([...$ref.slice(2).split('/'), 'schema'], value).map(each => `header ${name} ${each}`);
    });
    if (method === 'HEAD') return found;
    if (response.content === undefined) return body === null ? found : [...found, 'a body is not declared'];
    return [...found, ...problems([...place, 'content', 'application/json', 'schema'], body)];
  };

  return { templateOf, violations, problems };
}

function at(document: Json, place: readonly string[]): Json {
  return place.reduce((part, key) => part?.[key], document);
}

/** The committed documents, which another test keeps up to date. */
export const committed = { partner: once('openapi.json'), control: once('openapi-control.json') };

function once(file: string): () => Contract {
  let contract: Contract | undefined;
  return () => {
    contract ??= contractOf(JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')));
    return contract;
  };
}
