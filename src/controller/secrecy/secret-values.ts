/** Values of the Secrets that a process has read or written, in bounded memory. */

import { digestOf } from '../apply/canonical.ts';
import { isObject, member, metadataString } from '../members.ts';
import { formsOf, type SecretForm, valuesOf } from './forms.ts';
import { redactedText } from './rules.ts';
import { publicMessage } from './secret-errors.ts';
import { TextFilter } from './text-filter.ts';

/** Limits of the kept values. */
interface Limits {
  /** Forms of all values, of about 300 bytes each. A password has 3 or 4, a key or certificate about 10. */
  readonly forms: number;
}

const defaults: Limits = { forms: 100_000 };
/** Part of the limit that remains after the oldest values were dropped. */
const keptPart = 0.9;

/** Texts without values of Secrets. */
export interface SecretTexts {
  /** Returns a text with `(redacted)` in place of each value. Needs no `this`. */
  readonly mask: (text: string) => string;
  /** Returns the message of an error for records, spans and recordings. */
  messageOf(thrown: unknown): string;
}

/** Values of Secrets, and the masking of texts that contain one. Its methods never throw. */
export class SecretValues implements SecretTexts {
  readonly #limits: Limits;
  /** Forms by the digest of their value, the oldest value first. */
  readonly #values = new Map<string, readonly SecretForm[]>();
  /** Versions of the Secrets whose values are kept, by uid. */
  readonly #versions = new Map<string, string>();
  readonly #filter = new TextFilter();

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Number of values that are masked. */
  get size(): number {
    return this.#values.size;
  }

  /** Keeps the values of a Secret. */
  see(secret: unknown): void {
    if (!this.#isSeen(secret)) this.keep(valuesOf(secret));
  }

  /** Keeps the values of the body of a write: a Secret, or a patch of one. */
  wrote(body: unknown): void {
    this.keep(valuesOf(body));
  }

  /** Keeps values that belong to no Secret, such as the credentials of a request. */
  keep(values: readonly string[]): void {
    for (const value of values) this.#add(value);
    const { forms } = this.#limits;
    if (this.#filter.size > forms || this.#versions.size > forms) this.#drop(forms * keptPart);
  }

  readonly mask = (text: string): string =>
    this.#values.size === 0 ? text : this.#filter.replace(text, redactedText, true);

  messageOf(thrown: unknown): string {
    return this.mask(publicMessage(thrown));
  }

  /**
   * Returns a value in JSON whose strings are masked, except for the names of objects and their kinds. Values
   * that are words of a language remain: names of fields and labels may be the same.
   */
  maskObject(value: unknown): unknown {
    return this.#values.size === 0 ? value : this.#masked(value);
  }

  /** Returns true for a version whose values are kept. Objects with selected fields may have no data. */
  #isSeen(secret: unknown): boolean {
    const [uid, version] = [metadataString(secret, 'uid'), metadataString(secret, 'resourceVersion')];
    if (uid === undefined || version === undefined || member(secret, 'data') === undefined) return false;
    if (this.#versions.get(uid) === version) return true;
    this.#versions.set(uid, version);
    return false;
  }

  #add(value: string): void {
    const digest = digestOf(value);
    if (this.#values.has(digest)) return;
    const forms = formsOf(value);
    if (forms.length === 0) return;
    this.#values.set(digest, forms);
    for (const form of forms) this.#filter.add(form);
  }

  /** Drops the oldest values. Secrets that are read again then add theirs. */
  #drop(most: number): void {
    for (const [digest, forms] of this.#values) {
      if (this.#filter.size <= most) break;
      this.#values.delete(digest);
      for (const form of forms) this.#filter.delete(form);
    }
    this.#versions.clear();
  }

  #masked(value: unknown): unknown {
    if (typeof value === 'string') return this.#filter.replace(value, redactedText, false);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#masked(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, content]) => [
        name,
        identity.has(name) ? content : this.#masked(content),
      ]),
    );
  }
}

/** For texts of which no Secret is known. */
export const noSecrets: SecretTexts = new SecretValues();

/** Members that identify objects and entries. */
export const identity: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'path',
  'type',
]);
