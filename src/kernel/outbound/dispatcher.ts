import { Agent, type Dispatcher } from "undici";
import { type ConnectionSettings, createConnector } from "./connector.ts";

export interface OwnedDispatcher {
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

/** undici's own limits are off: a deadline covers the whole exchange. */
export function createDispatcher(settings: ConnectionSettings, options: Agent.Options = {}): OwnedDispatcher {
  const connector = createConnector(settings);
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, ...options, connect: connector.connect });
  return {
    dispatcher,
    async close() {
      await dispatcher.destroy();
      await connector.close();
    },
  };
}
