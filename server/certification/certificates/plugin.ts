import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/certification/certificates.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import { issuerMetadata } from './keys.ts';
import { type RenewalDependencies, renewAll } from './renewal.ts';

export type CertificatesOptions = Context & RenewalDependencies;

/** A reader that keeps the keys may trust a revoked one a minute longer. */
const KEYS_CACHE_CONTROL = 'public, max-age=60';

function certificateRoutes(serve: Serve, options: CertificatesOptions): void {
  serve(contract.readCertificate, ({ params, reply }) => {
    reply.header('cache-control', 'public, no-cache');
    return actions.readCertificate(options, params._id);
  });
  serve(contract.listCertificateVersions, ({ params, reply }) => {
    reply.header('cache-control', 'public, no-cache');
    return actions.listVersions(options, params._id);
  });
  serve(contract.readCertificateStatus, ({ params, reply }) => {
    reply.header('cache-control', 'public, no-cache');
    return actions.readCertificateStatus(options, params._id);
  });
  serve(contract.readCertificateKeys, () => issuerMetadata(options.database, options.origin));
}

/** Documents at fixed addresses, in the formats that other verifiers expect. */
function wellKnownRoutes(app: FastifyInstance, { database, origin }: CertificatesOptions): void {
  app.get(contract.ISSUER_METADATA_PATH, async (_request, reply) =>
    reply.header('cache-control', KEYS_CACHE_CONTROL).send(await issuerMetadata(database, origin)),
  );
  app.get(contract.KEY_SET_PATH, async (_request, reply) => {
    const { jwks } = await issuerMetadata(database, origin);
    return reply
      .header('cache-control', KEYS_CACHE_CONTROL)
      .type('application/jwk-set+json')
      .send(JSON.stringify(jwks));
  });
}

/** Certificates of laptops: calls, published keys, and the task that issues and revokes. */
export async function certificatesPlugin(app: FastifyInstance, options: CertificatesOptions): Promise<void> {
  await registerCalls(app, options.api, (serve) => certificateRoutes(serve, options));
  wellKnownRoutes(app, options);
  options.work.every(2_000, 'certificates could not be renewed', (signal) =>
    renewAll(options, signal, (error, laptopId) =>
      app.log.error({ err: error, laptopId }, 'a certificate could not be renewed'),
    ),
  );
}
