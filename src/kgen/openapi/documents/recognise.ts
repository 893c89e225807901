/** Recognition of saved documents by their content, as file names vary. */
import type { Checked } from '../../common/problems.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isObject, own } from '../../input/json.ts';
import { parseAggregated } from '../discovery/discovery.ts';
import { parseResourceList } from '../discovery/discovery-legacy.ts';
import type { ApiDocument, DiscoveredGroupVersion } from '../types.ts';

/** A document that was saved from a server. */
export type Saved =
  | { readonly is: 'document'; readonly document: ApiDocument }
  | {
      readonly is: 'discovery';
      readonly rank: number;
      readonly read: Checked<readonly DiscoveredGroupVersion[]>;
    }
  /** Discovery without resources. */
  | { readonly is: 'groups' }
  /** The index of OpenAPI v3 documents. */
  | { readonly is: 'index'; readonly file: string }
  | { readonly is: 'other' };

/** Forms of discovery, the most detailed first. */
const ranks: readonly string[] = ['apidiscovery.k8s.io/v2', 'apidiscovery.k8s.io/v2beta1'];

/** Classifies a value of a file by its own type information. */
export function recognise(value: JsonValue, file: string): Saved {
  if (!isObject(value)) return { is: 'other' };
  const { swagger, openapi, kind, apiVersion } = value;
  if (swagger === '2.0') return { is: 'document', document: { dialect: 2, value, file } };
  if (typeof openapi === 'string' && /^3\./.test(openapi)) {
    return { is: 'document', document: { dialect: 3, value, file } };
  }
  if (isIndex(value)) return { is: 'index', file };
  const rank = ranks.indexOf(String(apiVersion));
  if (kind === 'APIGroupDiscoveryList') return { is: 'discovery', rank, read: parseAggregated(value, file) };
  if (kind === 'APIResourceList') {
    const { value: found, problems } = parseResourceList(value, file);
    return {
      is: 'discovery',
      rank: ranks.length,
      read: { value: found === undefined ? [] : [found], problems },
    };
  }
  return { is: kind === 'APIGroupList' || kind === 'APIVersions' ? 'groups' : 'other' };
}

/** Returns whether a value is the response of `/openapi/v3`: paths with the address of each document. */
function isIndex(value: JsonObject): boolean {
  const paths = own(value, 'paths');
  const items = isObject(paths) ? Object.values(paths) : [];
  return (
    items.length > 0 && items.every((item) => isObject(item) && own(item, 'serverRelativeURL') !== undefined)
  );
}
