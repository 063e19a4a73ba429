import { type Service, type ServiceEvents, serviceGroup } from "./service-group.ts";

/**
 * Several services as one: started in order, stopped at the same time, so that the stop takes as long as the slowest of them needs. A
 * second `stop` waits for the first.
 */
export function stoppedTogether(
  name: string,
  services: readonly Service[],
  events: ServiceEvents = {},
): Service {
  const { start } = serviceGroup(name, services);
  let stopping: Promise<void> | undefined;

  async function stop(service: Service): Promise<void> {
    events.stopping?.(service.name);
    try {
      await service.stop();
    } catch (error) {
      events.stopFailed?.(service.name, error);
    }
  }

  return {
    name,
    async start() {
      stopping = undefined;
      await start();
    },
    stop() {
      stopping ??= Promise.all(services.map(stop)).then(() => {});
      return stopping;
    },
  };
}
