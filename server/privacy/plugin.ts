import type { FastifyInstance } from 'fastify';
import { type Api, registerCalls } from '../http/api.ts';
import type { PaymentDependencies } from '../payments/actions.ts';
import { privacyRoutes } from './routes.ts';

/** Export of one's own data and end of one's own account. */
export async function privacyPlugin(
  app: FastifyInstance,
  options: PaymentDependencies & { api: Api; origin: string },
): Promise<void> {
  await registerCalls(app, options.api, (serve) => privacyRoutes(serve, options));
}
