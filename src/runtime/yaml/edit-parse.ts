/** Parses a string into a document that can be edited. */
import type { CST, Document } from 'yaml';
import { ConfigError } from '../api/errors.ts';
import { editableTags } from './edit-scalars.ts';

type Yaml = typeof import('yaml');

/**
 * Maximum nesting depth. The builder of documents is recursive, and thousands of levels may end the process.
 */
const maxDepth = 200;

/**
 * Returns the document of a string.
 * @throws {ConfigError} invalid YAML, a duplicate key or several documents, with line and column; or a
 * document that is nested too deeply
 */
export async function parseEditable(yaml: Yaml, body: string, source: string): Promise<Document.Parsed> {
  const { faultOf } = await import('./faults.ts');
  const tokens = [...new yaml.Parser().parse(body)];
  if (isTooDeep(tokens)) throw new ConfigError(`${source}: the YAML is nested too deeply`);
  const composer = new yaml.Composer({
    schema: 'failsafe',
    customTags: editableTags,
    resolveKnownTags: false,
    // The parser's own check takes quadratic time.
    uniqueKeys: false,
    // Its warnings, which are process warnings, quote keys of the document.
    logLevel: 'error',
  });
  const [document, second] = composer.compose(tokens, true, body.length);
  if (document === undefined) throw new ConfigError(`${source}: not YAML`);
  const [error] = document.errors;
  const broken = error && { why: error.code.toLowerCase().replaceAll('_', ' '), offset: error.pos[0] };
  const another = second && { why: 'a second document', offset: second.range[0] };
  const fault = broken ?? another ?? faultOf(document);
  if (fault === undefined) return document;
  throw new ConfigError(`${source}:${placeOf(body, fault.offset)}: not YAML: ${fault.why}`);
}

/** Returns a position that starts at 1: `3:1`. */
function placeOf(body: string, offset: number): string {
  const before = body.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Returns whether tokens are nested too deeply. The tokeniser itself is not recursive. */
function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

function partsOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) =>
    [key, value].filter((part) => part !== undefined && part !== null),
  );
}
