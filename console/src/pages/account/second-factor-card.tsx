import { useState } from "react";
import { useReadSession, useSecondFactor } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Card, Moment, Notice } from "../../ui/index.ts";
import { ChangeFactor } from "./change-factor.tsx";
import { EnrolFactor } from "./enrol-factor.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import "./second-factor.css";

type Doing = "nothing" | "enrol" | "renew" | "remove";

/** The operator's second factor: off, being set up, or on. */
export function SecondFactorCard({ hasPassword }: { hasPassword: boolean }) {
  const { secondFactor: words, common } = useTexts();
  const factor = useSecondFactor();
  const readSession = useReadSession();
  const [doing, setDoing] = useState<Doing>("nothing");
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const stop = () => setDoing("nothing");
  const show = (fresh: readonly string[]) => {
    setCodes(fresh);
    stop();
  };
  // Only after they were seen: the page may change with the session.
  const seen = () => {
    setCodes(null);
    void readSession();
  };

  if (codes) return <RecoveryCodes codes={codes} onSeen={seen} />;
  const { data } = factor;
  return (
    <Card title={words.title}>
      {!data && <p className="account-hint">{common.loading}</p>}
      {data?.required && data.enrolled_at === null && (
        <Notice tone="warn" title={words.needed}>
          {words.neededHint}
        </Notice>
      )}
      {data && data.enrolled_at === null && doing !== "enrol" && (
        <div className="factor">
          <p className="account-hint">{words.off}</p>
          <div>
            <Button look="main" onClick={() => setDoing("enrol")}>
              {words.begin}
            </Button>
          </div>
        </div>
      )}
      {doing === "enrol" && <EnrolFactor hasPassword={hasPassword} onCodes={show} onCancel={stop} />}
      {data && data.enrolled_at !== null && (
        <div className="factor">
          <p className="account-hint">{words.on}</p>
          <dl className="account-facts">
            <dt>{words.enrolledAt}</dt>
            <dd>
              <Moment at={data.enrolled_at} />
            </dd>
            <dt>{words.codesLeft}</dt>
            <dd>{data.recovery_codes_left}</dd>
          </dl>
          {doing === "nothing" ? (
            <div className="factor-actions">
              <Button onClick={() => setDoing("renew")}>{words.newCodes}</Button>
              <Button look="danger" onClick={() => setDoing("remove")}>
                {words.remove}
              </Button>
            </div>
          ) : (
            doing !== "enrol" && (
              <ChangeFactor
                key={doing}
                change={doing}
                hasPassword={hasPassword}
                onCodes={show}
                onEnd={stop}
              />
            )
          )}
        </div>
      )}
    </Card>
  );
}
