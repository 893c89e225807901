/** What travels between the server and its clients, in the server's own words. */

export interface WireObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly managedFields?: readonly unknown[];
  };
  readonly spec: { readonly size: number; readonly note: string };
}

/** A change, as the history of the server has it. */
export interface Entry {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** After the change; of a deletion the last state, at the version of the deletion. */
  readonly object: WireObject;
  readonly before: WireObject | undefined;
  /** Nobody can read the object as it is sent. */
  readonly broken: boolean;
  /** The object could not be read at some time: a client may never have heard of it. */
  readonly doubtful: boolean;
}

export const group = 'example.com';
export const plural = 'widgets';
export const kind = 'Widget';

export function keyOf({ metadata }: WireObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

export function versionOf({ metadata }: { readonly metadata: { readonly resourceVersion: string } }): number {
  return Number(metadata.resourceVersion);
}

/** What a client sees that keeps no `managedFields`. */
export function withoutManagedFields(object: WireObject): WireObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The same object as it is sent while it is broken: it says who it is, and not which version. */
export function brokenForm(object: WireObject): unknown {
  const { uid: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}
