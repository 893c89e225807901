import type { JsonObject } from '@kgen/schema/values/json';
import type { ResourceType } from '../resources/type.ts';
import { fieldLabels } from './field-labels.ts';
import { type FieldRequirement, type FieldTerm, matchesFields, parseTerms, resolveFields } from './fields.ts';
import { matchesLabels, parseLabelSelector, type Requirement } from './labels.ts';
import { matchesShards, type parseShardSelector } from './shards.ts';

/** Selection of objects for a list or a watch. */
export interface Selection {
  readonly labels: readonly Requirement[];
  readonly fields: readonly FieldRequirement[];
  readonly shards: ReturnType<typeof parseShardSelector>;
}

/**
 * Reads the label and field selectors of a request.
 * @throws {Failure} 400
 */
export function selectionOf(query: URLSearchParams, type: ResourceType): Omit<Selection, 'shards'> {
  const { labels, terms } = parseSelectors(query);
  return { labels, fields: resolveFields(terms, fieldLabels(type)) };
}

/** The selectors of a request, before the labels of fields are those of a kind. */
export interface ParsedSelectors {
  readonly labels: readonly Requirement[];
  readonly terms: readonly FieldTerm[];
}

/**
 * Reads the selectors of a request.
 * @throws {Failure} 400 for a syntax error
 */
export function parseSelectors(query: URLSearchParams): ParsedSelectors {
  return {
    labels: parseLabelSelector(query.get('labelSelector') ?? ''),
    terms: parseTerms(query.get('fieldSelector') ?? ''),
  };
}

/** Returns whether an object is part of a selection. */
export function isSelected(value: JsonObject, selection: Selection): boolean {
  const { labels, fields, shards } = selection;
  return (
    (labels.length === 0 || matchesLabels(value, labels)) &&
    (fields.length === 0 || matchesFields(value, fields)) &&
    (shards.length === 0 || matchesShards(value, shards))
  );
}

/** Returns whether a selection has labels or fields. The server does not count shards here. */
export function hasSelectors({ labels, fields }: Selection): boolean {
  return labels.length > 0 || fields.length > 0;
}
