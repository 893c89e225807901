/** JSON of cached CRDs without loss of large integers. */
import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../input/crd/crd-input.ts';

/**
 * Parses JSON. Integers that a number cannot represent become `bigint`, as in all input of CRDs. This needs
 * another parser, which is loaded only for a string with that many digits.
 */
export async function parseExactly(text: string, value: JsonValue): Promise<JsonValue> {
  if (!/(?<![\w.])\d{16,}/.test(text)) return value;
  const { createParser } = await import('../input/reading/yaml.ts');
  const exact = createParser()(text);
  return exact.ok ? ((exact.value ?? null) as JsonValue) : value; // seam: for JSON, the parser returns JSON values
}

/** Serialises a value, with `bigint` as digits. Returns `undefined` for a value that is too deep. */
export function jsonText(value: JsonValue): string | undefined {
  try {
    return plainText(value) ?? markedText(value);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** Returns `undefined` if the value contains a `bigint`. */
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
