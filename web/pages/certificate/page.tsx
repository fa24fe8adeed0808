import { data, href } from 'react-router';
import { listCertificateVersions, readCertificate } from '#contract/certification/certificates.ts';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { withoutScripts } from '../../deferred-hydration.tsx';
import { BrandMark } from '../../layout/brand-mark.tsx';
import { privateMeta } from '../../metadata/page-meta.ts';
import { missingOrThrow } from '../../requests/missing.ts';
import { type ServerContext, serverContext } from '../../server-context.ts';
import { useShop } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import type { Route } from './+types/page.ts';
import styles from './certificate.css?url';
import { CertificateView } from './certificate-view.tsx';

export const handle = withoutScripts;

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

/** Whether the laptop of a certificate is for sale; one that was never listed, or is gone, is not. */
async function isForSale({ client, report }: ServerContext, id: string): Promise<boolean> {
  try {
    return !(await client.call(readLaptop, { params: { _id: id } })).paid;
  } catch (error) {
    missingOrThrow(error, report);
    return false;
  }
}

/** @throws Response 503 when the certificate cannot be read */
export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client, origin, report } = site;
  try {
    const certificate = await client.call(readCertificate, { params: { _id: id } });
    const { versions, total } = await client.call(listCertificateVersions, { params: { _id: id } });
    const forSale = await isForSale(site, id);
    return { certificate, versions, total, forSale, url: `${origin}${href('/c/:id', { id })}` };
  } catch (error) {
    missingOrThrow(error, report);
    return data(null, 404);
  }
}

// The laptop's page is the one that search engines show; it links the certificate.
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  privateMeta(
    loaderData === undefined || loaderData === null
      ? 'No certificate'
      : `Certificate of ${loaderData.certificate.credential?.credentialSubject.name ?? 'a laptop'}`,
  )({ matches });

export default function CertificatePage({ loaderData }: Route.ComponentProps) {
  return (
    <main className="page-width max-w-4xl py-6 print:max-w-none print:p-0">
      <a
        href={href('/')}
        aria-label={`${useShop().name}, home`}
        className="inline-block print:pointer-events-none"
      >
        <BrandMark />
      </a>
      {loaderData === null ? (
        <div className="flex flex-col items-start gap-5 py-16">
          <h1 className="text-4xl">There is no such certificate</h1>
          <p className="max-w-prose text-lg text-muted">
            The address is mistyped, or the laptop was never measured. A certificate that was revoked would
            still be shown here, with the reason.
          </p>
          <LinkButton to={href('/laptops')} reloadDocument>
            See laptops
          </LinkButton>
        </div>
      ) : (
        <CertificateView {...loaderData} />
      )}
    </main>
  );
}
