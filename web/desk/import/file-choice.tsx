import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { MAX_FILE_BYTES } from './import-requests.ts';
import styles from './import.module.css';

interface Props {
  readonly onFile: (file: File) => void;
  /** What goes with the file. */
  readonly children: ReactNode;
}

/** Why a file cannot be sent, before it is. */
type Obstacle = 'too_large' | 'several' | 'unreadable';

/** Takes a workbook that is dropped or chosen. */
export function FileChoice({ onFile, children }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [obstacle, setObstacle] = useState<Obstacle>();
  const take = async (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined) return;
    const found = await checked(files, file);
    if (typeof found === 'string') setObstacle(found);
    else onFile(found);
  };
  return (
    <div
      className={`${styles['drop']} ${isOver ? styles['over'] : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take([...event.dataTransfer.files]);
      }}
    >
      <p>
        <Trans>Drop a workbook (.xlsx) here, or choose one. Nothing is made before you have seen it.</Trans>
      </p>
      {children}
      <input
        ref={input}
        type="file"
        accept=".xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        className={styles['hidden']}
        aria-label={t`Workbook`}
        tabIndex={-1}
        onChange={(event) => {
          void take([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button kind="primary" onClick={() => input.current?.click()}>
        <Trans>Choose a workbook</Trans>
      </Button>
      <p className={styles['quiet']}>
        <Trans>Up to 10,000 rows and 5 MB.</Trans>
      </p>
      <div role="alert">{obstacle !== undefined && <ObstacleNotice obstacle={obstacle} />}</div>
    </div>
  );
}

function ObstacleNotice({ obstacle }: { readonly obstacle: Obstacle }) {
  return (
    <Notice kind="danger">
      {obstacle === 'too_large' && <Trans>The file is larger than 5 MB.</Trans>}
      {obstacle === 'several' && <Trans>Import one file at a time.</Trans>}
      {obstacle === 'unreadable' && <Trans>The browser cannot read this file. Is it still there?</Trans>}
    </Notice>
  );
}

/** The file with its bytes as they are now, or what stands against it. */
async function checked(files: readonly File[], file: File): Promise<File | Obstacle> {
  if (files.length > 1) return 'several';
  if (file.size > MAX_FILE_BYTES) return 'too_large';
  try {
    return new File([await file.arrayBuffer()], file.name, { type: file.type });
  } catch {
    return 'unreadable';
  }
}
