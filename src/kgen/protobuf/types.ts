/**
 * How Kubernetes' own types are written in protobuf and in JSON: the table that was derived from the Go types. OpenAPI has
 * neither the numbers of fields nor what decides how an absent one reads.
 */

/** Values that are no messages. `double` is eight bytes, the integers are varints. */
export type Scalar = 'string' | 'int32' | 'int64' | 'bool' | 'bytes' | 'double';

/** Messages whose JSON is something of their own. */
export type Special =
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  | 'RawExtension'
  | 'FieldsV1'
  | 'JSON'
  | 'JSONSchemaPropsOrArray'
  | 'JSONSchemaPropsOrBool'
  | 'JSONSchemaPropsOrStringArray';

/** A message of the table, by package and name: `core/v1.Container`, `meta/v1.ObjectMeta`. */
export interface MessageRef {
  readonly message: string;
}

/** What a field holds, or each element of a slice, or each value of a map, whose keys are strings. */
export type Element =
  | { readonly scalar: Scalar }
  | { readonly special: Special }
  | MessageRef
  /** The values of a few maps are slices, in a message of their own: its field 1. */
  | { readonly slice: Element };

/** What a field is in Go: that decides what JSON has where nothing was written. */
export type Shape = 'value' | 'pointer' | 'slice' | 'map';

/** When JSON has no such member: never, when it is empty (of structs: never), or when it is zero. */
export type Omission = 'never' | 'omitempty' | 'omitzero';

/** One field of a message. */
export interface Field {
  readonly number: number;
  /** The name in JSON; of a message whose members stand in their parent's place, undefined. */
  readonly json: string | undefined;
  readonly shape: Shape;
  readonly element: Element;
  readonly omission: Omission;
}

/** One message. */
export interface TableMessage {
  /** Folder of its group version: `core/v1`, `apiextensions.k8s.io/v1`, `meta/v1`. */
  readonly home: string;
  readonly name: string;
  /** By number, ascending. */
  readonly fields: readonly Field[];
  /** In JSON it is the list that is its only field. */
  readonly bare: boolean;
}

/** One kind that has a message. */
export interface TableKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** A key of `messages`. */
  readonly message: string;
  /** Of lists: the key of the message of their items. */
  readonly items?: string;
}

/** The whole table. */
export interface FieldTable {
  /** By `home.name`, as `MessageRef` has it. */
  readonly messages: ReadonlyMap<string, TableMessage>;
  readonly kinds: readonly TableKind[];
}
