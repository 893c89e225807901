/** Checks of nodes of a CRD, which collect findings instead of throwing. */
import type { ProblemSeverity } from '../../common/problems.ts';
import { describe, isList, isObject, own } from '../json.ts';
import type { JsonObject, JsonPath, JsonValue } from './crd-input.ts';

/** A problem at a node of a CRD, before its position is resolved. */
export interface Finding {
  readonly severity: ProblemSeverity;
  readonly path: JsonPath;
  readonly what: string;
}

/** A node with its path. `undefined` stands for an absent node. */
export interface Site {
  readonly path: JsonPath;
  readonly value: JsonValue | undefined;
}

/** Rule for a string, with its description. */
export interface TextRule {
  readonly test: (text: string) => boolean;
  readonly words: string;
}

/** Returns whether a key has no value, which is typical of a truncated file. */
export function isCutOff(site: Site, key: string): boolean {
  return isObject(site.value) && Object.hasOwn(site.value, key) && site.value[key] === null;
}

/** Returns the site of a key. */
export function at(site: Site, key: string): Site {
  const value = isObject(site.value) ? own(site.value, key) : undefined;
  return { path: [...site.path, key], value };
}

/**
 * Reads values from sites and records violations. A result of `undefined` always comes with a finding, except
 * from the `optional…` methods, where the node may be absent.
 */
export class Checker {
  readonly #findings: Finding[] = [];
  #errors = 0;

  /** In the order of the reads. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Number of findings that are errors. */
  get errors(): number {
    return this.#errors;
  }

  /** Records an error at the node, or at its nearest existing ancestor. */
  error(site: Site, what: string): undefined {
    this.#errors += 1;
    this.#findings.push({ severity: 'error', path: site.path, what });
  }

  warning(site: Site, what: string): undefined {
    this.#findings.push({ severity: 'warning', path: site.path, what });
  }

  text(site: Site, rule: TextRule): string | undefined {
    if (site.value === undefined) return this.error(site, `${name(site)} is missing: add ${rule.words}`);
    return this.optionalText(site, rule);
  }

  optionalText(site: Site, rule: TextRule): string | undefined {
    const { value } = site;
    if (value === undefined) return undefined;
    if (typeof value === 'string' && rule.test(value)) return value;
    return this.error(site, `${name(site)} is ${describe(value)}: make it ${rule.words}`);
  }

  object(site: Site): JsonObject | undefined {
    if (site.value === undefined) return this.error(site, `${name(site)} is missing: add it`);
    return this.optionalObject(site);
  }

  optionalObject(site: Site): JsonObject | undefined {
    if (site.value === undefined || isObject(site.value)) return site.value;
    return this.error(site, `${name(site)} is ${describe(site.value)}: make it an object`);
  }

  /** Returns the sites of the items; an empty list if the list is absent. */
  items(site: Site): readonly Site[] {
    if (site.value === undefined) return [];
    if (isList(site.value)) return site.value.map((value, index) => ({ path: [...site.path, index], value }));
    this.error(site, `${name(site)} is ${describe(site.value)}: make it a list`);
    return [];
  }

  /** Returns the items that are strings and match the rule. Other items are recorded as findings. */
  texts(site: Site, rule: TextRule): readonly string[] {
    return this.items(site)
      .map((item) => this.text(item, rule))
      .filter((text) => text !== undefined);
  }

  optionalBoolean(site: Site): boolean | undefined {
    if (site.value === undefined || typeof site.value === 'boolean') return site.value;
    return this.error(site, `${name(site)} is ${describe(site.value)}: make it true or false`);
  }
}

/** Returns a path such as `spec.versions[0].name`. */
export function name(site: Site): string {
  const text = site.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text.replace(/^\./, '');
}
