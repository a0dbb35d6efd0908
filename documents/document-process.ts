import { serveParent } from '../platform/forked-module.ts';
import type { DeliveryNoteData, DeliveryNoteOptions, LabelData, LabelOptions } from './document-data.ts';
import { renderDeliveryNotes } from './render-delivery-notes.ts';
import { renderLabels } from './render-labels.ts';

/** What the rendering process is asked for: one PDF, which it answers with its bytes. */
export type RenderingRequest =
  | {
      readonly kind: 'delivery-notes';
      readonly notes: readonly DeliveryNoteData[];
      readonly options: DeliveryNoteOptions;
    }
  | { readonly kind: 'labels'; readonly labels: readonly LabelData[]; readonly options: LabelOptions };

serveParent((request: RenderingRequest) =>
  request.kind === 'labels'
    ? renderLabels(request.labels, request.options)
    : renderDeliveryNotes(request.notes, request.options),
);
