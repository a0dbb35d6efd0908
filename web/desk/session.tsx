import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  createContext,
  lazy,
  Suspense,
  use,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Action } from '../../domain/permission.ts';
import type { Session } from '../shared/client.ts';
import type { Language } from '../shared/words.ts';
import { ServicePage } from './service-page.tsx';
import type { SessionPhase } from './session-life.ts';
import { rightsOf, SessionLife } from './session-life.ts';
import { SignInDialog, SignInPage } from './sign-in.tsx';
import { StepUpDialog } from './step-up.tsx';

/** Few need it, and it brings what draws a QR code. */
const FactorSetup = lazy(() => import('./second-factor/required.tsx'));

/** Who is signed in, and what changes that. */
interface SessionState {
  readonly session: Session;
  readonly may: (action: Action) => boolean;
  /** Whether the rights have changed since this page was opened. */
  readonly hasNewRights: boolean;
  /** Reads the session again behind the screen: rights may have changed. Whoever lost a right sees a page without it. */
  readonly check: () => void;
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
  const queries = useQueryClient();
  const [life] = useState(() => new SessionLife(() => queries.clear()));
  useEffect(() => life.start(), [life]);
  const phase = useSyncExternalStore(life.watch, life.read);
  const state = useMemo(() => (phase.kind === 'signed-in' ? stateOf(phase, life) : null), [phase, life]);
  if (phase.kind === 'reading') return null;
  if (phase.kind === 'away') {
    return <ServicePage error={phase.error} onRetry={() => void life.readFirst()} />;
  }
  const accept = (next: Session) => life.accept(next);
  if (phase.kind === 'nobody') return <SignInPage onSignedIn={accept} />;
  const { session, hasEnded, asksPassword, factorSetup } = phase;
  return (
    <SessionContext value={state}>
      {/* The rights are the key: a changed role draws everything anew. */}
      <div key={rightsOf(session)} className="session">
        {factorSetup !== 'page' && children}
      </div>
      {factorSetup !== 'none' && (
        <Suspense>
          <FactorSetup
            form={factorSetup}
            email={session.user.email}
            onHold={(isHeld) => life.holdFactorSetup(isHeld)}
            onDone={() => life.finishFactorSetup()}
            onSignOut={() => life.signOut()}
          />
        </Suspense>
      )}
      {hasEnded && <SignInDialog email={session.user.email} onSignedIn={accept} />}
      {asksPassword && !hasEnded && (
        <StepUpDialog
          session={session}
          onGiven={() => life.answerStepUp(true)}
          onDeclined={() => life.answerStepUp(false)}
          onEnded={() => life.stepUpAtSignIn()}
        />
      )}
    </SessionContext>
  );
}

function stateOf(
  { session, hasNewRights }: Extract<SessionPhase, { kind: 'signed-in' }>,
  life: SessionLife,
): SessionState {
  const rights = new Set(session.permissions);
  return {
    session,
    hasNewRights,
    may: (action) => rights.has(action),
    check: () => life.check(),
    chooseLanguage: (language) => life.chooseLanguage(language),
    signOut: () => life.signOut(),
  };
}
