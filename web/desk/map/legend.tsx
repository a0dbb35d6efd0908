import { Trans, useLingui } from '@lingui/react/macro';
import type { BoardTask } from '../board/rows.ts';
import { CheckField } from '../parts/fields.tsx';
import { PIN_LOOKS, PIN_STATES } from './looks.ts';
import type { PinLook } from './port.ts';
import styles from './map.module.css';

/** What else the board's map shows. */
export interface ShownLayers {
  readonly zones: boolean;
  readonly points: boolean;
  readonly drivers: boolean;
}

interface Props {
  readonly layers: ShownLayers;
  readonly onChange: (layers: ShownLayers) => void;
}

/** What the signs mean, and what is shown beside the tasks. */
export function Legend({ layers, onChange }: Props) {
  const { t, i18n } = useLingui();
  const choices = [
    ['drivers', t`Drivers`],
    ['zones', t`Zones`],
    ['points', t`Pickup points`],
  ] as const;
  return (
    <details className={styles['legend']}>
      <summary>
        <Trans>Signs</Trans>
      </summary>
      <div className={styles['meanings']}>
        <ul>
          {PIN_STATES.map((state) => (
            <li key={state} className={styles['meaning']}>
              <PinSign look={PIN_LOOKS[state]} type="delivery" />
              {i18n._(PIN_LOOKS[state].words)}
            </li>
          ))}
          <li className={styles['meaning']}>
            <PinSign look={PIN_LOOKS.unassigned} type="pickup" />
            <Trans>Square: a pickup</Trans>
          </li>
        </ul>
        {choices.map(([name, label]) => (
          <CheckField
            key={name}
            label={label}
            value={layers[name]}
            onChange={(isShown) => onChange({ ...layers, [name]: isShown })}
          />
        ))}
      </div>
    </details>
  );
}

/** A pin as the map draws it. */
export function PinSign({ look, type }: { readonly look: PinLook; readonly type: BoardTask['type'] }) {
  const fill = `var(${look.isFilled ? look.colour : '--surface'})`;
  const line = `var(${look.isFilled ? '--surface' : look.colour})`;
  return (
    <svg className={styles['sign']} viewBox="-9 -9 18 18" aria-hidden="true">
      {type === 'pickup' ? (
        <rect x={-7} y={-7} width={14} height={14} rx={2} style={{ fill, stroke: `var(${look.colour})` }} />
      ) : (
        <circle r={7.5} style={{ fill, stroke: `var(${look.colour})` }} />
      )}
      <path d={look.path} style={{ fill: 'none', stroke: line, strokeWidth: 2, strokeLinecap: 'round' }} />
    </svg>
  );
}
