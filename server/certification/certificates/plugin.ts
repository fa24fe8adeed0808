import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/certification/certificates.ts';
import { type Api, registerCalls } from '#server/platform/http/api.ts';
import { sendProblem } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import * as actions from './actions.ts';
import { issuerMetadata } from './keys.ts';
import { type RenewalDependencies, renewAll } from './renewal.ts';
import { statusListPath } from './rules.ts';
import { keepStatusLists, STATUS_LIST_SECONDS, signStatusList } from './status-list.ts';

export interface CertificatesOptions extends RenewalDependencies {
  api: Api;
  work: Work;
  /** How often certificates of changed laptops are renewed, in milliseconds. */
  renewIntervalMs: number;
}

const publicCacheControl = (seconds: number) => `public, max-age=${seconds}`;

function certificateRoutes(serve: Serve, options: CertificatesOptions): void {
  serve(contract.readCertificate, ({ params, reply }) => {
    reply.header('cache-control', 'public, no-cache');
    return actions.read(options, params._id);
  });
  serve(contract.listCertificateVersions, ({ params, reply }) => {
    reply.header('cache-control', 'public, no-cache');
    return actions.listVersions(options, params._id);
  });
  serve(contract.readCertificateStatus, ({ params, reply }) => {
    reply.header('cache-control', 'public, no-cache');
    return actions.readStatus(options, params._id);
  });
  serve(contract.readCertificateKeys, () => issuerMetadata(options.database, options.origin));
}

/** Documents at fixed addresses, in the formats that other verifiers expect. */
function wellKnownRoutes(
  app: FastifyInstance,
  { database, origin, certificateSecrets }: CertificatesOptions,
): void {
  const readStatusList = keepStatusLists((list) =>
    signStatusList(database, certificateSecrets, origin, list, new Date()),
  );
  app.get(contract.ISSUER_METADATA_PATH, async (_request, reply) =>
    reply
      .header('cache-control', publicCacheControl(STATUS_LIST_SECONDS))
      .send(await issuerMetadata(database, origin)),
  );
  app.get(contract.KEY_SET_PATH, async (_request, reply) => {
    const { jwks } = await issuerMetadata(database, origin);
    return reply
      .header('cache-control', publicCacheControl(STATUS_LIST_SECONDS))
      .type('application/jwk-set+json')
      .send(JSON.stringify(jwks));
  });
  app.get<{ Params: { list: string } }>(statusListPath(':list'), async ({ params }, reply) => {
    const jws = /^\d{1,12}$/.test(params.list) ? await readStatusList(BigInt(params.list)) : undefined;
    if (jws === undefined)
      return sendProblem(reply, new Refusal('not_found', 'The shop has no such status list.'));
    return reply
      .header('cache-control', publicCacheControl(STATUS_LIST_SECONDS))
      .type('application/vc+jwt')
      .send(jws);
  });
}

/** Certificates of laptops: calls, published keys and status lists, and the task that issues and revokes. */
export async function certificatesPlugin(app: FastifyInstance, options: CertificatesOptions): Promise<void> {
  await registerCalls(app, options.api, (serve) => certificateRoutes(serve, options));
  wellKnownRoutes(app, options);
  options.work.every(
    options.renewIntervalMs,
    (signal) =>
      renewAll(options, signal, (error, laptopId) =>
        app.log.error({ err: error, laptopId }, 'a certificate could not be renewed'),
      ),
    (error) => app.log.error({ err: error }, 'certificates could not be renewed'),
  );
}
