/** Definitions that become modules and are read again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCrds } from '../../src/kgen/input/load.ts';
import { importDefinitions, servedForm } from '../../src/kgen/manifests/import/import-definitions.ts';
import { normalDefinition } from '../../src/kgen/manifests/import/normal-form.ts';
import { manifests } from '../../src/kgen/manifests/manifests.ts';
import { type JsonObject, text } from '../../src/schema/values/json.ts';
import { writeJson } from '../../src/schema/values/wire.ts';

/** Definitions by name, in normal form. */
export type Definitions = Readonly<Record<string, JsonObject>>;

export interface RoundTrip {
  readonly before: Definitions;
  readonly after: Definitions;
  readonly problems: readonly string[];
}

/** Writes definitions to a file, then as `roundTrip`. */
export async function roundTripOf(definitions: readonly JsonObject[]): Promise<RoundTrip> {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-import-'));
  try {
    const file = join(folder, 'definitions.json');
    writeFileSync(file, writeJson({ apiVersion: 'v1', kind: 'List', items: definitions }));
    return await roundTrip([file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports definitions into a folder in which modules find `kgen/api`, and reads the modules. */
export async function roundTrip(input: readonly string[]): Promise<RoundTrip> {
  const cwd = mkdtempSync(join(import.meta.dirname, '../../node_modules/.round-trip-'));
  try {
    const { crds, problems: known } = await loadCrds({ input, cwd, stdin: process.stdin });
    const imported = await importDefinitions({ input, cwd });
    const read = await manifests({ cwd, mode: 'dry-run' });
    const problems = [...imported.problems, ...read.problems]
      .filter(({ severity, what }) => severity === 'error' && !known.some((problem) => problem.what === what))
      .map(({ what, where }) => `${where?.file}:${where?.line}:${where?.column}: ${what}`);
    return {
      before: byName(crds.map((crd) => servedForm(crd))),
      after: byName(read.apis.map(({ value }) => value)),
      problems,
    };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

function byName(definitions: readonly JsonObject[]): Definitions {
  return Object.fromEntries(
    definitions.map((definition) => [text(definition, 'metadata', 'name'), normalDefinition(definition)]),
  );
}
