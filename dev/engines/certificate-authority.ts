import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { writePrivateFile } from './secret-file.ts';

/** A certificate with its private key, both as PEM; the key is PKCS #8. */
export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A certificate authority and the files that hold it. Only their owner can read them. */
export interface CertificateAuthority extends CertificateAndKey {
  readonly certificateFile: string;
  readonly keyFile: string;
}

const KEY = { keyType: 'ec', algorithm: 'sha256' } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Some clients refuse server certificates that live for more than 825 days. */
const SERVER_DAYS = 397;
/** A clock may be a little behind the one that made the certificate. */
const CLOCK_TOLERANCE_MS = DAY_MS;

/**
 * Returns the certificate authority kept in `folder`, or creates it there. Only the webhook sender of the laptop mode
 * and tests trust it (interpretation 45); it must never be added to a system.
 */
export async function loadOrCreateAuthority(folder: string, now: Date): Promise<CertificateAuthority> {
  const certificateFile = join(folder, 'authority.pem');
  const keyFile = join(folder, 'authority-key.pem');
  if (!existsSync(certificateFile)) {
    const { certificatePem, keyPem } = await createAuthority(now);
    await writePrivateFile(keyFile, keyPem);
    await writePrivateFile(certificateFile, certificatePem);
  }
  return readAuthority(certificateFile, keyFile);
}

/** Reads an authority from its two files. Throws when one is missing. */
export async function readAuthority(certificateFile: string, keyFile: string): Promise<CertificateAuthority> {
  const [certificatePem, keyPem] = await Promise.all([
    readFile(certificateFile, 'utf8'),
    readFile(keyFile, 'utf8'),
  ]);
  return { certificatePem, keyPem, certificateFile, keyFile };
}

/** Issues a certificate for an HTTPS server on this machine: `localhost`, 127.0.0.1 and ::1, and more host names. */
export async function issueServerCertificate(
  { certificatePem, keyPem }: CertificateAndKey,
  now: Date,
  moreHosts: readonly string[] = [],
): Promise<CertificateAndKey> {
  const issued = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...KEY,
    ...validity(now, SERVER_DAYS),
    ca: { cert: certificatePem, key: keyPem },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...LOOPBACK, ...moreHosts.map(hostName)] },
    ],
  });
  return { certificatePem: `${issued.cert}\n`, keyPem: issued.private };
}

/** selfsigned numbers the kinds of names as X.509 does: 2 is a host name, 7 an IP address. */
const hostName = (value: string) => ({ type: 2, value }) as const;
const LOOPBACK = [hostName('localhost'), { type: 7, ip: '127.0.0.1' }, { type: 7, ip: '::1' }] as const;

async function createAuthority(now: Date): Promise<CertificateAndKey> {
  const name = `Shipment delivery service (this machine only) ${randomBytes(4).toString('hex')}`;
  const made = await generate([{ name: 'commonName', value: name }], {
    ...KEY,
    ...validity(now, AUTHORITY_DAYS),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { certificatePem: `${made.cert}\n`, keyPem: made.private };
}

function validity(now: Date, days: number): { readonly notBeforeDate: Date; readonly notAfterDate: Date } {
  return {
    notBeforeDate: new Date(now.getTime() - CLOCK_TOLERANCE_MS),
    notAfterDate: new Date(now.getTime() + days * DAY_MS),
  };
}
