import { useLingui } from '@lingui/react/macro';
import type { RunStatus } from '../../../domain/enumerations.ts';
import { RUN_STATUS_WORDS } from '../../shared/domain-words.ts';
import { Sign } from '../parts/status-sign.tsx';
import type { Look } from '../parts/status-sign.tsx';

const RUN_LOOKS: Readonly<Record<RunStatus, Look>> = {
  draft: ['quiet', '○'],
  planned: ['open', '◑'],
  in_progress: ['moving', '▶'],
  completed: ['good', '✓'],
  cancelled: ['quiet', '✕'],
};

export function RunStatusSign({ status }: { readonly status: RunStatus }) {
  const { i18n } = useLingui();
  return <Sign look={RUN_LOOKS[status]} words={i18n._(RUN_STATUS_WORDS[status])} />;
}
