/** Rules of API servers for the conversion between the versions of a definition. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { isObject, type JsonObject, own, strings, text } from '../values/json.ts';
import { label1035Problems } from '../values/names.ts';
import { clientConfigErrors } from './client-config.ts';

const path = 'spec.conversion';

/**
 * Returns the errors of `spec.conversion`.
 * @param preserves whether the definition preserves all unknown fields
 */
export function conversionErrors(conversion: JsonObject, preserves: boolean): readonly FieldError[] {
  const strategy = text(conversion, 'strategy');
  const webhook = own(conversion, 'webhook');
  const config = own(webhook, 'clientConfig');
  const versions = strings(webhook, 'conversionReviewVersions');
  const isKnown = strategy === 'None' || strategy === 'Webhook';
  return [
    ...(preserves && strategy !== 'None'
      ? [invalidValue(`${path}.strategy`, strategy, 'must be None if spec.preserveUnknownFields is true')]
      : []),
    ...(isKnown ? [] : [notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])]),
    ...(strategy === 'Webhook'
      ? [
          ...(isObject(config)
            ? clientConfigErrors(config, `${path}.webhookClientConfig`)
            : [required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook')]),
          ...reviewVersionErrors(versions, `${path}.conversionReviewVersions`),
        ]
      : [
          ...(isObject(config) ? [forbiddenField(`${path}.webhookClientConfig`, unused)] : []),
          ...(versions.length > 0 ? [forbiddenField(`${path}.conversionReviewVersions`, unused)] : []),
        ]),
  ];
}

const unused = 'should not be set when strategy is not set to Webhook';

function reviewVersionErrors(versions: readonly string[], path: string): readonly FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, index) => {
    const problems = versions.indexOf(version) < index ? ['duplicate version'] : label1035Problems(version);
    return problems.map((problem) => invalidValue(`${path}[${index}]`, version, problem));
  });
  const isRecognized = versions.some((version) => version === 'v1' || version === 'v1beta1');
  return isRecognized
    ? errors
    : [...errors, invalidValue(path, versions, 'must include at least one of v1, v1beta1')];
}
