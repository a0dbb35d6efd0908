import type { MessageDescriptor, Messages } from '@lingui/core';
import { i18n, setupI18n } from '@lingui/core';
import {
  isOneOf,
  RUN_STATUSES,
  SHIPMENT_STATUSES,
  TASK_STATUSES,
  TASK_TYPES,
  TRANSITIONS,
} from '../../domain/enumerations.ts';
import type { MessageParameters } from '../../domain/messages.ts';
import {
  RUN_STATUS_WORDS,
  SHIPMENT_STATUS_WORDS,
  TASK_STATUS_WORDS,
  TASK_TYPE_WORDS,
  TRANSITION_WORDS,
} from './domain-words.ts';
import { formatNumber } from './format.ts';
import type { Language } from './words.ts';

/** Apart from the screen's texts: their arrival draws nothing again. */
const speech = setupI18n();
let words: Readonly<Record<string, MessageDescriptor>> = {};
/** For so long what was rejected waits for its words. */
const TEXTS_WITHIN_MS = 2_000;
let loading: Promise<void> = Promise.resolve();
/** How many languages were asked for: only the last is spoken. */
let choices = 0;
/** Called when the texts of a language have arrived. */
const watchers = new Set<() => void>();

async function catalogueOf(language: Language): Promise<Messages> {
  if (language === 'fr') return (await import('./locales/fr/service.po')).messages;
  if (language === 'ar') return (await import('./locales/ar/service.po')).messages;
  return (await import('./locales/en/service.po')).messages;
}

async function load(language: Language): Promise<void> {
  const choice = (choices += 1);
  const [messages, { SERVICE_WORDS }] = await Promise.all([
    catalogueOf(language),
    import('./service-words.ts'),
  ]);
  if (choice !== choices) return;
  speech.loadAndActivate({ locale: language, messages });
  words = SERVICE_WORDS;
  for (const watch of watchers) watch();
}

/** Calls back each time that the texts of a language have arrived; the function ends it. */
export function watchServiceTexts(watch: () => void): () => void {
  watchers.add(watch);
  return () => watchers.delete(watch);
}

/** The language of the texts that are there; empty before the first. */
export function serviceTextsLanguage(): string {
  return speech.locale;
}

/** Begins to load what the service's sentences say in a language. Without it they are shown as the service says them. */
export function loadServiceTexts(language: Language): void {
  loading = load(language).catch(() => undefined);
}

/** Resolves when the texts are there, cannot be loaded or are too slow: what was rejected is shown after that. Never rejects. */
export function serviceTextsLoaded(): Promise<void> {
  const tooSlow = new Promise<void>((resolve) => {
    setTimeout(resolve, TEXTS_WITHIN_MS);
  });
  return Promise.race([loading, tooSlow]);
}

/** What a sentence of the service says in the person's language; undefined where the console has no text for it. */
export function serviceText(
  messageKey: string | undefined,
  parameters: MessageParameters = {},
): string | undefined {
  if (messageKey === undefined || !Object.hasOwn(words, messageKey)) return undefined;
  const known = words[messageKey];
  if (known === undefined) return undefined;
  const values = Object.entries(parameters).map(([name, value]) => [name, wordOf(name, value)] as const);
  return speech._(known.id, Object.fromEntries<string>(values));
}

/** A parameter as a person writes it: a number as its language does, a word of the domain by its text, any other text in its own direction. */
function wordOf(name: string, value: string | number): string {
  // As spreadsheet programs show it: without groups of digits.
  if (name === 'row') return String(value);
  if (typeof value === 'number') return formatNumber(value);
  if (name === 'taskStatus' && isOneOf(TASK_STATUSES, value)) return i18n._(TASK_STATUS_WORDS[value]);
  if (name === 'shipmentStatus' && isOneOf(SHIPMENT_STATUSES, value))
    return i18n._(SHIPMENT_STATUS_WORDS[value]);
  if (name === 'runStatus' && isOneOf(RUN_STATUSES, value)) return i18n._(RUN_STATUS_WORDS[value]);
  if (name === 'taskType' && isOneOf(TASK_TYPES, value)) return i18n._(TASK_TYPE_WORDS[value]);
  if (name === 'transition' && isOneOf(TRANSITIONS, value)) return i18n._(TRANSITION_WORDS[value]);
  return `\u2068${value}\u2069`;
}
