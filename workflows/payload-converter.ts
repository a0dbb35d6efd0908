import type { PayloadConverter } from '@temporalio/common';
import { defaultPayloadConverter } from '@temporalio/common';

/**
 * The SDK's default converter, but a payload that cannot be decoded becomes undefined. The SDK decodes a signal before any
 * handler sees it, and an error there fails the workflow task on every retry: one malformed signal would block a shipment
 * for good. Signals are nudges whose payload only makes a caption, so nothing is lost with it.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload: (payload) => {
    try {
      return defaultPayloadConverter.fromPayload(payload);
    } catch {
      return defaultPayloadConverter.fromPayload(UNDEFINED);
    }
  },
};

const UNDEFINED = defaultPayloadConverter.toPayload(undefined);
