import { useEffect, useState } from "react";
import { navigate, useLeaveGuard } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Empty, Page } from "../../ui/index.ts";
import { nameOf } from "./calls.ts";
import { type Channel, type PlatformName, platforms } from "./shapes.ts";
import { useWords } from "./use-words.ts";
import { CredentialStep, type GivenCredential } from "./wizard/credential-step.tsx";
import { FinishStep } from "./wizard/finish-step.tsx";
import { PlaceStep } from "./wizard/place-step.tsx";
import { Step } from "./wizard/step.tsx";
import { TestStep } from "./wizard/test-step.tsx";
import "./channels.css";
import "./wizard/wizard.css";

/** Adds a channel step by step. It is switched off until it has passed its test, so that no post goes wrong meanwhile. */
export function NewChannelPage({ workspace }: WorkspacePageProps) {
  const texts = useWords();
  const common = useTexts();
  const [platform, setPlatform] = useState<PlatformName | null>(null);
  const [credential, setCredential] = useState<GivenCredential | null>(null);
  const [channel, setChannel] = useState<Channel | null>(null);
  const [passed, setPassed] = useState(false);
  const [goal, setGoal] = useState<string | null>(null);
  useLeaveGuard(channel && goal === null ? texts.wizard.leave : null);
  // Comes after the guard has been lifted.
  useEffect(() => {
    if (goal !== null) navigate(goal);
  }, [goal]);
  if (!workspace.scopes.includes("write") || !workspace.scopes.includes("operate"))
    return (
      <Page title={texts.wizard.title}>
        <Empty title={texts.wizard.notAllowed} hint={texts.wizard.notAllowedHint} />
      </Page>
    );
  const current = !platform ? 1 : !credential ? 2 : !channel ? 3 : !passed ? 4 : 5;
  const names = texts.wizard.steps;
  const startAnew = () => {
    setPlatform(null);
    setCredential(null);
  };
  return (
    <Page title={texts.wizard.title} lead={texts.wizard.lead}>
      <ol className="wizard">
        <Step
          number={1}
          current={current}
          title={names.platform}
          summary={platform && common.platforms[platform]}
          onChange={channel ? undefined : startAnew}
        >
          <div className="platform-choices">
            {platforms.map((name) => (
              <Button key={name} onClick={() => setPlatform(name)}>
                {common.platforms[name]}
                <small>{texts.wizard.platformHints[name]}</small>
              </Button>
            ))}
          </div>
        </Step>
        <Step
          number={2}
          current={current}
          title={names.credential}
          summary={credential?.auth_ref}
          onChange={channel ? undefined : () => setCredential(null)}
        >
          {platform && (
            <CredentialStep
              workspaceId={workspace.id}
              platform={platform}
              mayStore={workspace.scopes.includes("admin")}
              onChosen={setCredential}
            />
          )}
        </Step>
        <Step number={3} current={current} title={names.place} summary={channel && nameOf(channel)}>
          {platform && credential && (
            <PlaceStep
              workspaceId={workspace.id}
              platform={platform}
              authRef={credential.auth_ref}
              mayAskPlaces={workspace.scopes.includes("admin")}
              onCreated={setChannel}
            />
          )}
        </Step>
        <Step number={4} current={current} title={names.test} summary={passed ? texts.wizard.passed : null}>
          {channel && (
            <TestStep
              workspaceId={workspace.id}
              channel={channel}
              stored={credential?.storedHere ?? false}
              onPassed={() => setPassed(true)}
              onKept={() => setGoal(`/channels/${channel.channel_id}`)}
              onRemoved={(forgotten) => {
                setChannel(null);
                if (forgotten) setCredential(null);
              }}
            />
          )}
        </Step>
        <Step number={5} current={current} title={names.finish}>
          {channel && (
            <FinishStep
              workspaceId={workspace.id}
              channel={channel}
              onDone={() => setGoal(`/channels/${channel.channel_id}`)}
            />
          )}
        </Step>
      </ol>
    </Page>
  );
}
