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
