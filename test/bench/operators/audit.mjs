// The requests of one user, from the audit log of kube-apiserver.
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Name of the user of the operators. */
export const operatorUser = 'operator';

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  users: [${operatorUser}]
- level: None
`;

/** Returns the flags of kube-apiserver, and a function that counts the requests by verb and resource. */
export function auditLog(folder) {
  const [policyPath, log] = [join(folder, 'audit-policy.yaml'), join(folder, 'audit.log')];
  writeFileSync(policyPath, policy);
  writeFileSync(log, '');
  return {
    flags: [`--audit-policy-file=${policyPath}`, `--audit-log-path=${log}`, '--audit-log-maxsize=1000'],
    requests: () => requestsOf(createInterface({ input: createReadStream(log) })),
  };
}

/** `patch deployments` → 10000; long requests, such as watches, have two events with one ID. */
async function requestsOf(lines) {
  const seen = new Set();
  const counts = {};
  for await (const line of lines) {
    if (line === '') continue;
    const { auditID, verb, objectRef = {}, requestURI } = JSON.parse(line);
    if (seen.has(auditID)) continue;
    seen.add(auditID);
    const { resource, subresource } = objectRef;
    const target = resource ?? requestURI.split('?')[0];
    const name = `${verb} ${target}${subresource === undefined ? '' : `/${subresource}`}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
