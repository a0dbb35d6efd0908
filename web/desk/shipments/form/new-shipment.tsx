import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../../shared/client.ts';
import { leaveFreely } from '../../leave-guard.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ScreenHeader } from '../../parts/screen-header.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useRequestKey } from '../../parts/use-request-key.ts';
import { useSession } from '../../session.tsx';
import type { Shipment } from '../reads.ts';
import { ShipmentLink } from '../shipment-link.tsx';
import { FormFrame } from './form-frame.tsx';
import { ShipmentFields } from './shipment-form.tsx';
import { useNumberCheck } from './use-number-check.ts';
import type { ShipmentValues } from './values.ts';
import { bodyOf, NO_VALUES } from './values.ts';

/** Makes a shipment; a merchant's awaits approval. */
export default function NewShipment() {
  const { t } = useLingui();
  const { session } = useSession();
  const [, navigate] = useLocation();
  const [start, setStart] = useState(NO_VALUES);
  const [values, setValues] = useState(NO_VALUES);
  const [made, setMade] = useState<Shipment>();
  const [count, setCount] = useState(0);
  const create = useCreation(session.organization.timezone, setMade);
  const numbers = useNumberCheck(create.errorOf);
  const save = async (then: (shipment: ShipmentValues) => void) => {
    if (numbers.check(values) && (await create.run(values))) then(values);
  };
  const leave = () => {
    leaveFreely();
    navigate('/shipments');
  };
  const beginNext = ({ merchant, pickupPoint }: ShipmentValues) => {
    // The next parcel of the same merchant, mostly.
    const next = { ...NO_VALUES, merchant, pickupPoint };
    setStart(next);
    setValues(next);
    setCount((before) => before + 1);
  };
  return (
    <>
      <ScreenHeader title={<Trans>New shipment</Trans>} />
      <FormFrame
        label={t`New shipment`}
        isDirty={values !== start}
        action={create}
        numberFaults={numbers.faults}
        onSubmit={() => void save(leave)}
        acts={
          <>
            <Button type="submit" kind="primary" isPending={create.isPending}>
              <Trans>Save</Trans>
            </Button>
            <Button isPending={create.isPending} onClick={() => void save(beginNext)}>
              <Trans>Save and make another</Trans>
            </Button>
          </>
        }
      >
        <div role="status">{made && <MadeNotice made={made} />}</div>
        {/* The first field has the focus, for each shipment. */}
        <ShipmentFields
          key={count}
          isNew
          values={values}
          onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
          errorOf={numbers.errorOf}
        />
      </FormFrame>
    </>
  );
}

function MadeNotice({ made: { id, trackingNumber } }: { readonly made: Shipment }) {
  return (
    <Notice kind="success">
      <Trans>
        Saved as <ShipmentLink id={id}>{trackingNumber}</ShipmentLink>.
      </Trans>
    </Notice>
  );
}

/** Creates a shipment once, however often the same request is sent. */
function useCreation(timeZone: string, onMade: (shipment: Shipment) => void) {
  const queries = useQueryClient();
  const withKey = useRequestKey();
  return useAction(async (values: ShipmentValues) => {
    const body = bodyOf(values, timeZone);
    const made = await withKey((key) =>
      answer(api.POST('/shipments', { params: { header: { 'Idempotency-Key': key } }, body })),
    );
    onMade(made);
    await queries.invalidateQueries({ queryKey: ['shipments', 'list'] });
  });
}
