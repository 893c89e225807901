import { notAcceptable, notImplemented } from './failures.ts';

const offered = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Representation of a response. */
export type Form = 'json' | 'discovery-v2' | 'partial-object' | 'partial-list';

/**
 * Returns the first supported representation of an Accept header.
 * @throws {Failure} 406 if none is supported, 501 for tables and YAML, which a real server supports
 */
export function negotiate(accept: string): Form {
  if (accept.trim() === '') return 'json';
  const forms = accept.split(',').map((part) => formOf(part.trim()));
  for (const form of forms) if (form !== undefined && form !== 'unsupported') return form;
  if (forms.includes('unsupported'))
    throw notImplemented(`responses in the format ${JSON.stringify(accept)}`);
  throw notAcceptable(offered);
}

function formOf(part: string): Form | 'unsupported' | undefined {
  const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
  const as = rest.find((piece) => piece.startsWith('as='))?.slice(3);
  if (type === 'application/yaml') return 'unsupported';
  if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') return undefined;
  switch (as) {
    case undefined:
      return 'json';
    case 'APIGroupDiscoveryList':
      return rest.includes('v=v2') ? 'discovery-v2' : undefined;
    case 'PartialObjectMetadata':
      return 'partial-object';
    case 'PartialObjectMetadataList':
      return 'partial-list';
    case 'Table':
      return 'unsupported';
    default:
      return undefined;
  }
}
