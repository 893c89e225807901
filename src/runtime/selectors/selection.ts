/**
 * Selection of objects of a collection: the only module that names the selectors of the API. Lists, watches,
 * informers and tables take `SelectorOptions`, and use the functions below for queries, keys and messages.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
import { type FieldSelectorInput, fieldSelectorText } from './fields.ts';
import { type LabelSelectorInput, labelSelectorText } from './labels.ts';

/** Selects objects of a collection. Several selectors select the objects that match all of them. */
export interface SelectorOptions<Field extends string = string> {
  /**
   * Selects objects by labels: a string, labels that must be equal, or a LabelSelector. Default: all objects.
   */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /**
   * Selects objects by fields: an object with fields that must be equal, limited to the fields that are known
   * to be selectable, or a string with any field. Default: all objects.
   * @throws {ApiError} `isBadRequest` for a field that the server does not support
   */
  readonly fieldSelector?: FieldSelectorInput<Field> | undefined;
  /**
   * Selects a shard: the objects whose hash is in a range, from the first bound up to but excluding the
   * second. `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')` selects half of the
   * objects, and ranges are combined by `||`. The field is `object.metadata.uid` or
   * `object.metadata.namespace`; its hash is 64-bit FNV-1a. Default: all objects.
   *
   * Alpha in Kubernetes 1.36, behind the feature gate `ShardedListAndWatch`. Other servers ignore the
   * selector and return the objects of all shards: then `metadata.shardInfo` of a list is absent.
   */
  readonly shardSelector?: string | undefined;
}

/** Selectors of deletions: those that every server applies, as an ignored one would delete other objects. */
export interface DeletionSelectorOptions<Field extends string = string> extends SelectorOptions<Field> {
  /** Not supported: servers without the feature gate would delete the objects of all shards. */
  readonly shardSelector?: undefined;
}

/** Selectors in the syntax of the API, by their query parameters. They are valid `SelectorOptions`. */
export type FormattedSelectors = { readonly [Name in keyof SelectorOptions]-?: string | undefined };

/**
 * Returns the selectors among the options, formatted for a query. Its type requires every member of
 * `SelectorOptions`.
 * @throws {TypeError} if a selector is invalid
 */
export function selectionOf(options: SelectorOptions): FormattedSelectors {
  return {
    labelSelector: labelSelectorText(options.labelSelector),
    fieldSelector: fieldSelectorText(options.fieldSelector),
    shardSelector: options.shardSelector,
  };
}

/** Returns a key that is equal for options that select the same objects. */
export function selectionKey(options: SelectorOptions): string {
  return JSON.stringify(Object.values(selectionOf(options)).map((text) => text ?? ''));
}

/** Returns the selection for messages: `app=web and spec.nodeName=n1`; empty for all objects. */
export function selectionText(options: SelectorOptions): string {
  return Object.values(selectionOf(options)).filter(Boolean).join(' and ');
}
