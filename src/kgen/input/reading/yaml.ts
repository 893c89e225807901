/** First, fast parser, which records no positions. */
import * as jsYaml from 'js-yaml';
import { type AliasFault, aliasFault, maxExpandedDepth, mayHaveAnchors } from './aliases.ts';
import { createKeyWatcher } from './keys.ts';
import { yaml11Reading } from './yaml11.ts';

/** Result of parsing one document. */
export type Parsed =
  | {
      readonly ok: true;
      /** Plain objects, lists and scalars; `undefined` for an empty document. */
      readonly value: unknown;
      /** Whether a YAML 1.1 parser would read one of the scalars differently. */
      readonly ambiguous: boolean;
    }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Reason why a document cannot be read: its syntax (with the offset at which parsing stopped), its keys, its
 * depth, or its aliases.
 */
export type Fault =
  | { readonly kind: 'syntax'; readonly reason: string; readonly offset: number }
  | { readonly kind: 'alias'; readonly fault: AliasFault }
  /** A key is a mapping, a list or null. */
  | { readonly kind: 'key' }
  | { readonly kind: 'depth' };

// js-yaml exports its scalar types, but its published declarations omit them.
const { int, merge } = (
  jsYaml as unknown as { readonly types: Readonly<Record<'int' | 'merge', jsYaml.Type>> }
).types;

/** An option of js-yaml that its published declarations omit. */
interface Limits {
  readonly maxDepth: number;
}

/**
 * Returns a fast parser of single documents: YAML 1.2 core schema (JSON included), with merge keys, which the
 * API server supports too. Duplicate keys and keys that are not scalars are rejected, as kubectl does.
 * `__proto__` becomes an own property, and nothing is executed.
 */
export function createParser(): (text: string) => Parsed {
  let ambiguous = false;
  const keys = createKeyWatcher();
  const options: jsYaml.LoadOptions & Limits = {
    maxDepth: maxExpandedDepth,
    schema: watchfulSchema(() => {
      ambiguous = true;
    }),
    listener: keys.listener,
  };
  return (text) => {
    ambiguous = false;
    keys.reset();
    try {
      const value = jsYaml.load(text, options) ?? undefined;
      const fault = mayHaveAnchors(text) ? aliasFault(value) : undefined;
      if (fault !== undefined) return { ok: false, fault: { kind: 'alias', fault } };
      return keys.found() ? { ok: false, fault: { kind: 'key' } } : { ok: true, value, ambiguous };
    } catch (cause) {
      return { ok: false, fault: faultOf(cause) };
    }
  };
}

function faultOf(cause: unknown): Fault {
  if (cause instanceof RangeError) return { kind: 'depth' };
  if (!(cause instanceof jsYaml.YAMLException)) throw cause;
  if (cause.reason.includes('maxDepth')) return { kind: 'depth' };
  if (cause.reason.includes('maxTotalMergeKeys')) return { kind: 'alias', fault: 'too large' };
  return { kind: 'syntax', reason: cause.reason, offset: cause.mark?.position ?? 0 };
}

/**
 * Returns the core schema with merge keys. `notice` is called for each plain scalar that YAML 1.1 parses
 * differently, so that no second pass is needed.
 */
function watchfulSchema(notice: () => void): jsYaml.Schema {
  const differs = (plain: string | null): boolean => plain !== null && yaml11Reading(plain) !== undefined;
  const number = new jsYaml.Type('tag:yaml.org,2002:int', {
    kind: 'scalar',
    resolve: int.resolve,
    construct: (plain: string) => {
      if (differs(plain)) notice();
      return exact(int.construct(plain), plain);
    },
  });
  const text = new jsYaml.Type('tag:yaml.org,2002:str/yaml11', {
    kind: 'scalar',
    resolve: differs,
    construct: (plain: string) => {
      notice();
      return plain;
    },
  });
  return jsYaml.CORE_SCHEMA.extend({ implicit: [number, merge, text] });
}

/** Returns `value`, or a bigint for a decimal integer that a number cannot represent. */
function exact(value: unknown, plain: string): unknown {
  return Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(plain) ? value : BigInt(plain);
}
