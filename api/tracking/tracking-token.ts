import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { ShipmentId } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import type { ApiConfig } from '../../platform/config.ts';

/** The settings that tracking links are made of. */
export type TrackingConfig = Pick<
  ApiConfig,
  'jwtSecret' | 'publicUrl' | 'trackingSecret' | 'trackingUrlTemplate'
>;

/** One block of this cipher is as long as an id, so that no mode of operation is needed. */
const BLOCK_CIPHER = 'aes-256-ecb';
/** What the key is for, so that no other use of the setting has the same key. */
const KEY_PURPOSE = 'tracking links';
/** 16 bytes in base64url; the last character stands for two bits. */
const TOKEN_FORM = /^[\w-]{21}[AQgw]$/;
const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/**
 * Returns the token of a shipment's tracking link (decision 0026): its id, 128 bits, under a keyed one-to-one function. It is
 * the same each time. Without the key a token looks like random text and does not reveal the id.
 */
export function trackingToken(config: TrackingConfig, id: ShipmentId): string {
  const cipher = createCipheriv(BLOCK_CIPHER, keyOf(config), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(id.replaceAll('-', ''), 'hex'), cipher.final()]).toString('base64url');
}

/**
 * Returns the id that a token stands for; undefined for text that is not a token. Every token stands for an id, nearly all of
 * them for one that no shipment has: a wrong token costs the same look-up as a right one.
 */
export function trackedShipmentId(config: TrackingConfig, token: string): ShipmentId | undefined {
  if (!TOKEN_FORM.test(token)) return undefined;
  const decipher = createDecipheriv(BLOCK_CIPHER, keyOf(config), null).setAutoPadding(false);
  const bytes = Buffer.concat([decipher.update(token, 'base64url'), decipher.final()]);
  return parseId<'shipment'>(bytes.toString('hex').replace(UUID_PARTS, '$1-$2-$3-$4-$5'));
}

/** Returns the address that a recipient opens without signing in: the service's own page, or the operator's. */
export function trackingUrl(
  config: TrackingConfig,
  { id, trackingNumber }: { readonly id: ShipmentId; readonly trackingNumber: string },
): string {
  const template = config.trackingUrlTemplate ?? `${config.publicUrl}/t/{token}`;
  return template
    .replaceAll('{trackingNumber}', encodeURIComponent(trackingNumber))
    .replaceAll('{token}', trackingToken(config, id));
}

function keyOf({ jwtSecret, trackingSecret }: TrackingConfig): Buffer {
  return createHmac('sha256', trackingSecret ?? jwtSecret)
    .update(KEY_PURPOSE)
    .digest();
}
