/** Returns the current time in the format of Kubernetes: RFC 3339 in UTC, in whole seconds. */
export function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
