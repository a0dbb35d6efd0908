import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatDateTime } from '../../shared/format.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice, Notice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSession } from '../session.tsx';
import { OrganizationForm } from './organization-form.tsx';
import type { Organization } from './organization-reads.ts';
import { readWebhookSecret, useOrganizationId } from './organization-reads.ts';
import type { FormValues } from './record/form-field.ts';
import { optionalText } from './record/form-field.ts';
import { SecretText } from './secret-text.tsx';
import styles from './settings.module.css';

const valuesOf = ({ webhookUrl, isWebhookEnabled }: Organization): FormValues => ({
  webhookUrl: webhookUrl ?? '',
  isWebhookEnabled: isWebhookEnabled ? 'yes' : '',
});
const bodyOf = (values: FormValues) => ({
  webhookUrl: optionalText(values, 'webhookUrl'),
  isWebhookEnabled: values['isWebhookEnabled'] === 'yes',
});

/** Where changes of shipments are sent to, and the secret that signs them. */
export default function Webhook() {
  const { t } = useLingui();
  return (
    <>
      <h2>
        <Trans>Webhook</Trans>
      </h2>
      <OrganizationForm
        label={t`Webhook`}
        fields={[
          {
            name: 'webhookUrl',
            label: t`Address`,
            kind: 'url',
            hint: t`A public address that begins with https://.`,
          },
          { name: 'isWebhookEnabled', label: t`Send each change of a shipment there`, kind: 'check' },
        ]}
        valuesOf={valuesOf}
        bodyOf={bodyOf}
        facts={(organization) => <WebhookState organization={organization} />}
      />
      <Secret />
    </>
  );
}

function WebhookState({ organization }: { readonly organization: Organization }) {
  const { session } = useSession();
  const { hasWebhooks, webhookFailingSince, plan } = organization;
  if (!hasWebhooks) {
    return (
      <Notice kind="warning">
        <Trans>
          Your plan ({plan}) has no webhooks. What you set here is kept, and is used once you have a plan with
          webhooks.
        </Trans>
      </Notice>
    );
  }
  if (webhookFailingSince === undefined) return null;
  const since = formatDateTime(webhookFailingSince, session.organization.timezone);
  return (
    <Notice kind="warning">
      <Trans>Nothing has arrived there since {since}. Each change is still sent.</Trans>
    </Notice>
  );
}

function Secret() {
  const id = useOrganizationId();
  const [secret, setSecret] = useState<string>();
  const reading = useAction(async () => setSecret(await readWebhookSecret(id)));
  return (
    <section className={styles['content']}>
      <h3>
        <Trans>Secret</Trans>
      </h3>
      <p className={styles['quiet']}>
        <Trans>It signs what is sent, so that the receiver can tell it from forgeries.</Trans>
      </p>
      {reading.error !== undefined && <ErrorNotice error={reading.error} />}
      {secret === undefined ? (
        <div>
          <Button isPending={reading.isPending} onClick={() => void reading.run()}>
            <Trans>Show the secret</Trans>
          </Button>
        </div>
      ) : (
        <SecretText text={secret} onHide={() => setSecret(undefined)} />
      )}
    </section>
  );
}
