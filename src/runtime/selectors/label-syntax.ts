/**
 * Syntax of label keys and values, with the messages of the API server.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const keyName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const ends = 'and must start and end with an alphanumeric character';
const characters = `alphanumeric characters, '-', '_' or '.', ${ends}`;

/** Returns the API server's error for a DNS-1123 subdomain, or `undefined` if it is valid. */
export function subdomainProblem(value: string): string | undefined {
  if (value.length > 253) return 'must be no more than 253 characters';
  if (subdomain.test(value)) return undefined;
  const rule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ends}`;
  return withPattern(rule, subdomain, "'example.com'");
}

const keyExamples = "'MyName',  or 'my.name',  or '123-abc'";

function withPattern(rule: string, { source }: RegExp, examples: string): string {
  return `${rule} (e.g. ${examples}, regex used for validation is '${source.slice(1, -1)}')`;
}

/**
 * Returns the API server's error for the key of a label or annotation, or for a finalizer; `undefined` if it
 * is valid: `app`, `app.kubernetes.io/name`.
 */
export function labelKeyProblem(key: string): string | undefined {
  const [name = '', prefix, ...others] = key.split('/').reverse();
  if (others.length > 0) {
    const rule = withPattern(`a valid label key must consist of ${characters}`, keyName, keyExamples);
    return `${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  if (prefix === '') return 'prefix part must be non-empty';
  const problem = prefix === undefined ? undefined : subdomainProblem(prefix);
  // The API server counts bytes here.
  if (problem !== undefined) return `prefix part ${problem.replace('253 characters', '253 bytes')}`;
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 bytes';
  if (keyName.test(name)) return undefined;
  const rule = `name part must consist of ${characters}`;
  return withPattern(rule, keyName, keyExamples);
}

/** Returns the API server's error for the value of a label, or `undefined` if it is valid. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 bytes';
  if (labelValue.test(value)) return undefined;
  const rule = `a valid label must be an empty string or consist of ${characters}`;
  return withPattern(rule, labelValue, "'MyValue',  or 'my_value',  or '12345'");
}
