import { ConfigError } from '../errors.ts';

/**
 * Reads YAML or JSON. The parser is loaded when it is first needed. Messages never repeat a line of the file, which may
 * hold a credential.
 * @throws {ConfigError} with line and column
 */
export async function parseYaml(text: string, source: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, strict: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new ConfigError(
      `${source}:${line}:${col}: not YAML: ${error.code.toLowerCase().replaceAll('_', ' ')}`,
    );
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    // Only aliases can fail here, and their errors add nothing but their names.
    throw new ConfigError(`${source}: the aliases (*name) of the YAML cannot be followed`);
  }
}
