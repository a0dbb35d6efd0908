import { useLingui } from '@lingui/react/macro';
import { activateLanguage } from '../../shared/activate-language.ts';
import { isLanguage, LANGUAGES } from '../../shared/words.ts';
import type { Language } from '../../shared/words.ts';
import { SelectField } from './fields.tsx';

interface Props {
  /** What keeps the choice; by default only this page speaks the language. */
  readonly onChoose?: (language: Language) => Promise<unknown>;
}

/** The languages in their own names. */
export function LanguageChoice({ onChoose = activateLanguage }: Props) {
  const { t, i18n } = useLingui();
  const choose = (value: string) => {
    if (isLanguage(value)) void onChoose(value);
  };
  return (
    <SelectField
      label={t`Language`}
      value={i18n.locale}
      onChange={choose}
      options={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}
