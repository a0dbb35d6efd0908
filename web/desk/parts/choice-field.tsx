import type { ComponentProps } from 'react';
import { lazy, Suspense } from 'react';
import { SelectField } from './fields.tsx';

/** A list of this length is read at a glance; in a longer one people search. */
const SHORT_LIST = 15;

const ComboField = lazy(() => import('./combo-field.tsx'));

/** A choice of one among records, however many: a menu for few, a field that is searched for many. */
export function ChoiceField(props: ComponentProps<typeof SelectField>) {
  const menu = <SelectField {...props} />;
  if (props.options.length <= SHORT_LIST) return menu;
  return (
    <Suspense fallback={menu}>
      <ComboField {...props} />
    </Suspense>
  );
}
