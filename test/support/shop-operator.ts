/** An operator with two versions of a kind, and webhooks of each kind. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const types = `import { api, type Condition, type CustomResource, type Int32, type Quantity, version } from 'kgen/api';

/** Desired state of the cart. */
export interface CartSpec {
  /** Pods that serve the cart. @minimum 0 @maximum 10 @default 1 */
  replicas?: Int32;
  /** Currency of the prices. @default "EUR" */
  currency?: 'EUR' | 'USD';
  /** Whether guests may order. */
  guests?: boolean;
  /** Secret with the password of the database. */
  passwordSecret?: { name: string; /** @default "password" */ key?: string };
  /** Resources of each Pod. */
  resources?: { limits?: Record<string, Quantity>; requests?: Record<string, Quantity> };
  /** @pattern ^https:// @format uri */
  callback?: string;
}
export interface CartStatus {
  replicas?: Int32;
  phase?: string;
  /** @listMap type */
  conditions?: Condition[];
}
/** A cart of a shop. */
export interface Cart extends CustomResource<CartSpec, CartStatus> {}
export interface CartV1alpha1Spec {
  size?: Int32;
}
/** A cart of a shop, in its first form. */
export interface CartV1alpha1 extends CustomResource<CartV1alpha1Spec, CartStatus> {}

export default api({
  group: 'shop.example.com',
  kind: 'Cart',
  versions: {
    v1: version<Cart>()({
      storage: true,
      scale: { replicas: 'spec.replicas', statusReplicas: 'status.replicas' },
      selectable: ['spec.currency'],
    }),
    v1alpha1: version<CartV1alpha1>()({}),
  },
});
`;

const client = `import { type CustomCrud, defineResource, type NamespacedResource } from '@kgen/runtime/client';
import type { KubernetesList } from '@kgen/runtime';
import type { Cart, CartV1alpha1 } from '../api/cart.ts';
const shared = {
  group: 'shop.example.com', kind: 'Cart', listKind: 'CartList', plural: 'carts', singular: 'cart',
  scope: 'Namespaced', verbs: [],
} as const;
export const carts: NamespacedResource<Cart, KubernetesList<Cart>, unknown> =
  defineResource({ ...shared, version: 'v1' });
export const alphaCarts: NamespacedResource<CartV1alpha1, KubernetesList<CartV1alpha1>, unknown> =
  defineResource({ ...shared, version: 'v1alpha1' });
`;

const program = `import { converts, defaults, validates, webhooks } from '@kgen/controller/webhooks';
import { alphaCarts, carts } from './client.ts';
export const served = webhooks({
  handlers: [
    defaults(carts, { timeoutSeconds: 5, handle() {} }),
    validates(carts, { objectSelector: { matchLabels: { a: 'b' } }, handle: () => [] }),
    converts(carts, { versions: { v1alpha1: { resource: alphaCarts, toHub: () => ({}), fromHub: () => ({}) } } }),
  ],
});
`;

const sample = (version: string, spec: string): string =>
  `apiVersion: shop.example.com/${version}\nkind: Cart\nmetadata:\n  name: apples\n  namespace: shop\nspec:\n  ${spec}\n`;

const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    ...{ name: 'shop-operator', version: '1.0.0', type: 'module', license: 'MIT', keywords: ['shop'] },
    ...{ description: 'Carts of shops.', homepage: 'https://example.com' },
    ...{ author: 'Ada <ada@example.com>', repository: 'github:example/shop' },
  }),
  'api/cart.ts': types,
  'src/client.ts': client,
  'src/main.ts': program,
  'samples/carts.yaml': `${sample('v1', 'replicas: 2\n  currency: USD')}---\n${sample('v1alpha1', 'size: 2')}`,
};

/** Writes the sources of the operator to a folder. */
export function writeShopOperator(folder: string): void {
  putFiles(folder, files);
}

/** Writes texts, by path, to a folder. */
export function putFiles(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
