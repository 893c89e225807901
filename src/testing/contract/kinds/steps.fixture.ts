/** Builders of the rows of the tables in this folder. */
import { type Json, type JsonObject, object, omit } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';

/** A kind with the path of its collection. */
export interface Collection {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns a collection of a namespaced kind in the namespace `default`. */
export function collection(apiVersion: string, kind: string, plural: string): Collection {
  return { path: `${root(apiVersion)}/namespaces/default/${plural}`, apiVersion, kind };
}

/** Returns the collection of a cluster-scoped kind. */
export function clusterCollection(apiVersion: string, kind: string, plural: string): Collection {
  return { path: `${root(apiVersion)}/${plural}`, apiVersion, kind };
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function body({ apiVersion, kind }: Collection, name: string, members: JsonObject): JsonObject {
  const rest = omit(members, 'metadata');
  return { apiVersion, kind, metadata: { name, ...object(members, 'metadata') }, ...rest };
}

/** Returns creates of objects that are not stored. */
export function tries(of: Collection, ...members: readonly JsonObject[]): readonly Step[] {
  return members.map((item) => ({
    method: 'POST',
    path: `${of.path}?dryRun=All`,
    body: body(of, 'tried', item),
  }));
}

export function create(of: Collection, name: string, members: JsonObject = {}, query = ''): Step {
  return { method: 'POST', path: `${of.path}${query}`, body: body(of, name, members) };
}

/** Replaces an object, without its resourceVersion. */
export function replace(of: Collection, name: string, members: JsonObject, part = ''): Step {
  return { method: 'PUT', path: `${of.path}/${name}${part}`, body: body(of, name, members) };
}

/** Sends a merge patch. */
export function merge(of: Collection, name: string, patch: Json, part = ''): Step {
  return {
    method: 'PATCH',
    path: `${of.path}/${name}${part}`,
    type: 'application/merge-patch+json',
    body: patch,
  };
}

export function get(of: Collection, name: string, part = ''): Step {
  return { method: 'GET', path: `${of.path}/${name}${part}` };
}

export function list(of: Collection, query = ''): Step {
  return { method: 'GET', path: `${of.path}${query}` };
}

export function remove(of: Collection, name: string, query = ''): Step {
  return { method: 'DELETE', path: `${of.path}/${name}${query}` };
}
