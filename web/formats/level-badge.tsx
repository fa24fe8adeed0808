import { Badge } from '../ui/badge.tsx';
import { toLevelMark } from './level-mark.ts';

/** How well a laptop's listing is checked, and since when. */
export function LevelBadge({ laptop }: { laptop: Parameters<typeof toLevelMark>[0] }) {
  const { tone, text } = toLevelMark(laptop);
  return <Badge tone={tone}>{text}</Badge>;
}
