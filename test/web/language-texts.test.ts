import test from 'ava';
import { LanguageTexts } from '../../web/shared/language-texts.ts';

/** Texts that arrive when the test says so: `fr words`, `ar settings`. */
function arriving() {
  const waiting = new Map<string, (() => void)[]>();
  const load = (text: string) => () =>
    new Promise<string>((resolve) => {
      waiting.set(text, [...(waiting.get(text) ?? []), () => resolve(text)]);
    });
  const of = (name: string) => ({ en: load(`en ${name}`), fr: load(`fr ${name}`), ar: load(`ar ${name}`) });
  const texts = new LanguageTexts({ words: of('words'), settings: of('settings') }, 'words', 'en');
  /** Lets a text arrive once it is asked for. */
  const arrive = async (text: string) => {
    while (!waiting.has(text)) await Promise.resolve();
    for (const give of waiting.get(text) ?? []) give();
    waiting.delete(text);
  };
  return { texts, arrive };
}

test('a language has the texts of a screen that was opened while it was loading', async (t) => {
  const { texts, arrive } = arriving();
  const added: string[] = [];
  const chosen = texts.choose('fr');
  const opened = texts.open('settings', (_language, text) => added.push(text));
  await arrive('en settings');
  await opened;
  t.deepEqual(added, ['en settings']);
  await arrive('fr words');
  await arrive('fr words');
  await arrive('fr settings');
  t.deepEqual(await chosen, ['fr words', 'fr settings']);
});

test('a screen has its texts in a language that was chosen while they were loading', async (t) => {
  const { texts, arrive } = arriving();
  const added: string[] = [];
  const opened = texts.open('settings', (_language, text) => added.push(text));
  const chosen = texts.choose('fr');
  await arrive('fr words');
  await arrive('fr settings');
  await chosen;
  await arrive('en settings');
  await arrive('fr settings');
  await opened;
  t.is(added.at(-1), 'fr settings');
});

test('of two languages that are chosen quickly the later one is shown, whichever arrives first', async (t) => {
  const { texts, arrive } = arriving();
  const former = texts.choose('fr');
  const later = texts.choose('ar');
  await arrive('ar words');
  t.deepEqual(await later, ['ar words']);
  await arrive('fr words');
  t.is(await former, undefined);
});
