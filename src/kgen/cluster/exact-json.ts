import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../input/crd-input.ts';

/**
 * Parses JSON; integers that a number cannot hold become `bigint`, as everywhere in the input of CRDs. That takes
 * another parser, which is loaded only for a text with so many digits.
 */
export async function parseExactly(text: string, value: JsonValue): Promise<JsonValue> {
  if (!/(?<![\w.])\d{16,}/.test(text)) return value;
  const { createParser } = await import('../input/yaml.ts');
  const exact = createParser()(text);
  return exact.ok ? ((exact.value ?? null) as JsonValue) : value; // seam: of JSON, the parser builds what JSON can say
}

/** The text of a value: for `bigint` its digits. Undefined for what is too deep to have one. */
export function jsonText(value: JsonValue): string | undefined {
  try {
    return plainText(value) ?? markedText(value);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** Undefined where there is a `bigint`. */
function plainText(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

function markedText(value: JsonValue): string {
  const mark = randomUUID();
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `${mark}${part}` : part,
  );
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
