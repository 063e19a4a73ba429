import { CircleAlert, CircleCheck } from "lucide-react";
import { locale } from "../../preferences/index.ts";
import type { ChannelTest } from "./shapes.ts";
import { useWords } from "./use-words.ts";

/** What the platform said, step by step, and how to mend what is wrong. */
export function TestReport({ test }: { test: ChannelTest }) {
  const texts = useWords();
  const language = locale.use();
  const advice: Readonly<Record<string, string>> = texts.test.advice;
  return (
    <ul className="test-steps">
      {test.steps.map((step) => {
        const good = step.finding === "ok";
        const Icon = good ? CircleCheck : CircleAlert;
        const help = good ? undefined : (advice[step.finding] ?? step[language].advice);
        return (
          <li key={`${step.step} ${step.finding}`} className={good ? "good" : "bad"}>
            <Icon aria-hidden="true" />
            <div>
              <p>{step[language].text}</p>
              {help && <p className="soft">{help}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
