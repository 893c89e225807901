import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  string,
  structOf,
  type Type,
  timestamp,
  typeOfType,
  uint,
} from './types.ts';

const opaqueNames = ['net.IP', 'net.CIDR'];
const structNames = ['kubernetes.URL', 'kubernetes.Quantity', 'kubernetes.NamedFormat', 'kubernetes.Semver'];

/** Types that expressions can name, as in `type(self.port) == int`. */
export const typeNames: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['bool', bool],
  ['bytes', bytes],
  ['double', double],
  ['dyn', dyn],
  ['google.protobuf.Duration', duration],
  ['google.protobuf.Timestamp', timestamp],
  ['int', int],
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['null_type', nullType],
  ['optional_type', optionalOf(dyn)],
  ['string', string],
  ['type', typeOfType(dyn)],
  ['uint', uint],
  ...opaqueNames.map((name): [string, Type] => [name, { kind: 'opaque', name, params: [] }]),
  ...structNames.map((name): [string, Type] => [name, structOf(name)]),
]);
