import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useChange } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import {
  Button,
  Card,
  CheckField,
  Dialog,
  Facts,
  faultOf,
  Moment,
  Notice,
  SelectField,
  TextField,
  toast,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";
import { channelTopics, rotateChannel, useAllChannels, useCredentials } from "./calls.ts";
import type { Channel } from "./shapes.ts";
import { useWords } from "./use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly channel: Channel;
  readonly mayOperate: boolean;
  readonly mayList: boolean;
}

/** Whose name the channel posts under, and a change of that between two posts. */
export function CredentialCard({ workspaceId, channel, mayOperate, mayList }: Props) {
  const texts = useWords();
  const [rotating, setRotating] = useState(false);
  const { data } = useCredentials(workspaceId, mayList);
  const own = data?.find(
    ({ platform, auth_ref }) => platform === channel.platform && auth_ref === channel.auth_ref,
  );
  return (
    <Card title={texts.credential.title}>
      <div className="form">
        <Facts
          facts={[
            [texts.credential.name, channel.auth_ref],
            [texts.credential.channels, own?.channels],
            [
              texts.credential.keptIn,
              own && (own.kept_in === "vault" ? texts.credential.vault : texts.credential.env),
            ],
            [texts.credential.changed, own && <Moment at={own.rotated_at ?? own.updated_at} />],
          ]}
        />
        {!channel.has_credential && <Notice tone="bad">{texts.credential.missing}</Notice>}
        {mayOperate && (
          <div>
            <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setRotating(true)}>
              {texts.credential.open}
            </Button>
          </div>
        )}
      </div>
      {rotating && (
        <RotateDialog
          workspaceId={workspaceId}
          channel={channel}
          mayList={mayList}
          onClose={() => setRotating(false)}
        />
      )}
    </Card>
  );
}

/** Less than a request of the console may take. */
const drainSeconds = 8;

function RotateDialog({
  workspaceId,
  channel,
  mayList,
  onClose,
}: Omit<Props, "mayOperate"> & { onClose: () => void }) {
  const texts = useWords();
  const common = useTexts();
  const credentials = useCredentials(workspaceId, mayList);
  const channels = useAllChannels(workspaceId);
  const [drains, setDrains] = useState(true);
  const rotate = useChange(
    (body: Parameters<typeof rotateChannel>[2]) => rotateChannel(workspaceId, channel.channel_id, body),
    channelTopics,
  );
  const names = [...(credentials.data ?? []), ...(channels.data ?? []).filter((each) => each.has_credential)]
    .filter(({ platform, auth_ref }) => platform === channel.platform && auth_ref !== channel.auth_ref)
    .map(({ auth_ref }) => auth_ref);
  const choices = [...new Set(names)].sort();
  const send = useOnce(async (form: FormData, close: () => void) => {
    const auth_ref = String(form.get("auth_ref"));
    const done = await rotate
      .mutateAsync({
        auth_ref,
        reason: String(form.get("reason")).trim(),
        // A group that is named after the credential goes with it; one that somebody chose stays.
        ...(channel.rate_group === channel.auth_ref && { rate_group: auth_ref }),
        ...(drains && { wait_seconds: drainSeconds }),
      })
      .catch(() => undefined);
    if (!done) return; // shown from rotate.error
    toast(texts.credential.done(auth_ref));
    close();
  });
  const submit = (close: () => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(new FormData(event.currentTarget), close);
  };
  return (
    <Dialog title={texts.credential.ask} onClose={onClose} locked={rotate.isPending}>
      {(close) => (
        <form className="form" onSubmit={submit(close)}>
          <p>{texts.credential.hint}</p>
          {rotate.error && <Notice tone="bad">{wordsOf(rotate.error, common)}</Notice>}
          {choices.length === 0 && <Notice tone="warn">{texts.credential.noOther}</Notice>}
          <SelectField
            label={texts.credential.to}
            name="auth_ref"
            fault={faultOf(rotate.error, "/auth_ref")}
            required
          >
            {choices.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <CheckField
            label={texts.credential.drain}
            hint={texts.credential.drainHint}
            checked={drains}
            onChange={(event) => setDrains(event.target.checked)}
          />
          <TextField
            label={common.common.reason}
            hint={common.common.reasonHint}
            name="reason"
            minLength={3}
            maxLength={500}
            required
            autoComplete="off"
          />
          <div className="form-actions">
            <Button onClick={close}>{common.common.cancel}</Button>
            <Button look="main" type="submit" busy={rotate.isPending} disabled={choices.length === 0}>
              {texts.credential.submit}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
