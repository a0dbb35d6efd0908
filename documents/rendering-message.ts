import type { DeliveryNoteData, DeliveryNoteOptions, LabelData, LabelOptions } from './document-data.ts';

/** What the rendering process is asked for: one PDF. */
export type RenderingRequest =
  | {
      readonly kind: 'delivery-notes';
      readonly notes: readonly DeliveryNoteData[];
      readonly options: DeliveryNoteOptions;
    }
  | { readonly kind: 'labels'; readonly labels: readonly LabelData[]; readonly options: LabelOptions };

/** What it posts for each request: any number of `bytes`, then one of the others. */
export type RenderingMessage =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly stack: string };
