import { randomBytes, webcrypto } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// @peculiar/x509 is made with decorators and refuses to load without this.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

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

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
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
  if (existsSync(certificateFile) && existsSync(keyFile)) return readAuthority(certificateFile, keyFile);
  const { certificatePem, keyPem } = await createAuthority(now);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(keyFile, keyPem, { mode: 0o600 });
  await writeFile(certificateFile, certificatePem, { mode: 0o600 });
  return { certificatePem, keyPem, certificateFile, keyFile };
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
  authority: CertificateAndKey,
  now: Date,
  moreHosts: readonly string[] = [],
): Promise<CertificateAndKey> {
  const issuer = new x509.X509Certificate(authority.certificatePem);
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomBytes(16).toString('hex'),
    subject: 'CN=localhost',
    issuer: issuer.subject,
    ...validity(now, SERVER_DAYS),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.keyPem),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...['localhost', ...moreHosts].map((value) => ({ type: 'dns' as const, value })),
        ...['127.0.0.1', '::1'].map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, keyPem: await exportKey(keys.privateKey) };
}

async function createAuthority(now: Date): Promise<CertificateAndKey> {
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(16).toString('hex'),
    name: `CN=Shipment delivery service (this machine only) ${randomBytes(4).toString('hex')}`,
    ...validity(now, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, keyPem: await exportKey(keys.privateKey) };
}

function validity(now: Date, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - CLOCK_TOLERANCE_MS),
    notAfter: new Date(now.getTime() + days * DAY_MS),
  };
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${x509.PemConverter.encode(bytes, x509.PemConverter.PrivateKeyTag)}\n`;
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [bytes] = x509.PemConverter.decode(pem);
  if (bytes === undefined) throw new Error("The certificate authority's key file holds no key.");
  return webcrypto.subtle.importKey('pkcs8', bytes, ALGORITHM, true, ['sign']);
}
