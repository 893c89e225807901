/** Names of objects and labels, with the error messages of API servers. */
import { labelKeyProblem, labelValueProblem, subdomainProblem } from '@kgen/runtime/selectors';

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Returns the API server's error for a DNS-1123 label, or `undefined` if it is valid. */
export function labelProblem(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 characters';
  if (label.test(value)) return undefined;
  if (subdomainProblem(value) === undefined) return 'must not contain dots';
  return "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
}

const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Returns the API server's errors for a DNS-1035 label, such as a plural or the name of a service. */
export function label1035Problems(value: string): readonly string[] {
  const form =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  const size = value.length > 63 ? ['must be no more than 63 characters'] : [];
  return label1035.test(value) ? size : [...size, form];
}

export { labelKeyProblem, labelValueProblem, subdomainProblem };
