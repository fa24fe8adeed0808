import { Notice, type NoticeProps } from './notice.tsx';

/** Says that something is wrong, also to screen readers when it appears. */
export const ProblemNotice = (props: Omit<NoticeProps, 'tone' | 'role'>) => (
  <Notice {...props} tone="problem" role="alert" />
);
