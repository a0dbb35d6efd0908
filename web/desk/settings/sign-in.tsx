import { Trans } from '@lingui/react/macro';
import { SecondFactor } from './second-factor.tsx';
import { OwnSessions } from './sessions.tsx';

/** How the person signs in, and where it is signed in. */
export default function SignIn() {
  return (
    <>
      <h2>
        <Trans>Sign-in</Trans>
      </h2>
      <SecondFactor />
      <OwnSessions />
    </>
  );
}
