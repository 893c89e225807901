import type { Severity } from '../problems.ts';
import type { JsonObject, JsonPath, JsonValue } from './crd-input.ts';
import { describe, isList, isObject, own } from './json.ts';

/** A problem at a node of a CRD, before its place in the text is looked up. */
export interface Finding {
  readonly severity: Severity;
  readonly path: JsonPath;
  readonly what: string;
}

/** A node and the way to it. Undefined stands for a node that is not there. */
export interface Site {
  readonly path: JsonPath;
  readonly value: JsonValue | undefined;
}

/** What a text must look like, and the words for it. */
export interface TextRule {
  readonly test: (text: string) => boolean;
  readonly words: string;
}

/** True for a key that is written without a value: a file that was cut off often ends so. */
export function isCutOff(site: Site, key: string): boolean {
  return isObject(site.value) && Object.hasOwn(site.value, key) && site.value[key] === null;
}

/** The site one key further down. */
export function at(site: Site, key: string): Site {
  const value = isObject(site.value) ? own(site.value, key) : undefined;
  return { path: [...site.path, key], value };
}

/**
 * Asks sites for what they should hold and writes down what they do not. `undefined` answers always come with a
 * finding, except from the `optional…` questions, where the node may simply be absent.
 */
export class Checker {
  readonly #findings: Finding[] = [];
  #errors = 0;

  /** In the order of the questions. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** How many of the findings are errors. */
  get errors(): number {
    return this.#errors;
  }

  /** Points at the node, or at its nearest ancestor in the text. */
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

  /** Sites of the items; none where the list is absent. */
  items(site: Site): readonly Site[] {
    if (site.value === undefined) return [];
    if (isList(site.value)) return site.value.map((value, index) => ({ path: [...site.path, index], value }));
    this.error(site, `${name(site)} is ${describe(site.value)}: make it a list`);
    return [];
  }

  /** Items that are texts under the rule; others leave findings. */
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

/** `spec.versions[0].name` */
export function name(site: Site): string {
  const text = site.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text.replace(/^\./, '');
}
