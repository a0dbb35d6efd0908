import type { Session } from '../shared/client.ts';
import type { AskedProof } from '../shared/client.ts';
import {
  onForbiddenRequest,
  onProofAsked,
  onSessionEnd,
  sessions,
  unreachableSince,
} from '../shared/client.ts';
import type { Language } from '../shared/words.ts';
import { activateLanguage } from '../shared/activate-language.ts';
import { isLanguage } from '../shared/words.ts';
import type { SessionNews } from './session-tabs.ts';
import { hearOtherTabs, tellOtherTabs } from './session-tabs.ts';

/** Where the session of this page stands. */
export type SessionPhase =
  | { readonly kind: 'reading' }
  /** The service could not be asked. */
  | { readonly kind: 'away'; readonly error: unknown }
  | { readonly kind: 'nobody' }
  | {
      readonly kind: 'signed-in';
      readonly session: Session;
      readonly hasEnded: boolean;
      /** Whether the rights have changed since this page was opened. */
      readonly hasNewRights: boolean;
      /** Whether something waits for the password (decision 0046). */
      readonly asksPassword: boolean;
      /** Where a required second factor has to be set up: before any screen, or over one that was open when it was required. */
      readonly factorSetup: 'none' | 'page' | 'dialog';
    };

const AWAY_RETRY_MS = 3_000;

/** What decides over all that a page may show: where it changes, nothing of before stays. */
export function rightsOf({ user, permissions }: Session): string {
  return [user['@id'], user.role, user.merchant ?? '', user.driver ?? '', ...permissions].join();
}

/**
 * The life of this page's session: its first read, its end and the sign-in after it, changed rights, and what other tabs of the browser
 * do with the session that they share. It is made once, outside of React, and read with `useSyncExternalStore`.
 */
export class SessionLife {
  private phase: SessionPhase = { kind: 'reading' };
  private readonly watchers = new Set<() => void>();
  private waiting: (() => void)[] = [];
  private readonly asking: Record<AskedProof, ((isGiven: boolean) => void)[]> = {
    step_up_required: [],
    second_factor_missing: [],
  };
  private readonly forget: () => void;
  /** How many times the session was asked for, the last of these reads that was answered, and the last one that must be. */
  private asked = 0;
  private answered = 0;
  private wanted = 0;
  private holdsFactorSetup = false;

  /** `forget` drops all that was read. */
  constructor(forget: () => void) {
    this.forget = forget;
  }

  readonly watch = (notify: () => void): (() => void) => {
    this.watchers.add(notify);
    return () => this.watchers.delete(notify);
  };

  readonly read = (): SessionPhase => this.phase;

  /** Reads the session for the first time, and listens from then on. Returns what ends it. */
  start(): () => void {
    onSessionEnd(() => this.end());
    onProofAsked((asked) => this.askFor(asked));
    onForbiddenRequest(() => this.check());
    const stopHearing = hearOtherTabs((news) => this.hear(news));
    void this.readFirst();
    const timer = setInterval(() => this.askAgain(), AWAY_RETRY_MS);
    return () => {
      stopHearing();
      clearInterval(timer);
    };
  }

  /** Asks the service who is signed in, where the page does not know yet. Never rejects. */
  async readFirst(): Promise<void> {
    try {
      const found = await this.ask();
      if (found === 'overtaken') return;
      if (found === undefined) this.show({ kind: 'nobody' });
      else await this.take(found);
    } catch (error) {
      this.show({ kind: 'away', error });
    }
  }

  /** While the service is unreachable: a page that asks for nothing would never learn that it is back. */
  private askAgain(): void {
    if (this.phase.kind === 'away') void this.readFirst();
    else if (
      this.phase.kind === 'signed-in' &&
      (this.answered < this.wanted || unreachableSince() !== undefined)
    )
      this.check();
  }

  /** Reads the session again behind the screen, and again where the service gives no answer now: rights may have changed. */
  check(tellsOthers = true): void {
    this.wanted = this.asked + 1;
    this.refresh(tellsOthers).catch(() => undefined);
  }

  /** Reads the session; `overtaken` where a read that began later, or a sign-in, was answered before: its failure says nothing either. */
  private async ask(): Promise<Session | 'overtaken' | undefined> {
    const number = (this.asked += 1);
    try {
      const found = await sessions.read();
      if (number < this.answered) return 'overtaken';
      this.answered = number;
      return found;
    } catch (error) {
      if (number < this.answered) return 'overtaken';
      throw error;
    }
  }

  /** Shows a session after a sign-in, the first or one over a screen. What was asked before it says nothing of it. */
  async accept(next: Session): Promise<void> {
    this.answered = this.asked += 1;
    await this.take(next);
    tellOtherTabs('signed-in');
  }

  /** Reads the session again; other tabs do too where the rights have changed. Rejects without an answer. */
  private async refresh(tellsOthers: boolean): Promise<void> {
    const found = await this.ask();
    if (found === 'overtaken') return;
    if (found === undefined) {
      if (this.phase.kind === 'signed-in') this.show({ ...this.phase, hasEnded: true });
    } else if ((await this.take(found)) && tellsOthers) tellOtherTabs('changed');
  }

  async chooseLanguage(language: Language): Promise<void> {
    if (await activateLanguage(language)) await this.take(await sessions.keepLanguage(language));
  }

  /** Ends the question for the password; what waits is sent again where it was given. */
  answerStepUp(isGiven: boolean): void {
    if (this.phase.kind === 'signed-in') this.show({ ...this.phase, asksPassword: false });
    this.settle('step_up_required', isGiven);
  }

  /** The session turned out to have ended while the password was asked for: the sign-in asks for it too. */
  stepUpAtSignIn(): void {
    void this.end();
  }

  /** Shows the screens once a required second factor is set up, and its recovery codes are kept. Rejects where the service is away. */
  async finishFactorSetup(): Promise<void> {
    await this.refresh(true);
    this.holdsFactorSetup = false;
    this.leaveFactorSetup();
    tellOtherTabs('changed');
  }

  /** While a code is confirmed and the recovery codes are shown, nothing that other tabs have done takes them away. */
  holdFactorSetup(isHeld: boolean): void {
    this.holdsFactorSetup = isHeld;
    if (!isHeld && this.phase.kind === 'signed-in' && this.phase.session.user.secondFactor === 'on')
      this.leaveFactorSetup();
  }

  private leaveFactorSetup(): void {
    if (this.phase.kind === 'signed-in') this.show({ ...this.phase, factorSetup: 'none' });
    this.settle('second_factor_missing', true);
  }

  async signOut(): Promise<void> {
    await sessions.signOut();
    tellOtherTabs('signed-out');
    this.leave();
  }

  /** The session has ended during a request: resolves after the next sign-in. */
  private end(): Promise<void> {
    if (this.phase.kind === 'signed-in') this.show({ ...this.phase, hasEnded: true });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Something was rejected for a missing proof: resolves when the person has given it, or does not want to. */
  private askFor(asked: AskedProof): Promise<boolean> {
    const { phase } = this;
    if (phase.kind !== 'signed-in') return Promise.resolve(false);
    if (asked === 'step_up_required') this.show({ ...phase, asksPassword: true });
    else if (phase.factorSetup === 'none') this.show({ ...phase, factorSetup: 'dialog' });
    return new Promise((resolve) => this.asking[asked].push(resolve));
  }

  private settle(asked: AskedProof, isGiven: boolean): void {
    for (const resolve of this.asking[asked].splice(0)) resolve(isGiven);
  }

  private hear(news: SessionNews): void {
    if (news === 'signed-out') {
      if (this.phase.kind === 'signed-in') this.leave();
    } else if (this.phase.kind !== 'signed-in') void this.readFirst();
    else this.check(false);
  }

  /** Resolves to whether its rights are others than those that the page had. */
  private async take(next: Session): Promise<boolean> {
    const before = this.phase.kind === 'signed-in' ? this.phase : undefined;
    if (before !== undefined && before.session.user['@id'] !== next.user['@id']) {
      // Another person's screen, and what it was about to send, are not for this one.
      this.leave();
      return false;
    }
    if (before === undefined && isLanguage(next.user.language)) await activateLanguage(next.user.language);
    const hasChanged = before !== undefined && rightsOf(before.session) !== rightsOf(next);
    if (hasChanged) this.forget();
    const hasNewRights = hasChanged || before?.hasNewRights === true;
    const factorSetup = before?.factorSetup ?? (next.user.secondFactor === 'missing' ? 'page' : 'none');
    // A sign-in is the password, given now.
    const asksPassword = before?.asksPassword === true && !before.hasEnded;
    this.show({ kind: 'signed-in', session: next, hasEnded: false, hasNewRights, asksPassword, factorSetup });
    if (before?.hasEnded === true) this.settle('step_up_required', true);
    // It was set up elsewhere, perhaps in another tab.
    if (factorSetup !== 'none' && next.user.secondFactor === 'on' && !this.holdsFactorSetup)
      this.leaveFactorSetup();
    for (const resume of this.waiting.splice(0)) resume();
    return hasChanged;
  }

  /** A page without anything that was read or typed before: after a sign-out, and for another person. */
  private leave(): void {
    this.waiting = [];
    for (const asked of ['step_up_required', 'second_factor_missing'] as const) this.settle(asked, false);
    this.show({ kind: 'reading' });
    // After the screen is gone: one with unsaved changes asks before the page may be left.
    setTimeout(() => window.location.assign('/desk/'));
  }

  private show(phase: SessionPhase): void {
    this.phase = phase;
    for (const watch of this.watchers) watch();
  }
}
