import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { ApiError, type RESTClient } from '@kgen/runtime';
import { defineResource, type Resource } from '@kgen/runtime/client';
import { invalidSamplesOf, samplesOf } from '@kgen/testing';
import { loadAll } from 'js-yaml';
import { vi } from 'vitest';
import { deadline } from './cluster-tests.ts';

/** Members of a definition that samples need. */
interface Definition {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly kind: string; readonly plural: string; readonly listKind?: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: never };
      readonly subresources?: { readonly status?: object };
    }[];
  };
}

/** Returns the definitions of a file. */
export function definitionsIn(file: string): readonly Definition[] {
  // seam: other documents are left out by their kind.
  const documents = loadAll(readFileSync(file, 'utf8')) as readonly (Definition | null)[];
  return documents.filter((each): each is Definition => each?.kind === 'CustomResourceDefinition');
}

/** Returns a definition that was written for a test. */
export function definitionOf(definition: object): Definition {
  // seam: a definition of apiextensions.k8s.io/v1.
  return definition as Definition;
}

/** Returns the descriptors of all served versions, as kgen generates them. */
export function resourcesOf({ spec }: Definition): readonly Resource[] {
  const { group, scope, names, versions } = spec;
  const { kind, plural, listKind = `${kind}List` } = names;
  const verbs = ['create', 'get', 'list'] as const;
  return versions
    .filter(({ served }) => served)
    .map(({ name: version, schema, subresources }) =>
      defineResource<Resource>({
        ...{ group, version, kind, plural, listKind, scope, verbs, singular: kind.toLowerCase() },
        ...(subresources?.status === undefined
          ? {}
          : { subresources: { status: ['get', 'update', 'patch'] } }),
        schema: () =>
          Promise.resolve({
            definitions: { it: schema.openAPIV3Schema },
            kinds: { [kind]: 'it' },
            imports: {},
          }),
      }),
    );
}

/** Path of the objects of a resource, in the namespace `default`. */
export function pathOf({ group, version, scope, plural }: Resource): string {
  const home = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${home}${scope === 'Namespaced' ? '/namespaces/default' : ''}/${plural}`;
}

/** Waits until a server serves a resource. */
export async function served(rest: RESTClient, resource: Resource): Promise<void> {
  await vi.waitFor(() => rest.get(pathOf(resource)), deadline);
}

/** Creates samples in a dry run. Returns what is wrong: refused valid ones, and accepted invalid ones. */
export async function mistakes(
  rest: RESTClient,
  resource: Resource,
  { seed, most }: { readonly seed: number; readonly most: number },
): Promise<readonly string[]> {
  const [valid, invalid] = await Promise.all([
    samplesOf(resource, { seed, budget: 60 }),
    invalidSamplesOf(resource, { seed, budget: 60 }),
  ]);
  // Connections that were closed during the computation are noticed before the first request.
  await setImmediate();
  const refused = await Promise.all(
    chosen(valid.samples, most).map(async ({ object, covers }) => {
      const error = await created(rest, resource, object);
      return error === undefined ? [] : [`${covers.join(', ')}: ${error.message}`];
    }),
  );
  const accepted = await Promise.all(
    chosen(invalid.samples, most).map(async ({ object, path, rule }) => {
      const error = await created(rest, resource, object);
      const fields = fieldsOf(error);
      return fields.includes(path) ? [] : [`${path} ${rule}: ${error?.message ?? 'accepted'}`];
    }),
  );
  return [...refused.flat(), ...accepted.flat()];
}

/** Returns at most so many items, evenly spread. */
function chosen<T>(items: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_, index) => index % step === 0);
}

async function created(rest: RESTClient, resource: Resource, body: unknown): Promise<ApiError | undefined> {
  try {
    await rest.post(pathOf(resource), { body, query: { dryRun: 'All', fieldValidation: 'Strict' } });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Returns the fields of the causes, with the keys of maps in both notations. */
function fieldsOf(error: ApiError | undefined): readonly string[] {
  const fields = error?.status?.details?.causes?.map(({ field }) => field ?? '') ?? [];
  return [...fields, ...fields.map((field) => field.replaceAll(/\[([^\]\d][^\]]*)\]/g, '.$1'))];
}
