/** The types of `go/shop` in TypeScript. */
import type { ObjectReference, PodTemplateSpec } from '@kgen/kubernetes/core/v1';
import {
  api,
  type Base64,
  type Condition,
  type CustomResource,
  type Double,
  type Duration,
  type EmbeddedResource,
  type Int32,
  type Int64,
  type IntOrString,
  type LabelSelector,
  type Quantity,
  type Timestamp,
  version,
} from 'kgen/api';

/** @maxLength 9 */
type Name = string;

interface Port {
  name: string;
  /** @minimum 1 @exclusiveMaximum 65536 */
  number: Int32;
}

/** @exactlyOneOf url file @atMostOneOf mode owner @atLeastOneOf url mode */
interface Source {
  url?: string;
  file?: string;
  mode?: Int64;
  owner?: Name;
}

/**
 * @validate !has(self.most) || self.replicas <= self.most -- replicas must not exceed most --
 *   reason=FieldValueForbidden fieldPath=.replicas
 */
interface ShopSpec {
  /** @default 3 */
  replicas?: Int32;
  most?: Int32;
  /** @minLength 1 @pattern ^[a-z]+$ */
  title: string;
  size?: 'small' | 'large';
  names?: Record<string, Name>;
  /** @listMap name @maxItems 16 */
  ports?: Port[];
  /** @listSet */
  tags?: string[];
  /** @maxLength 5 (items) */
  words?: string[];
  /** @immutable */
  storage?: Quantity;
  /** @immutable */
  zone: string;
  surge?: IntOrString;
  pause?: Duration;
  since?: Timestamp;
  selector?: LabelSelector;
  secret?: Base64;
  ratio?: Double;
  any?: unknown;
  note?: string | null;
  object?: EmbeddedResource;
  source?: Source;
  /** @atomic */
  pair?: Port;
  more?: More;
  template?: PodTemplateSpec;
}

/** @minLength 4 */
type LongText = string;

interface Keyed {
  name: string;
  number: Int32;
  value?: string;
}

/** @minProperties 1 @maxProperties 2 */
interface Limited {
  first?: string;
  second?: string;
  third?: string;
}

interface Open {
  known: string;
  [key: string]: unknown;
}

interface Inlined {
  inlined?: string;
}

interface More extends Inlined {
  blobs?: Record<string, Base64>;
  lists?: Record<string, string[]>;
  values?: Record<string, string>;
  nested?: Record<string, Record<string, string>>;
  deep?: Record<string, Record<string, Record<string, string>>>;
  inner?: Record<string, { labels?: Record<string, string> }>;
  floats?: Record<string, Double[]>;
  /** @minLength 4 */
  text: string;
  alias: LongText;
  /** @default "forty" */
  word?: string;
  /** @default ["a", "b"] */
  words?: string[];
  /** @default [{"name": "a", "number": 1}] @listMap name number */
  keyed?: Keyed[];
  open?: Open;
  /** @granular */
  shared?: Record<string, string>;
  /** @atomic */
  whole?: Record<string, string>;
  limited?: Limited;
  free?: unknown;
  /** @pattern ^((100|[0-9]{1,2})%|[0-9]+)$ */
  percent?: IntOrString;
  moment?: Timestamp;
  references?: ObjectReference[];
  /** @exclusiveMinimum 0 @multipleOf 5 */
  step?: Int64;
  /** @minItems 1 @atomic */
  codes?: ('a' | 'b')[];
  /** @format hostname */
  host?: string;
  /** @title Title @example "word" @externalDocs {"url": "https://example.com", "description": "Docs"} */
  titled?: string;
  /** @validate {"rule": "self >= oldSelf.orValue(0)", "optionalOldSelf": true, "messageExpression": "'must not decrease'"} */
  counter?: Int32;
  flag?: string;
  /** @integer */
  plain?: number;
  maybe?: Keyed | null;
  /** @maxLength 3 */
  tag?: string;
}

interface ShopStatus {
  replicas?: Int32;
  selector?: string;
  /** @listMap type */
  conditions?: Condition[];
}

interface Shop extends CustomResource<ShopSpec, ShopStatus> {}

export default api({
  group: 'shop.example.com',
  kind: 'Shop',
  shortNames: ['sh'],
  categories: ['all'],
  versions: {
    v1: version<Shop>()({
      scale: { replicas: 'spec.replicas', statusReplicas: 'status.replicas', selector: 'status.selector' },
      columns: [
        { name: 'Wanted', path: 'spec.replicas' },
        { name: 'Age', path: 'metadata.creationTimestamp' },
      ],
      selectable: ['spec.title'],
    }),
  },
});
