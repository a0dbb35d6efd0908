type Parts<Name extends string, Language extends string, Texts> = Readonly<
  Record<Name, Readonly<Record<Language, () => Promise<Texts>>>>
>;

/**
 * Which language is shown, and the catalogues that the screens opened so far need of it. What is chosen last is shown last,
 * however long each takes to arrive, and no language is shown without a catalogue that was opened meanwhile.
 */
export class LanguageTexts<Name extends string, Language extends string, Texts> {
  private readonly catalogues: Parts<Name, Language, Texts>;
  private readonly opened: Set<Name>;
  private shown: Language;
  private choices = 0;

  constructor(catalogues: Parts<Name, Language, Texts>, first: NoInfer<Name>, shown: NoInfer<Language>) {
    this.catalogues = catalogues;
    this.opened = new Set([first]);
    this.shown = shown;
  }

  /** Resolves to all texts of a language for the opened screens; undefined where another was chosen since. Rejects where one cannot be loaded. */
  async choose(language: Language): Promise<readonly Texts[] | undefined> {
    const choice = (this.choices += 1);
    let loaded: readonly Texts[] = [];
    // A screen may be opened while they arrive.
    while (loaded.length < this.opened.size)
      loaded = await Promise.all([...this.opened].map((name) => this.catalogues[name][language]()));
    if (choice !== this.choices) return undefined;
    this.shown = language;
    return loaded;
  }

  /** Opens a catalogue: gives `add` its texts in the language that is shown, or shown meanwhile. Rejects where it cannot be loaded. */
  async open(name: Name, add: (language: Language, texts: Texts) => void): Promise<void> {
    this.opened.add(name);
    let language: Language;
    do {
      language = this.shown;
      add(language, await this.catalogues[name][language]());
    } while (language !== this.shown);
  }
}
