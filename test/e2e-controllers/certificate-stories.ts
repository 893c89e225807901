/** Stories of certificate requests. */
import type { Story } from './scene.ts';

/** Requests whose keys were discarded: for a user, for a node as a client, and for a node as a server. */
const requests = {
  user: 'MIHXMH8CAQAwHTEMMAoGA1UEAwwDd2ViMQ0wCwYDVQQKDAR0ZWFtMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEBdNGayAViNyQQA8uJLvYU/JQe3I+1uFo6goaPfuRuLE1B9J44M/o4lhR8xA9Pr9/j9H4kb1CdZ/m91S9lpaqAqAAMAoGCCqGSM49BAMCA0gAMEUCIQC78sqz9c9GP1Edi2yg1e2ly4GHQLzm9uIN7O7RFQoZfgIge03MixmeNMajT0qNrx5461HqJ6rd1hZ3KoziUcxOIAM=',
  client:
    'MIHwMIGWAgEAMDQxFTATBgNVBAoMDHN5c3RlbTpub2RlczEbMBkGA1UEAwwSc3lzdGVtOm5vZGU6bm9kZS0xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYt9BG3wVgfQfC6VpfMwH7hXCl5SDCSlM+Jm6Hs9iN/ZgQeLmfeHCdwzf8rM5+/yLWcMOwq1ndqCxXhfL3PVroqAAMAoGCCqGSM49BAMCA0kAMEYCIQDD+4+M+KgPO0TCVwUttN9ykhBuOvzlhxRBsG/Z6esI/AIhALyXyKPNPseAPX2RIbtzSZpRFhBop3estAfY3vsmB04M',
  server:
    'MIIBGTCBwAIBADA0MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxGzAZBgNVBAMMEnN5c3RlbTpub2RlOm5vZGUtMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFDK4R+nbVVGX61DLzjul07avpPYDETMS6gJwm9w6GIbmNgjJibfrzTNLhCLSZPYqA19dZ+QbkLYl89p+delcGCgKjAoBgkqhkiG9w0BCQ4xGzAZMBcGA1UdEQQQMA6CBm5vZGUtMYcECgECAzAKBggqhkjOPQQDAgNIADBFAiBeJ3gWrRcfneNgmwbz6VSF/mQiYx0qUxih5H4yQT+C+gIhALE3slhVWDjbzqH9Fzdl74lfgjKoPSsgsERuM3yMvCly',
} as const;

const pem = (der: string): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`;

interface SigningOptions {
  readonly request: keyof typeof requests;
  readonly signer: string;
  readonly usages: readonly string[];
  readonly expirationSeconds?: number;
}

/** Returns a story of a request that is created, and then approved if nothing approves it. */
function signing({ request, signer, usages, expirationSeconds }: SigningOptions): Story {
  return async ({ clientset, namespace, settled }) => {
    const all = clientset.certificatesV1.certificateSigningRequests();
    await all.create({
      metadata: { name: namespace },
      spec: {
        request: Buffer.from(pem(requests[request])).toString('base64'),
        signerName: signer,
        usages: [...usages],
        ...(expirationSeconds !== undefined && { expirationSeconds }),
      },
    });
    await settled();
    const created = await all.get(namespace);
    if (created.status?.conditions !== undefined) return;
    const approved = { type: 'Approved', status: 'True', reason: 'ByTest', message: 'by a test' };
    await all.updateApproval({ ...created, status: { conditions: [approved] } });
    await settled();
  };
}

const client = 'kubernetes.io/kube-apiserver-client';
const kubeletClient = 'kubernetes.io/kube-apiserver-client-kubelet';
const kubeletServer = 'kubernetes.io/kubelet-serving';
const clientAuth = ['digital signature', 'client auth'];
const serverAuth = ['digital signature', 'server auth'];

/** Stories by title. */
export const certificateStories: Readonly<Record<string, Story>> = {
  'the request of a user is signed': signing({ request: 'user', signer: client, usages: clientAuth }),
  'the request of a user is signed for an hour': signing({
    request: 'user',
    signer: client,
    usages: ['client auth', 'key encipherment'],
    expirationSeconds: 3_600,
  }),
  'the request of a user without the usage of clients fails': signing({
    request: 'user',
    signer: client,
    usages: ['digital signature'],
  }),
  'the request of a user with the usage of servers fails': signing({
    request: 'user',
    signer: client,
    usages: ['client auth', 'server auth'],
  }),
  'the request of a kubelet as a client is approved and signed': signing({
    request: 'client',
    signer: kubeletClient,
    usages: clientAuth,
  }),
  'the request of a user as a kubelet fails': signing({
    request: 'user',
    signer: kubeletClient,
    usages: clientAuth,
  }),
  'the request of a kubelet with names of servers fails': signing({
    request: 'server',
    signer: kubeletClient,
    usages: clientAuth,
  }),
  'the request of a kubelet as a server is signed': signing({
    request: 'server',
    signer: kubeletServer,
    usages: serverAuth,
  }),
  'the request of a kubelet as a server without names fails': signing({
    request: 'client',
    signer: kubeletServer,
    usages: serverAuth,
  }),
  'the request of a kubelet with usages of clients fails': signing({
    request: 'server',
    signer: kubeletServer,
    usages: clientAuth,
  }),
  'a request to a signer outside of Kubernetes is not signed': signing({
    request: 'user',
    signer: 'example.com/own',
    usages: clientAuth,
  }),
};
