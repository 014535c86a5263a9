import { computed, signal } from '@preact/signals';

/** A JSON Schema, as far as the console reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** A parameter of a path or a query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An operation of the API or of the control plane. */
export interface Operation {
  readonly id: string;
  readonly plane: Plane;
  readonly method: string;
  /** Below `/v1` or `/_sandbox`, with `{name}` for each parameter. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the JSON body; null for an operation without one. */
  readonly body: Schema | null;
  /** The first example of the body; undefined without one. */
  readonly example: unknown;
}

type Plane = 'partner' | 'control';

interface DocumentOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, Example>> }>
    >;
  };
}

interface Example {
  readonly value?: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, { readonly in?: string; readonly name?: string }>>;
  };
}

/** A document under its plane. Both planes can have a schema of one name. */
interface Loaded {
  readonly plane: Plane;
  readonly document: Document;
}

const loaded = signal<readonly Loaded[]>([]);
let loading: Promise<void> | null = null;

/** Reads the OpenAPI documents of both planes, once. They have the partner's own names, if the sandbox has them. */
export function loadDocuments(): Promise<void> {
  loading ??= Promise.all([read('partner'), read('control')])
    .then(documents => {
      loaded.value = documents;
    })
    .catch(() => {
      // The next page that needs them tries again.
      loading = null;
    });
  return loading;
}

async function read(plane: Plane): Promise<Loaded> {
  const response = await fetch(`/openapi.json?plane=${plane}`);
  return { plane, document: await response.json() };
}

/** All operations, those of the API first. Empty until the documents are read. */
export const operations = computed(() => loaded.value.flatMap(operationsOf));

/** The header that carries the API key. */
export const keyHeader = computed(() => {
  const schemes = loaded.value.find(({ plane }) => plane === 'partner')?.document.components.securitySchemes;
  return Object.values(schemes ?? {}).find(each => each.in === 'header')?.name ?? 'x-service-api-key';
});

/** Returns the schema that a reference of a plane's document refers to, and any other schema unchanged. */
export function resolve(plane: Plane, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  return loaded.value.find(each => each.plane === plane)?.document.components.schemas?.[name] ?? {};
}

function operationsOf({ plane, document }: Loaded): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, each]) => {
      if (each.operationId === undefined) return [];
      const content = each.requestBody?.content?.['application/json'];
      return {
        id: each.operationId,
        plane,
        method: method.toUpperCase(),
        path,
        summary: each.summary ?? '',
        parameters: each.parameters ?? [],
        body: content?.schema ?? null,
        example: Object.values(content?.examples ?? {})[0]?.value,
      };
    }),
  );
}
