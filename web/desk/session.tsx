import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Action } from '../../domain/permission.ts';
import type { Session } from '../shared/client.ts';
import { onSessionEnd, sessions } from '../shared/client.ts';
import { activateLanguage, isLanguage } from '../shared/words.ts';
import type { Language } from '../shared/words.ts';
import { SignInDialog, SignInPage } from './sign-in.tsx';

/** Who is signed in, and what changes that. */
interface SessionState {
  readonly session: Session;
  readonly may: (action: Action) => boolean;
  /** Reads the session again: rights may have changed. Whoever lost a right sees a page without it. */
  readonly refresh: () => Promise<void>;
  readonly chooseLanguage: (language: Language) => Promise<void>;
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<SessionState | null>(null);

/** The session of the person at this screen. Throws outside of SessionGate. */
export function useSession(): SessionState {
  const state = use(SessionContext);
  if (state === null) throw new Error('useSession outside of SessionGate');
  return state;
}

/** Shows the console to a signed-in person, the sign-in page to others, and a sign-in dialog over the screen when the session ends. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [session, setSession] = useState<Session | null | undefined>(undefined);
  const [hasEnded, setHasEnded] = useState(false);
  const waiting = useRef<(() => void)[]>([]);
  const queries = useQueryClient();

  const accept = useCallback(async (next: Session) => {
    if (isLanguage(next.user.language)) await activateLanguage(next.user.language);
    setSession(next);
    setHasEnded(false);
    for (const resume of waiting.current.splice(0)) resume();
  }, []);

  useEffect(() => {
    onSessionEnd(() => {
      setHasEnded(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
    sessions.read().then(
      (found) => (found === undefined ? setSession(null) : accept(found)),
      () => setSession(null),
    );
  }, [accept]);

  const state = useMemo(
    () =>
      session === null || session === undefined
        ? null
        : stateOf(session, { show: setSession, end: () => setHasEnded(true), forget: () => queries.clear() }),
    [session, queries],
  );

  if (session === undefined) return null;
  if (state === null) return <SignInPage onSignedIn={accept} />;
  const onSignedInAgain = async (next: Session) => {
    // Another person's screen, and what it was about to send, are not for this one.
    if (next.user['@id'] !== state.session.user['@id']) window.location.assign('/desk/');
    else await accept(next);
  };
  return (
    <SessionContext value={state}>
      {/* The rights are the key: a changed role draws everything anew. */}
      <div key={state.session.permissions.join()} className="session">
        {children}
      </div>
      {hasEnded && <SignInDialog email={state.session.user.email} onSignedIn={onSignedInAgain} />}
    </SessionContext>
  );
}

interface Effects {
  readonly show: (session: Session) => void;
  readonly end: () => void;
  /** Drops all that was read. */
  readonly forget: () => void;
}

function stateOf(session: Session, { show, end, forget }: Effects): SessionState {
  const rights = new Set(session.permissions);
  return {
    session,
    may: (action) => rights.has(action),
    refresh: async () => {
      const found = await sessions.read();
      if (found === undefined) {
        end();
        return;
      }
      // Nothing of an old role stays on the screen.
      if (found.permissions.join() !== session.permissions.join()) forget();
      show(found);
    },
    chooseLanguage: async (language) => {
      await activateLanguage(language);
      show(await sessions.keepLanguage(language));
    },
    signOut: async () => {
      await sessions.signOut();
      // A fresh page: nothing that was read stays in its memory.
      window.location.assign('/desk/');
    },
  };
}
