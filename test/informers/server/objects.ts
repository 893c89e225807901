/** Objects between the server and its clients, in the format of the server. */

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

/** A change in the history of the server. */
export interface Entry {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** After the change; of a deletion the last state, at the version of the deletion. */
  readonly object: WireObject;
  readonly before: WireObject | undefined;
  /** Clients cannot decode the object. */
  readonly broken: boolean;
  /** The object could not be decoded at some time: a client may never have received it. */
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

/** Returns the object without `managedFields`. */
export function withoutManagedFields(object: WireObject): WireObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Returns the object in its broken form: it has its identity, but no version. */
export function brokenForm(object: WireObject): unknown {
  const { uid: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}
