import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ConversationReport,
  listConversationReports,
  readReportedMessages,
  resolveConversationReport,
} from '#contract/sales/message-reports.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { ListCards } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { RecordedMessages } from '../../../messages/recorded-messages.tsx';
import { readAnew } from '../../../requests/read-anew.ts';
import { keyOf } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';

function Report({ report }: { report: ConversationReport }) {
  const [isRead, setIsRead] = useState(false);
  const { _id, productName, reporterName, reportedName, note, reportedAt, state } = report;
  const queries = useQueryClient();
  const resolving = useWrite(resolveConversationReport, {
    done: 'The report is resolved.',
    // Not the messages: the audit trail records each time that they are read.
    read: () => readAnew(queries, { queryKey: keyOf(listConversationReports) }),
    untilRead: true,
  });
  return (
    <article aria-label={`${reporterName} reports ${reportedName}`} className="card flex flex-col gap-3">
      <h2 className="flex flex-wrap items-center gap-3 text-lg wrap-anywhere">
        {reporterName} reports {reportedName}
        <Badge tone={state === 'Open' ? 'warm' : 'neutral'}>{state}</Badge>
      </h2>
      <p className="text-muted text-sm wrap-anywhere [&_span]:inline!">
        {productName}, <DateTime at={reportedAt} />
      </p>
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {note}
      </p>
      {isRead && (
        <RecordedMessages label="Reported messages, newest first" endpoint={readReportedMessages} id={_id} />
      )}
      <div className="flex flex-wrap gap-2">
        {!isRead && <SmallButton onClick={() => setIsRead(true)}>Read the messages</SmallButton>}
        {state === 'Open' && (
          <SmallButton
            busy={resolving.isPending && 'Resolving'}
            onClick={() => resolving.mutate({ params: { _id }, body: {} })}
          >
            Resolve
          </SmallButton>
        )}
      </div>
    </article>
  );
}

/** The reports of conversations. */
export function ReportedConversations() {
  const reports = useList(listConversationReports);
  return (
    <ListCards
      list={reports}
      what="the reported conversations"
      emptyTitle="No conversation is reported"
      empty="When somebody reports a conversation, you can read what was written until then. The audit trail records that you did."
      card={(report) => <Report report={report} />}
    />
  );
}
