import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../../texts/index.ts";
import { Button, Notice, useOnce, wordsOf } from "../../../ui/index.ts";
import { forEach, type Outcome } from "../bulk.ts";
import { changeChannel, channelTopics, createChannel, nameOf } from "../calls.ts";
import { useWords } from "../use-words.ts";
import type { Plan } from "./channel-file.ts";

interface Task {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** What the file would change, channel by channel; nothing is changed before the person agrees. */
export function PlanCard({ workspaceId, plan: current }: { workspaceId: string; plan: Plan }) {
  const { file } = useWords();
  const texts = useTexts();
  const client = useQueryClient();
  // While it is carried out the plan shrinks; what was agreed to stays on the page, with the report.
  const [agreed, setAgreed] = useState<Plan | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [report, setReport] = useState<readonly Outcome<unknown>[] | null>(null);
  const plan = agreed ?? current;
  const tasks = tasksOf(workspaceId, plan);
  const run = useOnce(async () => {
    setAgreed(plan);
    setProgress(0);
    const outcomes = await forEach(
      [...tasks.keys()],
      (id) => tasks.get(id)?.run() ?? Promise.resolve(),
      setProgress,
    );
    setProgress(null);
    setReport(outcomes);
    await Promise.all(channelTopics.map((topic) => client.invalidateQueries({ queryKey: [topic] })));
  });
  return (
    <section className="form" aria-label={file.plan}>
      <p>
        <strong>{file.summary(plan.added.length, plan.changed.length, plan.same)}</strong>
        {plan.unmentioned.length > 0 && ` ${file.unmentioned(plan.unmentioned.length)}`}
      </p>
      <ul className="plan">
        {plan.added.map((entry) => (
          <li key={`${entry.platform}/${entry.target_id}`}>
            <h3>{file.added(entryName(entry))}</h3>
            <code>{JSON.stringify(without(entry))}</code>
          </li>
        ))}
        {plan.changed.map(({ channel, changes }) => (
          <li key={channel.channel_id}>
            <h3>{nameOf(channel)}</h3>
            <dl>
              {Object.entries(changes).map(([key, { from, to }]) => (
                <div key={key}>
                  <dt>
                    <code>{key}</code>
                  </dt>
                  <dd>
                    <del>{shown(from)}</del> → <ins>{shown(to)}</ins>
                    {key === "auth_ref" && <small>{file.rotateInstead}</small>}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      {progress !== null && <p role="status">{file.progress(progress, tasks.size)}</p>}
      {report ? (
        <Notice
          tone={report.some(({ error }) => error) ? "bad" : "good"}
          title={file.done(report.filter(isGood).length)}
        >
          <ul>
            {report.map(({ id, error }) => (
              <li key={id}>
                {tasks.get(id)?.name}: {error ? wordsOf(error, texts) : file.ok}
              </li>
            ))}
          </ul>
        </Notice>
      ) : (
        <div className="form-actions">
          <Button look="main" busy={progress !== null} disabled={tasks.size === 0} onClick={() => run()}>
            {file.apply(tasks.size)}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A change of the credential alone is no change that this page can make. */
function tasksOf(workspaceId: string, { added, changed }: Plan): ReadonlyMap<string, Task> {
  const adding = added.map((entry): [string, Task] => [
    `${entry.platform}/${entry.target_id}`,
    { name: entryName(entry), run: () => createChannel(workspaceId, entry) },
  ]);
  const changing = changed.flatMap(({ channel, changes }): [string, Task][] => {
    const { auth_ref: _rotated, ...rest } = changes;
    const body = Object.fromEntries(Object.entries(rest).map(([key, { to }]) => [key, to]));
    if (Object.keys(body).length === 0) return [];
    const run = () => changeChannel(workspaceId, channel.channel_id, body);
    return [[channel.channel_id, { name: nameOf(channel), run }]];
  });
  return new Map([...adding, ...changing]);
}

const isGood = ({ error }: Outcome<unknown>) => error === undefined;

const entryName = (entry: Plan["added"][number]) =>
  typeof entry.title === "string" ? entry.title : `${entry.platform}/${entry.target_id}`;

function without({ platform: _platform, target_id: _target, ...rest }: Plan["added"][number]) {
  return rest;
}

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
