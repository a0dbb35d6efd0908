import { Trans, useLingui } from '@lingui/react/macro';
import { PACKAGE_SIZES, PRIORITIES } from '../../../domain/enumerations.ts';
import { PACKAGE_SIZE_WORDS, PRIORITY_WORDS } from '../../shared/domain-words.ts';
import { useSession } from '../session.tsx';
import { OrganizationForm } from './organization-form.tsx';
import type { Organization } from './organization-reads.ts';
import type { FormField, FormValues } from './record/form-field.ts';
import { amountText, numberOf } from './record/form-field.ts';
import styles from './settings.module.css';

function valuesOf({ tariff, deadlineHours }: Organization): FormValues {
  return {
    'tariff.defaultBaseFee': tariff.defaultBaseFee,
    'tariff.freeWeight': String(tariff.freeWeight),
    'tariff.perKilogram': tariff.perKilogram,
    ...Object.fromEntries(
      PACKAGE_SIZES.map((size) => [`tariff.sizeSupplements.${size}`, tariff.sizeSupplements[size]]),
    ),
    ...Object.fromEntries(
      PRIORITIES.flatMap((priority) => [
        [`tariff.prioritySupplements.${priority}`, tariff.prioritySupplements[priority]],
        [`deadlineHours.${priority}`, String(deadlineHours[priority])],
      ]),
    ),
  };
}

function bodyOf(values: FormValues) {
  const size = (name: string) => amountText(values, `tariff.sizeSupplements.${name}`);
  const priority = (name: string) => amountText(values, `tariff.prioritySupplements.${name}`);
  const hours = (name: string) => numberOf(values, `deadlineHours.${name}`);
  return {
    tariff: {
      defaultBaseFee: amountText(values, 'tariff.defaultBaseFee'),
      freeWeight: numberOf(values, 'tariff.freeWeight'),
      perKilogram: amountText(values, 'tariff.perKilogram'),
      sizeSupplements: {
        small: size('small'),
        medium: size('medium'),
        large: size('large'),
        extra_large: size('extra_large'),
      },
      prioritySupplements: {
        low: priority('low'),
        normal: priority('normal'),
        high: priority('high'),
        urgent: priority('urgent'),
      },
    },
    deadlineHours: {
      urgent: hours('urgent'),
      high: hours('high'),
      normal: hours('normal'),
      low: hours('low'),
    },
  };
}

/** What a delivery costs and when it is late, for shipments that are made from then on. */
export default function Prices() {
  const { t } = useLingui();
  return (
    <>
      <h2>
        <Trans>Prices and deadlines</Trans>
      </h2>
      <p className={styles['quiet']}>
        <Trans>A change is for new shipments. Zones have prices of their own.</Trans>
      </p>
      <OrganizationForm
        label={t`Prices and deadlines`}
        fields={usePriceFields()}
        valuesOf={valuesOf}
        bodyOf={bodyOf}
      />
    </>
  );
}

function usePriceFields(): readonly FormField[] {
  const { t, i18n } = useLingui();
  const { currency } = useSession().session.organization;
  const price = t`Delivery fee (${currency})`;
  return [
    { name: 'tariff.defaultBaseFee', label: t`Outside of all zones`, kind: 'amount', group: price },
    { name: 'tariff.freeWeight', label: t`Kilograms included`, kind: 'number', group: price },
    { name: 'tariff.perKilogram', label: t`Each further kilogram`, kind: 'amount', group: price },
    ...PACKAGE_SIZES.map((size) => ({
      name: `tariff.sizeSupplements.${size}`,
      label: i18n._(PACKAGE_SIZE_WORDS[size]),
      kind: 'amount' as const,
      group: t`More by size (${currency})`,
    })),
    ...PRIORITIES.map((priority) => ({
      name: `tariff.prioritySupplements.${priority}`,
      label: i18n._(PRIORITY_WORDS[priority]),
      kind: 'amount' as const,
      group: t`More by priority (${currency})`,
    })),
    ...PRIORITIES.map((priority) => ({
      name: `deadlineHours.${priority}`,
      label: i18n._(PRIORITY_WORDS[priority]),
      kind: 'number' as const,
      group: t`Hours until a delivery is late`,
    })),
  ];
}
