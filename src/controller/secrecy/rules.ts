/** Values that logs, traces and recordings must not contain. */

/** In place of a value. */
export const redactedText = '(redacted)';

/** Annotation in which `kubectl apply` stores the whole object. */
export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Plural of Secrets, which belong to the core group. */
export const secrets = 'secrets';

/** Returns whether a resource is Secrets, whose annotations may contain their data, too. */
export function isSecret(target: { readonly group: string; readonly resource: string } | undefined): boolean {
  return target?.group === '' && target.resource === secrets;
}
