/** The types of `go/shop` in TypeScript. */
import type { PodTemplateSpec } from '@kgen/kubernetes/core/v1';
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
  template?: PodTemplateSpec;
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
