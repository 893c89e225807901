import type { Rule } from './ir.ts';

/**
 * True for a description with a sentence that says, without a condition and of today, that the value is immutable or
 * cannot be updated.
 */
export function saysImmutable(description: string): boolean {
  if (!mentions.test(description)) return false;
  return description
    .split(sentenceEnd)
    .some((sentence) => verdict.test(sentence) && !condition.test(sentence));
}

/** True for the rule of a field that keeps the value it has. */
export function staysEqual({ name, value }: Rule): boolean {
  return name === 'cel' && /^\s*self\s*==\s*oldSelf\s*$/.test(value);
}

/** A fast no for almost every description. */
const mentions = /immutable|\bbe (?:updated|changed|modified)/i;

const sentenceEnd = /[.;!?](?=\s|$)|\n\s*\n/;

const verdict =
  /\b(?:is|are|be|itself|and)\s+immutable\b|\b(?:cannot|can\s?not|can't|may\s+not|must\s+not)\s+be\s+(?:updated|changed|modified)\b/i;

const condition = /\b(?:ensures|except|if|unless|was|were|when|while)\b/i;
