import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { isOneOf, UNIT_TYPES } from '../../../../domain/enumerations.ts';
import { UNIT_WORDS } from '../../../shared/domain-words.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import type { ItemValues, ShipmentValues } from './values.ts';
import { newItem } from './values.ts';
import styles from './form.module.css';

const MAXIMUM_ITEMS = 200;

interface Props {
  readonly values: ShipmentValues;
  readonly onChange: (changes: Partial<ShipmentValues>) => void;
  readonly errorOf: (path: string) => string | undefined;
}

/** What is in the parcel, a row for each item. */
export function ItemRows({ values: { items }, onChange, errorOf }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const remove = (key: string) => {
    onChange({ items: items.filter((item) => item.key !== key) });
    // The focus would fall out of the form with its row.
    place.current?.querySelector('button')?.focus();
  };
  return (
    <>
      {items.map((item, index) => (
        <ItemRow
          key={item.key}
          item={item}
          number={index + 1}
          errorOf={(name) => errorOf(`items[${index}].${name}`)}
          onChange={(changes) =>
            onChange({ items: items.map((one) => (one === item ? { ...one, ...changes } : one)) })
          }
          onRemove={() => remove(item.key)}
        />
      ))}
      <div ref={place} className={styles['wide']}>
        <Button
          disabled={items.length >= MAXIMUM_ITEMS}
          onClick={() => onChange({ items: [...items, newItem()] })}
        >
          <Trans>Add an item</Trans>
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly item: ItemValues;
  readonly number: number;
  readonly errorOf: (name: string) => string | undefined;
  readonly onChange: (changes: Partial<ItemValues>) => void;
  readonly onRemove: () => void;
}

function ItemRow({ item, number, errorOf, onChange, onRemove }: RowProps) {
  const { t, i18n } = useLingui();
  return (
    <div role="group" aria-label={t`Item ${number}`} className={styles['item']}>
      <TextField
        label={t`Item *`}
        value={item.name}
        onChange={(name) => onChange({ name })}
        error={errorOf('name')}
        aria-required
      />
      <TextField
        label={t`Quantity`}
        inputMode="numeric"
        dir="ltr"
        value={item.quantity}
        onChange={(quantity) => onChange({ quantity })}
        error={errorOf('quantity')}
      />
      <SelectField
        label={t`Unit`}
        value={item.unitType}
        onChange={(unitType) => isOneOf(UNIT_TYPES, unitType) && onChange({ unitType })}
        error={errorOf('unitType')}
        options={UNIT_TYPES.map((value) => ({ value, label: i18n._(UNIT_WORDS[value]) }))}
      />
      <TextField
        label={t`Unit price`}
        inputMode="decimal"
        dir="ltr"
        value={item.unitPrice}
        onChange={(unitPrice) => onChange({ unitPrice })}
        error={errorOf('unitPrice')}
      />
      <TextField
        label={t`SKU`}
        dir="ltr"
        value={item.sku}
        onChange={(sku) => onChange({ sku })}
        error={errorOf('sku')}
      />
      <div className={styles['remove']}>
        <Button kind="quiet" onClick={onRemove} aria-label={t`Remove item ${number}`}>
          <span aria-hidden="true">✕</span>
        </Button>
      </div>
    </div>
  );
}
