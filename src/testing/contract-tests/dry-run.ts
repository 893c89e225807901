/** Samples of a client that a server creates in dry runs. */
import { ApiError, type RESTClient } from '@kgen/runtime';
import type { Resource } from '@kgen/runtime/client';
import { type Drift, nameOf } from 'kgen/contract';
import { sampleOf, samplesOf } from '../samples/samples.ts';

/** Samples to create. */
export interface DryRunOptions {
  readonly namespace: string;
  /** Maximum number of samples. */
  readonly samples: number;
  readonly seed: number;
}

/** Maximum number of validations in the search for one sample. */
const budget = 60;

/**
 * Creates samples of a resource in dry runs, in which servers validate them and store nothing. Returns a
 * drift for each rule that a sample breaks. If the server refuses samples for another reason, such as missing
 * permissions, the drift is not breaking.
 */
export async function refusedSamples(
  rest: RESTClient,
  resource: Resource,
  options: DryRunOptions,
): Promise<readonly Drift[]> {
  const drifts = new Map<string, Drift>();
  for (const body of await bodiesOf(resource, options)) {
    const error = await creation(rest, pathOf(resource, options.namespace), body);
    for (const drift of error === undefined ? [] : driftsIn(error, resource.builtIn === true)) {
      drifts.set(`${drift.path} ${drift.message}`, { resource: nameOf(resource), ...drift });
    }
    if (error !== undefined && !isAboutBody(error)) break;
  }
  return [...drifts.values()];
}

/** Samples of built-in kinds vary a usual object by one option each. */
async function bodiesOf(resource: Resource, options: DryRunOptions): Promise<readonly unknown[]> {
  const { namespace, samples: most, seed } = options;
  if (resource.builtIn === true) {
    const seeds = Array.from({ length: most }, (_, index) => seed + index);
    return Promise.all(seeds.map((each) => sampleOf(resource, { seed: each, namespace })));
  }
  const { samples } = await samplesOf(resource, { seed, namespace, budget });
  const step = Math.max(1, Math.ceil(samples.length / most));
  return samples.filter((_, index) => index % step === 0).map(({ object }) => object);
}

function pathOf({ group, version, scope, plural }: Resource, namespace: string): string {
  const home = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return scope === 'Namespaced' ? `${home}/namespaces/${namespace}/${plural}` : `${home}/${plural}`;
}

/** Returns the error of a create request. An object that exists was validated nevertheless. */
async function creation(rest: RESTClient, path: string, body: unknown): Promise<ApiError | undefined> {
  try {
    await rest.post(path, { body, query: { dryRun: 'All', fieldValidation: 'Strict' } });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.reason === 'AlreadyExists' ? undefined : error;
  }
}

/** Webhooks may refuse dry runs, and anything else. */
function isAboutBody({ code, message }: ApiError): boolean {
  return (code === 422 || code === 400) && !message.includes('admission webhook');
}

/**
 * The rules of built-in kinds are not in their schemas: only fields that the server cannot decode show that
 * the schema has changed.
 */
function driftsIn(error: ApiError, isBuiltIn: boolean): readonly Omit<Drift, 'resource'>[] {
  const refused = (path: string, message: string): Omit<Drift, 'resource'> => ({
    path,
    kind: 'sample-refused',
    breaking: !isBuiltIn || error.code === 400,
    message: `a sample is refused: ${message}`,
  });
  if (!isAboutBody(error)) {
    const message = `samples are not checked: ${error.message}`;
    return [{ path: '', kind: 'unavailable', breaking: false, message }];
  }
  const causes = error.status?.details?.causes ?? [];
  if (causes.length > 0) {
    return causes.map(({ field = '', message = '' }) => refused(placeOf(field), message));
  }
  const unknown = [...error.message.matchAll(/(unknown field) "([^"]+)"/g)];
  if (unknown.length === 0) return [refused('', error.message)];
  return unknown.map(([, message = '', field = '']) => refused(placeOf(field), message));
}

/** Returns the place in the schema of a field of an object: `spec.users[].name` for `spec.users[0].name`. */
function placeOf(field: string): string {
  return field.replaceAll(/\[\d+\]/g, '[]').replaceAll(/\[[^\]]+\]/g, '{}');
}
