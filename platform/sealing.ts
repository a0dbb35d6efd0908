import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key that seals stored secrets. Its id is stored with each value, so that several keys may be in use. */
export interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** Seals texts that are stored and have to be read again (decision 0043). */
export interface Sealing {
  /** The first key's id; null without keys, when texts are stored as they are. */
  readonly currentKeyId: string | null;
  /** Whether there is a key with this id. */
  readonly hasKey: (id: string) => boolean;
  /** Seals a text for its owner, an id: the value opens for no other one. */
  readonly seal: (text: string, owner: string) => string;
  /** Opens what `seal` made with a known key, and returns a text that was never sealed as it is. Throws for an unknown key. */
  readonly open: (stored: string, owner: string) => string;
}

const PREFIX = 'sealed:';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FORM = /^([\w.-]{1,32}):([A-Za-z0-9+/_=-]+)$/;

/** What a list of keys must be, for messages and docs/settings.md. */
export const SEALING_KEYS_RULE =
  '`ID:KEY`, the key 32 bytes in base64; several are separated by commas, the first one seals';

/** Reads a list of keys; undefined where its form is another, or an id is there twice. */
export function parseSealingKeys(text: string): readonly SealingKey[] | undefined {
  const keys = text.split(/[,\s]+/).flatMap((part) => {
    const [, id, encoded = ''] = KEY_FORM.exec(part) ?? [];
    const key = Buffer.from(encoded, 'base64');
    return id !== undefined && key.length === KEY_BYTES ? [{ id, key }] : [];
  });
  const ids = new Set(keys.map(({ id }) => id));
  return ids.size === text.split(/[,\s]+/).length ? keys : undefined;
}

/** The id of the key that a stored text was sealed with; null for one that is stored as it is. */
export function sealingKeyIdOf(stored: string): string | null {
  return stored.startsWith(PREFIX) ? (stored.split(':')[1] ?? '') : null;
}

/** Seals with the first of the keys and opens with any of them. */
export function createSealing(keys: readonly SealingKey[]): Sealing {
  const [current] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    currentKeyId: current?.id ?? null,
    hasKey: (id) => byId.has(id),
    seal: (text, owner) => (current === undefined ? text : sealed(current, text, owner)),
    open: (stored, owner) => {
      const id = sealingKeyIdOf(stored);
      if (id === null) return stored;
      const key = byId.get(id);
      if (key === undefined)
        throw new Error(`a stored secret needs the key ${id}, which ENCRYPTION_KEYS has not`);
      return opened(key, stored, owner);
    },
  };
}

function sealed({ id, key }: SealingKey, text: string, owner: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `${PREFIX}${id}:${Buffer.concat(parts).toString('base64url')}`;
}

function opened(key: Buffer, stored: string, owner: string): string {
  const bytes = Buffer.from(stored.slice(stored.lastIndexOf(':') + 1), 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
