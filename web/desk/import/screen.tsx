import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { ownAddress } from '../../shared/client.ts';
import { useAddressParameter } from '../address.ts';
import { ButtonLink } from '../parts/button.tsx';
import { ScreenHeader } from '../parts/screen-header.tsx';
import { useSession } from '../session.tsx';
import { FileChoice } from './file-choice.tsx';
import { ImportList } from './import-list.tsx';
import type { ChosenFile } from './import-requests.ts';
import { ImportResult } from './import-result.tsx';
import { MerchantChoice } from './merchant-choice.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import styles from './import.module.css';

const TEMPLATE = ownAddress('/api/v1/shipments/import/template');

/** From a workbook to shipments: choose, look at it, import, see what became of it (`?import=<id>`). */
export default function ImportScreen() {
  const { may } = useSession();
  const [shown, show] = useAddressParameter('import');
  const [merchant, setMerchant] = useState('');
  const [chosen, setChosen] = useState<ChosenFile>();
  // Another file, and the same file again, are another preview.
  const [turn, setTurn] = useState(0);
  const choose = (next: ChosenFile | undefined) => {
    setChosen(next);
    setTurn((before) => before + 1);
    if (next !== undefined && shown !== undefined) show(undefined);
  };
  return (
    <>
      <ScreenHeader title={<Trans>Import shipments</Trans>}>
        <ButtonLink href={TEMPLATE} download>
          <Trans>Download the template</Trans>
        </ButtonLink>
      </ScreenHeader>
      <div className={styles['screen']}>
        {chosen === undefined && shown !== undefined && <ImportResult key={shown} id={shown} />}
        {chosen === undefined && (
          <FileChoice onFile={(file) => choose({ file, merchant })}>
            {may('merchant.write') && <MerchantChoice value={merchant} onChange={setMerchant} />}
          </FileChoice>
        )}
        {chosen !== undefined && (
          <PreviewPanel
            key={turn}
            chosen={chosen}
            onOther={() => choose(undefined)}
            onRecord={(id) => {
              choose(undefined);
              show(id);
            }}
          />
        )}
        <ImportList current={shown} />
      </div>
    </>
  );
}
