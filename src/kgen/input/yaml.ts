import * as jsYaml from 'js-yaml';
import { type AliasFault, aliasFault, maxExpandedDepth, mayHaveAnchors } from './aliases.ts';
import { yaml11Reading } from './yaml11.ts';

/** What became of the text of one document. */
export type Parsed =
  | {
      readonly ok: true;
      /** Plain objects, lists and scalars; undefined for a document that says nothing. */
      readonly value: unknown;
      /** True when a scalar in it would mean something else to a YAML 1.1 reader. */
      readonly ambiguous: boolean;
    }
  | { readonly ok: false; readonly fault: Fault };

/** Why a document cannot be read: its syntax (with the offset where reading stopped), or what its aliases do. */
export type Fault =
  | { readonly kind: 'syntax'; readonly reason: string; readonly offset: number }
  | { readonly kind: 'alias'; readonly fault: AliasFault }
  | { readonly kind: 'depth' };

// js-yaml exports its types of scalars; its published declarations leave them out.
const { int, merge } = (jsYaml as unknown as { types: Readonly<Record<'int' | 'merge', jsYaml.Type>> }).types;

/** An option of js-yaml that its published declarations leave out. */
interface Limits {
  readonly maxDepth: number;
}

/**
 * A fast reader of single documents: YAML 1.2 core schema (JSON included), with merge keys, which the API server
 * knows too. Duplicate keys are refused, `__proto__` becomes an own property, nothing is ever executed.
 */
export function createParser(): (text: string) => Parsed {
  let ambiguous = false;
  const options: jsYaml.LoadOptions & Limits = {
    maxDepth: maxExpandedDepth,
    schema: watchfulSchema(() => {
      ambiguous = true;
    }),
  };
  return (text) => {
    ambiguous = false;
    try {
      const value = jsYaml.load(text, options) ?? undefined;
      const fault = mayHaveAnchors(text) ? aliasFault(value) : undefined;
      return fault === undefined
        ? { ok: true, value, ambiguous }
        : { ok: false, fault: { kind: 'alias', fault } };
    } catch (cause) {
      return { ok: false, fault: faultOf(cause) };
    }
  };
}

/** `value`, unless it is a decimal integer that a number cannot hold. */
function exact(value: unknown, plain: string): unknown {
  return Number.isSafeInteger(value) || !/^[-+]?\d+$/.test(plain) ? value : BigInt(plain);
}

function faultOf(cause: unknown): Fault {
  if (cause instanceof RangeError) return { kind: 'depth' };
  if (!(cause instanceof jsYaml.YAMLException)) throw cause;
  if (cause.reason.includes('maxDepth')) return { kind: 'depth' };
  if (cause.reason.includes('maxTotalMergeKeys')) return { kind: 'alias', fault: 'too large' };
  return { kind: 'syntax', reason: cause.reason, offset: cause.mark?.position ?? 0 };
}

/**
 * The core schema with merge keys; `notice` is called for each plain scalar that YAML 1.1 reads differently, with
 * no second look at the text where there is none.
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
