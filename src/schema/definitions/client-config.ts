/** Rules of API servers for the `clientConfig` of conversion webhooks. */
import { type FieldError, invalidValue, required } from '@kgen/runtime/objects';
import { isObject, type Json, type JsonObject, own, text } from '../values/json.ts';
import { subdomainProblem } from '../values/names.ts';

const form = '; desired format: https://host[/path]';

/** Returns the errors of a `clientConfig`. */
export function clientConfigErrors(config: JsonObject, path: string): readonly FieldError[] {
  const url = own(config, 'url');
  const service = own(config, 'service');
  if ((typeof url === 'string') === isObject(service))
    return [required(path, 'exactly one of url or service is required')];
  return [
    ...(typeof url === 'string' ? urlErrors(url, `${path}.url`) : serviceErrors(service, `${path}.service`)),
  ];
}

function urlErrors(source: string, path: string): readonly FieldError[] {
  if (!URL.canParse(source)) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(source)?.[1] ?? '';
    return [
      ...(scheme === 'https'
        ? []
        : [invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`)]),
      invalidValue(path, '', `host must be specified${form}`),
    ];
  }
  const url = new URL(source);
  const scheme = url.protocol.slice(0, -1);
  const user = url.password === '' ? url.username : `${url.username}:${url.password}`;
  return [
    ...(scheme === 'https'
      ? []
      : [invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(url.host === '' ? [invalidValue(path, '', `host must be specified${form}`)] : []),
    ...(user === '' ? [] : [invalidValue(path, user, 'user information is not permitted in the URL')]),
    ...(url.hash === ''
      ? []
      : [invalidValue(path, url.hash.slice(1), 'fragments are not permitted in the URL')]),
    ...(url.search === ''
      ? []
      : [invalidValue(path, url.search.slice(1), 'query parameters are not permitted in the URL')]),
  ];
}

function serviceErrors(service: Json | undefined, path: string): readonly FieldError[] {
  const port = own(service, 'port') ?? 443;
  const isPort = typeof port === 'number' && port >= 1 && port <= 65_535;
  return [
    // A real server exchanges the two fields.
    ...(text(service, 'namespace') === '' ? [required(`${path}.name`)] : []),
    ...(text(service, 'name') === '' ? [required(`${path}.namespace`)] : []),
    ...(isPort
      ? []
      : [invalidValue(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]),
    ...pathErrors(text(service, 'path'), `${path}.path`),
  ];
}

function pathErrors(value: string, path: string): readonly FieldError[] {
  if (value === '' || value === '/') return [];
  if (value === '//') return [invalidValue(path, value, 'segment[0] may not be empty')];
  const rest = value.slice(1);
  const steps = (rest.endsWith('/') ? rest.slice(0, -1) : rest).split('/');
  return [
    ...(value.startsWith('/') ? [] : [invalidValue(path, value, "must start with a '/'")]),
    ...steps.flatMap((step, index) => {
      const problem = step === '' ? 'may not be empty' : subdomainProblem(step);
      if (problem === undefined) return [];
      return [invalidValue(path, value, `segment[${index}]${step === '' ? ' ' : ': '}${problem}`)];
    }),
  ];
}
