/** Operation of a request, as users know it: the first half of every error message. */
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
