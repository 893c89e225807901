import { condition, isInvalid } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

/** A certificate request for the common name `web`, signed with a discarded 256-bit key. */
const request = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHIMHACAQAwDjEMMAoGA1UEAwwDd2ViMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD',
  'QgAEcQLH4bzaThsTDX7O9FtORLQyzqPwyr/oxTBBkosCw2eA2WnoroGWDRNHCrRi',
  '73gcaXLW2DbLJGX815nfqcO+pKAAMAoGCCqGSM49BAMCA0gAMEUCIAW8jS4FY+UO',
  'X9mr5IGf7CobIAQjZEFob7CBuAUiVf44AiEAzA0n//fxV+tWJRmp8WIDI0rG7d2l',
  'welnEs9akMb1Gzs=',
  '-----END CERTIFICATE REQUEST-----',
  '',
].join('\n');

/** Registers tests of CertificateSigningRequests. */
export function certificateTests(env: Env): void {
  describe('a request to sign a certificate', () => {
    it('is approved and signed', async () => {
      const requests = env.clientset.certificatesV1.certificateSigningRequests();
      const name = unique('csr');
      const created = await requests.create({
        metadata: { name },
        spec: {
          request: Buffer.from(request).toString('base64'),
          signerName: 'example.com/own',
          usages: ['digital signature', 'client auth'],
        },
      });
      expect(created.spec.groups).toContain('system:masters');
      const approval = { type: 'Approved', status: 'True', reason: 'ByTest', message: 'requested by a test' };
      const approved = await requests.updateApproval({ ...created, status: { conditions: [approval] } });
      expect(approved.status.conditions).toEqual([expect.objectContaining(approval)]);
      await requests.waitFor(name, condition('Approved'));
      expect((await requests.getApproval(name)).metadata.uid).toBe(created.metadata.uid);
      const denied = requests.patchApproval(name, {
        status: { conditions: [{ type: 'Denied', status: 'True' }] },
      });
      expect(causesOf(await apiErrorOf(isInvalid, denied)).join()).toContain('status.conditions');
      const certificate = requests.patchStatus(name, { status: { certificate: 'bm90aGluZw==' } });
      expect(causesOf(await apiErrorOf(isInvalid, certificate))).toEqual([
        'status.certificate: FieldValueInvalid',
      ]);
    });

    it('is one', async () => {
      const requests = env.clientset.certificatesV1.certificateSigningRequests();
      const spec = { request: 'bm90aGluZw==', signerName: 'example.com/own', usages: ['client auth'] };
      const error = await apiErrorOf(isInvalid, requests.create({ metadata: { name: unique('csr') }, spec }));
      expect(causesOf(error)).toEqual(['spec.request: FieldValueInvalid']);
    });
  });
}
