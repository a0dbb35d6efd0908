import { matches, searchWords } from '../../domain/text-search.ts';

/** One of a choice. */
export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  /** What was typed for which the service found it: perhaps by a field that its label does not show. */
  readonly foundBy?: string | undefined;
}

/** The options that have each word typed in their label, and those that the service found for exactly this text. */
export function matchingOptions(options: readonly ChoiceOption[], typed: string): readonly ChoiceOption[] {
  const words = searchWords(typed);
  const text = typed.trim();
  return options.filter(({ label, foundBy }) => foundBy === text || matches(words, label));
}
