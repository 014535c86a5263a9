// Prints how the API and the control plane differ from those of an earlier commit, as lines for CHANGELOG.md:
// `node .ci/api-changes.js v0.1.0`. It compares the committed OpenAPI documents.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['docs/openapi.json', 'docs/openapi-control.json'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** What a schema says besides its members. */
const CONSTRAINTS = [
  'type',
  'format',
  'pattern',
  'const',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'default',
];

/**
 * Returns the differences between two OpenAPI documents, one line each: operations, and their parameters, members of
 * bodies, and statuses. Texts for people and examples do not count.
 *
 * @param {object} before
 * @param {object} after
 * @returns {string[]}
 */
export function apiChanges(before, after) {
  const [old, current] = [operationsOf(before), operationsOf(after)];
  const lines = [];
  for (const [name, parts] of current) {
    const previous = old.get(name);
    if (previous === undefined) lines.push(`- \`${name}\` is new.`);
    else lines.push(...partChanges(name, previous, parts));
  }
  for (const name of old.keys()) if (!current.has(name)) lines.push(`- \`${name}\` is removed.`);
  return lines;
}

function partChanges(name, old, current) {
  const lines = [];
  for (const [part, text] of current) {
    const previous = old.get(part);
    if (previous === undefined)
      lines.push(`- \`${name}\`: ${part} is new${text === '' ? '' : ` (${text})`}.`);
    else if (previous !== text) lines.push(`- \`${name}\`: ${part} was ${previous}, and is ${text}.`);
  }
  for (const part of old.keys()) if (!current.has(part)) lines.push(`- \`${name}\`: ${part} is removed.`);
  return lines;
}

/** The operations of a document by method and path, each with its parts and what the document says about them. */
function operationsOf(document) {
  const operations = new Map();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS.filter(each => item[each] !== undefined)) {
      operations.set(`${method.toUpperCase()} ${path}`, partsOf(item[method], document));
    }
  }
  return operations;
}

function partsOf(operation, document) {
  const parts = new Map();
  for (const parameter of operation.parameters ?? []) {
    const { name, in: place, required = false, schema } = resolve(parameter, document);
    parts.set(`${place} parameter \`${name}\``, describe(resolve(schema, document), required));
  }
  const { requestBody, responses } = operation;
  addMembers(parts, 'request member', requestBody?.content?.['application/json']?.schema, document);
  for (const [status, response] of Object.entries(responses ?? {})) {
    parts.set(`status ${status}`, '');
    const { content } = resolve(response, document);
    // Refusals share one body.
    if (Number(status) < 300) {
      addMembers(parts, 'response member', content?.['application/json']?.schema, document);
    }
  }
  return parts;
}

/** Adds the members of a schema at every depth, by their paths: `data[].spendControl.sales`. */
function addMembers(parts, kind, reference, document, path = '', trail = []) {
  if (reference === undefined || trail.includes(reference.$ref ?? '')) return;
  const schema = resolve(reference, document);
  const nested = [...trail, reference.$ref];
  const add = (each, at) => addMembers(parts, kind, each, document, at, nested);
  for (const variant of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
    add(variant, path);
  if (schema.items !== undefined) add(schema.items, `${path}[]`);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`;
    const isRequired = (schema.required ?? []).includes(name);
    const text = describe(resolve(member, document), isRequired);
    const key = `${kind} \`${at}\``;
    // A member that several variants have.
    const known = parts.get(key);
    parts.set(key, known === undefined || known === text ? text : `${known} or ${text}`);
    add(member, at);
  }
}

/** Returns what a schema refers to. */
function resolve(value, document) {
  if (value?.$ref === undefined) return value ?? {};
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((part, name) => part[name], document);
}

function describe(schema, isRequired) {
  const facts = CONSTRAINTS.filter(name => schema[name] !== undefined).map(name =>
    name === 'type' ? [schema.type].flat().join(' or ') : `${name} ${JSON.stringify(schema[name])}`,
  );
  return [isRequired ? 'required' : 'optional', ...facts].join(', ');
}

/** Returns the differences between the documents of an earlier commit and those of the work tree. */
export function changesSince(reference) {
  return DOCUMENTS.flatMap(file => {
    const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 };
    const before = JSON.parse(execFileSync('git', ['show', `${reference}:${file}`], options));
    return apiChanges(before, JSON.parse(readFileSync(join(ROOT, file), 'utf8')));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [reference] = process.argv.slice(2);
  if (reference === undefined) throw new Error('usage: node .ci/api-changes.js TAG');
  const lines = changesSince(reference);
  console.log(
    lines.length === 0 ? 'No operation, parameter, member or status has changed.' : lines.join('\n'),
  );
}
