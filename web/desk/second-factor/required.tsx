import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import page from '../sign-in.module.css';
import { FactorSetup } from './setup.tsx';

interface Props {
  /** Before the first screen, or over one whose person is asked for it meanwhile. */
  readonly form: 'page' | 'dialog';
  readonly email: string;
  readonly onHold: (isHeld: boolean) => void;
  readonly onDone: () => Promise<void>;
  readonly onSignOut: () => Promise<void>;
}

/** Where the organization requires a second factor and the person has none: nothing else can be done before. */
export default function RequiredFactor({ form, email, onHold, onDone, onSignOut }: Props) {
  const { t } = useLingui();
  const finishing = useAction(onDone);
  const content = (
    <>
      <p>
        <Trans>Your organization asks for a code of your phone at the sign-in, next to the password.</Trans>
      </p>
      <FactorSetup
        email={email}
        onHold={onHold}
        onDone={() => void finishing.run()}
        acts={
          <Button onClick={() => void onSignOut()}>
            <Trans>Sign out</Trans>
          </Button>
        }
      />
      {finishing.error !== undefined && <ErrorNotice error={finishing.error} />}
    </>
  );
  if (form === 'dialog') return <Dialog title={t`Set up a code for the sign-in`}>{content}</Dialog>;
  return (
    <main className={page['page']}>
      <div className={page['card']}>
        <h1>
          <Trans>Set up a code for the sign-in</Trans>
        </h1>
        {content}
      </div>
    </main>
  );
}
