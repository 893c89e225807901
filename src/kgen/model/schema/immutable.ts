import type { Rule } from '../ir.ts';

/**
 * Returns whether a description contains a sentence that declares, unconditionally and in the present, that
 * the value is immutable or cannot be updated.
 */
export function saysImmutable(description: string): boolean {
  if (!mentions.test(description)) return false;
  return description
    .split(sentenceEnd)
    .some((sentence) => verdict.test(sentence) && !condition.test(sentence));
}

/** Returns whether a rule requires that a field keeps its value. */
export function staysEqual({ name, value }: Rule): boolean {
  return name === 'cel' && /^\s*self\s*==\s*oldSelf\s*$/.test(value);
}

/** Fast check that excludes almost every description. */
const mentions = /immutable|\bbe (?:updated|changed|modified)/i;

const sentenceEnd = /[.;!?](?=\s|$)|\n\s*\n/;

const verdict =
  /\b(?:is|are|be|itself|and)\s+immutable\b|\b(?:cannot|can\s?not|can't|may\s+not|must\s+not)\s+be\s+(?:updated|changed|modified)\b/i;

const condition = /\b(?:ensures|except|if|unless|was|were|when|while)\b/i;
