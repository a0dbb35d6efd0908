import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../parts/notice.tsx';
import { Switch } from '../parts/switch.tsx';
import { useAction } from '../parts/use-action.ts';
import { setAvailable } from './driver-edits.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly isAvailable: boolean;
}

/** Whether tasks may be assigned to a driver, as a switch. */
export function Availability({ id, name, isAvailable }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const change = useAction(async (wanted: boolean) => {
    await setAvailable(id, wanted);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['day'] }),
      queries.invalidateQueries({ queryKey: ['drivers', id] }),
    ]);
  });
  return (
    <>
      <Switch
        isOn={isAvailable}
        isPending={change.isPending}
        label={t`${name} is available`}
        onChange={(wanted) => void change.run(wanted)}
      >
        {isAvailable ? <Trans>Available</Trans> : <Trans>Off duty</Trans>}
      </Switch>
      {change.error !== undefined && <ErrorNotice error={change.error} />}
    </>
  );
}
