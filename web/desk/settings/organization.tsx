import { Trans, useLingui } from '@lingui/react/macro';
import type { Organization as Row } from './organization-reads.ts';
import { OrganizationForm } from './organization-form.tsx';
import type { FormValues } from './record/form-field.ts';
import { textOf } from './record/form-field.ts';
import styles from './settings.module.css';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value }));

const valuesOf = ({ name, timezone, requiresSecondFactor }: Row): FormValues => ({
  name,
  timezone,
  requiresSecondFactor: requiresSecondFactor ? 'yes' : '',
});
const bodyOf = (values: FormValues) => ({
  name: textOf(values, 'name'),
  timezone: textOf(values, 'timezone'),
  requiresSecondFactor: values['requiresSecondFactor'] === 'yes',
});

/** Name and time zone; the rest is the service operator's. */
export default function Organization() {
  const { t } = useLingui();
  return (
    <>
      <h2>
        <Trans>Organization</Trans>
      </h2>
      <OrganizationForm
        label={t`Organization`}
        fields={[
          { name: 'name', label: t`Name`, isRequired: true },
          {
            name: 'timezone',
            label: t`Time zone`,
            isRequired: true,
            kind: 'choice',
            options: ZONES,
            hint: t`The day of the board and of tracking numbers begins at its midnight.`,
          },
          {
            name: 'requiresSecondFactor',
            label: t`Everybody signs in with a code of their phone as well`,
            kind: 'check',
          },
        ]}
        valuesOf={valuesOf}
        bodyOf={bodyOf}
        facts={(row) => <Facts row={row} />}
      />
    </>
  );
}

function Facts({ row: { plan, currency, trackingPrefix } }: { readonly row: Row }) {
  return (
    <>
      <dl className={styles['facts']}>
        <dt>
          <Trans>Plan</Trans>
        </dt>
        <dd>
          <bdi dir="ltr">{plan}</bdi>
        </dd>
        <dt>
          <Trans>Currency</Trans>
        </dt>
        <dd>
          <bdi dir="ltr">{currency}</bdi>
        </dd>
        <dt>
          <Trans>Tracking numbers begin with</Trans>
        </dt>
        <dd>
          <bdi dir="ltr">{trackingPrefix}</bdi>
        </dd>
      </dl>
      <p className={styles['quiet']}>
        <Trans>Whoever runs this service can change the plan, the currency and the prefix.</Trans>
      </p>
    </>
  );
}
