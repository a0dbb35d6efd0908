import { useLingui } from '@lingui/react/macro';
import { Dialog } from '../parts/dialog.tsx';
import type { Question } from './board-context.ts';
import { DriverChooser } from './driver-chooser.tsx';
import { FailDialog } from './fail-dialog.tsx';
import { BOARD_KEYS } from './key-list.ts';
import styles from './dialogs.module.css';

interface Props {
  readonly question: Question;
  readonly onClose: () => void;
}

/** The dialog that the board asks something in, where it does. */
export default function BoardDialog({ question, onClose }: Props) {
  if (question.kind === 'keys') return <KeysDialog onClose={onClose} />;
  const { tasks } = question;
  if (question.kind === 'fail') return <FailDialog tasks={tasks} onClose={onClose} />;
  return <DriverChooser tasks={tasks} isAlone={question.isAlone === true} onClose={onClose} />;
}

function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  return (
    <Dialog title={t`Keys of the board`} onClose={onClose} closeLabel={t`Close`}>
      <dl className={styles['keys']}>
        {BOARD_KEYS.map(({ keys, words }) => (
          <div key={words.id} className={styles['key']}>
            <dt>
              <kbd dir="ltr">{typeof keys === 'string' ? keys : i18n._(keys)}</kbd>
            </dt>
            <dd>{i18n._(words)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
