/** Inputs of admission: the request as webhooks and policies see it. */

import { type JsonObject, text } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import type { ResourceType } from '../resources/type.ts';

/** Operation of a request. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write, before it is stored. */
export interface Attributes {
  readonly context: Context;
  readonly operation: Operation;
  /** Kind of `object`, which is not that of the resource for subresources such as scale. */
  readonly kind: Kind;
  readonly name: string;
  /** `undefined` for deletions. */
  readonly object: JsonObject | undefined;
  /** `undefined` for creates. */
  readonly old: JsonObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
}

/** Group, version and kind. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the kind of a type. */
export function kindOf({ group, version, kind }: ResourceType): Kind {
  return { group, version, kind };
}

/** Returns the name of the object of a request. */
export function nameIn(context: Context, object: JsonObject | undefined): string {
  return context.name === '' ? text(object, 'metadata', 'name') : context.name;
}
