/**
 * Operation of a request: its verb and object. Error messages begin with it:
 * `get pods shop/web-0: 404 NotFound: …`.
 */
export interface RequestOperation {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`, … */
  readonly verb: string;
  /**
   * Plural of the resource, with `/subresource` if there is one; the path for requests without a resource.
   */
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Returns an operation as the beginning of an error message: `get pods shop/web-0`, `get nodes node-1`,
 * `list pods in namespace shop`.
 */
export function describeOperation({ verb, resource, namespace, name }: RequestOperation): string {
  const place = namespace && (name ? ` ${namespace}/` : ` in namespace ${namespace}`);
  return `${verb} ${resource}${place || (name ? ' ' : '')}${name ?? ''}`;
}
