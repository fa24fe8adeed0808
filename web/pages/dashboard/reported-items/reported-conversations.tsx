import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ConversationReport,
  listConversationReports,
  readReportedMessages,
  resolveConversationReport,
} from '#contract/sales/message-reports.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { ListView } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { RecordedMessages } from '../../../messages/recorded-messages.tsx';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';

function Report({ report }: { report: ConversationReport }) {
  const api = useApi();
  const queries = useQueryClient();
  const [isRead, setIsRead] = useState(false);
  const { _id, productName, reporterName, reportedName, note, reportedAt, state } = report;
  const resolving = useMutation({
    mutationFn: () => api.call(resolveConversationReport, { params: { _id }, body: {} }),
    onSuccess: () => toast.success('The report is resolved.'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['conversationReports'] }),
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
        <RecordedMessages
          label="Reported messages, newest first"
          queryKey={['reportedMessages', _id]}
          load={(query, signal) => api.page(readReportedMessages, { params: { _id }, query, signal })}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {!isRead && (
          <Button size="small" variant="secondary" onClick={() => setIsRead(true)}>
            Read the messages
          </Button>
        )}
        {state === 'Open' && (
          <Button
            size="small"
            variant="secondary"
            busy={resolving.isPending && 'Resolving'}
            onClick={() => resolving.mutate()}
          >
            Resolve
          </Button>
        )}
      </div>
    </article>
  );
}

/** The reports of conversations. */
export function ReportedConversations() {
  const api = useApi();
  const reports = useList(['conversationReports'], (query, signal) =>
    api.page(listConversationReports, { query, signal }),
  );
  return (
    <ListView
      list={reports}
      what="the reported conversations"
      empty={
        <EmptyState title="No conversation is reported">
          When somebody reports a conversation, you can read what was written until then. The audit trail
          records that you did.
        </EmptyState>
      }
    >
      {(items) => (
        <ul className="flex flex-col gap-6">
          {items.map((report) => (
            <li key={report._id}>
              <Report report={report} />
            </li>
          ))}
        </ul>
      )}
    </ListView>
  );
}
