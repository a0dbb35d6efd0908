import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { answer, api } from '../../shared/client.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { useOrganization, useOrganizationId } from './organization-reads.ts';
import { SecretText } from './secret-text.tsx';
import styles from './settings.module.css';

/** The key of shops' servers: its beginning, and a new one that is shown this once. */
export default function ApiKey() {
  const found = useOrganization();
  const [key, setKey] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <h2>
        <Trans>API key</Trans>
      </h2>
      <p className={styles['quiet']}>
        <Trans>With it a shop’s server makes and follows shipments.</Trans>
      </p>
      {found.isPending && <Skeleton rows={2} />}
      {found.isError && <ReadFailure error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <dl className={styles['facts']}>
          <dt>
            <Trans>The key begins with</Trans>
          </dt>
          <dd>
            <code>{found.data.body.apiKeyPrefix}…</code>
          </dd>
        </dl>
      )}
      {key === undefined ? (
        <div>
          <Button onClick={() => setIsAsking(true)}>
            <Trans>Make a new key…</Trans>
          </Button>
        </div>
      ) : (
        <NewKey text={key} onHide={() => setKey(undefined)} />
      )}
      {isAsking && (
        <RollDialog
          onClose={() => setIsAsking(false)}
          onMade={(made) => {
            setIsAsking(false);
            setKey(made);
            void found.refetch();
          }}
        />
      )}
    </>
  );
}

function NewKey({ text, onHide }: { readonly text: string; readonly onHide: () => void }) {
  return (
    <div role="status">
      <Notice kind="success">
        <p>
          <Trans>This is the new key. It is shown only now: copy it to where it is used.</Trans>
        </p>
        <SecretText text={text} onHide={onHide} />
      </Notice>
    </div>
  );
}

interface RollProps {
  readonly onClose: () => void;
  readonly onMade: (key: string) => void;
}

/** Asks how long the old key is to work on: a server that still has it is locked out after that. */
function RollDialog({ onClose, onMade }: RollProps) {
  const { t } = useLingui();
  const id = useOrganizationId();
  const [hours, setHours] = useState('1');
  const rolling = useAction(async () => {
    const params = { path: { id } };
    const body = { graceHours: Number(hours) };
    onMade((await answer(api.POST('/organizations/{id}/api-key', { params, body }))).apiKey);
  });
  return (
    <Dialog title={t`Make a new API key?`} onClose={onClose} closeLabel={t`Close`}>
      <SelectField
        label={t`The old key`}
        value={hours}
        onChange={setHours}
        options={[
          { value: '0', label: t`stops working now` },
          { value: '1', label: t`works for 1 more hour` },
          { value: '24', label: t`works for 24 more hours` },
        ]}
      />
      {rolling.error !== undefined && (
        <div role="alert">
          <ErrorNotice error={rolling.error} />
        </div>
      )}
      <div className={styles['acts']}>
        <Button kind="danger" isPending={rolling.isPending} onClick={() => void rolling.run()}>
          <Trans>Make a new key</Trans>
        </Button>
        <Button onClick={onClose}>
          <Trans>Keep the old one</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
