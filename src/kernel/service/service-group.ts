/** Everything that runs in the background has this shape. */
export interface Service {
  readonly name: string;
  start(): Promise<void>;
  /** Finishes running work and returns. Must be safe to call twice and before `start`. */
  stop(): Promise<void>;
}

export interface ServiceEvents {
  starting?(name: string): void;
  started?(name: string, milliseconds: number): void;
  stopping?(name: string): void;
  stopFailed?(name: string, error: unknown): void;
}

/**
 * Several services as one: started in order, stopped in reverse order.
 * If one fails to start, those before it are stopped and its error is thrown.
 */
export function serviceGroup(
  name: string,
  services: readonly Service[],
  events: ServiceEvents = {},
): Service {
  const running: Service[] = [];

  async function stop(): Promise<void> {
    for (let service = running.pop(); service; service = running.pop()) {
      events.stopping?.(service.name);
      try {
        await service.stop();
      } catch (error) {
        // A service that fails to stop must not prevent the others from stopping.
        events.stopFailed?.(service.name, error);
      }
    }
  }

  async function start(): Promise<void> {
    for (const service of services) {
      events.starting?.(service.name);
      const began = performance.now();
      try {
        await service.start();
      } catch (error) {
        await stop();
        throw error;
      }
      running.push(service);
      events.started?.(service.name, performance.now() - began);
    }
  }

  return { name, start, stop };
}
