import type { ComponentProps } from 'react';
import { useCallback, useState } from 'react';
import { LeaveGuard } from '../leave-guard.tsx';
import { useClosing } from '../settings/record/use-closing.tsx';
import { Dialog } from './dialog.tsx';
import { NoteTyped } from './note-typed.ts';

interface Props extends ComponentProps<typeof Dialog> {
  readonly onClose: () => void;
}

/** A dialog with a form: Escape, the close button, a link and the closing of the window ask before what was typed is lost. */
export function FormDialog({ onClose, children, ...others }: Props) {
  const [isTyped, setIsTyped] = useState(false);
  const noteTyped = useCallback(() => setIsTyped(true), []);
  const { close, question } = useClosing(isTyped, onClose);
  return (
    <Dialog {...others} onClose={close}>
      {question}
      {isTyped && <LeaveGuard />}
      <div onInput={noteTyped}>
        <NoteTyped value={noteTyped}>{children}</NoteTyped>
      </div>
    </Dialog>
  );
}
