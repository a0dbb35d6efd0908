import { Plural, Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Notice } from '../parts/notice.tsx';
import type { ServiceSentence } from '../parts/sentence.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { ShipmentLink } from '../shipments/shipment-link.tsx';
import styles from './approvals.module.css';

/** What became of each shipment of an approval. */
export type ApprovalResults = readonly (ServiceSentence & {
  readonly id: string;
  readonly trackingNumber: string;
  readonly status: 'approved' | 'processing' | 'error';
})[];

/** How many were approved, and each that was not, with the reason. It gets the focus: the rows it had are gone. */
export function Results({ results }: { readonly results: ApprovalResults }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [results]);
  const approved = results.filter(({ status }) => status === 'approved').length;
  const others = results.filter(({ status }) => status !== 'approved');
  return (
    <div ref={place} tabIndex={-1} role="status" className={styles['results']}>
      <Notice kind={others.length === 0 ? 'success' : 'warning'}>
        <Plural value={approved} one="# request approved." other="# requests approved." />
        {others.length > 0 && (
          <ul className={styles['others']}>
            {others.map(({ id, trackingNumber, status, ...said }) => (
              <li key={id}>
                <ShipmentLink id={id}>{trackingNumber}</ShipmentLink>:{' '}
                {status === 'processing' ? (
                  <Trans>accepted, its outcome is not known yet</Trans>
                ) : (
                  <Sentence {...said} />
                )}
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}
