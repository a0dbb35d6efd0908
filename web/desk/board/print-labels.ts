import { i18n } from '@lingui/core';
import { answer, api, idOf } from '../../shared/client.ts';
import { openFile } from '../parts/open-file.ts';
import type { BoardTools } from './board-context.ts';
import type { Iri } from './rows.ts';

/** Shows the labels of the tasks' shipments as a PDF in a tab of its own, each shipment's once. */
export function printLabels({ store, tell }: BoardTools, tasks: readonly Iri[]): void {
  const shipments = new Set(tasks.flatMap((task) => store.task(task)?.shipment ?? []));
  if (shipments.size === 0) return;
  const request = api.POST('/shipments/labels', {
    body: { shipmentIds: [...shipments].map(idOf), layout: 'a6' },
    headers: { Accept: 'application/pdf', 'Accept-Language': i18n.locale },
    parseAs: 'blob',
  });
  const show = (file: unknown) => file instanceof Blob && openFile(file);
  answer(request).then(show, (error: unknown) => tell({ kind: 'not_printed', error }));
}
