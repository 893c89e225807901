/** Arguments of client methods in tests: plausible values by the names of parameters and options. */

export const namespace = 'the-namespace';
export const objectName = 'the-name';
export const restOfPath = 'the-rest';

/** Values of the placeholders of a path. */
const placeholders: Readonly<Record<string, string>> = {
  namespace,
  name: objectName,
  path: restOfPath,
  logpath: restOfPath,
};

/** Names of the placeholders of a template. */
function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

/** Returns the values of the placeholders of a template. */
export function pathValues(template: string): Readonly<Record<string, string>> {
  return Object.fromEntries(placeholdersOf(template).map((name) => [name, entryOf(placeholders, name)]));
}

/** Returns the path that a call with the arguments of this module requests. */
export function concretePath(template: string): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => entryOf(placeholders, name));
}

const object = { metadata: { name: objectName } };

/** Values of parameters except `options`; a JSON patch is a list. */
const parameters: Readonly<Record<string, unknown>> = {
  name: objectName,
  object,
  intent: object,
  scale: object,
  eviction: {},
  binding: { target: { name: 'the-node' } },
  request: {},
  body: {},
  predicate: () => true,
};

/** Returns the value of a parameter of a method. */
export function argumentOf(name: string, patchType: string | undefined): unknown {
  if (name === 'body' && patchType === 'json') return [];
  return entryOf(parameters, name);
}

/** Values of the options that are sent to the server. */
const options: Readonly<Record<string, string | number | boolean | object>> = {
  // Selection of objects.
  labelSelector: 'app=web',
  fieldSelector: 'metadata.name=web',
  shardSelector: "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')",
  limit: 7,
  pageSize: 7,
  continue: 'the-token',
  resourceVersion: '5',
  resourceVersionMatch: 'Exact',
  timeoutSeconds: 9,
  bookmarks: true,
  // Writes.
  fieldManager: 'the-manager',
  fieldValidation: 'Strict',
  dryRun: 'All',
  force: true,
  // Deletions.
  gracePeriodSeconds: 3,
  propagationPolicy: 'Orphan',
  preconditions: { uid: 'the-uid' },
  // Logs.
  as: 'lines',
  container: 'the-container',
  follow: true,
  insecureSkipTLSVerifyBackend: true,
  limitBytes: 11,
  previous: true,
  sinceSeconds: 13,
  sinceTime: '2026-01-01T00:00:00Z',
  stream: 'Stdout',
  tailLines: 17,
  timestamps: true,
  // Connections.
  command: ['sh', '-c'],
  ports: [80, 443],
  stdin: true,
  stdout: true,
  stderr: true,
  tty: true,
};

/** Returns the value of an option. */
export function optionOf(name: string): string | number | boolean | object {
  return entryOf(options, name);
}

function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  if (value === undefined)
    throw new Error(`no value for ${JSON.stringify(name)}: add one to the tables here`);
  return value;
}
