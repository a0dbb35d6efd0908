import { useLingui } from '@lingui/react/macro';
import { Dialog } from '../parts/dialog.tsx';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

export default function ShipmentDrawer({ id, onClose }: Props) {
  const { t } = useLingui();
  return (
    <Dialog title={id} form="drawer" onClose={onClose} closeLabel={t`Close`}>
      {null}
    </Dialog>
  );
}
