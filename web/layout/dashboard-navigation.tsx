import { useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { readOrder } from '#contract/sales/orders.ts';
import { useRead } from '../requests/reads.ts';
import type { Roles } from '../session/roles.ts';
import { countToDo, formatToDo, useToDo } from '../to-do/to-do-pages.ts';
import { Button, SecondaryButton } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { type DashboardLink, dashboardLinks, mayOpen, pageOf } from './dashboard-links.ts';

/** The number of what waits, which screen readers hear with its meaning. */
function Count({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="figures rounded-full bg-primary px-2 font-semibold text-on-primary text-sm">
      {formatToDo(count)}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

/** The groups of links that a person with these roles sees. */
function groupsFor(roles: Roles) {
  return dashboardLinks
    .filter(
      ({ role, notFor }) =>
        (role === undefined || (roles[role] && !roles.secondFactorDue)) &&
        (notFor === undefined || !roles[notFor]),
    )
    .map((group) => ({
      ...group,
      links: group.links.filter(
        ({ to, notFor }) =>
          (notFor === undefined || !roles[notFor]) && (group.role !== 'isAdmin' || mayOpen(roles, to)),
      ),
    }))
    .filter(({ links }) => links.length > 0);
}

type Groups = ReturnType<typeof groupsFor>;

interface LinkListProps {
  groups: Groups;
  current: { link: DashboardLink | undefined; isPage: boolean };
  /** Called when a link is followed. */
  onFollow?: () => void;
}

function LinkList({ groups, current, onFollow }: LinkListProps) {
  const id = useId();
  const { data: waiting = [] } = useToDo();
  return (
    <nav aria-label="Dashboard" className="flex flex-col gap-4">
      {groups.map(({ heading, links }) => (
        <div key={heading}>
          {heading !== null && (
            <h2 id={`${id}${heading}`} className="px-4 pb-1 font-semibold text-muted text-sm">
              {heading}
            </h2>
          )}
          <ul
            {...(heading !== null && { 'aria-labelledby': `${id}${heading}` })}
            className="flex flex-col gap-1"
          >
            {links.map((link) => (
              <li key={link.to}>
                <Link
                  to={link.to}
                  onClick={onFollow}
                  aria-current={link === current.link ? (current.isPage ? 'page' : 'true') : undefined}
                  className="flex min-h-11 items-center justify-between gap-3 rounded-lg px-4 py-2 font-semibold -outline-offset-3 hover:bg-subtle aria-[current]:bg-accent-soft aria-[current]:text-link"
                >
                  {link.name}
                  <Count count={countToDo(waiting, link.to)} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The links on narrow screens: a button that opens them in a sheet. */
function LinkSheet(props: LinkListProps) {
  const { key } = useLocation();
  // A navigation closes it, and coming back does not open it again.
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== key) setOpenAt(null);
  // The next page gets the focus then.
  const isFollowing = useRef(false);
  const { data: waiting = [] } = useToDo();
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        className="w-full flex-wrap justify-between!"
        onClick={() => {
          isFollowing.current = false;
          setOpenAt(key);
        }}
      >
        <span className="text-left">Menu: {props.current.link?.name ?? 'Dashboard'}</span>
        <span className="flex items-center gap-2">
          <Count count={countToDo(waiting)} />
          <Icon name="chevronDown" />
        </span>
      </Button>
      {openAt !== null && (
        <Sheet
          title="Dashboard"
          onClose={() => setOpenAt(null)}
          returnsFocus={() => !isFollowing.current}
          button={<SecondaryButton className="w-full">Close</SecondaryButton>}
          footer={null}
        >
          <div className="pt-4">
            <LinkList
              {...props}
              onFollow={() => {
                isFollowing.current = true;
              }}
            />
          </div>
        </Sheet>
      )}
    </>
  );
}

/** Whether somebody who buys and sells is the seller of an order, which its page reads, too. @param id null for other pages */
function useIsSale(id: string | null): boolean {
  const order = useRead(readOrder, { params: { _id: id ?? '' } }, { enabled: id !== null });
  return order.data?.role === 'seller';
}

/** The dashboard's links in groups: beside the page on wide screens, in a sheet on narrow ones. */
export function DashboardNavigation({ roles }: { roles: Roles }) {
  const { pathname } = useLocation();
  const groups = groupsFor(roles);
  const links = groups.flatMap((group) => group.links);
  const [page = '', id = ''] = pathname.split('/').slice(2);
  const own = links.find(({ to }) => pageOf(to) === page);
  const isSale = useIsSale(page === 'order' && roles.isBuyer && roles.isSeller ? id : null);
  const parents = links.filter(({ childPages }) => childPages?.includes(page) === true);
  const current = { link: own ?? (isSale ? parents.at(-1) : parents[0]), isPage: own !== undefined };
  return (
    <>
      <div className="lg:hidden">
        <LinkSheet groups={groups} current={current} />
      </div>
      <div className="max-lg:hidden">
        <LinkList groups={groups} current={current} />
      </div>
    </>
  );
}
