/** Samples of a client that a server creates in dry runs. */
import { ApiError, type RESTClient } from '@kgen/runtime';
import type { Resource } from '@kgen/runtime/client';
import { type Drift, nameOf } from 'kgen/contract';
import { sampleOf, samplesOf } from '../samples/samples.ts';
import { storedElsewhere, storedName } from './stored.ts';

/** Samples to create. */
export interface DryRunOptions {
  readonly namespace: string;
  /** Maximum number of samples. */
  readonly samples: number;
  readonly seed: number;
  /** Whether samples of kinds that another server may store are created. */
  readonly isForAll: boolean;
}

/** Result of `refusedSamples`. */
export interface SampleDrifts {
  readonly drifts: readonly Drift[];
  /** Reason why the samples, or the remaining ones, were not created. */
  readonly unchecked?: string;
}

/** Maximum number of validations in the search for one sample. */
const budget = 60;

/**
 * Creates samples of a resource in dry runs, in which servers validate them and store nothing. Returns a
 * drift for each rule that a sample breaks. After the first sample that is accepted, the object is
 * requested: a server that stored it ignores dry runs, and no other sample is created. If the server refuses
 * samples for another reason, such as missing permissions, the drift is not breaking.
 */
export async function refusedSamples(
  rest: RESTClient,
  resource: Resource,
  options: DryRunOptions,
): Promise<SampleDrifts> {
  const elsewhere = options.isForAll ? undefined : await storedElsewhere(rest, resource);
  if (elsewhere !== undefined) {
    return { drifts: [], unchecked: `${elsewhere}, which may store samples: see the option sampled` };
  }
  const drifts = new Map<string, Drift>();
  const add = (drift: Omit<Drift, 'resource'>): void => {
    drifts.set(`${drift.path} ${drift.message}`, { resource: nameOf(resource), ...drift });
  };
  const path = pathOf(resource, options.namespace);
  let isVerified = false;
  for (const body of await bodiesOf(resource, options)) {
    const { error, created } = await creation(rest, path, body);
    if (error === undefined) {
      const name = isVerified ? undefined : await storedName(rest, resource, path, created);
      isVerified ||= created !== undefined;
      if (name === undefined) continue;
      add(storedDrift(name));
      break;
    }
    for (const drift of driftsIn(error, resource.builtIn === true)) add(drift);
    if (!isAboutBody(error)) return { drifts: [...drifts.values()], unchecked: error.message };
  }
  return { drifts: [...drifts.values()] };
}

function storedDrift(name: string): Omit<Drift, 'resource'> {
  const message = `the server stored the sample ${name} although it was created in a dry run: delete it`;
  return { path: '', kind: 'sample-stored', breaking: true, message };
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

interface Creation {
  readonly error?: ApiError;
  /** The object of the response. Absent if the object existed before: it was validated nevertheless. */
  readonly created?: unknown;
}

async function creation(rest: RESTClient, path: string, body: unknown): Promise<Creation> {
  try {
    return { created: await rest.post(path, { body, query: { dryRun: 'All', fieldValidation: 'Strict' } }) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.reason === 'AlreadyExists' ? {} : { error };
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
  return field.replaceAll(/\[([^\]]*)(\]?)/g, (found, key: string, end: string) => {
    if (key === '' || end === '') return found;
    return /^\d+$/.test(key) ? '[]' : '{}';
  });
}
