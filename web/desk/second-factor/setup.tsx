import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { RejectedRequest } from '../../shared/problem.ts';
import type { FactorOffer } from './factor-requests.ts';
import { ownFactor } from './factor-requests.ts';
import { ProofForm } from './proof-form.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';

interface Props {
  readonly email: string;
  /** Called when it is set up and its recovery codes are kept, or was set up elsewhere. */
  readonly onDone: () => void;
  /** Called with true before a code is confirmed, whose recovery codes are shown next, and with false where it was rejected. */
  readonly onHold?: (isHeld: boolean) => void;
  /** Buttons next to the first one. */
  readonly acts?: ReactNode;
}

/** Sets up the second factor in three steps: the password, the app, the recovery codes. */
export function FactorSetup({ email, onDone, onHold, acts }: Props) {
  const [offer, setOffer] = useState<FactorOffer>();
  const [codes, setCodes] = useState<readonly string[]>();
  const confirm = async (totp: string) => {
    onHold?.(true);
    try {
      setCodes(await ownFactor.confirm(totp));
    } catch (error) {
      onHold?.(false);
      throw error;
    }
  };
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />;
  if (offer !== undefined) return <AppStep email={email} offer={offer} onConfirm={confirm} />;
  const begin = async (password: string) => {
    try {
      setOffer(await ownFactor.offer(password));
    } catch (error) {
      if (!(error instanceof RejectedRequest) || error.problem.messageKey !== 'second_factor_on') throw error;
      onDone();
    }
  };
  return (
    <ProofForm email={email} asks={['password']} send={begin} label={<Trans>Begin</Trans>} acts={acts} />
  );
}

interface AppProps {
  readonly email: string;
  readonly offer: FactorOffer;
  readonly onConfirm: (totp: string) => Promise<void>;
}

function AppStep({ email, offer: { secret, uri }, onConfirm }: AppProps) {
  const { t } = useLingui();
  return (
    <div className={styles['steps']}>
      <p>
        <Trans>Scan this with an authenticator app on your phone, then write the code that it shows.</Trans>
      </p>
      <QrCode text={uri} label={t`QR code for the authenticator app`} />
      <details>
        <summary>
          <Trans>The app cannot scan it</Trans>
        </summary>
        <p className={styles['secret']}>
          <Trans>Type this key into the app:</Trans>{' '}
          <code dir="ltr">{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
        </p>
      </details>
      <ProofForm
        email={email}
        asks={['code']}
        send={(_password, code) => onConfirm(code)}
        label={<Trans>Confirm</Trans>}
      />
    </div>
  );
}
