import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useUserCache } from './query-client.ts';

/** Provides the signed-in user's query cache. */
export const WithQueries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={useUserCache()}>{children}</QueryClientProvider>
);
