/** One Chinese character is written in several forms: each country's readers expect their own. */
export type HanForm = 'simplified' | 'traditional' | 'japanese' | 'korean';

/** Letters that only one of the languages has. */
const OWN_LETTERS = [
  { form: 'japanese', letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u },
  { form: 'korean', letters: /\p{Script=Hangul}/u },
  { form: 'traditional', letters: /\p{Script=Bopomofo}/u },
] as const satisfies readonly { form: HanForm; letters: RegExp }[];

/** The characters of each country's standard are those of its old encoding: every pair of a first and a second byte. */
const STANDARDS = [
  { form: 'simplified', encoding: 'gbk', first: [0xb0, 0xf7], second: [[0xa1, 0xfe]] },
  {
    form: 'traditional',
    encoding: 'big5',
    first: [0xa4, 0xf9],
    second: [
      [0x40, 0x7e],
      [0xa1, 0xfe],
    ],
  },
  { form: 'japanese', encoding: 'euc-jp', first: [0xb0, 0xf4], second: [[0xa1, 0xfe]] },
] as const;

let standards: readonly { readonly form: HanForm; readonly characters: ReadonlySet<string> }[] | undefined;

/**
 * Returns whose forms of Chinese characters a text wants: by letters that one language alone has, else by the one standard that
 * has all of its characters, traditional before Japanese. Undefined where a text has none of them, or says too little.
 */
export function hanFormOf(text: string): HanForm | undefined {
  const characters = text.match(/\p{Script=Han}/gu);
  if (characters === null) return undefined;
  const own = OWN_LETTERS.find(({ letters }) => letters.test(text));
  if (own !== undefined) return own.form;
  standards ??= STANDARDS.map(readStandard);
  const forms = standards.filter((standard) => characters.every((each) => standard.characters.has(each)));
  return forms[0]?.form === 'simplified' && forms.length > 1 ? undefined : forms[0]?.form;
}

function readStandard({ form, encoding, first, second }: (typeof STANDARDS)[number]) {
  const bytes = byteRange(first).flatMap((high) =>
    second.flatMap((range) => byteRange(range).flatMap((low) => [high, low])),
  );
  return { form, characters: new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes))) };
}

function byteRange([first, last]: readonly [number, number]): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
