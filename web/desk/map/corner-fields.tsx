import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { DegreeFields } from './degree-fields.tsx';
import type { Place } from './port.ts';
import styles from './map.module.css';

interface Props {
  readonly corners: readonly Place[];
  readonly onChange: (corners: readonly Place[]) => void;
}

/** The corners of an area as numbers, for who knows them or cannot use the map. They are drawn when they are asked for. */
export function CornerFields({ corners, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <Trans>Type the corners</Trans>
      </summary>
      {isOpen && (
        <div className={styles['picker']}>
          {corners.map((corner, index) => (
            <Corner
              // A corner is its place in the order: it has no other name.
              key={index}
              number={index + 1}
              value={corner}
              onChange={(place) => onChange(corners.with(index, place))}
              onRemove={() => onChange(corners.toSpliced(index, 1))}
            />
          ))}
          {/* Empty again for the next one. */}
          <Corner
            key={`new ${corners.length}`}
            number={corners.length + 1}
            value={undefined}
            onChange={(place) => onChange([...corners, place])}
          />
        </div>
      )}
    </details>
  );
}

interface CornerProps {
  readonly number: number;
  readonly value: Place | undefined;
  readonly onChange: (place: Place) => void;
  readonly onRemove?: () => void;
}

function Corner({ number, value, onChange, onRemove }: CornerProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState<Place>();
  const isNew = value === undefined;
  return (
    <fieldset className={styles['cornerFields']}>
      <legend>{isNew ? t`Next corner` : t`Corner ${number}`}</legend>
      <DegreeFields value={value ?? typed} onChange={isNew ? setTyped : onChange} />
      {isNew ? (
        <Button disabled={typed === undefined} onClick={() => typed && onChange(typed)}>
          <Trans>Add this corner</Trans>
        </Button>
      ) : (
        <Button kind="quiet" onClick={onRemove} aria-label={t`Remove corner ${number}`}>
          <Trans>Remove</Trans>
        </Button>
      )}
    </fieldset>
  );
}
