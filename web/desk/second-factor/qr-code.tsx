import { create } from 'qrcode';
import styles from './second-factor.module.css';

/** White modules around the code, which readers need. */
const QUIET_ZONE = 4;

/** A QR code, dark on white in every scheme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const rows = Array.from({ length: size }, (_, row) => row);
  const path = rows
    .flatMap((row) =>
      rows.flatMap((column) => (modules.get(row, column) === 0 ? [] : [`M${column} ${row}h1v1h-1z`])),
    )
    .join('');
  const side = size + 2 * QUIET_ZONE;
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles['qr']}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
