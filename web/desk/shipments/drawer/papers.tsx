import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../shared/client.ts';
import { answer, api } from '../../../shared/client.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { openFile } from '../../parts/open-file.ts';
import { ReadFailure, Skeleton } from '../../parts/states.tsx';
import { useAction } from '../../parts/use-action.ts';
import { printHeaders } from '../papers.ts';
import type { Shipment } from '../reads.ts';
import { Section } from './section.tsx';
import styles from './drawer.module.css';

const MAXIMUM_PACKAGES = 50;

/** Label, delivery note, and the recipient's own page. */
export function Papers({ shipment: { id, trackingUrl } }: { readonly shipment: Shipment }) {
  const { t } = useLingui();
  const [packages, setPackages] = useState('1');
  const [isShown, setIsShown] = useState(false);
  const label = useAction(() => printLabel(id, Number(packages)));
  const note = useAction(() => printNote(id));
  const error = label.error ?? note.error;
  return (
    <Section title={<Trans>Papers</Trans>}>
      <form
        className={styles['ends']}
        onSubmit={(event) => {
          event.preventDefault();
          void label.run();
        }}
      >
        <div className={styles['packages']}>
          <TextField
            label={t`Packages`}
            type="number"
            min={1}
            max={MAXIMUM_PACKAGES}
            required
            value={packages}
            onChange={setPackages}
          />
        </div>
        <Button type="submit" isPending={label.isPending}>
          <Trans>Print label (PDF)</Trans>
        </Button>
        <Button isPending={note.isPending} onClick={() => void note.run()}>
          <Trans>Delivery note (PDF)</Trans>
        </Button>
      </form>
      {error !== undefined && (
        <div role="alert">
          <ErrorNotice error={error} />
        </div>
      )}
      <details onToggle={(event) => setIsShown(event.currentTarget.open)}>
        <summary>
          <Trans>Codes on the label</Trans>
        </summary>
        {isShown && <Codes id={id} />}
      </details>
      {trackingUrl !== undefined && <TrackingLink href={trackingUrl} />}
    </Section>
  );
}

async function printLabel(id: string, packages: number): Promise<void> {
  const params = { path: { id }, query: { packages } };
  const headers = printHeaders();
  openFile(await answer(api.GET('/shipments/{id}/label-assets', { params, headers, parseAs: 'blob' })));
}

async function printNote(id: string): Promise<void> {
  const options = { params: { path: { id } }, headers: printHeaders(), parseAs: 'blob' } as const;
  openFile(await answer(api.GET('/shipments/{id}/delivery-note', options)));
}

function Codes({ id }: { readonly id: string }) {
  const { t } = useLingui();
  const assets = useQuery({
    queryKey: ['label', id],
    queryFn: () =>
      answer(api.GET('/shipments/{id}/label-assets', { params: { path: { id }, query: { format: 'svg' } } })),
    staleTime: Infinity,
  });
  if (assets.isError) return <ReadFailure error={assets.error} onRetry={() => void assets.refetch()} />;
  if (!isAssets(assets.data)) return <Skeleton rows={2} />;
  const { qrCode, barcode, trackingNumber } = assets.data;
  return (
    <div className={styles['codes']}>
      <img src={qrCode} alt={t`QR code of ${trackingNumber}`} />
      <img src={barcode} alt={t`Barcode of ${trackingNumber}`} />
    </div>
  );
}

/** The endpoint answers a PDF as well: the description cannot say which of the two this request gets. */
function isAssets(body: unknown): body is Schemas['LabelAssets'] {
  return typeof body === 'object' && body !== null && 'qrCode' in body;
}

/** The page that the recipient opens without signing in; the link is all that it takes (decision 0026). */
function TrackingLink({ href }: { readonly href: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(href);
    setIsCopied(true);
  };
  return (
    <div className={styles['row']}>
      <a className={styles['link']} href={href} target="_blank" rel="noreferrer">
        <Trans>The recipient’s tracking page</Trans>
      </a>
      {/* A clipboard exists on https and localhost alone. */}
      {'clipboard' in navigator && (
        <Button onClick={() => void copy().catch(() => undefined)}>
          <Trans>Copy link</Trans>
        </Button>
      )}
      <span role="status">{isCopied && <Trans>Copied.</Trans>}</span>
    </div>
  );
}
