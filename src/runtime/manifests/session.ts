import type { Connection } from '../clientset.ts';
import { DiscoveryClient } from '../discovery/client.ts';
import { RESTMapper } from '../discovery/rest-mapper.ts';
import type { RESTMapping } from '../discovery/types.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import type { DynamicResourceClient } from '../dynamic/verbs.ts';
import { withinLimits } from '../rest/deadline.ts';
import type { Manifest } from './parse.ts';
import type { ManifestObject, ManifestOptions, ManifestTarget } from './types.ts';

/** What one run works with. */
export interface Session {
  readonly dynamic: DynamicClient;
  readonly mapper: RESTMapper;
  /** For objects that name none. */
  readonly namespace: string;
  readonly call: Pick<ManifestOptions, 'signal' | 'impersonate'>;
  readonly dryRun: 'All' | undefined;
}

/**
 * Runs `work` with clients for a target, within the limits of the options, and closes what it opened. With
 * impersonation everything is done as somebody else, but for discovery.
 */
export async function inSession<T>(
  target: ManifestTarget,
  options: ManifestOptions,
  verb: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const connection: Connection = 'rest' in target ? target.rest : target;
  const configured = 'server' in connection ? connection.namespace : undefined;
  const dynamic = new DynamicClient(connection);
  const mapper = new RESTMapper(new DiscoveryClient(dynamic.rest));
  const { namespace = configured ?? 'default', impersonate, dryRun } = options;
  try {
    return await withinLimits(options, { verb, resource: options.source ?? 'manifests' }, (signal) =>
      work({ dynamic, mapper, namespace, call: { signal, impersonate }, dryRun }),
    );
  } finally {
    await dynamic.close();
  }
}

/** A manifest and where it goes. */
export interface Placed {
  readonly object: ManifestObject;
  readonly client: DynamicResourceClient;
}

/** Finds the client of an object, and its namespace. */
export function placed(session: Session, mapping: RESTMapping, manifest: Manifest): Placed {
  const { apiVersion, kind, name, namespace = session.namespace } = manifest;
  const resource = session.dynamic.resource(mapping);
  if (mapping.scope === 'Cluster') return { object: { apiVersion, kind, name }, client: resource };
  return { object: { apiVersion, kind, namespace, name }, client: resource.namespace(namespace) };
}

/** What is known of a manifest before the server is asked. */
export function written({ apiVersion, kind, namespace, name }: Manifest): ManifestObject {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/** An error that stands for an object; but the end of the whole call is no object's failure. */
export function failureOf(session: Session, error: unknown): Error {
  session.call.signal?.throwIfAborted();
  return error instanceof Error ? error : new Error(String(error));
}
