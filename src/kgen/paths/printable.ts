/** Excludes names that openapi-typescript cannot print, because it parses them as parts of an address. */
import { type InputProblem, quote, warning } from '../common/problems.ts';
import { type PathItem, type PathSchema, type Paths, partsOf, schemasOf } from './openapi.ts';

/** Returns the paths that can be printed, and a warning for each other path. */
export function printable(paths: Paths): {
  readonly paths: Paths;
  readonly problems: readonly InputProblem[];
} {
  const problems: InputProblem[] = [];
  const kept = [...paths].filter(([path, item]) => {
    const bad = [path, ...namesIn(item)].find((name) => !isDecodable(name));
    if (bad !== undefined) {
      problems.push(
        warning(
          `the path ${quote(path)} is left out of paths.ts: ${quote(bad)} has a % that escapes nothing`,
        ),
      );
    }
    return bad === undefined;
  });
  return { paths: new Map(kept), problems };
}

function namesIn(item: PathItem): readonly string[] {
  return [...item.values()].flatMap((operation) => [
    ...operation.parameters.map(({ name }) => name),
    ...schemasOf(operation).flatMap(propertiesIn),
  ]);
}

function propertiesIn(schema: PathSchema): readonly string[] {
  const own = 'type' in schema && schema.type === 'object' ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...partsOf(schema).flatMap(propertiesIn)];
}

function isDecodable(name: string): boolean {
  try {
    decodeURIComponent(name);
    return true;
  } catch (cause) {
    if (cause instanceof URIError) return false;
    throw cause;
  }
}
