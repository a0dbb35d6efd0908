import { Trans } from '@lingui/react/macro';
import { isTerminalTask } from '../../../domain/shipment-status.ts';
import { useAddressParameter } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { useSession } from '../session.tsx';
import type { Task } from '../shipments/reads.ts';

/** Opens the form that sets where a task is, while that can still matter. */
export function PlaceButton({ task }: { readonly task: Task }) {
  const { may } = useSession();
  const [, openPlace] = useAddressParameter('place');
  if (!may('task.edit') || isTerminalTask(task.type, task.status)) return null;
  return (
    <Button onClick={() => openPlace(task.id)}>
      {task.address.latitude === undefined ? <Trans>Set the place…</Trans> : <Trans>Change the place…</Trans>}
    </Button>
  );
}
