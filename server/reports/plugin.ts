import type { FastifyInstance } from 'fastify';
import { type Api, registerCalls } from '../http/api.ts';
import type { Work } from '../jobs/work.ts';
import type { ReportDependencies } from './actions.ts';
import {
  type NotificationDependencies,
  notifyReporter,
  notifyTakenDown,
  reportResolved,
  takenDown,
} from './notifications.ts';
import { reportRoutes } from './routes.ts';

export interface ReportsOptions extends ReportDependencies, NotificationDependencies {
  api: Api;
  work: Work;
}

/** Reports of laptops and take-downs. */
export async function reportsPlugin(app: FastifyInstance, options: ReportsOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => reportRoutes(serve, options));
  work.handle(reportResolved, ({ reportId }) => notifyReporter(options, reportId));
  work.handle(takenDown, (data) => notifyTakenDown(options, data));
}
