import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { formatDateTime } from '../../shared/format.ts';
import { Button } from '../parts/button.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import { ownFactor } from '../second-factor/factor-requests.ts';
import { ProofForm } from '../second-factor/proof-form.tsx';
import { RecoveryCodes } from '../second-factor/recovery-codes.tsx';
import { FactorSetup } from '../second-factor/setup.tsx';
import { useSession } from '../session.tsx';
import styles from './settings.module.css';

type Doing = 'nothing' | 'setup' | 'codes' | 'removal';

/** The code of a phone at the sign-in: off, on, its recovery codes. */
export function SecondFactor() {
  const { session, check } = useSession();
  const { email } = session.user;
  const [doing, setDoing] = useState<Doing>('nothing');
  const found = useQuery({ queryKey: ['second-factor'], queryFn: ownFactor.read });
  const finish = () => {
    setDoing('nothing');
    void found.refetch();
    // The session says whether the password alone is asked for.
    check();
  };
  const cancel = (
    <Button onClick={() => setDoing('nothing')}>
      <Trans>Cancel</Trans>
    </Button>
  );
  return (
    <section className={styles['content']}>
      <h3>
        <Trans>Code of your phone</Trans>
      </h3>
      <p className={styles['quiet']}>
        <Trans>
          With it the password alone opens nothing: each sign-in asks for a code of an app on your phone.
        </Trans>
      </p>
      {found.isPending && <Skeleton rows={2} />}
      {found.isError && <ReadFailure error={found.error} onRetry={() => void found.refetch()} />}
      {doing === 'setup' && <FactorSetup email={email} onDone={finish} acts={cancel} />}
      {doing === 'codes' && <NewCodes email={email} acts={cancel} onDone={finish} />}
      {doing === 'removal' && (
        <ProofForm
          email={email}
          asks={['password', 'code']}
          send={(password, code) => ownFactor.remove(password, code).then(finish)}
          label={<Trans>Switch it off</Trans>}
          kind="danger"
          acts={cancel}
        />
      )}
      {found.data && doing === 'nothing' && <State state={found.data} onDo={setDoing} />}
    </section>
  );
}

interface StateProps {
  readonly state: Awaited<ReturnType<typeof ownFactor.read>>;
  readonly onDo: (doing: Doing) => void;
}

function State({ state: { state, confirmedAt, recoveryCodesLeft }, onDo }: StateProps) {
  const { timezone } = useSession().session.organization;
  if (state !== 'on') {
    return (
      <div>
        <Button kind="primary" onClick={() => onDo('setup')}>
          <Trans>Switch it on…</Trans>
        </Button>
      </div>
    );
  }
  const since = confirmedAt === null ? '' : formatDateTime(confirmedAt, timezone);
  return (
    <>
      <p>
        <Trans>It is on since {since}.</Trans>{' '}
        <Plural value={recoveryCodesLeft} one="# recovery code is left." other="# recovery codes are left." />
      </p>
      <div className={styles['acts']}>
        <Button onClick={() => onDo('codes')}>
          <Trans>New recovery codes…</Trans>
        </Button>
        <Button kind="danger" onClick={() => onDo('removal')}>
          <Trans>Switch it off…</Trans>
        </Button>
      </div>
    </>
  );
}

interface NewCodesProps {
  readonly email: string;
  readonly acts: ReactNode;
  readonly onDone: () => void;
}

function NewCodes({ email, acts, onDone }: NewCodesProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />;
  return (
    <ProofForm
      email={email}
      asks={['password', 'code']}
      send={async (password, code) => setCodes(await ownFactor.replaceCodes(password, code))}
      label={<Trans>Make new codes</Trans>}
      acts={acts}
    />
  );
}
