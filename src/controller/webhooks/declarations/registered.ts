/** Facts of declarations on which their registration depends: plain data, as `kgen manifests` reads them. */

import type { WebhookOptions } from './options.ts';

/** Facts of the resource of a webhook, which descriptors contain. */
export interface RegisteredResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Whether the kind is one of Kubernetes itself. */
  readonly builtIn?: boolean | undefined;
}

/** An admission webhook without its function. */
export interface RegisteredAdmission {
  readonly type: 'defaults' | 'validates';
  readonly resource: RegisteredResource;
  readonly options: WebhookOptions & {
    readonly subresource?: string | undefined;
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
  };
}

/** A conversion webhook without its functions. */
export interface RegisteredConversion {
  readonly type: 'converts';
  readonly resource: RegisteredResource;
  readonly options: {
    /** The versions besides that of the resource, by name. */
    readonly versions: Readonly<Record<string, unknown>>;
  };
}

/** A declaration without its functions. */
export type RegisteredDeclaration = RegisteredAdmission | RegisteredConversion;

/** Returns the name of the resource as kubectl prints it: `redisclusters.cache.example.com`. */
export function resourceName({ group, plural }: RegisteredResource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Returns a declaration for messages: `validates(pods/exec)`. */
export function declarationText(declaration: RegisteredDeclaration): string {
  return `${declaration.type}(${[resourceName(declaration.resource), ...subresourceOf(declaration)].join('/')})`;
}

/** Returns the subresource in a list, which is empty for the object itself. */
export function subresourceOf({ options }: RegisteredDeclaration): readonly string[] {
  const subresource = 'subresource' in options ? options.subresource : undefined;
  return subresource === undefined || subresource === '' ? [] : [subresource];
}
