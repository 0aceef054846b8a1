/** A key and its self-signed certificate for `localhost`, made for these tests; no system trusts it. Valid until 2126. */
export function certificate(): { readonly key: string; readonly cert: string } {
  return { key: KEY, cert: CERTIFICATE };
}

/** Another one, for `other.test`, valid from 2020 to 2126 and its own authority: for a server's second name, or for a client. */
export function otherCertificate(): { readonly key: string; readonly cert: string } {
  return { key: OTHER_KEY, cert: OTHER_CERTIFICATE };
}

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGswajnI+nLrg/jmD
4ePv6sxorp64ToxIiY0wa+Af1yqhRANCAATJ46p8wQsq3ovnj0dMRLRqJpCECMHJ
q5+jcf3NtWfNkVXgUXza54Rtap510Ovpt4MYY4vY0+wAlrWk183r4GmT
-----END PRIVATE KEY-----
`;

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUc3wmVfrP58J4cXrXtGhGX8MYFqkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAwNDU0M1oYDzIxMjYxMDI4
MDA0NTQzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATJ46p8wQsq3ovnj0dMRLRqJpCECMHJq5+jcf3NtWfNkVXgUXza54Rt
ap510Ovpt4MYY4vY0+wAlrWk183r4GmTo28wbTAdBgNVHQ4EFgQUxmJ7uy2x0IRC
X7+VmDVSHN1LmUYwHwYDVR0jBBgwFoAUxmJ7uy2x0IRCX7+VmDVSHN1LmUYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgWO3jdoNrv1vIgr7ltKB/FBeICjY88jIxAYL1wgvs6scCIQCd
Jr23e2p+vt1KAmb3EysIaIdx0HccBVzp+Lna54wj9A==
-----END CERTIFICATE-----
`;

const OTHER_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCqy4qTUdCY1uiSy1
BYbyf3mBJTjwszpfh2oucswUQLahRANCAARopyaYExejLoT4PCHGJq8NCutXcuFm
JbftaZOUGGIPHHMOwyh1ridH+XM3mEKPmzW+TNi61Xz2wBkoCe+lC9Vh
-----END PRIVATE KEY-----
`;

const OTHER_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBZTCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDApvdGhlci50
ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAVMRMwEQYDVQQD
DApvdGhlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaKcmmBMXoy6E
+DwhxiavDQrrV3LhZiW37WmTlBhiDxxzDsModa4nR/lzN5hCj5s1vkzYutV89sAZ
KAnvpQvVYaNJMEcwFQYDVR0RBA4wDIIKb3RoZXIudGVzdDAPBgNVHRMBAf8EBTAD
AQH/MB0GA1UdDgQWBBSAOyjOUfAThWbfbLX9t68Qo+1ggjAKBggqhkjOPQQDAgNJ
ADBGAiEAtdrQAKIWmd+qcq2OqltoqYYTjLOK9OCBTXwAnWADKzMCIQCFhDeNQ0xN
Bvjll85TNiPsE9GPnUeLYPO0lq/1LHiIFg==
-----END CERTIFICATE-----
`;
