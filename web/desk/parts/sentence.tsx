import { useSyncExternalStore } from 'react';
import type { MessageParameters } from '../../../domain/messages.ts';
import { serviceText, serviceTextsLanguage, watchServiceTexts } from '../../shared/service-text.ts';

/** What the service says of a part of an answer. */
export interface ServiceSentence {
  readonly message?: string | undefined;
  readonly messageKey?: string | undefined;
  readonly parameters?: MessageParameters | undefined;
}

/** A sentence of the service in the person's language, where the console has a text for it; else as the service says it. */
export function Sentence({ message, messageKey, parameters }: ServiceSentence) {
  // The texts may arrive after the answer.
  useSyncExternalStore(watchServiceTexts, serviceTextsLanguage);
  return <bdi>{serviceText(messageKey, parameters) ?? message}</bdi>;
}
