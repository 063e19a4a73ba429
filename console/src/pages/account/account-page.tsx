import { LogOut } from "lucide-react";
import { useSignOut } from "../../api/index.ts";
import type { PageProps } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Card, Moment, Notice, Page, useOnce, wordsOf } from "../../ui/index.ts";
import { ScopeName } from "../tokens/index.ts";
import { PasswordCard } from "./password-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import "./account.css";

export function AccountPage({ session }: PageProps) {
  const texts = useTexts();
  const signOut = useSignOut();
  const leave = useOnce(() => signOut.mutateAsync().catch(() => undefined));
  const { operator } = session;
  return (
    <Page title={texts.account.title}>
      <div className="account">
        <div className="account-side">
          <PasswordCard
            hasPassword={operator.has_password}
            asksForCode={!operator.has_password && session.second_factor === "on"}
            login={operator.login}
          />
          <SecondFactorCard hasPassword={operator.has_password} />
        </div>
        <div className="account-side">
          <Card title={texts.account.profile}>
            <dl className="account-facts">
              <dt>{texts.account.login}</dt>
              <dd>{operator.login}</dd>
              {operator.name && (
                <>
                  <dt>{texts.account.name}</dt>
                  <dd>{operator.name}</dd>
                </>
              )}
            </dl>
          </Card>
          <Card title={texts.account.session}>
            <dl className="account-facts">
              <dt>{texts.account.sessionEnds}</dt>
              <dd>
                <Moment at={session.expires_at} />
              </dd>
              <dt>{texts.account.rights}</dt>
              <dd className="scope-names">
                {session.scopes.map((scope) => (
                  <ScopeName key={scope} scope={scope} />
                ))}
              </dd>
            </dl>
            {signOut.isError && <Notice tone="bad">{wordsOf(signOut.error, texts)}</Notice>}
            <Button icon={<LogOut aria-hidden="true" />} busy={signOut.isPending} onClick={leave}>
              {texts.account.signOut}
            </Button>
          </Card>
        </div>
      </div>
    </Page>
  );
}
