import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../shared/client.ts';
import { answer, api } from '../../shared/client.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSession } from '../session.tsx';
import type { Place } from './port.ts';
import styles from './map.module.css';

type Results = Schemas['GeocodeResult']['results'];

/** Whether this browser has been told that there is no geocoder. */
const NOTED = 'desk-geocoder-noted';

interface Props {
  readonly address: string;
  readonly onFind: (place: Place) => void;
}

/** A search for an address where the operator has set a geocoder; where none is set that is said once. */
export function PlaceSearch({ address, onFind }: Props) {
  const { hasGeocoder } = useSession().session.settings;
  return hasGeocoder ? <Search address={address} onFind={onFind} /> : <NoGeocoder />;
}

function Search({ address, onFind }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState(address);
  const [results, setResults] = useState<Results>();
  const search = useAction(async () => {
    setResults(undefined);
    const found = await answer(api.GET('/geocode', { params: { query: { q: text } } }));
    setResults(found.results);
  });
  return (
    <div className={styles['picker']} role="search">
      <div className={styles['search']}>
        <TextField
          label={t`Find an address`}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            // The form around it is not sent.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void search.run();
          }}
        />
        <Button onClick={() => void search.run()} isPending={search.isPending} disabled={text.trim() === ''}>
          <Trans>Search</Trans>
        </Button>
      </div>
      {search.error !== undefined && <ErrorNotice error={search.error} />}
      <div role="status">{results?.length === 0 && <Trans>Nothing was found.</Trans>}</div>
      {results && results.length > 0 && (
        <ul className={styles['results']} aria-label={t`Places found`}>
          {results.map(({ label, latitude, longitude }) => (
            <li key={`${label} ${latitude} ${longitude}`}>
              <button
                type="button"
                className={styles['result']}
                onClick={() => onFind({ latitude, longitude })}
              >
                <bdi>{label}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function NoGeocoder() {
  const [isNoted] = useState(() => window.localStorage.getItem(NOTED) !== null);
  useEffect(() => window.localStorage.setItem(NOTED, 'yes'), []);
  if (isNoted) return null;
  return (
    <p className={styles['quietText']}>
      <Trans>
        Addresses cannot be searched: no geocoder is set (<code>GEOCODER_URL</code>). Put the pin by hand; it
        is remembered for the next parcel there.
      </Trans>
    </p>
  );
}
