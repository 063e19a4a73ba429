/** The text of an answer; of a stream without an end only its beginning. */
export async function textOfAnswer(answer: Response): Promise<string> {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer.text();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const beginning = await reader?.read();
  await reader?.cancel();
  return beginning?.value ?? "";
}
