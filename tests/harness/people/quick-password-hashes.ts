import { vi } from 'vitest';

// A setup file of vitest. Processes that tests start use better-auth's hashes, and so does a test file that calls
// `vi.unmock('better-auth/crypto')`.
vi.mock('better-auth/crypto', () => import('../quick-hashes.ts'));
