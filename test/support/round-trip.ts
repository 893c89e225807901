/** Definitions that become modules and are read again. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'kgen';
import { loadCrds } from '../../src/kgen/input/load.ts';
import { importDefinitions, servedForm } from '../../src/kgen/manifests/import/import-definitions.ts';
import { normalDefinition } from '../../src/kgen/manifests/import/normal-form.ts';
import { manifests } from '../../src/kgen/manifests/manifests.ts';
import { array, type JsonObject, object, text } from '../../src/schema/values/json.ts';
import { writeJson } from '../../src/schema/values/wire.ts';

/** Definitions by name, in normal form. */
export type Definitions = Readonly<Record<string, JsonObject>>;

export interface RoundTrip {
  readonly before: Definitions;
  readonly after: Definitions;
  /** The definitions that the modules declare. */
  readonly declared: readonly JsonObject[];
  readonly problems: readonly string[];
}

/** Writes definitions to a file, and returns its round trip. */
export async function roundTripOf(
  definitions: readonly JsonObject[],
  trip: (input: readonly string[]) => Promise<RoundTrip> = roundTrip,
): Promise<RoundTrip> {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-import-'));
  try {
    const file = join(folder, 'definitions.json');
    writeFileSync(file, writeJson({ apiVersion: 'v1', kind: 'List', items: definitions }));
    return await trip([file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports definitions into a folder in which modules find `kgen/api`, and reads the modules. */
export function roundTrip(input: readonly string[]): Promise<RoundTrip> {
  return within(input, async () => ['api']);
}

/** Generates the types of definitions, and reads modules that declare the definitions with these types. */
export function typesRoundTrip(input: readonly string[]): Promise<RoundTrip> {
  return within(input, async ({ cwd, definitions }) => {
    const served = join(cwd, 'served.json');
    writeFileSync(served, writeJson({ apiVersion: 'v1', kind: 'List', items: definitions.map(servedWhole) }));
    const out = join(cwd, 'generated');
    await generate({ input: [served], cwd, out, informers: false, schemas: false });
    const modules = readdirSync(join(cwd, 'api'));
    for (const name of modules) useTypes(join(cwd, 'api', name), out);
    const types = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /types\.ts$/.test(path),
    );
    return ['api', ...types.map((path) => join(out, path))];
  });
}

interface Folder {
  readonly cwd: string;
  readonly definitions: readonly JsonObject[];
}

/** @param prepare returns the paths of the modules to be read */
async function within(
  input: readonly string[],
  prepare: (folder: Folder) => Promise<readonly string[]>,
): Promise<RoundTrip> {
  const cwd = mkdtempSync(join(import.meta.dirname, '../../node_modules/.round-trip-'));
  try {
    const { crds, problems: known } = await loadCrds({ input, cwd, stdin: process.stdin });
    const definitions = crds.map((crd) => servedForm(crd));
    const imported = await importDefinitions({ input, cwd });
    const paths = await prepare({ cwd, definitions });
    const read = await manifests({ cwd, input: paths, mode: 'dry-run' });
    const problems = [...imported.problems, ...read.problems]
      .filter(({ severity, what }) => severity === 'error' && !known.some((problem) => problem.what === what))
      .map(({ what, where }) => `${where?.file}:${where?.line}:${where?.column}: ${what}`);
    const declared = read.apis.map(({ value }) => value);
    return { before: byName(definitions), after: byName(declared), declared, problems };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** Types are generated for served versions only. */
function servedWhole(definition: JsonObject): JsonObject {
  const spec = object(definition, 'spec');
  const versions = array(spec, 'versions').map((version) => ({
    ...object({ version }, 'version'),
    served: true,
  }));
  return { ...definition, spec: { ...spec, versions } };
}

/** Replaces the interfaces of an imported module by generated ones. */
function useTypes(file: string, out: string): void {
  const content = readFileSync(file, 'utf8');
  const call = content.slice(content.indexOf('export default api('));
  const group = /^ {2}group: '(.*)',$/m.exec(call)?.[1] ?? '';
  const kind = /^ {2}kind: '(.*)',$/m.exec(call)?.[1] ?? '';
  const imports = [`import { api, version } from 'kgen/api';`];
  const declared = call.replace(/^ {4}('?)(\w+)\1: version<\w+>/gm, (_, quote: string, name: string) => {
    const module = join(out, group, name, 'types.ts');
    const constant = `kind?: '${kind}' | undefined;`;
    const before = readFileSync(module, 'utf8').split(constant, 1)[0] ?? '';
    const type = [...before.matchAll(/^export interface (\w+) \{$/gm)].at(-1)?.[1] ?? '';
    imports.push(`import type { ${type} as Type${imports.length} } from '${module}';`);
    return `    ${quote}${name}${quote}: version<Type${imports.length - 1}>`;
  });
  writeFileSync(file, `${imports.join('\n')}\n\n${declared}`);
}

function byName(definitions: readonly JsonObject[]): Definitions {
  return Object.fromEntries(
    definitions.map((definition) => [text(definition, 'metadata', 'name'), normalDefinition(definition)]),
  );
}
