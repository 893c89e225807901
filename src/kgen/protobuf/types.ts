/**
 * Protobuf and JSON encodings of built-in types: the table that is derived from the Go types. OpenAPI
 * contains neither field numbers nor the rules for absent fields.
 */

/** Values that are not messages. `double` is eight bytes, the integers are varints. */
export type Scalar = 'string' | 'int32' | 'int64' | 'bool' | 'bytes' | 'double';

/** Messages with their own JSON form. */
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

/** The value of a field, each element of a slice, or each value of a map with string keys. */
export type Element =
  | { readonly scalar: Scalar }
  | { readonly special: Special }
  /** The values of a few maps are lists, which are bare messages. */
  | MessageRef;

/**
 * Go type of a field, which determines the JSON of an absent field. `bytes` are a value that is present or
 * absent. A list that is a bare message is a pointer.
 */
export type Shape = 'value' | 'pointer' | 'slice' | 'map';

/**
 * Condition under which the JSON member is omitted: never, if it is empty (structs: never), or if it is zero.
 */
export type Omission = 'never' | 'omitempty' | 'omitzero';

/** One field of a message. */
export interface Field {
  readonly number: number;
  /** Name in JSON; `undefined` for a message that is inlined into its parent. */
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
  /** In ascending order of their numbers. Numbers and names are unique. */
  readonly fields: readonly Field[];
  /** Whether its JSON is the list in its only field, a slice with the number 1. */
  readonly bare: boolean;
}

/** One kind with its message. */
export interface TableKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** A key of `messages`. */
  readonly message: string;
  /** For lists: key of the message of their items. Absent for lists of any kind (`v1` `List`). */
  readonly items?: string;
}

/** The whole table. */
export interface FieldTable {
  /** By `home.name`, as in `MessageRef`. */
  readonly messages: ReadonlyMap<string, TableMessage>;
  readonly kinds: readonly TableKind[];
}

/** Part of the table that is written for one output, decided before the first line is printed. */
export interface CodecPlan {
  readonly table: FieldTable;
  /** Keys of messages whose codecs are part of the runtime. */
  readonly runtimeMessages: ReadonlySet<string>;
  /** Resources of the model whose kind has a codec, such as `apps/v1/Deployment`. */
  readonly resources: ReadonlySet<string>;
  /** Sorted by folder. */
  readonly homes: readonly HomeCodecs[];
}

/** Codecs of one group version, whose folder may contain nothing else. */
export interface HomeCodecs {
  /** Folder of the group version. */
  readonly home: string;
  /** Sorted by kind. Empty if only other homes need its messages. */
  readonly kinds: readonly TableKind[];
  /** Keys of the messages in this module, sorted. */
  readonly messages: readonly string[];
  /** Members of `messages` that other homes use. */
  readonly shared: ReadonlySet<string>;
}
