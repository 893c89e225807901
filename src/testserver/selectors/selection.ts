/** Selectors of requests for lists, watches and collections. */
import {
  type FieldRequirement as FieldTerm,
  type LabelRequirement,
  matchLabels,
  parseFieldSelector,
  parseLabelSelector,
} from '@kgen/runtime/selectors';
import { type JsonObject, object } from '@kgen/schema/values/json';
import { badRequest } from '../errors/failures.ts';
import type { ResourceType } from '../resources/type.ts';
import { fieldLabels } from './field-labels.ts';
import { type FieldRequirement, matchesFields, resolveFields } from './fields.ts';
import { matchesShards, type parseShardSelector } from './shards.ts';

/** Selection of objects for a list or a watch. */
export interface Selection {
  readonly labels: readonly LabelRequirement[];
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
  readonly labels: readonly LabelRequirement[];
  readonly terms: readonly FieldTerm[];
}

/**
 * Reads the selectors of a request.
 * @throws {Failure} 400 for a syntax error
 */
export function parseSelectors(query: URLSearchParams): ParsedSelectors {
  return {
    labels: parsed(parseLabelSelector, query.get('labelSelector')),
    terms: parsed(parseFieldSelector, query.get('fieldSelector')),
  };
}

function parsed<R>(parse: (text: string) => R, selector: string | null): R {
  try {
    return parse(selector ?? '');
  } catch (error) {
    throw error instanceof TypeError ? badRequest(String(error.cause)) : error;
  }
}

/** Returns whether an object is part of a selection. */
export function isSelected(value: JsonObject, selection: Selection): boolean {
  const { labels, fields, shards } = selection;
  return (
    (labels.length === 0 || matchLabels(object(value, 'metadata', 'labels'), labels)) &&
    (fields.length === 0 || matchesFields(value, fields)) &&
    (shards.length === 0 || matchesShards(value, shards))
  );
}

/** Returns whether a selection has labels or fields. The server does not count shards here. */
export function hasSelectors({ labels, fields }: Selection): boolean {
  return labels.length > 0 || fields.length > 0;
}
