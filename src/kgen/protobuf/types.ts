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
  /** The values of a few maps are lists: those are bare messages. */
  | MessageRef;

/**
 * What a field is in Go: that decides what JSON has where nothing was written. `bytes` are a value that is there or not;
 * a list that is a bare message is there or not as well: a pointer.
 */
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
  /** By number, ascending; no two have the same number or the same name. */
  readonly fields: readonly Field[];
  /** In JSON it is the list that is its only field, a slice with the number 1. */
  readonly bare: boolean;
}

/** One kind that has a message. */
export interface TableKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** A key of `messages`. */
  readonly message: string;
  /** Of lists: the key of the message of their items; a list of anything (`v1` `List`) has none. */
  readonly items?: string;
}

/** The whole table. */
export interface FieldTable {
  /** By `home.name`, as `MessageRef` has it. */
  readonly messages: ReadonlyMap<string, TableMessage>;
  readonly kinds: readonly TableKind[];
}

/** What of the table is written for one output: all of it is decided before the first line is printed. */
export interface CodecPlan {
  readonly table: FieldTable;
  /** Keys of messages that the runtime reads and writes itself. */
  readonly runtimeMessages: ReadonlySet<string>;
  /** Resources of the model whose kind has a codec, such as `apps/v1/Deployment`. */
  readonly resources: ReadonlySet<string>;
  /** Sorted by folder. */
  readonly homes: readonly HomeCodecs[];
}

/** The codecs of one group version, whose folder may hold nothing else. */
export interface HomeCodecs {
  /** Folder of the group version. */
  readonly home: string;
  /** Sorted by kind; empty where others only need its messages. */
  readonly kinds: readonly TableKind[];
  /** Keys of the messages that are written here, sorted. */
  readonly messages: readonly string[];
  /** Of `messages`: what other homes need. */
  readonly shared: ReadonlySet<string>;
}
