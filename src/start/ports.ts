import type { Config } from '../config/config.ts';
import { firstFreePort, isPortFree } from '../platform/net/free-port.ts';
import type { Home } from './home.ts';
import { Refused } from '@docent/base/refused';

/** Where the parts of one `docent start` listen. */
export interface Ports {
  api: number;
  temporal: number;
  temporalUi: number;
  /** The operator set the port of Temporal's Web UI: no other may be used. */
  isUiAsked: boolean;
  /** The metrics ports of the roles, if any. */
  metrics?: Readonly<Record<'api' | 'worker', number>>;
}

/** Temporal's usual ports, where they are free. */
const TEMPORAL_PORT = 7233;
const TEMPORAL_UI_PORT = 8233;

/** Requested ports must be free; others stay as at the last start if possible. @throws Refused */
export async function choosePorts(
  home: Home,
  config: Config,
  asked: { port?: number; uiPort?: number },
): Promise<Ports> {
  const state = home.readState();
  const wanted = asked.port ?? config.port;
  const api = wanted === 0 ? await firstFreePort([state.apiPort], config.host) : wanted;
  if (!(await isPortFree(api, config.host))) throw taken(api, '--port');
  if (asked.uiPort !== undefined && !(await isPortFree(asked.uiPort))) throw taken(asked.uiPort, '--ui-port');
  const temporalUi = asked.uiPort ?? (await firstFreePort([state.temporalUiPort, TEMPORAL_UI_PORT]));
  const temporal = await firstFreePort([state.temporalPort, TEMPORAL_PORT].filter((port) => port !== temporalUi));
  const metrics = await chooseMetricsPorts(config);
  home.updateState({ apiPort: api, temporalPort: temporal, temporalUiPort: temporalUi });
  return { api, temporal, temporalUi, isUiAsked: asked.uiPort !== undefined, ...(metrics && { metrics }) };
}

/**
 * Chooses other ports for Temporal after a race: two simultaneous starts find the same ones free.
 * @throws Refused if its page's port was requested and is taken
 */
export async function chooseOtherTemporalPorts(home: Home, ports: Ports): Promise<void> {
  if (!ports.isUiAsked) ports.temporalUi = await firstFreePort([]);
  else if (!(await isPortFree(ports.temporalUi))) throw taken(ports.temporalUi, '--ui-port');
  do ports.temporal = await firstFreePort([]);
  while (ports.temporal === ports.temporalUi);
  home.updateState({ temporalPort: ports.temporal, temporalUiPort: ports.temporalUi });
}

/** One for each role, the API's as requested. */
async function chooseMetricsPorts({ metricsHost: host, metricsPort }: Config): Promise<Ports['metrics']> {
  if (metricsPort === undefined) return undefined;
  const api = metricsPort === 0 ? await firstFreePort([], host) : metricsPort;
  if (!(await isPortFree(api, host))) throw taken(api, 'DOCENT_METRICS_PORT');
  return { api, worker: await firstFreePort([api + 1], host) };
}

function taken(port: number, option: string): Refused {
  return new Refused(`Port ${port} is in use by another program. Stop it, or choose another port with ${option}.`);
}
