import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ImportStatus } from '../../../domain/enumerations.ts';
import type { Look } from '../parts/status-sign.tsx';
import { Sign } from '../parts/status-sign.tsx';

const IMPORT_STATUS_WORDS: Readonly<Record<ImportStatus, MessageDescriptor>> = {
  reading: msg`The file is being read`,
  creating: msg`Shipments are being made`,
  done: msg`Done`,
  failed: msg`Failed: nothing was imported`,
};

const IMPORT_LOOKS: Readonly<Record<ImportStatus, Look>> = {
  reading: ['moving', '▸'],
  creating: ['moving', '▶'],
  done: ['good', '✓'],
  failed: ['bad', '!'],
};

export function ImportStatusSign({ status }: { readonly status: ImportStatus }) {
  const { i18n } = useLingui();
  return <Sign look={IMPORT_LOOKS[status]} words={i18n._(IMPORT_STATUS_WORDS[status])} />;
}
