import { hash, verify } from '@node-rs/argon2';

/** argon2id at OWASP's first recommendation: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What an unknown user's password is compared with, so that both cases take the same time. */
const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c2hpcG1lbnQtZGVjb3k$RdDpNNKqbfJsVGUbHVCsDFECVTRpX3bEQwaD8GC2BNM';

/** Hashes a password for keeping. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** Whether a password is the one that was hashed; with no hash it takes as long and is false. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isRight = await verify(passwordHash ?? DECOY_HASH, password).catch(() => false);
  return isRight && passwordHash !== undefined;
}
