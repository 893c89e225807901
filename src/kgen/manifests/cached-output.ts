/** Outputs of earlier runs, which are valid as long as every read of the compiler has the same result. */
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { Cache } from '../common/cache/cache.ts';
import { sha256 } from '../common/cache/cache-entry.ts';
import { version } from '../common/version.ts';
import { type DiskRead, hashOfReads, RecordedDisk } from '../input/modules/disk.ts';
import { findNative } from './declare/native.ts';
import type { DefinitionPlaces } from './definition/definition.ts';
import { type Output, type OutputSources, outputOf } from './output.ts';
import { Places } from './schema/places.ts';

/**
 * Returns the output of an earlier run, or reads the modules. A cache that cannot be read or written has no
 * effect on the result.
 */
export async function cachedOutput(
  sources: OutputSources,
  folder: string,
  part: 'output' | 'definitions' = 'output',
): Promise<Output> {
  const cache = new Cache(folder, `manifests ${sources.cwd}`);
  const entry = await cache.read(part);
  const stored = entry === undefined ? undefined : decoded(entry.body);
  if (stored !== undefined && entry?.tag === tagOf(sources, stored.hash)) return stored.output;
  const disk = new RecordedDisk();
  const output = await outputOf(sources, disk);
  if (disk.hash !== undefined && !output.hasRun) {
    const body = encoded(disk.reads, output);
    cache.write(part, {
      ...{ tag: tagOf(sources, disk.hash), type: 'application/json' },
      ...{ body, hash: sha256(body) },
    });
    await cache.settle();
  }
  return output;
}

/** Hash of everything on which the output depends. */
function tagOf(sources: OutputSources, reads: string | undefined): string {
  const native = sources.program.length === 0 ? findNative(sources.cwd) : undefined;
  return sha256(JSON.stringify([buildOf(), native?.path, native?.version, sources, reads]));
}

/** Identifies this program: its version, and its files if it is not installed as a package. */
function buildOf(): readonly string[] {
  const require = createRequire(import.meta.url);
  const folders = ['kgen', '@kgen/controller', '@kgen/schema', '@kgen/runtime']
    .map((name) => dirname(require.resolve(`${name}/package.json`)))
    .filter((folder) => !/[\\/]node_modules[\\/]/.test(folder));
  return [version, ...folders.flatMap(filesOf)];
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
    if (!/\.(ts|js)$/.test(entry.name) || /\.(d|test|fixture)\.ts$/.test(entry.name)) return [];
    const { mtimeMs, size } = statSync(path);
    return [`${path} ${mtimeMs} ${size}`];
  });
}

/** An output as JSON. */
interface StoredOutput extends Pick<Output, 'problems' | 'metrics'> {
  readonly reads: readonly DiskRead[];
  readonly files: readonly (readonly [path: string, content: string])[];
  readonly apis: readonly (Omit<Output['apis'][number], 'places'> & { readonly places: StoredPlaces })[];
}

interface StoredPlaces extends Pick<DefinitionPlaces, 'file' | 'names'> {
  readonly declaration: Places['entries'];
  readonly schemas: readonly Places['entries'][];
}

function encoded(reads: readonly DiskRead[], { files, apis, problems, metrics }: Output): Uint8Array {
  const stored: StoredOutput = {
    reads,
    files: [...files],
    apis: apis.map(({ file, value, places: { declaration, schemas, ...others } }) => ({
      ...{ file, value },
      places: { ...others, declaration: declaration.entries, schemas: schemas.map(({ entries }) => entries) },
    })),
    problems,
    ...(metrics !== undefined && { metrics }),
  };
  return Buffer.from(writeJson(stored));
}

/** @returns the output, and the hash of its reads at present */
function decoded(
  body: Uint8Array,
): { readonly hash: string | undefined; readonly output: Output } | undefined {
  try {
    // seam: the hash has been checked, so that this is a result of `encoded`, possibly of another version.
    const { reads, files, apis, problems, metrics } = readJson(
      Buffer.from(body).toString(),
    ) as unknown as StoredOutput;
    const read = apis.map(({ places: { declaration, schemas, ...others }, ...api }) => ({
      ...api,
      places: {
        ...others,
        declaration: new Places(declaration),
        schemas: schemas.map((entries) => new Places(entries)),
      },
    }));
    return {
      hash: hashOfReads(reads),
      output: { files: new Map(files), apis: read, hasRun: false, problems, metrics },
    };
  } catch {
    return undefined; // Of another version, whose tag would differ.
  }
}
